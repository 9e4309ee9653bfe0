import { MAX_UPLOAD_ADDRESS_SECONDS } from "#contract/limits";
import { type Bearer, VISITOR } from "../access/callers.ts";
import { linkNamed, visitorsOf } from "../access/principal.ts";
import type { Database } from "../database/database.ts";
import { below, isAt } from "../database/keys.ts";
import { list, plainSql, type Sql, sql } from "../database/sql.ts";
import type { Clock } from "../lib/clock.ts";
import type { Place } from "../stores/store.ts";

/** An upload, and after it the record of the object that it brought. */
export interface UploadRow {
  readonly id: string;
  readonly storage: string;
  readonly key: string;
  readonly content_type: string;
  /** Bytes: as declared while it is pending, null if undeclared; as the store reports once it is ready. */
  readonly size: number | null;
  readonly state: "pending" | "ready" | "removing";
  /** The store's id of an upload in parts. */
  readonly multipart: string | null;
  readonly part_size: number | null;
  readonly created_by: string;
  /** How its owner was signed in when it began, in the words of access/callers.ts. */
  readonly credential: string;
  readonly created_at: number;
  /** When something of it arrived last. */
  readonly touched_at: number;
  /** Until when an address of a remote storage that writes the object may be valid: 0 if there is none. */
  readonly addressed_until: number;
  /** 1 for an upload that replaces the file at its key; its record is deleted when it is finished. */
  readonly overwrites: number;
  /** Of an upload that replaces: the version of the file at its key when it began; null if there was none. */
  readonly found: string | null;
  /** Of an upload that replaces: 1 once its file has passed through this server, and so counts as the file at its key. */
  readonly arrived: number;
  /** The parts that the file is being made of, as JSON: `[[number, etag], ...]`; null before and after that. */
  readonly claimed: string | null;
  /** The checksum that the object is to have, as lib/digests/part-checksums.ts writes it; null where nobody said. */
  readonly checksum: string | null;
  /** Of an upload that replaces: the tags of its file, as `x-amz-tagging` writes them; null for none. */
  readonly tags: string | null;
  /** Of a visitor's: where it was begun from, as in KeyCaller; null for everybody else. */
  readonly network: string | null;
  /** Bytes of each part but the last of a resumable upload, to which requests append; null of any other. */
  readonly append_size: number | null;
  /** Of a resumable upload that began without its size: what its sender has said since; null before. */
  readonly total_size: number | null;
  /** Of a resumable upload: the number of the part of which some bytes wait beside it, and how many. They count until that part is there. */
  readonly tail_part: number | null;
  readonly tail_size: number | null;
  /** Of a resumable upload: what its sender has said of it, as the header Upload-Metadata has it; null for nothing. */
  readonly metadata: string | null;
}

/** An upload is abandoned when nothing arrived for it since `before`; `now` says which addresses hold. */
interface Since {
  readonly before: number;
  readonly now: number;
}

/** An upload in parts, or without its id all of its key. */
interface Behind {
  readonly key: string;
  readonly upload?: string | undefined;
}

/** Bytes that may be held: in a storage, and of visitors by the uploads of their key; null is without limit. */
export interface Bounds {
  readonly quota: number | null;
  readonly own: number | null;
}

/** Sorts after every id. */
const LAST = "\u{10ffff}";

const columns = sql`id, storage, key, content_type, size, state, multipart, part_size, created_by, credential, created_at, touched_at,
  addressed_until, overwrites, found, arrived, claimed, checksum, tags, network, append_size, total_size, tail_part, tail_size, metadata`;

/** Of an owner, or of all visitors of a link: each of its openings has another name. */
function isOf(owner: string): Sql {
  const link = linkNamed(owner);
  if (!link) return sql`created_by = ${owner}`;
  const visitors = visitorsOf(link.id);
  // The character after the colon.
  return sql`created_by >= ${visitors} and created_by < ${`${visitors.slice(0, -1)};`}`;
}

