import { SQL } from "bun";
import type { Database } from "../../../src/database/database.ts";
import { migrate } from "../../../src/database/migrate.ts";
import { openPostgres } from "../../../src/database/postgres/postgres.ts";
import { plainSql } from "../../../src/database/sql.ts";

/** The address of a database of a PostgreSQL. */
export const databaseAt = (server: string, name: string): string =>
  Object.assign(new URL(server), { pathname: name }).href;

/** Runs statements as the one who may make databases. */
export async function asOwner(server: string, ...statements: string[]): Promise<void> {
  const owner = new SQL({ url: server, max: 1 });
  try {
    for (const statement of statements) await owner.unsafe(statement);
  } finally {
    await owner.close();
  }
}

/** An empty database that goes when it is disposed of. */
export async function emptyDatabase(server: string) {
  const name = nameOf();
  await asOwner(server, `create database ${name}`);
  return {
    url: databaseAt(server, name),
    [Symbol.asyncDispose]: () => asOwner(server, `drop database ${name} with (force)`),
  };
}

const nameOf = () => `satchel_test_${Bun.randomUUIDv7("hex").replaceAll("-", "")}`;

/** Of a test that is about no patience: a busy machine must not reach these. */
export const SLOW = { connect: 30_000, wait: 30_000, statement: 120_000, silence: 150_000 };

/** A cleared database, with its connections. */
interface Cleared {
  readonly name: string;
  readonly db: Database;
}

/** Each test file has its own modules; what they share are the globals and the environment. */
const shared = globalThis as { clearedDatabases?: Cleared[] };

/**
 * A database with the present tables and nothing in them. Making one, and even connecting to it, takes longer than clearing one that was
 * used, so each is used again with its connections.
 */
export async function openCleanDatabase(server: string): Promise<Database> {
  shared.clearedDatabases ??= [];
  const cleared = shared.clearedDatabases;
  const { name, db } = cleared.pop() ?? (await openNew(server));
  const { guarded, end, isListening } = endable(db);
  const close = async (): Promise<void> => {
    await end();
    const isGood = await isClear(db);
    if (isGood && !isListening()) return void cleared.push({ name, db });
    await db.close();
    if (isGood) cleared.push({ name, db: connect(server, name) });
    else await asOwner(server, `drop database ${name} with (force)`);
  };
  let closing: Promise<void> | undefined;
  return { ...guarded, close: () => (closing ??= close()) };
}

/** A database that answers nobody once it has ended, which waits for what is under way. */
function endable(db: Database) {
  const running = new Set<Promise<unknown>>();
  let [isOver, isListening] = [false, false];
  const unlessOver = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (isOver) throw new Error("The database of this test was closed.");
    const result = run();
    running.add(result);
    try {
      return await result;
    } finally {
      running.delete(result);
    }
  };
  const { notifications } = db;
  const listen = (onNotify: () => void): Promise<void> => {
    isListening = true;
    return notifications?.listen(onNotify) ?? Promise.resolve();
  };
  const guarded: Database = {
    ...db,
    notifications: notifications && { ...notifications, listen },
    first: (query) => unlessOver(() => db.first(query)),
    all: (query) => unlessOver(() => db.all(query)),
    run: (query) => unlessOver(() => db.run(query)),
    batch: (queries) => unlessOver(() => db.batch(queries)),
  };
  return {
    guarded,
    /** Whether somebody listens on its connections, and would when another test has them. */
    isListening: () => isListening,
    async end() {
      isOver = true;
      await Promise.allSettled(running);
    },
  };
}

/** Deleted rows from which on their space is given back: who scans a table would go through all of it. */
const MANY = 2000;

/** Empties all tables; false when a test has taken one away. */
async function isClear(db: Database): Promise<boolean> {
  const cleared = await db.first<{ rows: number }>(plainSql("select tests.clear() as rows")).catch(() => undefined);
  if (cleared && cleared.rows >= MANY) await db.run(plainSql("vacuum"));
  return cleared !== undefined;
}

async function openNew(server: string): Promise<Cleared> {
  process.env.TEST_POSTGRES_TEMPLATE ||= await makeTemplate(server);
  const name = nameOf();
  await asOwner(server, `create database ${name} template ${process.env.TEST_POSTGRES_TEMPLATE} strategy file_copy`);
  return { name, db: connect(server, name) };
}

const connect = (server: string, name: string): Database =>
  openPostgres({ url: databaseAt(server, name), connections: 5, patience: SLOW });

async function makeTemplate(server: string): Promise<string> {
  const name = nameOf();
  await asOwner(server, `create database ${name}`);
  const db = openPostgres({ url: databaseAt(server, name), patience: SLOW });
  await migrate(db, true);
  await makeClearing(db);
  await db.close();
  return name;
}

/** A function that empties all tables and tells of how many rows; as a replica PostgreSQL checks no references and runs no triggers. */
async function makeClearing(db: Database): Promise<void> {
  const names = async (text: string) => (await db.all<{ name: string }>(plainSql(text))).map(({ name }) => name);
  const tables = await names("select tablename::text as name from pg_tables where schemaname = 'public'");
  const counters = await names("select sequencename::text as name from pg_sequences");
  const lines = [
    "perform set_config('session_replication_role', 'replica', true)",
    ...tables
      .filter((name) => name !== "migrations")
      .flatMap((name) => [`delete from ${name}`, "get diagnostics deleted = row_count", "total := total + deleted"]),
    ...counters.map((name) => `perform setval('${name}', 1, false)`),
    "insert into text_quotas (quota, bytes) values ('total', 0)",
    "return total",
  ];
  await db.run(plainSql("create schema tests"));
  await db.run(
    plainSql(`create function tests.clear() returns bigint language plpgsql as $$
      declare total bigint := 0; deleted bigint; begin ${lines.join("; ")}; end $$`),
  );
}
