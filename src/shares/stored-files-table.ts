import { dirname } from "node:path/posix";
import type { Database } from "../database/database.ts";
import { isAt, renamed } from "../database/keys.ts";
import { joined, list, type Sql, sql } from "../database/sql.ts";
import type { MovedChange } from "../stores/changes.ts";
import type { ObjectHead, Place } from "../stores/store.ts";
import { isAtPlace, sameBucket } from "../transfers/uploads-table.ts";
import { type ListedFileRow, listedColumns } from "./files-table.ts";

interface SharesAt {
  readonly places: readonly Place[];
  /** Undefined for all. */
  readonly owners: readonly string[] | undefined;
  readonly limit: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

interface SharesOfFile extends Pick<SharesAt, "owners" | "limit"> {
  readonly place: Place;
  readonly offset: number;
}

const uploadIsAt = ({ storage, key }: Place): Sql =>
  sql`uploads.storage in ${sameBucket(storage)} and ${isAt(key, sql`uploads.key`)}`;

/** An upload that has become the record of an object. */
const isRecord = sql`overwrites = 0 and state = 'ready'`;

/** Of objects that no share may remove any more. */
const dropRecords = (place: Place): Sql => sql`
  delete from uploads where ${isAtPlace(place)} and ${isRecord} and not exists (select 1 from files where upload = uploads.id)`;

/** Three statements: shares lose their files, and the records of those go. */
const lose = (place: Place, now: number): Sql[] => [
  sql`update files set file_gone_at = ${now} where ${isAtPlace(place)} and pending = 0 and file_gone_at is null`,
  sql`update files set upload = null where ${isAtPlace(place)} and pending = 0`,
  dropRecords(place),
];

/** Two statements: a record that comes to the key of another replaces it, whose object has been overwritten. */
const giveWay = (from: Place, to: Place): Sql[] => {
  const met = sql`${uploadIsAt(to)} and ${isRecord} and exists (select 1 from uploads coming
    where coming.storage = ${from.storage} and coming.key = ${renamed(to.key, from.key, sql`uploads.key`)}
      and coming.overwrites = 0 and coming.state = 'ready')`;
  return [
    sql`update files set upload = null where upload in (select uploads.id from uploads where ${met})`,
    sql`delete from uploads where ${met}`,
  ];
};

/** Reports whether a file gets another name in the folder that it is in; then it is still its share's to remove. */
const isRename = (from: Place, to: Place): boolean =>
  from.storage === to.storage && !from.key.endsWith("/") && dirname(from.key) === dirname(to.key);

/** What becomes of shares when their files are written, moved or deleted in the tree. */
export const storedFilesTable = (db: Database) => ({
  /** Notes that the tree wrote a file anew; answers whether shares show it. It is no longer theirs to remove. */
  async fileWritten(place: Place, { size, etag, type }: Pick<ObjectHead, "size" | "etag" | "type">): Promise<boolean> {
    const [shown = 0] = await db.batch([
      sql`update files set size = ${size}, etag = ${etag}, content_type = ${type}, upload = null
        where ${isAtPlace(place)} and pending = 0 and file_gone_at is null`,
      dropRecords(place),
    ]);
    return shown > 0;
  },

  /** Notes that a file, or all in a folder, was deleted; answers whether shares lost theirs. Their uploads have ended with it. */
  async fileGone(place: Place, now: number): Promise<boolean> {
    const [lost = 0] = await db.batch(lose(place, now));
    return lost > 0;
  },

  /** Notes that a file, or all in a folder, has another key; answers whether shares followed. Elsewhere it is not theirs to remove. */
  async fileMoved({ from, to, again, over }: MovedChange, now: number): Promise<boolean> {
    const isOwn = isRename(from, to);
    const key = renamed(from.key, to.key);
    // Those of another storage on the bucket stay with theirs.
    const storage = sql`case when storage = ${from.storage} then ${to.storage} else storage end`;
    const changed = await db.batch([
      // What shares still show there was deleted behind our back, else nothing could have come in its place.
      ...(again || over ? giveWay(from, to) : lose(to, now)),
      sql`update files set storage = ${storage}, key = ${key}, upload = ${isOwn ? sql`upload` : sql`null`}
        where ${isAtPlace(from)} and pending = 0`,
      isOwn
        ? sql`update uploads set storage = ${storage}, key = ${key} where ${isAtPlace(from)} and ${isRecord}`
        : dropRecords(from),
    ]);
    return changed.some((rows) => rows > 0);
  },

  /**
   * How many shares of files at these places, or below them, can be opened: of everybody, or of some owners. Looks at no more than
   * `limit` rows, by their keys, and tells at how many it looked.
   */
  async countAt({ places, owners, limit, now }: SharesAt): Promise<{ looked: number; shares: number }> {
    const own = owners ? sql`and created_by in (${list(owners)})` : sql``;
    const found = await db.first<{ looked: number; shares: number }>(sql`
      select count(*) as looked, coalesce(sum(case when pending = 0 and file_gone_at is null and spent_at is null
        and (expires_at is null or expires_at > ${now}) ${own} then 1 else 0 end), 0) as shares
      from (${joined(
        // Each from the index of keys: of conditions that an "or" joins PostgreSQL finds none there.
        places.map(
          (place) =>
            sql`select pending, file_gone_at, spent_at, expires_at, created_by from files where ${isAtPlace(place)}`,
        ),
        " union all ",
      )} limit ${limit}) as near`);
    return found ?? { looked: 0, shares: 0 };
  },

  /** Shares of the file at a place, the last one first, and how many there are: of everybody, or of some owners. */
  async ofFile({ place, owners, limit, offset }: SharesOfFile): Promise<{ rows: ListedFileRow[]; total: number }> {
    const own = owners ? sql`and coalesce(created_by, '') in (${list(owners)})` : sql``;
    // With `coalesce` from the index of keys, as few shares have the same one, and not all of the owner.
    const shown = sql`from files where storage in ${sameBucket(place.storage)} and key = ${place.key}
      and pending = 0 and file_gone_at is null ${own}`;
    const rows = await db.all<ListedFileRow>(
      sql`select ${listedColumns} ${shown} order by number desc limit ${limit} offset ${offset}`,
    );
    const counted = await db.first<{ total: number }>(sql`select count(*) as total ${shown}`);
    return { rows, total: counted?.total ?? 0 };
  },
});
