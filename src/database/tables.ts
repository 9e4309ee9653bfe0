import type { Database } from "./database.ts";
import { sql } from "./sql.ts";

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

/**
 * Tables that are not copied with an installation. The index of names is built anew from what is in the storages; leases, guesses and what servers tell
 * each other are of the servers that run; parts of unfinished uploads are in no backup; steps are made by whoever makes the tables.
 */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  ...["nodes", "node_grams", "removed_folders", "search_builds", "search_open", "index_changes"],
  // What PostgreSQL keeps of the words of shares (postgres/indexes.ts).
  ...["paste_words", "file_words"],
  ...["leases", "changes", "change_version", "guesses"],
  ...["disk_multiparts", "disk_parts"],
  "migrations",
]);
