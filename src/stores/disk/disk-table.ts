import type { Database } from "../../database/database.ts";
import { below, renamed } from "../../database/keys.ts";
import { list, type Sql, sql } from "../../database/sql.ts";
import { isFolderKey } from "./paths.ts";

/** Rows that one statement changes, so that no other waits for more than a few milliseconds. */
const SLICE = 500;

/** Attributes that a file on the disk cannot carry. */
export interface Attributes {
  readonly content_type: string;
  readonly etag: string;
  /** Kept headers as JSON; null when there are none, and in lists. */
  readonly headers: string | null;
  /** Checksums of the whole file as JSON; null when there are none, and in lists. */
  readonly checksums: string | null;
  /** Sizes of the parts that the file came in as JSON; null when there are none, and in lists. */
  readonly parts: string | null;
}

export interface KeyAttributes extends Attributes {
  readonly key: string;
  readonly stamp: string;
}

export interface MultipartRow {
  readonly id: string;
  readonly key: string;
  readonly content_type: string;
  /** Bytes of all parts but the last; null until the first part arrives. */
  readonly part_size: number | null;
  readonly headers: string | null;
}

export interface PartRow {
  readonly number: number;
  readonly etag: string;
  readonly size: number;
  /** Name of the file in the upload's folder that holds the part. */
  readonly file: string;
  /** Offset in that file, in bytes. */
  readonly start: number;
  /** Checksums of the part as JSON; null when there are none. */
  readonly checksums: string | null;
}

