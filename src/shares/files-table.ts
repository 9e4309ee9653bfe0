import type { FileSort } from "#contract/files";
import { type Database, joined, type Sql, sql } from "../database/database.ts";
import type { ObjectHead, Place } from "../stores/store.ts";
import type { MovedChange } from "../transfers/changes.ts";
import { isForgotten, sameBucket } from "../transfers/uploads-table.ts";
import { countByDay, type Days } from "./days-table.ts";
import type { Gated } from "./gate.ts";
import { type ListFilter, type ListPage, listing } from "./lists-table.ts";
import type { RequestKey } from "./new-share.ts";

export interface FileRow extends Gated {
  readonly slug: string;
  readonly filename: string;
  readonly storage: string;
  /** The object's key in its storage. */
  readonly key: string;
  /** The upload that brought the object; null when it was there already. */
  readonly upload: string | null;
  /** 1 until the file has arrived. */
  readonly pending: number;
  readonly content_type: string;
  /** Bytes. */
  readonly size: number;
  readonly etag: string | null;
  readonly remark: string | null;
  readonly use_proxy: number;
  readonly created_by: string;
  readonly created_at: number;
  readonly updated_at: number;
  /** When its file was deleted in the tree; null otherwise. */
  readonly file_gone_at: number | null;
}

/** A row of a list, with the name of its storage. */
export interface ListedFileRow extends FileRow {
  readonly storage_name: string;
  readonly provider_type: string;
  /** Where the storage is mounted; null when it is nowhere. */
  readonly mount_path: string | null;
}

interface FileUpdate {
  readonly before: FileRow;
  readonly after: FileRow;
  readonly resetViews: boolean;
}

