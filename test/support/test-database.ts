import { test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Database } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { plainSql, type Sql } from "../../src/database/sql.ts";
import { openSqlite } from "../../src/database/sqlite/sqlite.ts";
import { openCleanDatabase } from "./postgres/databases.ts";

/** What was opened by the name of a file, which others open again. */
const kept = new Map<string, Database>();

/**
 * An empty database with the present tables: SQLite in memory or in a file, or PostgreSQL where TEST_POSTGRES names one (the kind
 * `postgres` of test/run.ts, which runs all tests that import this). One that has the name of a file is there again when it is opened again.
 */
export async function openTestDatabase(file = ":memory:"): Promise<Database> {
  const server = process.env.TEST_POSTGRES;
  if (!server) return await openMigrated(file);
  if (file === ":memory:") return await openCleanDatabase(server);
  await closeGone();
  const db = kept.get(file) ?? (await openCleanDatabase(server));
  kept.set(file, db);
  return { ...db, close: async () => undefined };
}

/** Each test file has its own modules; what they share are the globals. */
const shared = globalThis as { migratedDatabase?: Promise<Uint8Array> };

/** A database that is not there yet begins with the tables that were made once for all tests, because a test makes many databases. */
async function openMigrated(file: string): Promise<Database> {
  const isFile = file !== ":memory:";
  shared.migratedDatabase ??= makeMigrated();
  const content = await shared.migratedDatabase;
  if (isFile && !existsSync(file)) await Bun.write(file, content);
  const db = openSqlite({ file, synchronous: "NORMAL", content: isFile ? undefined : content });
  await migrate(db, true);
  return db;
}

/** The bytes of an empty database with the present tables. */
async function makeMigrated(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), "satchel-test-"));
  const file = join(folder, "satchel.db");
  const db = openSqlite({ file: ":memory:", synchronous: "NORMAL" });
  try {
    await migrate(db, true);
    await db.run(plainSql(`vacuum into '${file}'`));
    return await Bun.file(file).bytes();
  } finally {
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A test of what only SQLite has, as its plans of statements. */
export const testOnSqlite = test.skipIf(process.env.TEST_POSTGRES !== undefined);

/** In a batch: references are not looked at until it ends. */
export const ignoringReferences = (db: Database): Sql =>
  plainSql(db.engine === "sqlite" ? "pragma defer_foreign_keys = on" : "set local session_replication_role = replica");

/** Nobody opens a file again whose folder is gone. */
async function closeGone(): Promise<void> {
  for (const [file, db] of kept) {
    if (existsSync(dirname(file))) continue;
    kept.delete(file);
    await db.close();
  }
}
