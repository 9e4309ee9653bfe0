import { type Database, joined, type Sql, sql } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Place } from "./transfers.ts";

/** One object that came, comes or will come through an upload. */
export interface UploadRow {
  readonly id: string;
  readonly storage: string;
  readonly key: string;
  readonly content_type: string;
  /** Bytes: as declared while it is pending, null when nobody said; what the store says once it is ready. */
  readonly size: number | null;
  readonly state: "pending" | "ready" | "removing";
  /** The store's id of an upload in parts. */
  readonly multipart: string | null;
  readonly part_size: number | null;
  readonly created_by: string;
  readonly created_at: number;
  /** When something of it arrived last. */
  readonly touched_at: number;
  /** Until when somebody may hold an address of a storage elsewhere that writes the object: 0 when nobody does. */
  readonly addressed_until: number;
  /** 1 for one that takes the place of what is at its key, and is not the record of it afterwards. */
  readonly overwrites: number;
  /** Of one that overwrites: the version of what was at its key when it began; null when nothing was. */
  readonly found: string | null;
  /** Of one that overwrites: 1 once its file has come through this server, and so counts as what is there. */
  readonly arrived: number;
}

/** Pending since before an instant is too long; `now` says which addresses hold. */
interface Since {
  readonly before: number;
  readonly now: number;
}

const columns = sql`id, storage, key, content_type, size, state, multipart, part_size, created_by, created_at, touched_at,
  addressed_until, overwrites, found, arrived`;

export const uploadsTable = (db: Database, clock: Clock) => ({
  /**
   * Reserves the key and the bytes. Answers whether both were free: the quota is kept, and no other upload has the key or is to
   * overwrite it, unless this one overwrites as well and the other is not on its way.
   */
  insert: async (row: UploadRow, quota: number | null) =>
    (await db.run(sql`
      insert into uploads (${columns})
      select ${row.id}, ${row.storage}, ${row.key}, ${row.content_type}, ${row.size}, ${row.state}, ${row.multipart},
        ${row.part_size}, ${row.created_by}, ${row.created_at}, ${row.touched_at}, ${row.addressed_until},
        ${row.overwrites}, ${row.found}, ${row.arrived}
      where (${quota} is null or ${quota} >= ${row.size ?? 0} + ${usedBytes(row.storage, clock())}) and ${row.overwrites === 1 ? isOpen(row) : isFree(row)}
      on conflict do nothing`)) === 1,

  find: (id: string) => db.first<UploadRow>(sql`select ${columns} from uploads where id = ${id}`),
  findByKey: (storage: string, key: string) =>
    db.first<UploadRow>(sql`
      select ${columns} from uploads where storage = ${storage} and key = ${key} and overwrites = 0`),
  /** An upload in parts that is to overwrite a key. */
  findByMultipart: ({ storage, key }: Place, multipart: string) =>
    db.first<UploadRow>(sql`
      select ${columns} from uploads
      where multipart = ${multipart} and storage = ${storage} and key = ${key} and overwrites = 1 and state = 'pending'`),
  /** The upload of one piece that this owner began last to overwrite a key. */
  pendingOver: ({ storage, key }: Place, owner: string) =>
    db.first<UploadRow>(sql`
      select ${columns} from uploads
      where storage = ${storage} and key = ${key} and overwrites = 1 and state = 'pending' and multipart is null
        and created_by = ${owner}
      order by id desc limit 1`),
  /** Notes that the file of an upload that overwrites has come through this server. */
  arrived: (id: string) => db.run(sql`update uploads set arrived = 1 where id = ${id} and overwrites = 1`),

  /** Uploads that have a key, or one below a folder's, to themselves, in this storage or another of the same bucket. */
  held: (place: Place, limit: number) =>
    db.all<UploadRow>(sql`select ${columns} from uploads where ${isHeld(place)} limit ${limit}`),
  /** Forgets what was to be removed, unless a share waits for it; answers whether it did. */
  removeReleased: async (id: string) =>
    (await db.run(sql`
      delete from uploads where id = ${id} and state = 'removing'
        and not exists (select 1 from files where upload = uploads.id)`)) === 1,

  /** Whether an upload's key lies below this one, as if it were a folder. */
  hasBelow: async (storage: string, key: string) =>
    (await db.first(
      sql`select 1 from uploads where storage = ${storage} and key > ${`${key}/`} and key < ${`${key}0`}`,
    )) !== undefined,

  /** Bytes of a storage's objects and of what is reserved for those that are on their way. */
  used: async (storage: string) =>
    (await db.first<{ bytes: number }>(sql`select ${usedBytes(storage, clock())} as bytes`))?.bytes ?? 0,

  /** Notes the store's id of an upload in parts; answers whether the upload still waits for them. */
  begun: async (id: string, multipart: string) =>
    (await db.run(sql`update uploads set multipart = ${multipart} where id = ${id} and state = 'pending'`)) === 1,
  /** Notes that addresses were given out which hold for so many milliseconds. */
  addressed: (id: string, now: number, life: number) =>
    db.run(sql`
      update uploads set touched_at = ${now}, addressed_until = max(addressed_until, ${now + life}) where id = ${id}`),

  /** Notes that something arrived; answers whether the upload still waits for it. */
  touch: async (id: string, now: number) =>
    (await db.run(sql`update uploads set touched_at = ${now} where id = ${id} and state = 'pending'`)) === 1,
  /** Notes that the object is there; answers whether the upload still waited for it, and there was room for what was not reserved. */
  ready: async ({ id, storage, size: reserved }: UploadRow, size: number, quota: number | null) =>
    (await db.run(sql`
      update uploads set state = 'ready', size = ${size}
      where id = ${id} and state = 'pending'
        and (${reserved} is not null or ${quota} is null or ${quota} >= ${size} + ${usedBytes(storage, clock())})`)) ===
    1,

  /** Answers whether the upload was there. */
  release: async (id: string) => (await db.run(sql`update uploads set state = 'removing' where id = ${id}`)) === 1,
  /** As `release`, if it is still a leftover; a share that waits for it has to go first. */
  releaseLeftover: async (id: string, { before, now }: Since) =>
    (await db.run(sql`
      update uploads set state = 'removing'
      where id = ${id} and ${isLeftover(before, now)}
        and not exists (select 1 from files where upload = uploads.id)`)) === 1,
  remove: (id: string) => db.run(sql`delete from uploads where id = ${id}`),
  /** What has to be cleared away, but of some storages: released, once no address of it holds any more, or pending since before an instant. */
  leftovers: ({ before, now, without }: Since & { readonly without: readonly string[] }, limit: number) =>
    db.all<UploadRow>(sql`
      select ${columns} from uploads where ${isLeftover(before, now)} and ${isElsewhere(without)}
      order by touched_at limit ${limit}`),
});

