import { Failure } from "#contract/failures";
import type { FileSort } from "#contract/files";
import { isTrashed } from "#contract/paths";
import { forgetting } from "../activity/activity-table.ts";
import type { Database, Reading } from "../database/database.ts";
import { list, type Sql, sql } from "../database/sql.ts";
import type { ObjectHead } from "../stores/store.ts";
import { isForgotten, twins } from "../transfers/uploads-table.ts";
import type { ListPage } from "./lists-table.ts";
import type { RequestKey } from "./new-share.ts";
import type { Gated } from "./share-state.ts";
import { sharesTable, spending } from "./shares-table.ts";

export interface FileRow extends Gated {
  readonly slug: string;
  readonly filename: string;
  readonly storage: string;
  /** The object's key in its storage. */
  readonly key: string;
  /** The upload that brought the object; null when it was there already. */
  readonly upload: string | null;
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
  /** Of a sealed file: its sealed name and type, an age file in base64; null of any other. */
  readonly sealed: string | null;
  /** When its file was deleted in the tree; null otherwise. */
  readonly file_gone_at: number | null;
}

/** Reports whether the file of a share was deleted in the tree; out of the trash it comes back to its share. */
export const hasLost = ({ file_gone_at, key }: FileRow): boolean => file_gone_at !== null || isTrashed(key);

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

export interface TakeOver {
  readonly slug: string;
  /** The share that gives way. */
  readonly before: FileRow | undefined;
  /** The attributes of the new file in its storage. */
  readonly head: ObjectHead;
  /** Epoch milliseconds. */
  readonly now: number;
}

export type FilePage = ListPage<FileSort>;

const columns = sql`id, slug, filename, storage, key, upload, pending, content_type, size, etag, remark, password_hash,
  expires_at, max_views, views, use_proxy, version, created_by, created_at, updated_at,
  file_gone_at, sealed`;

/** Also of a row that a statement has just written. */
export const listedColumns = sql`${columns},
  (select path from mounts where mounts.storage = files.storage and is_active = 1 order by sort_order, path limit 1) as mount_path,
  (select name from storage_configs where storage_configs.id = files.storage) as storage_name,
  (select provider_type from storage_configs where storage_configs.id = files.storage) as provider_type`;

/** Reads the indexes files_list_created, _name, _size, _expires and _views and files_by_owner, and the words in file_words. */
const files = {
  table: "files",
  words: "file_words",
  text: sql`coalesce(filename, '') || char(10) || coalesce(slug, '') || char(10) || coalesce(remark, '')`,
  shown: sql`pending = 0`,
  sorts: {
    created: sql`number`,
    name: sql`filename collate nocase`,
    size: sql`size`,
    expires: sql`expires_at`,
    views: sql`views`,
  },
  columns,
  listedColumns,
} as const;

/** No link has the slug of a sealed file: both are at `/s/SLUG`. */
const isOpenTo = ({ slug, sealed }: Pick<FileRow, "slug" | "sealed">): Sql =>
  sealed === null ? sql`true` : sql`not exists (select 1 from links where links.slug = ${slug})`;

const insertion = (row: FileRow, requestKey: RequestKey | undefined): Sql => sql`
  insert into files (${columns}, locked, request_key, request_digest)
  select ${row.id}, ${row.slug}, ${row.filename}, ${row.storage}, ${row.key}, ${row.upload}, ${row.pending},
    ${row.content_type}, ${row.size}, ${row.etag}, ${row.remark}, ${row.password_hash}, ${row.expires_at},
    ${row.max_views}, ${row.views}, ${row.use_proxy}, ${row.version}, ${row.created_by}, ${row.created_at},
    ${row.updated_at}, ${row.file_gone_at}, ${row.sealed}, ${Number(row.password_hash !== null)}, ${requestKey?.key ?? null}, ${requestKey?.digest ?? null}
  where ${isOpenTo(row)} on conflict do nothing`;

/**
 * In a batch that ends a share: marks its object for removal, whatever happens to this process, unless another share shows it.
 */
const releaseUnshown = (upload: string): Sql => sql`
  update uploads set state = 'removing' where id = ${upload} and not exists (
    select 1 from ${twins} cross join files
    where mine.id = uploads.storage and files.storage = twin.id and files.key = uploads.key
      and files.pending = 0 and files.file_gone_at is null)`;

/** Two or three statements: a share ends, its object is marked unless its upload is null, and who has opened it is forgotten. */
const ended = ({ id, upload }: Pick<FileRow, "id" | "upload">, only = sql``): Sql[] => [
  sql`delete from files where id = ${id} ${only}`.publishing("file shares"),
  ...(upload === null ? [] : [releaseUnshown(upload)]),
  forgetting("file", list([id])),
];

/** A share that waits for its file has it. */
const settled = (id: string, { size, etag }: ObjectHead, now: number): Sql =>
  sql`update files set pending = 0, size = ${size}, etag = ${etag}, created_at = ${now}, updated_at = ${now}
    where id = ${id} and pending = 1`;

const begun = (slug: string): Sql => sql`select ${columns} from files where slug = ${slug}`;