/** Uploads in parts, by the store's ids of them. */
const inParts = (db: Database) => ({
  /** Returns the upload in parts that is to overwrite a key. */
  findByMultipart: ({ storage, key }: Place, multipart: string) =>
    db.first<UploadRow>(sql`
      select ${columns} from uploads
      where multipart = ${multipart} and storage = ${storage} and key = ${key} and overwrites = 1 and ${isPending}`),
  /** Returns the upload in parts that an owner has begun, wherever it goes. */
  findOwn: (multipart: string, owner: string) =>
    db.first<UploadRow>(sql`
      select ${columns} from uploads
      where multipart = ${multipart} and created_by = ${owner} and overwrites = 1 and ${isPending}`),
  /** As `findOwn`, of any visitor of the link that this owner has opened. */
  findOfLink: (multipart: string, owner: string) =>
    db.first<UploadRow>(sql`
      select ${columns} from uploads
      where multipart = ${multipart} and ${isOf(owner)} and overwrites = 1 and ${isPending}`),
  /** Makes an upload in parts another owner's; returns it unless it is not pending. */
  handOver: async (id: string, { owner, credential }: Pick<Bearer, "owner" | "credential">) =>
    db.first<UploadRow>(sql`update uploads set created_by = ${owner}, credential = ${credential}
      where id = ${id} and state = 'pending' and overwrites = 1 returning ${columns}`),
  /** Uploads in parts that are to overwrite keys with this beginning, behind one of them, in the order of keys and ids. */
  multiparts: ({ storage, key: prefix }: Place, after: Behind, limit: number) =>
    db.all<UploadRow>(sql`
      select ${columns} from uploads
      where storage = ${storage} and overwrites = 1 and state = 'pending' and multipart is not null
        and key >= ${prefix} and substr(key, 1, length(${prefix})) = ${prefix}
        and key >= ${after.key} and (key > ${after.key} or multipart > ${after.upload ?? LAST})
      order by key, multipart limit ${limit}`),
  /** Uploads in parts that are to overwrite and of whose parts a file was being made, except of some storages. */
  claimed: (without: readonly string[]) =>
    db.all<UploadRow>(sql`
      select ${columns} from uploads
      where claimed is not null and overwrites = 1 and state = 'pending' and ${isElsewhere(without)} order by id`),
  /** Records the store's id of an upload in parts; returns whether the upload is still pending. */
  begun: async (id: string, multipart: string) =>
    (await db.run(sql`update uploads set multipart = ${multipart} where id = ${id} and state = 'pending'`)) === 1,
  /** Records the parts that the file is being made of. */
  claim: (id: string, claimed: string) =>
    db.run(sql`update uploads set claimed = ${claimed} where id = ${id} and state = 'pending'`),
});

