import type { Database } from "../database/database.ts";
import { renamed } from "../database/keys.ts";
import { type Sql, sql } from "../database/sql.ts";
import type { MovedChange } from "../stores/changes.ts";
import type { Place } from "../stores/store.ts";
import { isAtPlace, ownBytes } from "./uploads-table.ts";

/** Counts a file of the tree among those of visitors. */
export const countVisitorFile = ({ storage, key }: Place, size: number): Sql => sql`
  insert into visitor_files (storage, key, size) values (${storage}, ${key}, ${size})
  on conflict (storage, key) do update set size = excluded.size`;

/** Files of the tree that visitors have written, wherever they are moved. */
export const visitorFilesTable = (db: Database) => ({
  count: (place: Place, size: number) => db.run(countVisitorFile(place, size)),

  /** Returns the bytes that visitors hold, of whom this is the key: what they share, what is on its way, and these files. */
  usedBy: async (owner: string) =>
    (await db.first<{ bytes: number }>(sql`select ${ownBytes(owner)} as bytes`))?.bytes ?? 0,

  clear: () => db.run(sql`delete from visitor_files`),

  /** A file that was written by others, or is gone, is not theirs any more; nor is what lies below a folder that is gone. */
  forget: (place: Place) => db.run(sql`delete from visitor_files where ${isAtPlace(place)}`),

  async move({ from, to }: Pick<MovedChange, "from" | "to">): Promise<void> {
    const storage = sql`case when storage = ${from.storage} then ${to.storage} else storage end`;
    const key = renamed(from.key, to.key);
    await db.batch([
      sql`delete from visitor_files where ${isAtPlace(to)}`,
      sql`update visitor_files set storage = ${storage}, key = ${key} where ${isAtPlace(from)}`,
    ]);
  },
});