export const filesTable = (db: Database, reading: Reading = db) => ({
  ...sharesTable<FileRow, ListedFileRow, FileSort>(db, reading, files),

  /** Answers whether the slug was free, and the request not answered before. */
  insert: async (row: FileRow, requestKey: RequestKey | undefined) => (await db.run(insertion(row, requestKey))) === 1,

  /** Adds all of them in one transaction, or none; answers whether every id and slug was free. */
  async insertAll(rows: readonly FileRow[]): Promise<boolean> {
    const taken = new Error("An id or a slug is taken.");
    try {
      await db.batch(rows.map((row) => insertion(row, undefined).expect(1, taken).byRow()));
      return true;
    } catch (error) {
      if (error === taken) return false;
      throw error;
    }
  },

  /** A share that visitors can see. */
  find: (slug: string) => db.first<FileRow>(sql`select ${columns} from files where slug = ${slug} and pending = 0`),
  /** A share that visitors can see, or whose file is on its way. */
  findBegun: (slug: string) => db.first<FileRow>(begun(slug)),
  /** The same for a visitor; a replica is believed of one that opens for anybody. */
  findForVisitor: (slug: string, opens: (share: FileRow) => boolean) => reading.first<FileRow>(begun(slug), opens),
  findById: (id: string) =>
    db.first<ListedFileRow>(sql`
      select ${listedColumns} from files where id = ${id}`),
  /** The share whose file an upload brings or has brought. */
  findByUpload: (upload: string) =>
    db.first<ListedFileRow>(sql`
      select ${listedColumns} from files where upload = ${upload}`),
  /** Whether a share like this one may have a slug. */
  slugIsFree: async (slug: string, { sealed }: Pick<FileRow, "sealed">) =>
    (await db.first(
      sql`select 1 as free where not exists (select 1 from files where slug = ${slug}) and ${isOpenTo({ slug, sealed })}`,
    )) !== undefined,

  /** The file has arrived; these are its attributes in the storage. */
  settle: (id: string, head: ObjectHead, now: number) =>
    db.first<ListedFileRow>(sql`${settled(id, head, now)} returning ${listedColumns}`.byRow()),

  /**
   * Records that the file has arrived, in the place of the share that has a slug until then; answers whether the object of that is left to be removed with its
   * upload. All or nothing: 404 upload.missing when the new one does not wait any more, 409 slug.taken for another's slug.
   */
  async takeOver({ id, sealed }: FileRow, { slug, before, head, now }: TakeOver): Promise<boolean> {
    const counts = await db.batch([
      settled(id, head, now).expect(1, new Failure("upload.missing")),
      ...(before ? ended(before) : []),
      sql`update files set slug = ${slug} where id = ${id}
        and not exists (select 1 from files rival where rival.slug = ${slug} and rival.id <> ${id})
        and ${isOpenTo({ slug, sealed })}`
        .publishing("file shares")
        .expect(1, new Failure("slug.taken")),
    ]);
    return before?.upload != null && counts[2] === 1;
  },

  /** Spends a view in one conditional statement; undefined when the share has changed, expired or is used up. */
  spend: (row: FileRow, now: number) =>
    db.first<{ views: number }>(sql`${spending("files", row, now)} and file_gone_at is null returning views`),

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
        and not exists (select 1 from files rival where rival.slug = ${after.slug} and rival.id <> ${before.id})
        and ${isOpenTo(after)}`.publishing("file shares"),
    );
    return changed === 1;
  },

  /**
   * Ends a share and answers whether its object is left to be removed with its upload: it stays when that is wanted, when the
   * share did not bring it, and while another share shows it.
   */
  async remove({ id, upload }: Pick<FileRow, "id" | "upload">, keepObject: boolean): Promise<boolean> {
    const released = keepObject ? null : upload;
    const counts = await db.batch(ended({ id, upload: released }));
    return released !== null && counts[1] === 1;
  },

  /** Ends a share that still waits, and answers whether its object is left to be removed; one that has its file stays. */
  async giveUp({ id, upload }: Pick<FileRow, "id" | "upload">): Promise<boolean> {
    const counts = await db.batch(ended({ id, upload }, sql`and pending = 1`));
    return upload !== null && counts[1] === 1;
  },

  /** Shares that expired or were used up before an instant. */
  gone: (before: number, limit: number) =>
    db.all<FileRow>(
      sql`select ${columns} from files where expires_at <= ${before} or spent_at <= ${before} limit ${limit}`,
    ),
  /**
   * Shares for whose file nothing has arrived since an instant, or for a visitor's while it could be put. With `coalesce` those that
   * wait are read from their index, and not all that have an upload.
   */
  abandoned: (since: { readonly before: number; readonly now: number }, limit: number) =>
    db.all<{ id: string; upload: string; storage: string }>(sql`
      select files.id, upload, files.storage from files join uploads on uploads.id = coalesce(upload, '')
      where pending = 1 and ${isForgotten(since)} limit ${limit}`),
});

export type FilesTable = ReturnType<typeof filesTable>;