export const uploadsTable = (db: Database, clock: Clock) => ({
  ...inParts(db),

  /**
   * Reserves the key and the bytes. Reports whether both were free: the quota is kept, and no other upload has the key
   * or is to overwrite it, unless this one overwrites as well and the other is not pending.
   */
  insert: async (row: UploadRow, { quota, own }: Bounds) =>
    (await db.run(sql`
      insert into uploads (${columns})
      select ${row.id}, ${row.storage}, ${row.key}, ${row.content_type}, ${row.size}, ${row.state}, ${row.multipart},
        ${row.part_size}, ${row.created_by}, ${row.credential}, ${row.created_at}, ${row.touched_at}, ${row.addressed_until},
        ${row.overwrites}, ${row.found}, ${row.arrived}, ${row.claimed}, ${row.checksum}, ${row.tags}, ${row.network},
        ${row.append_size}, ${row.total_size}, ${row.tail_part}, ${row.tail_size}, ${row.metadata}
      where ${row.overwrites === 1 ? isOpen(row) : isFree(row)}
        ${fits(quota, row.size ?? 0, row.storage, clock())} ${within(own, row.size ?? 0, row.created_by)}
      on conflict do nothing`)) === 1,

  find: (id: string) => db.first<UploadRow>(sql`select ${columns} from uploads where id = ${id}`),
  /** Reports whether fresh uploads own one of these keys. */
  hasAny: async (storage: string, keys: readonly string[]) =>
    keys.length > 0 &&
    (await db.first(sql`
      select 1 from uploads
      where storage = ${storage} and overwrites = 0 and key in (${list(keys)})
      limit 1`)) !== undefined,
  /**
   * Returns how many uploads in parts an owner has not finished, at most `most`: visitors apart from the key that they act with, those of a
   * link together. `near` are those of a visitor's own network.
   */
  openInParts: async (
    { created_by, credential, network }: Pick<UploadRow, "created_by" | "credential" | "network">,
    most: number,
  ) =>
    (await db.first<{ open: number; near: number }>(sql`
      select count(*) as open, count(case when network = ${network} then 1 end) as near from (
        select network from uploads
        where ${isOf(created_by)} and state = 'pending' and part_size is not null
          and ${credential === VISITOR ? sql`credential = ${VISITOR}` : sql`credential <> ${VISITOR}`}
        limit ${most}) as begun`)) ?? { open: 0, near: 0 },
  /** Records that the file goes to another key; returns whether the upload is still pending. */
  rename: async (id: string, key: string) =>
    (await db.run(sql`update uploads set key = ${key} where id = ${id} and state = 'pending' and overwrites = 1`)) ===
    1,
  /** The upload of one piece that this owner began last to overwrite a key. */
  findLatest: ({ storage, key }: Place, owner: string) =>
    db.first<UploadRow>(sql`
      select ${columns} from uploads
      where storage = ${storage} and key = ${key} and overwrites = 1 and ${isPending} and multipart is null
        and created_by = ${owner}
      order by id desc limit 1`),
  /** Fresh uploads that own a key, or one below a folder, in this storage or another of the same bucket. */
  reserved: (place: Place, limit: number) =>
    db.all<UploadRow>(sql`select ${columns} from uploads where ${isReserved(place)} limit ${limit}`),
  /** Deletes an upload that is to be removed, unless a share waits for it; reports whether it did. */
  removeReleased: async (id: string) =>
    (await db.run(sql`
      delete from uploads where id = ${id} and state = 'removing'
        and not exists (select 1 from files where upload = uploads.id)`)) === 1,

  /** Reports whether an upload's key lies below this one, as if it were a folder. */
  hasBelow: async (storage: string, key: string) =>
    (await db.first(sql`
      select 1 from uploads where storage = ${storage} and overwrites = 0 and ${below(`${key}/`)}
      union all select 1 from uploads where storage = ${storage} and overwrites = 1 and ${below(`${key}/`)} limit 1`)) !==
    undefined,

  /** Returns the bytes of a storage's objects and of pending reservations. */
  used: async (storage: string) =>
    (await db.first<{ bytes: number }>(sql`select ${usedBytes(storage, clock())} as bytes`))?.bytes ?? 0,

  /** Returns the bytes that unfinished uploads of visitors, those of links too, have reserved in a storage, all together. */
  promised: async (storage: string) =>
    (
      await db.first<{ bytes: number }>(sql`
      select coalesce(sum(size), 0) as bytes from uploads where storage = ${storage} and state = 'pending' and arrived = 0
        and ${isStrangers}`)
    )?.bytes ?? 0,

  /** Records that addresses were given out which hold for so many milliseconds. */
  addressed: (id: string, now: number, life: number) =>
    db.run(sql`
      update uploads set touched_at = ${now}, 
        addressed_until = case when addressed_until > ${now + life} then addressed_until else ${now + life} end where id = ${id}`),

  /** Records that the whole body arrived: the file of an upload that overwrites counts as what is at its key from now on. */
  arrived: (id: string, now: number) =>
    db.run(sql`
      update uploads set touched_at = ${now}, arrived = overwrites where id = ${id} and state = 'pending'`),
  /** Changes what an upload of unknown size reserves; returns that unless the upload is not pending, or the quota has no room. */
  grow: ({ id, storage, created_by: owner }: UploadRow, bytes: number, { quota, own }: Bounds) =>
    db.first<{ size: number }>(sql`
      update uploads set size = case when coalesce(size, 0) + ${bytes} > 0 then coalesce(size, 0) + ${bytes} else 0 end
      where id = ${id} and state = 'pending' ${fits(quota, bytes, storage, clock())} ${within(own, bytes, owner)}
      returning size`),
  /** Records that something arrived; returns whether the upload is still pending. */
  touch: async (id: string, now: number) =>
    (await db.run(sql`update uploads set touched_at = ${now} where id = ${id} and state = 'pending'`)) === 1,
  /** Records that the object is there; returns whether the upload was pending, and the quota had the bytes that it had not reserved. */
  ready: async ({ id, storage, size: reserved, created_by: owner }: UploadRow, size: number, { quota, own }: Bounds) =>
    (await db.run(sql`
      update uploads set state = 'ready', size = ${size}, claimed = null
      where id = ${id} and state = 'pending'
        ${fits(reserved === null ? quota : null, size, storage, clock())}
        ${within(reserved === null ? own : null, size, owner)}`)) === 1,

  /** Returns whether the upload was there. */
  release: async (id: string) => (await db.run(sql`update uploads set state = 'removing' where id = ${id}`)) === 1,
  /** Releases an upload if it is still abandoned, and returns whether it was; a share that waits for it has to go first. */
  releaseAbandoned: async (id: string, { before, now }: Since) =>
    (await db.run(sql`
      update uploads set state = 'removing'
      where id = ${id} and ${isAbandoned(before, now)}
        and not exists (select 1 from files where upload = uploads.id)`)) === 1,
  remove: (id: string) => db.run(sql`delete from uploads where id = ${id}`),
  /** Removes the record of an upload that has ended, with what keeps its result. */
  end: (id: string, keeping: readonly Sql[]) => db.batch([sql`delete from uploads where id = ${id}`, ...keeping]),
  /**
   * Uploads to clean up, except of some storages: released ones whose addresses have expired, and those pending since
   * before an instant.
   */
  abandoned: ({ before, now, without }: Since & { readonly without: readonly string[] }, limit: number) =>
    db.all<UploadRow>(sql`
      select ${columns} from uploads where ${isAbandoned(before, now)} and ${isElsewhere(without)}
      order by touched_at limit ${limit}`),
});

