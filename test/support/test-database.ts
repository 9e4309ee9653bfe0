import { test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { type Database, plainSql, type Sql } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { openSqlite } from "../../src/database/sqlite.ts";
import { openCleanDatabase } from "./postgres/databases.ts";

/** What was opened by the name of a file, which others open again. */
const kept = new Map<string, Database>();

/**
 * An empty database with the present tables: SQLite in memory or in a file, or PostgreSQL where TEST_POSTGRES names one (the kind
 * `postgres` of test/run.ts, which runs all tests that import this). One that has the name of a file is there again when it is opened again.
 */
export async function openTestDatabase(file = ":memory:"): Promise<Database> {
  const server = process.env.TEST_POSTGRES;
  if (!server) {
    const db = openSqlite({ file, synchronous: "NORMAL" });
    await migrate(db, true);
    return db;
  }
  if (file === ":memory:") return await openCleanDatabase(server);
  await closeGone();
  const db = kept.get(file) ?? (await openCleanDatabase(server));
  kept.set(file, db);
  return { ...db, close: async () => undefined };
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
