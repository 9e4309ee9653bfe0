import { messageOf } from "../lib/errors.ts";
import type { Database, Standby } from "./database.ts";
import { sql } from "./sql.ts";

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
      throw new Error(`The database ${place} cannot be used: ${messageOf(error)}.${adviceOn(messageOf(error))}`);
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

/** Tells databases apart: all that follow one primary have its number. */
const identity = sql`
  select system_identifier::text || ' ' || (select oid from pg_database where datname = current_database()) as identity
  from pg_control_system()`;

interface Identity {
  readonly identity: string;
}

/**
 * Checks that what DATABASE_READ_URL leads to is a copy of this database, and not another one. Throws a sentence for the operator. One that does
 * not answer may come later, and no server waits for it.
 */
export async function checkStandby(db: Pick<Database, "first">, standby: Standby, url: string): Promise<void> {
  const own = await db.first<Identity>(identity);
  const [other] = await standby
    .read<Identity>([identity])
    .then(([rows]) => rows ?? [])
    .catch(() => []);
  if (other === undefined || other.identity === own?.identity) return;
  throw new Error(
    `The database ${placeOf(url)} (DATABASE_READ_URL) is no standby of the one that DATABASE_URL names: it is another database.`,
  );
}

/** Checks that DATABASE_DIRECT_URL leads to the database that DATABASE_URL does. Throws a sentence for the operator. */
export async function checkDirect(db: Pick<Database, "first">, direct: Database, url: string): Promise<void> {
  const other = await direct.first<Identity>(identity).catch((error: unknown) => {
    throw new Error(`The database ${placeOf(url)} (DATABASE_DIRECT_URL) cannot be used: ${messageOf(error)}.`);
  });
  const own = await db.first<Identity>(identity);
  if (own?.identity === other?.identity) return;
  throw new Error(`DATABASE_DIRECT_URL leads to another database than DATABASE_URL: ${placeOf(url)}.`);
}

/** What PgBouncer says to settings of a connection, which it keeps for nobody where it shares connections between transactions. */
const adviceOn = (message: string): string =>
  message.includes("unsupported startup parameter")
    ? " It is a pooler: set DATABASE_DIRECT_URL to the address of PostgreSQL itself, and have the pooler share connections between transactions."
    : "";

/** The address of a database without its password. */
export function placeOf(url: string): string {
  const { username, host, pathname } = new URL(url);
  return `postgres://${username && `${username}@`}${host}${pathname}`;
}
