import { type Database, joined, sql } from "../database/database.ts";

/** What a file on the disk cannot carry itself. */
export interface Attributes {
  readonly content_type: string;
  readonly etag: string;
}

export interface KeyAttributes extends Attributes {
  readonly key: string;
  readonly stamp: string;
}

export interface MultipartRow {
  readonly id: string;
  readonly key: string;
  readonly content_type: string;
  /** Bytes of all parts but the last; null until the first part tells. */
  readonly part_size: number | null;
}

export interface PartRow {
  readonly number: number;
  readonly etag: string;
  readonly size: number;
  /** The file in the upload's folder that it stands in, and where. */
  readonly file: string;
  readonly start: number;
}

/** The built-in store's rows of one bucket. */
export const diskTable = (db: Database, bucket: string) => ({
  attributes: (key: string, stamp: string) =>
    db.first<Attributes>(sql`
      select content_type, etag from disk_attributes where bucket = ${bucket} and key = ${key} and stamp = ${stamp}`),
  /** What is known of the keys from one to another, both included. */
  attributesBetween: (first: string, last: string) =>
    db.all<KeyAttributes>(sql`
      select key, stamp, content_type, etag from disk_attributes
      where bucket = ${bucket} and key between ${first} and ${last}`),
  /** What is known of some keys. */
  attributesOf: (keys: readonly string[]) =>
    db.all<KeyAttributes>(sql`
      select key, stamp, content_type, etag from disk_attributes
      where bucket = ${bucket} and key in (${joined(
        keys.map((key) => sql`${key}`),
        ", ",
      )})`),
  /** Adds to what is known of a key; `settle` forgets the rest once the file is in its place. */
  remember: (key: string, stamp: string, { content_type, etag }: Attributes) =>
    db.run(sql`insert into disk_attributes (bucket, key, stamp, content_type, etag)
      values (${bucket}, ${key}, ${stamp}, ${content_type}, ${etag})
      on conflict (bucket, key, stamp) do update set content_type = excluded.content_type, etag = excluded.etag`),
  /** Takes back what `remember` added, of a file that was not published. */
  disown: (key: string, stamp: string) =>
    db.run(sql`delete from disk_attributes where bucket = ${bucket} and key = ${key} and stamp = ${stamp}`),
  settle: (key: string, stamp: string) =>
    db.run(sql`delete from disk_attributes where bucket = ${bucket} and key = ${key} and stamp <> ${stamp}`),
  forget: (keys: readonly string[]) =>
    db.batch(keys.map((key) => sql`delete from disk_attributes where bucket = ${bucket} and key = ${key}`)),

  addMultipart: ({ id, key, content_type, part_size }: MultipartRow, now: number) =>
    db.run(sql`insert into disk_multiparts (id, bucket, key, content_type, part_size, created_at)
      values (${id}, ${bucket}, ${key}, ${content_type}, ${part_size}, ${now})`),
  multipart: (id: string) =>
    db.first<MultipartRow>(sql`
      select id, key, content_type, part_size from disk_multiparts where id = ${id} and bucket = ${bucket}`),
  multipartsOf: (key: string) =>
    db.all<Pick<MultipartRow, "id">>(sql`select id from disk_multiparts where bucket = ${bucket} and key = ${key}`),
  /** Sets what all parts measure, unless that is settled. */
  settlePartSize: (id: string, size: number) =>
    db.run(sql`update disk_multiparts set part_size = ${size} where id = ${id} and part_size is null`),
  removeMultipart: (id: string) => db.run(sql`delete from disk_multiparts where id = ${id}`),

  part: (id: string, number: number) =>
    db.first<PartRow>(sql`
      select number, etag, size, file, start from disk_parts where multipart = ${id} and number = ${number}`),
  parts: (id: string) =>
    db.all<PartRow>(
      sql`select number, etag, size, file, start from disk_parts where multipart = ${id} order by number`,
    ),
  /** Answers whether the upload was still there. */
  putPart: async (id: string, { number, etag, size, file, start }: PartRow) =>
    (await db.run(sql`insert into disk_parts (multipart, number, etag, size, file, start)
      select id, ${number}, ${etag}, ${size}, ${file}, ${start} from disk_multiparts where id = ${id}
      on conflict (multipart, number) do update set
        etag = excluded.etag, size = excluded.size, file = excluded.file, start = excluded.start`)) === 1,
});

export type DiskTable = ReturnType<typeof diskTable>;

/** Ids of the uploads in parts of every bucket that can go on. */
export const unfinishedMultiparts = async (db: Database): Promise<ReadonlySet<string>> =>
  new Set((await db.all<{ id: string }>(sql`select id from disk_multiparts`)).map(({ id }) => id));