interface SharesAt {
  readonly places: readonly Place[];
  /** Undefined for all. */
  readonly owners: readonly string[] | undefined;
  readonly limit: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

export type FilePage = ListPage<FileSort>;

const columns = sql`id, slug, filename, storage, key, upload, pending, content_type, size, etag, remark, password_hash,
  expires_at, max_views, views, use_proxy, version, created_by, created_at, updated_at,
  file_gone_at`;

const listedColumns = sql`files.id, slug, filename, storage, key, upload, pending, content_type, size, etag, remark,
  password_hash, expires_at, max_views, views, use_proxy, version, created_by, files.created_at, files.updated_at,
  file_gone_at, (select path from mounts where mounts.storage = files.storage and is_active = 1
    order by sort_order, path limit 1) as mount_path, storage_configs.name as storage_name, provider_type`;

/** Reads the indexes files_list_created, _name, _size, _expires and _views and files_by_owner, and the words in file_words. */
const lists = listing<FileSort>({
  table: "files",
  words: "file_words",
  shown: sql`pending = 0`,
  sorts: {
    created: sql`number`,
    name: sql`filename collate nocase`,
    size: sql`size`,
    expires: sql`expires_at`,
    views: sql`views`,
  },
});

/** At a key, or below it when it is a folder's, whichever storage of the bucket says so. */
const isAt = ({ storage, key }: Place): Sql =>
  key.endsWith("/")
    ? sql`storage in ${sameBucket(storage)} and key >= ${key} and key < ${`${key.slice(0, -1)}0`}`
    : sql`storage in ${sameBucket(storage)} and key = ${key}`;

/** An upload that has become the record of an object. */
const isRecord = sql`overwrites = 0 and state = 'ready'`;

/** Three statements: shares lose their files, and the records of those go. */
const lose = (place: Place, now: number): Sql[] => [
  sql`update files set file_gone_at = ${now} where ${isAt(place)} and pending = 0 and file_gone_at is null`,
  sql`update files set upload = null where ${isAt(place)} and pending = 0`,
  sql`delete from uploads where ${isAt(place)} and ${isRecord}
    and not exists (select 1 from files where upload = uploads.id)`,
];

/** Two statements: a record that comes to the key of another replaces it, whose object has been overwritten. */
const giveWay = (from: Place, to: Place): Sql[] => {
  const met = sql`${isAt(to)} and ${isRecord} and exists (select 1 from uploads coming
    where coming.storage = ${from.storage} and coming.key = ${from.key} || substr(uploads.key, length(${to.key}) + 1)
      and coming.overwrites = 0 and coming.state = 'ready')`;
  return [
    sql`update files set upload = null where upload in (select id from uploads where ${met})`,
    sql`delete from uploads where ${met}`,
  ];
};

/**
 * In a batch that ends a share: marks its object for removal, whatever happens to this process, unless another share shows it.
 */
const releaseUnshown = (upload: string): Sql => sql`
  update uploads set state = 'removing' where id = ${upload} and not exists (
    select 1 from files where files.storage in ${sameBucket(sql`uploads.storage`)} and files.key = uploads.key
      and pending = 0 and file_gone_at is null)`;

/** Two statements: the shares of a file show the newly written file, which has no record. */
const rewrite = (place: Place, { size, etag, type }: Pick<ObjectHead, "size" | "etag" | "type">): Sql[] => [
  sql`update files set size = ${size}, etag = ${etag}, content_type = ${type}, upload = null
    where ${isAt(place)} and pending = 0 and file_gone_at is null`,
  sql`delete from uploads where ${isAt(place)} and ${isRecord}
    and not exists (select 1 from files where upload = uploads.id)`,
];

export const filesTable = (db: Database) => ({
  /** Answers whether the slug was free, and the request not answered before. */
  insert: async (row: FileRow, requestKey: RequestKey | undefined) =>
    (await db.run(sql`
      insert into files (${columns}, locked, request_key, request_digest)
      values (${row.id}, ${row.slug}, ${row.filename}, ${row.storage}, ${row.key}, ${row.upload}, ${row.pending},
        ${row.content_type}, ${row.size}, ${row.etag}, ${row.remark}, ${row.password_hash}, ${row.expires_at},
        ${row.max_views}, ${row.views}, ${row.use_proxy}, ${row.version}, ${row.created_by}, ${row.created_at},
        ${row.updated_at}, ${row.file_gone_at}, ${Number(row.password_hash !== null)}, ${requestKey?.key ?? null}, ${requestKey?.digest ?? null})
      on conflict do nothing`)) === 1,

  findByRequestKey: (key: string) =>
    db.first<FileRow & { request_digest: string }>(
      sql`select ${columns}, request_digest from files where request_key = ${key}`,
    ),
  forgetRequestKeys: (before: number) =>
    db.run(
      sql`update files set request_key = null, request_digest = null where request_key is not null and created_at <= ${before}`,
    ),

  /** A share that visitors can see. */
  find: (slug: string) => db.first<FileRow>(sql`select ${columns} from files where slug = ${slug} and pending = 0`),
  findById: (id: string) =>
    db.first<ListedFileRow>(sql`
      select ${listedColumns} from files join storage_configs on storage_configs.id = storage where files.id = ${id}`),
  slugIsFree: async (slug: string) => (await db.first(sql`select 1 from files where slug = ${slug}`)) === undefined,

  /** The file has arrived; these are its attributes in the storage. */
  settle: (id: string, { size, etag }: ObjectHead, now: number) =>
    db.run(sql`update files set pending = 0, size = ${size}, etag = ${etag}, created_at = ${now}, updated_at = ${now}
      where id = ${id} and pending = 1`),

  /** Spends a view in one conditional statement; undefined when the share has changed, expired or is used up. */
  spend: ({ id, version }: FileRow, now: number) =>
    db.first<{ views: number }>(sql`
      update files set views = views + 1,
        spent_at = case when max_views > 0 and views + 1 >= max_views then ${now} else spent_at end
      where id = ${id} and version = ${version} and file_gone_at is null
        and (max_views = 0 or views < max_views) and (expires_at is null or expires_at > ${now})
      returning views`),

  /** Adds views that were counted in memory. They may use up a share that got a limit in the meantime. */
  addViews: (views: ReadonlyMap<string, number>, now: number) =>
    db.batch(
      [...views].flatMap(([id, count]) => [
        sql`update files set views = views + ${count} where id = ${id}`.byRow(),
        // Apart, because it stands in every index of the list.
        sql`update files set spent_at = ${now} where id = ${id} and max_views > 0 and views >= max_views and spent_at is null`.byRow(),
      ]),
    ),

  page(page: FilePage, now: number): Promise<ListedFileRow[]> {
    const { numbers, by } = lists.page(db.engine, page, now);
    return db.all<ListedFileRow>(sql`
      select ${listedColumns} from files join storage_configs on storage_configs.id = storage
      where number in (${numbers}) order by ${by}`);
  },
  count: async (filter: ListFilter, now: number) =>
    (
      await db.first<{ total: number }>(
        sql`select count(*) as total from (${lists.numbers(db.engine, filter, now)}) as listed`,
      )
    )?.total ?? 0,

  countByDay: (days: Days) => countByDay(db, sql`files where pending = 0`, days),
  countByStorage: () =>
    db.all<{ storage: string; total: number }>(
      sql`select storage, count(*) as total from files where pending = 0 group by storage`,
    ),

  /**
   * Writes the whole row except its views. Reports whether it did: not if the share changed in the meantime or the
   * slug is taken.
   */
  async update({ before, after, resetViews }: FileUpdate): Promise<boolean> {
    const views = resetViews ? sql`0` : sql`views`;
    const changed = await db.run(
      sql`
      update files set slug = ${after.slug}, remark = ${after.remark}, password_hash = ${after.password_hash},
        locked = ${Number(after.password_hash !== null)}, expires_at = ${after.expires_at}, max_views = ${after.max_views}, use_proxy = ${after.use_proxy},
        views = ${views}, version = version + 1, updated_at = ${after.updated_at},
        spent_at = case when ${after.max_views} > 0 and ${views} >= ${after.max_views}
          then coalesce(spent_at, ${after.updated_at}) end
      where id = ${before.id} and version = ${before.version}
        and not exists (select 1 from files rival where rival.slug = ${after.slug} and rival.id <> ${before.id})`.telling(
        "file shares",
      ),
    );
    return changed === 1;
  },

  /**
   * Ends a share and answers whether its object is left to be removed with its upload: it stays when that is wanted, when the
   * share did not bring it, and while another share shows it.
   */
  async remove({ id, upload }: Pick<FileRow, "id" | "upload">, keepObject: boolean): Promise<boolean> {
    const [, released] = await db.batch([
      sql`delete from files where id = ${id}`.telling("file shares"),
      ...(upload === null || keepObject ? [] : [releaseUnshown(upload)]),
    ]);
    return released === 1;
  },

  /** Notes that the tree wrote a file anew; answers whether shares show it. It is no longer theirs to remove. */
  async fileWritten(place: Place, file: Pick<ObjectHead, "size" | "etag" | "type">): Promise<boolean> {
    const [shown = 0] = await db.batch(rewrite(place, file));
    return shown > 0;
  },

  /** Notes that a file, or all in a folder, was deleted; answers whether shares lost theirs. Their uploads have ended with it. */
  async fileGone(place: Place, now: number): Promise<boolean> {
    const [lost = 0] = await db.batch(lose(place, now));
    return lost > 0;
  },

  /** Notes that a file, or a folder with all in it, has another key; answers whether shares followed. */
  async fileMoved({ from, to, again }: MovedChange, now: number): Promise<boolean> {
    const key = sql`${to.key} || substr(key, length(${from.key}) + 1)`;
    // Those of another storage on the bucket stay with theirs.
    const storage = sql`case when storage = ${from.storage} then ${to.storage} else storage end`;
    const changed = await db.batch([
      // What shares still show there was deleted behind our back, else nothing could have come in its place.
      ...(again ? giveWay(from, to) : lose(to, now)),
      sql`update files set storage = ${storage}, key = ${key} where ${isAt(from)} and pending = 0`,
      sql`update uploads set storage = ${storage}, key = ${key} where ${isAt(from)} and ${isRecord}`,
    ]);
    return changed.some((rows) => rows > 0);
  },

  /**
   * How many shares of files at these places, or below them, can be opened: of everybody, or of some owners. Looks at no more than
   * `limit` rows, by their keys, and tells at how many it looked.
   */
  async countAt({ places, owners, limit, now }: SharesAt): Promise<{ looked: number; shares: number }> {
    const own = owners
      ? sql`and created_by in (${joined(
          owners.map((owner) => sql`${owner}`),
          ", ",
        )})`
      : sql``;
    const found = await db.first<{ looked: number; shares: number }>(sql`
      select count(*) as looked, coalesce(sum(case when pending = 0 and file_gone_at is null and spent_at is null
        and (expires_at is null or expires_at > ${now}) ${own} then 1 else 0 end), 0) as shares
      from (select pending, file_gone_at, spent_at, expires_at, created_by from files
        where ${joined(
          places.map((place) => sql`(${isAt(place)})`),
          " or ",
        )} limit ${limit}) as near`);
    return found ?? { looked: 0, shares: 0 };
  },

  /** Shares that expired or were used up before an instant. */
  gone: (before: number, limit: number) =>
    db.all<FileRow>(
      sql`select ${columns} from files where expires_at <= ${before} or spent_at <= ${before} limit ${limit}`,
    ),
  /** Shares for whose file nothing has arrived since an instant, or for a visitor's while it could be put. */
  abandoned: (since: { readonly before: number; readonly now: number }, limit: number) =>
    db.all<{ id: string; upload: string; storage: string }>(sql`
      select files.id, upload, files.storage from files join uploads on uploads.id = upload
      where pending = 1 and ${isForgotten(since)} limit ${limit}`),
});

export type FilesTable = ReturnType<typeof filesTable>;
