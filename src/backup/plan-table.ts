import type { Database } from "../database/database.ts";
import type { Row } from "../database/snapshot.ts";
import { joined, list, sql } from "../database/sql.ts";

/** What the database knew of a file of the built-in storage, as disk_attributes has it. */
export interface PlannedFile {
  readonly bucket: string;
  readonly key: string;
  readonly stamp: string;
  /** What is known beside that, as JSON. */
  readonly known: string;
}

/** Files that are read at once. */
const PAGE = 500;

/** The files of one moment, in a temporary database: there may be more of them than memory holds. */
export const planTable = (db: Database) => ({
  create: () =>
    db.batch([
      sql`create table files (bucket text not null, key text not null, stamp text not null, known text not null,
        primary key (bucket, key, stamp)) strict, without rowid`,
      // Files of the database that are nowhere on the disk.
      sql`create table absent (bucket text not null, key text not null, stamp text not null,
        primary key (bucket, key, stamp)) strict, without rowid`,
    ]),
  clear: () => db.run(sql`delete from files`),
  add: (rows: readonly Row[]) =>
    db.batch(
      rows.map(({ bucket = "", key = "", stamp = "", ...known }) => {
        const values = [bucket, key, stamp, JSON.stringify(known)];
        return sql`insert into files (bucket, key, stamp, known) values (${list(values)})`;
      }),
    ),
  /** Files behind one, in the order of buckets and keys. */
  after: (last: Pick<PlannedFile, "bucket" | "key" | "stamp">) =>
    db.all<PlannedFile>(sql`select bucket, key, stamp, known from files
      where (bucket, key, stamp) > (${last.bucket}, ${last.key}, ${last.stamp}) order by bucket, key, stamp limit ${PAGE}`),
  /** Whether the database knew a file at a key. */
  has: async (bucket: string, key: string, stamp: string) =>
    (await db.first(sql`select 1 as one from files where bucket = ${bucket} and key = ${key} and stamp = ${stamp}`)) !==
    undefined,
  /** Which of these keys with these stamps the database knew. */
  knownOf: async (bucket: string, files: readonly { readonly key: string; readonly stamp: string }[]) => {
    const wanted = joined(
      files.map(({ key, stamp }) => sql`(${key}, ${stamp})`),
      ", ",
    );
    const rows = await db.all<{ key: string }>(
      sql`select key from files where bucket = ${bucket} and (key, stamp) in (values ${wanted})`,
    );
    return new Set(rows.map(({ key }) => key));
  },
  /** Notes a file as absent, and reports whether it was noted before. */
  noteAbsent: async ({ bucket, key, stamp }: PlannedFile): Promise<boolean> =>
    (await db.run(
      sql`insert into absent (bucket, key, stamp) values (${bucket}, ${key}, ${stamp}) on conflict do nothing`,
    )) === 0,
});

export type PlanTable = ReturnType<typeof planTable>;
