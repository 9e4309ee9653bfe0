/** The records of changes that some follower may not know of. */
import { type Database, joined, sql } from "../database/database.ts";
import type { Change } from "./changes.ts";

export interface IntentRow {
  readonly id: string;
  /** Where all of them are. */
  readonly storage: string;
  /** As JSON. */
  readonly changes: string;
  /** 1 if the changes were made before they were recorded, so that they need not be verified. */
  readonly certain: number;
}

export const intentsTable = (db: Database) => ({
  insert: ({ id, storage, changes, certain }: Omit<IntentRow, "changes"> & { readonly changes: readonly Change[] }) =>
    db.run(sql`insert into change_intents (id, storage, changes, certain)
      values (${id}, ${storage}, ${JSON.stringify(changes)}, ${certain})`),
  /** Oldest first, those of some storages left out. */
  all: (without: readonly string[]) =>
    db.all<IntentRow>(sql`
      select id, storage, changes, certain from change_intents where storage not in (${joined(
        ["", ...without].map((id) => sql`${id}`),
        ", ",
      )}) order by id`),
  remove: (id: string) => db.run(sql`delete from change_intents where id = ${id}`),
});
