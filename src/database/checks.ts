import { Database as Engine, SQLiteError } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import type { Clock } from "../lib/clock.ts";
import { deriveKey, mac } from "../lib/secret.ts";
import { isFull, orWithSpare } from "./bounded.ts";
import { type Database, sql } from "./database.ts";
import { createSpare } from "./sqlite/spare.ts";

const ADVICE = "Nothing was changed. Restore it from a backup, or move it away to begin with an empty one.";

/**
 * Checks that a file is a whole SQLite database, without writing to it: reads every page once, about a second per
 * gigabyte. A missing file passes. An empty file is the result of an interrupted first start, unless `inUse` says that
 * the folder holds more. Throws an Error with a sentence for the operator.
 */
export function checkDatabaseFile(file: string, inUse: boolean): void {
  if (!existsSync(file)) return;
  if (statSync(file).size === 0) {
    if (inUse) throw new Error(`The database ${file} is empty. ${ADVICE}`);
    return;
  }
  // Reading takes room as well, for the index of the log.
  const damage = orWithSpare(createSpare(file), () => damageOf(file));
  if (damage !== undefined) throw new Error(`The database ${file} is damaged: ${damage}. ${ADVICE}`);
}

/** What SQLite says of a damaged file (PRAGMA quick_check); undefined for one that is whole. */
function damageOf(file: string): string | undefined {
  let engine: Engine | undefined;
  try {
    engine = new Engine(file, { readonly: true });
    const row = engine.query<{ quick_check: string }, []>("pragma quick_check(1)").get();
    const said = row?.quick_check ?? "no answer";
    return said === "ok" ? undefined : said.replace(/\s+/g, " ").trim();
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error;
    if (DAMAGES.includes(error.errno & 0xff)) return error.message;
    if (isFull(error)) throw error;
    throw new Error(`The database ${file} cannot be opened: ${error.message}.`);
  } finally {
    engine?.close();
  }
}

/** SQLITE_CORRUPT, SQLITE_NOTADB. */
const DAMAGES: readonly number[] = [11, 26];

/** The oldest PostgreSQL that is tested. */
const OLDEST = 15;

/**
 * Checks that PostgreSQL can be reached, is new enough, and has what the tables are made with. Other engines that speak its protocol are
 * refused, because nobody has tested them. Throws an Error with a sentence for the operator that names no password.
 */
export async function checkServer(db: Database, url: string): Promise<void> {
  const place = placeOf(url);
  const server = await db
    .first<{ version: string; encoding: string; place: string | null }>(
      sql`select version() as version, current_setting('server_encoding') as encoding, current_schema() as place`,
    )
    .catch((error: unknown) => {
      throw new Error(`The database ${place} cannot be used: ${messageOf(error)}.`);
    });
  const [product = "", version = ""] = server?.version.split(/[ ,]/, 2) ?? [];
  // What is made of PostgreSQL says so behind a hyphen ("PostgreSQL 15.12-YB-2025.1").
  const isPostgres = product === "PostgreSQL" && !version.includes("-");
  if (!isPostgres || Number.parseInt(version, 10) < OLDEST) {
    throw new Error(`The database ${place} is ${product} ${version}. Satchel needs PostgreSQL ${OLDEST} or newer.`);
  }
  if (server?.encoding !== "UTF8") throw new Error(`The database ${place} must have the encoding UTF8.`);
  if (server.place === null) throw new Error(`The database ${place} has no schema that this user may use.`);
  // Not every PostgreSQL is built with ICU, and no step of the tables may fail for what the texts in them need.
  await db.first(sql`select lower(normalize('A', NFC) collate "und-x-icu") as folded`).catch((error: unknown) => {
    throw new Error(`The database ${place} lacks what Satchel needs: ${messageOf(error)}.`);
  });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The address of a database without its password. */
export function placeOf(url: string): string {
  const { username, host, pathname } = new URL(url);
  return `postgres://${username && `${username}@`}${host}${pathname}`;
}

/** Milliseconds by which the clocks of a server and of its database may differ: leases, sessions, signatures and expiries are decided by both. */
const LARGEST_DIFFERENCE = 60_000;

/**
 * What is wrong with the clock of this server, compared with that of its database; undefined when they agree well enough. The time that
 * the question takes is not held against either.
 */
export async function clockFault(db: Database, clock: Clock): Promise<string | undefined> {
  const before = clock();
  const there = (await db.first<{ now: number }>(sql`select ${db.now} as now`))?.now ?? before;
  const ahead = Math.max(0, before - there) - Math.max(0, there - clock());
  if (Math.abs(ahead) <= LARGEST_DIFFERENCE) return undefined;
  const seconds = Math.round(Math.abs(ahead) / 1000);
  return `The clock of this server is ${seconds} seconds ${ahead > 0 ? "ahead of" : "behind"} that of the database`;
}

/** Stops a start whose clock is not that of the database. Throws an Error with a sentence for the operator. */
export async function checkClock(db: Database, clock: Clock): Promise<void> {
  const fault = await clockFault(db, clock);
  if (fault === undefined) return;
  const advice = "Set the one that is wrong, with NTP for instance";
  throw new Error(`${fault}; they may differ by ${LARGEST_DIFFERENCE / 1000} seconds. ${advice}.`);
}

/** Whether there is a table of this name: a database may be empty, or of a Satchel that had fewer. */
export const hasTable = async (db: Database, name: string): Promise<boolean> => {
  const found =
    db.engine === "sqlite"
      ? sql`select 1 as one from sqlite_master where type = 'table' and name = ${name}`
      : sql`select 1 as one from information_schema.tables where table_schema = current_schema() and table_name = ${name}`;
  return (await db.first(found)) !== undefined;
};

/** Whether files can be kept anywhere. Writes nothing. */
export const hasStorage = async (db: Database): Promise<boolean> =>
  (await hasTable(db, "storage_configs")) &&
  (await db.first(sql`select 1 as one from storage_configs limit 1`)) !== undefined;

/** A text that tells one secret key from another, and nothing of either. */
const checkValue = (secret: string): string => mac(deriveKey(secret, "check value"), "satchel").toString("base64url");

/**
 * Stops a start with another secret key than the one that this database's sessions, grants and passwords were made with. Writes nothing; a
 * database that is still nobody's passes.
 */
export async function checkSecret(db: Database, secret: string): Promise<void> {
  if (!(await hasTable(db, "facts"))) return;
  const stored = await db.first<{ value: string }>(sql`select value from facts where name = 'secret check'`);
  if (!stored || stored.value === checkValue(secret)) return;
  throw new Error(
    "The secret key is not the one this database was made with (SECRET_KEY, or secret.key in the data folder). Nothing was changed.",
  );
}

/** Makes the database that of this secret key, unless it is somebody's. Throws as `checkSecret` when another server was faster with another key. */
export async function noteSecret(db: Database, secret: string): Promise<void> {
  const value = checkValue(secret);
  await db.run(sql`insert into facts (name, value) values ('secret check', ${value}) on conflict (name) do nothing`);
  await checkSecret(db, secret);
}