/** The disk store's rows of one bucket: attributes by key and stamp, and multipart uploads with their parts. */
export function diskTable(db: Database, bucket: string) {
  /** Conditions for the rows of a key, slice by slice; a folder's key stands for all below it. */
  async function* slicesOf(key: string): AsyncGenerator<Sql> {
    if (!isFolderKey(key)) return yield sql`bucket = ${bucket} and key = ${key}`;
    let after = key;
    for (;;) {
      const slice = await db.first<{ last: string | null }>(sql`select max(key) as last from (
        select key from disk_attributes where bucket = ${bucket} and ${below(key)} and key > ${after}
        order by key limit ${SLICE}) as slice`);
      if (!slice?.last) return;
      yield sql`bucket = ${bucket} and key > ${after} and key <= ${slice.last}`;
      after = slice.last;
      await new Promise(setImmediate);
    }
  }

  return {
    attributes: (key: string, stamp: string) =>
      db.first<Attributes>(sql`
        select content_type, etag, headers, checksums, parts from disk_attributes
        where bucket = ${bucket} and key = ${key} and stamp = ${stamp}`),
    /** Attributes of the keys from one to another, both included, in the order of the keys. */
    attributesBetween: (first: string, last: string) =>
      db.all<KeyAttributes>(sql`
        select key, stamp, content_type, etag, null as headers, null as checksums, null as parts from disk_attributes
        where bucket = ${bucket} and key between ${first} and ${last} order by key`),
    /** Attributes of these keys, in the order of the keys. */
    attributesOf: (keys: readonly string[]) =>
      db.all<KeyAttributes>(sql`
        select key, stamp, content_type, etag, null as headers, null as checksums, null as parts from disk_attributes
        where bucket = ${bucket} and key in (${list(keys)}) order by key`),
    addAttributes: (key: string, stamp: string, { content_type, etag, headers, checksums, parts }: Attributes) =>
      db.run(sql`insert into disk_attributes (bucket, key, stamp, content_type, etag, headers, checksums, parts)
        values (${bucket}, ${key}, ${stamp}, ${content_type}, ${etag}, ${headers}, ${checksums}, ${parts})
        on conflict (bucket, key, stamp) do update set
          content_type = excluded.content_type, etag = excluded.etag, headers = excluded.headers,
          checksums = excluded.checksums, parts = excluded.parts`),
    removeAttributes: (key: string, stamp: string) =>
      db.run(sql`delete from disk_attributes where bucket = ${bucket} and key = ${key} and stamp = ${stamp}`),
    /** Removes the attributes of files that had the key before this one. */
    removeOlderAttributes: (key: string, stamp: string) =>
      db.run(sql`delete from disk_attributes where bucket = ${bucket} and key = ${key} and stamp <> ${stamp}`),
    /** Removes all attributes of these keys, but not of what is below a folder. */
    removeAttributesOf: (keys: readonly string[]) =>
      db.batch(keys.map((key) => sql`delete from disk_attributes where bucket = ${bucket} and key = ${key}`)),
    /** Copies the attributes of a key, or of all below a folder, to another key. */
    async copyTree(from: string, to: string): Promise<void> {
      for await (const slice of slicesOf(from))
        await db.run(sql`insert into disk_attributes (bucket, key, stamp, content_type, etag, headers, checksums, parts)
          select bucket, ${renamed(from, to)}, stamp, content_type, etag, headers, checksums, parts
          from disk_attributes where ${slice}
          on conflict (bucket, key, stamp) do update set content_type = excluded.content_type, etag = excluded.etag,
            headers = excluded.headers, checksums = excluded.checksums, parts = excluded.parts`);
    },
    /** Takes back `copyTree`: removes what it copied, and nothing else at the other key. */
    async removeCopies(from: string, to: string): Promise<void> {
      for await (const slice of slicesOf(from))
        await db.run(sql`delete from disk_attributes where (bucket, key, stamp) in (
          select bucket, ${renamed(from, to)}, stamp from disk_attributes where ${slice})`);
    },
    /** Removes the attributes of a key, or of all below a folder. */
    async removeTree(key: string): Promise<void> {
      for await (const slice of slicesOf(key)) await db.run(sql`delete from disk_attributes where ${slice}`);
    },

    addMultipart: ({ id, key, content_type, part_size, headers }: MultipartRow, now: number) =>
      db.run(sql`insert into disk_multiparts (id, bucket, key, content_type, part_size, headers, created_at)
        values (${id}, ${bucket}, ${key}, ${content_type}, ${part_size}, ${headers}, ${now})`),
    multipart: (id: string) =>
      db.first<MultipartRow>(sql`
        select id, key, content_type, part_size, headers from disk_multiparts where id = ${id} and bucket = ${bucket}`),
    multipartsOf: (key: string) =>
      db.all<Pick<MultipartRow, "id">>(sql`select id from disk_multiparts where bucket = ${bucket} and key = ${key}`),
    /** Sets the size of the parts unless it is set. */
    setPartSize: (id: string, size: number) =>
      db.run(sql`update disk_multiparts set part_size = ${size} where id = ${id} and part_size is null`),
    renameMultipart: (id: string, key: string) =>
      db.run(sql`update disk_multiparts set key = ${key} where id = ${id} and bucket = ${bucket}`),
    removeMultipart: (id: string) => db.run(sql`delete from disk_multiparts where id = ${id}`),

    part: (id: string, number: number) =>
      db.first<PartRow>(sql`
        select number, etag, size, file, start, checksums from disk_parts where multipart = ${id} and number = ${number}`),
    parts: (id: string) =>
      db.all<PartRow>(
        sql`select number, etag, size, file, start, checksums from disk_parts where multipart = ${id} order by number`,
      ),
    /** The next parts after a number, in their order. */
    partsAfter: (id: string, number: number, limit: number) =>
      db.all<PartRow>(sql`
        select number, etag, size, file, start, checksums from disk_parts
        where multipart = ${id} and number > ${number} order by number limit ${limit}`),
    /** Adds or replaces a part. Reports whether the upload still exists. */
    putPart: async (id: string, { number, etag, size, file, start, checksums }: PartRow) =>
      (await db.run(sql`insert into disk_parts (multipart, number, etag, size, file, start, checksums)
        select id, ${number}, ${etag}, ${size}, ${file}, ${start}, ${checksums} from disk_multiparts where id = ${id}
        on conflict (multipart, number) do update set
          etag = excluded.etag, size = excluded.size, file = excluded.file, start = excluded.start,
          checksums = excluded.checksums`)) === 1,
  };
}

export type DiskTable = ReturnType<typeof diskTable>;

/** Ids of the multipart uploads of every bucket that are not finished. */
export const unfinishedMultiparts = async (db: Database): Promise<ReadonlySet<string>> =>
  new Set((await db.all<{ id: string }>(sql`select id from disk_multiparts`)).map(({ id }) => id));