/** True of pending uploads, of those that their keys lead to: with the blank text the index by states is not read in place of theirs. */
const isPending = sql`state || '' = 'pending'`;

/** This storage and others that are the same bucket. */
export const sameBucket = (storage: string): Sql => sql`(select twin.id from ${twins} where mine.id = ${storage})`;

/** At a place, or below that of a folder, whichever storage of the bucket says so. */
export const isAtPlace = ({ storage, key }: Place): Sql => sql`storage in ${sameBucket(storage)} and ${isAt(key)}`;

/** Each storage, as `mine`, with each that is the same bucket, as `twin`. */
export const twins = sql`storage_configs mine join storage_configs twin
  on twin.endpoint_url = mine.endpoint_url and twin.bucket_name = mine.bucket_name`;

/** Kept for a share that waits for its file, or to be removed. */
const isReserved = ({ storage, key }: Place): Sql => sql`
  storage in ${sameBucket(storage)} and overwrites = 0
  and ${isAt(key)}
  and (state <> 'ready' or exists (select 1 from files where upload = uploads.id and pending = 1))`;

/** The storage still exists, and no share waits for the object at the key. */
const isOpen = (row: UploadRow): Sql => sql`
  exists (select 1 from storage_configs where id = ${row.storage})
  and not exists (select 1 from uploads where ${isReserved(row)})`;

/** The storage still exists, and no other upload has the key or is to overwrite it. */
const isFree = ({ storage, key }: UploadRow): Sql => sql`
  exists (select 1 from storage_configs where id = ${storage})
  and not ${isOther(0, storage, key)} and not ${isOther(1, storage, key)}`;

