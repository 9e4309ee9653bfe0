import { type Database, type Sql, sql } from "../database/database.ts";
import { isFolderKey } from "./disk-paths.ts";

/** Rows at once, so that nobody waits for more than a few milliseconds. */
const SLICE = 500;

/** What the database says of the files of one bucket, as they are moved and removed; a folder's key stands for all below it. */
export function diskTreeTable(db: Database, bucket: string) {
  /** Which rows a key stands for, slice by slice. */
  async function* slicesOf(key: string): AsyncGenerator<Sql> {
    if (!isFolderKey(key)) return yield sql`bucket = ${bucket} and key = ${key}`;
    // The slash at the end becomes the character behind it, which comes after all that begins with the folder.
    const end = `${key.slice(0, -1)}0`;
    let after = key;
    for (;;) {
      const slice = await db.first<{ last: string | null }>(sql`select max(key) as last from (
        select key from disk_attributes where bucket = ${bucket} and key > ${after} and key < ${end}
        order by key limit ${SLICE})`);
      if (!slice?.last) return;
      yield sql`bucket = ${bucket} and key > ${after} and key <= ${slice.last}`;
      after = slice.last;
      await new Promise(setImmediate);
    }
  }

  return {
    /** Adds what is known of a file under another key, too. */
    async copy(from: string, to: string): Promise<void> {
      for await (const slice of slicesOf(from))
        await db.run(sql`insert or replace into disk_attributes (bucket, key, stamp, content_type, etag)
          select bucket, ${to} || substr(key, length(${from}) + 1), stamp, content_type, etag
          from disk_attributes where ${slice}`);
    },

    async forget(key: string): Promise<void> {
      for await (const slice of slicesOf(key)) await db.run(sql`delete from disk_attributes where ${slice}`);
    },
  };
}

export type DiskTreeTable = ReturnType<typeof diskTreeTable>;