/** This storage and others that are the same bucket. */
export const sameBucket = (storage: string | Sql): Sql => sql`(
  select twin.id from storage_configs mine join storage_configs twin
    on twin.endpoint_url = mine.endpoint_url and twin.bucket_name = mine.bucket_name
  where mine.id = ${storage})`;

/** Kept for a share that waits for its file, or to be removed. */
const isHeld = ({ storage, key }: Place): Sql => sql`
  storage in ${sameBucket(storage)} and overwrites = 0
  and ${key.endsWith("/") ? sql`key >= ${key} and key < ${`${key.slice(0, -1)}0`}` : sql`key = ${key}`}
  and (state <> 'ready' or exists (select 1 from files where upload = uploads.id and pending = 1))`;

/** The storage is still there, and no share waits for what is to come to the key. */
const isOpen = (row: UploadRow): Sql => sql`
  exists (select 1 from storage_configs where id = ${row.storage})
  and not exists (select 1 from uploads where ${isHeld(row)})`;

/** The storage is still there, and no other upload has the key or is to overwrite it. */
const isFree = ({ storage, key }: UploadRow): Sql => sql`
  exists (select 1 from storage_configs where id = ${storage})
  and not exists (select 1 from uploads other where other.storage in ${sameBucket(storage)} and other.key = ${key})`;

const isLeftover = (before: number, now: number): Sql =>
  sql`((state = 'removing' and addressed_until <= ${now}) or (state = 'pending' and touched_at <= ${before}))`;

/** In none of these storages. */
const isElsewhere = (storages: readonly string[]): Sql =>
  storages.length === 0
    ? sql`true`
    : sql`storage not in (${joined(
        storages.map((id) => sql`${id}`),
        ", ",
      )})`;

/**
 * What a storage holds, as its index knows when it is complete, else as far as that or the records of uploads know, and what is
 * reserved. What was given up counts for as long as an address of it may still write the whole object.
 */
const usedBytes = (storage: string, now: number): Sql => sql`(
  case when exists (select 1 from search_builds where storage = ${storage} and built_at is not null)
    then ${indexedBytes(storage)}
    else max(${indexedBytes(storage)},
      (select coalesce(sum(size), 0) from uploads where storage = ${storage} and state = 'ready'))
  end + (
    select coalesce(sum(size), 0) from uploads where storage = ${storage} and state in ('pending', 'removing')
      and ((state = 'pending' and arrived = 0) or (state = 'removing' and part_size is null and addressed_until > ${now}))
  ))`;

const indexedBytes = (storage: string): Sql =>
  sql`coalesce((select size from nodes where parent = 0 and name = ${storage}), 0)`;

export type UploadsTable = ReturnType<typeof uploadsTable>;