/** Fresh uploads and those that overwrite have an index each. */
const isOther = (overwrites: 0 | 1, storage: string, key: string): Sql => sql`exists (
  select 1 from uploads other
  where other.storage in ${sameBucket(storage)} and other.key = ${key} and other.overwrites = ${plainSql(`${overwrites}`)})`;

const isAbandoned = (before: number, now: number): Sql =>
  sql`(state <> 'ready' and ((state = 'removing' and addressed_until <= ${now})
    or (state = 'pending' and ${isForgotten({ before, now })})))`;

/** Somebody began it of whom nobody knows who they are: with the key of visitors, or by a link. */
const isStrangers = sql`(uploads.credential = ${VISITOR} or substr(uploads.created_by, 1, 5) = 'link:')`;

/** Nothing has arrived. What is put to an address of a storage elsewhere does not pass this server, so nobody knows it of that. */
const isUntouched = sql`uploads.touched_at = uploads.created_at and uploads.addressed_until = 0`;

/**
 * Nothing has arrived for an unfinished upload since `before`; nor has anything of one that a visitor began, with a key or by a link, whose
 * addresses hold no longer.
 */
export const isForgotten = ({ before, now }: Since): Sql => sql`(uploads.touched_at <= ${before}
  or (${isStrangers} and ${isUntouched} and uploads.touched_at <= ${now - MAX_UPLOAD_ADDRESS_SECONDS * 1000}))`;

/** In none of these storages. */
const isElsewhere = (storages: readonly string[]): Sql =>
  storages.length === 0 ? sql`true` : sql`storage not in (${list(storages)})`;

/**
 * The content of a storage, by its index if that is complete, else by the index or the records of uploads, and the
 * reservations. A dropped upload counts as long as an address of it may still write the whole object.
 */
const usedBytes = (storage: string, now: number): Sql => sql`(
  case when exists (select 1 from search_builds where search_builds.storage = ${storage} and built_at is not null)
    then ${indexedBytes(storage)}
    else (select max(bytes) from (select ${indexedBytes(storage)} as bytes union all
      select coalesce(sum(size), 0) from uploads where storage = ${storage} and state = 'ready') as known)
  end + (
    select coalesce(sum(${reservedBytes("held")}), 0) from uploads held
    where held.storage = ${storage} and held.state in ('pending', 'removing') and (
      (held.state = 'pending' and held.arrived = 0)
      or (held.state = 'removing' and held.part_size is null and held.addressed_until > ${now}))
  ))`;

/** Bytes that a record reserves: what waits of a part is no part yet, where nobody has said how many there are. */
const reservedBytes = (uploads: "held" | "theirs"): Sql => {
  const of = (column: string): Sql => plainSql(`${uploads}.${column}`);
  return sql`coalesce(${of("size")}, 0) + case when ${of("part_size")} = 0 then coalesce(${of("tail_size")}, 0) else 0 end`;
};

/** Reads the index uploads_held_by_owner. */
export const ownBytes = (owner: string): Sql => sql`(
  (select coalesce(sum(${reservedBytes("theirs")}), 0) from uploads theirs where theirs.created_by = ${owner} and theirs.state <> 'removing')
  + (select coalesce(sum(visitor_files.size), 0) from visitor_files))`;

/** And so many bytes more are within the quota of a storage, where it has one: to count what is in one takes as long as it has files. */
const fits = (quota: number | null, bytes: number, storage: string, now: number): Sql =>
  quota === null ? sql`` : sql`and ${quota} >= ${bytes} + ${usedBytes(storage, now)}`;

/** And so many bytes more of an owner are within what it may hold, where that is limited. */
const within = (own: number | null, bytes: number, owner: string): Sql =>
  own === null ? sql`` : sql`and ${own} >= ${bytes} + ${ownBytes(owner)}`;

const indexedBytes = (storage: string): Sql =>
  sql`coalesce((select nodes.size from nodes where parent = 0 and name = ${storage}), 0)`;

export type UploadsTable = ReturnType<typeof uploadsTable>;
