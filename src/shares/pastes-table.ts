import type { PasteSort } from "#contract/pastes";
import { forgetting } from "../activity/activity-table.ts";
import type { Database, Reading } from "../database/database.ts";
import { list, type Sql, sql } from "../database/sql.ts";
import type { ListPage } from "./lists-table.ts";
import type { RequestKey } from "./new-share.ts";
import type { Gated } from "./share-state.ts";
import { sharesTable, spending } from "./shares-table.ts";

export interface PasteRow extends Gated {
  readonly slug: string;
  readonly remark: string | null;
  readonly preview: string;
  /** Bytes of UTF-8. */
  readonly size: number;
  /** 1 for a text that is shown as it was written, 0 for Markdown. */
  readonly plain: number;
  readonly created_by: string;
  readonly created_at: number;
  readonly updated_at: number;
  /** The quota that the text counts against, and with how many bytes. */
  readonly quota: string;
  readonly quota_bytes: number;
}

/** Texts up to this many bytes are read along with a share that needs neither password nor limit. */
const SMALL_TEXT = 16 * 1024;

/** A share as the gate finds it, with its text when that is small and free to read. */
export interface FoundPaste extends PasteRow {
  readonly free_content: string | null;
}

/** A text that is to be written. */
export interface NewText {
  readonly row: PasteRow;
  readonly content: string;
}

interface NewPasteRow extends NewText {
  readonly requestKey: RequestKey | undefined;
  /**
   * Statements that take the room for the text; the batch fails with theirs. They come last, because all texts wait for the rows that they
   * lock: PostgreSQL then holds these for the end of the batch alone.
   */
  readonly room: readonly Sql[];
}

export interface OpenedText {
  /** Views including this one. */
  readonly views: number;
  readonly content: string;
  readonly own?: boolean | undefined;
}

interface PasteUpdate {
  readonly before: PasteRow;
  readonly after: PasteRow;
  readonly content: string | undefined;
  readonly resetViews: boolean;
  readonly requestKey: RequestKey | undefined;
  /** The version from which on all changes are of this request's maker. */
  readonly base: number;
  /** Statements that reserve the quota for the growth of the text; if they fail, the batch does. */
  readonly room: readonly Sql[];
}

export type PastePage = ListPage<PasteSort>;

const columns = sql`id, slug, remark, preview, size, plain, password_hash, expires_at, max_views, views, version,
  created_by, created_at, updated_at, quota, quota_bytes`;

// They are told apart by what they are, and never seen: to make one for each text costs as much as a statement.
const TAKEN = new Error("The slug, the id or the request key is taken.");
const STALE = new Error("The share was changed, or the slug is taken.");

/** Two statements: the row and its text. The first fails with TAKEN when its slug, id or request key is not free. */
const insertion = ({ row, content, requestKey }: Omit<NewPasteRow, "room">): Sql[] => [
  sql`insert into pastes (${columns}, locked, request_key, request_digest)
    values (${row.id}, ${row.slug}, ${row.remark}, ${row.preview}, ${row.size}, ${row.plain}, ${row.password_hash},
      ${row.expires_at}, ${row.max_views}, ${row.views}, ${row.version}, ${row.created_by}, ${row.created_at}, ${row.updated_at},
      ${row.quota}, ${row.quota_bytes}, ${Number(row.password_hash !== null)}, ${requestKey?.key ?? null}, ${requestKey?.digest ?? null})
    on conflict do nothing`
    .expect(1, TAKEN)
    .byRow(),
  sql`insert into paste_texts (paste, content) select number, ${content} from pastes where id = ${row.id}`.byRow(),
];

const isOwnedBy = (owners: readonly string[] | undefined): Sql =>
  owners === undefined ? sql`true` : sql`created_by in (${list(owners)})`;

/** Reads the indexes pastes_list_created, pastes_list_expires, pastes_list_views and pastes_by_owner, and the words in paste_words. */
const pastes = {
  table: "pastes",
  words: "paste_words",
  text: sql`coalesce(slug, '') || char(10) || coalesce(remark, '') || char(10) || coalesce(preview, '')`,
  sorts: { created: sql`number`, expires: sql`expires_at`, views: sql`views` },
  columns,
  listedColumns: columns,
} as const;

export const pastesTable = (db: Database, reading: Reading = db) => ({
  ...sharesTable<PasteRow, PasteRow, PasteSort>(db, reading, pastes),

  /** Answers whether the slug was free, and the request not answered before. */
  async insert({ room, ...text }: NewPasteRow): Promise<boolean> {
    return await unless(TAKEN, db.batch([...insertion(text), ...room]));
  },

  /** Adds all of them in one transaction, or none; answers whether every id and slug was free. */
  async insertAll(texts: readonly NewText[], room: readonly Sql[]): Promise<boolean> {
    const insertions = texts.flatMap((text) => insertion({ ...text, requestKey: undefined }));
    return await unless(TAKEN, db.batch([...insertions, ...room]));
  },

  find: (slug: string) => db.first<PasteRow>(sql`select ${columns} from pastes where slug = ${slug}`),
  findById: (id: string) => db.first<PasteRow>(sql`select ${columns} from pastes where id = ${id}`),
  /** The text of a share as it was found; undefined when it has changed since. */
  content: async ({ id, version }: PasteRow) =>
    (
      await reading.first<{ content: string }>(
        sql`select content from paste_texts join pastes on paste = number where id = ${id} and version = ${version}`,
        // A replica may have missed the change that the share was found with.
        () => true,
      )
    )?.content,

  /** The request that has made a share what it was found as; undefined when that had no key. */
  lastChange: ({ id, version }: PasteRow) =>
    db.first<{ change_key: string; change_base: number; request_digest: string }>(
      sql`select change_key, change_base, change_digest as request_digest from pastes
        where id = ${id} and change_version = ${version} and change_key is not null`,
    ),

  /** A share with its text, when that is small and the share has neither password nor limit; a replica is believed of one that opens for anybody. */
  findForVisitor: (slug: string, opens: (share: FoundPaste) => boolean) =>
    reading.first<FoundPaste>(
      sql`
      select ${columns}, case when password_hash is null and max_views = 0 and size <= ${SMALL_TEXT}
        then (select content from paste_texts where paste = pastes.number) end as free_content
      from pastes where slug = ${slug}`,
      opens,
    ),

  /** Spends a view in one conditional statement; undefined when the share has changed, expired or is used up. */
  spend: (row: PasteRow, now: number) =>
    db.first<OpenedText>(
      sql`${spending("pastes", row, now)}
        returning views, (select content from paste_texts where paste = pastes.number) as content`.byRow(),
    ),

  countAll: async () => (await db.first<{ total: number }>(sql`select count(*) as total from pastes`))?.total ?? 0,

  /**
   * Writes the whole row but its views, and the text when there is a new one. Answers whether it did: not when the share
   * was changed since it was read, or the slug is taken.
   */
  async update({ before, after, content, resetViews, requestKey, base, room }: PasteUpdate): Promise<boolean> {
    const views = resetViews ? sql`0` : sql`views`;
    const row = sql`
      update pastes set slug = ${after.slug}, remark = ${after.remark}, preview = ${after.preview}, size = ${after.size}, plain = ${after.plain},
        password_hash = ${after.password_hash}, locked = ${Number(after.password_hash !== null)}, expires_at = ${after.expires_at}, max_views = ${after.max_views},
        views = ${views}, version = version + 1, updated_at = ${after.updated_at}, quota_bytes = ${after.quota_bytes},
        change_key = ${requestKey?.key ?? null}, change_digest = ${requestKey?.digest ?? null}, change_version = version + 1,
        change_base = ${requestKey ? base : null},
        spent_at = case when ${after.max_views} > 0 and ${views} >= ${after.max_views}
          then coalesce(spent_at, ${after.updated_at}) end
      where id = ${before.id} and version = ${before.version}
        and not exists (select 1 from pastes rival where rival.slug = ${after.slug} and rival.id <> ${before.id})`;
    const text = sql`update paste_texts set content = ${content ?? null}
      where paste = (select number from pastes where id = ${before.id})`;
    const changed = row.expect(1, STALE).publishing("texts");
    return await unless(STALE, db.batch([changed, ...(content === undefined ? [] : [text]), ...room]));
  },

  /** Answers how many of the ids were there and belonged to the owner. */
  async remove(ids: readonly string[], owners: readonly string[] | undefined): Promise<string[]> {
    const removed = await db.batch([
      ...ids.map((id) => sql`delete from pastes where id = ${id} and ${isOwnedBy(owners)}`.byRow().publishing("texts")),
      forgetting("paste", list(ids)),
    ]);
    return ids.filter((_, index) => removed[index] === 0);
  },

  /** Removes at most `limit` shares that expired or were used up before an instant. */
  async removeGone(before: number, limit: number): Promise<number> {
    const isGone = sql`(expires_at <= ${before} or spent_at <= ${before})`;
    const gone = await db.all<{ id: string }>(sql`select id from pastes where ${isGone} limit ${limit}`);
    if (gone.length === 0) return 0;
    const ids = list(gone.map(({ id }) => id).sort());
    const [removed = 0] = await db.batch([
      sql`delete from pastes where ${isGone} and id in (${ids})`.byRow().publishing("texts"),
      forgetting("paste", ids),
    ]);
    return removed;
  },
});

export type PastesTable = ReturnType<typeof pastesTable>;

/** Reports whether a batch succeeded; false if it failed with this error. */
async function unless(expected: Error, batch: Promise<unknown>): Promise<boolean> {
  try {
    await batch;
    return true;
  } catch (error) {
    if (error === expected) return false;
    throw error;
  }
}

/** The quota that all texts count against. */
const TOTAL = "total";

/** A quota and the bytes that its texts may take together. */
export interface Quota {
  readonly name: string;
  /** 0 is no limit. */
  readonly limit: number;
}

/** The bytes of texts by quota, and the statements that keep them. */
export const textQuotasTable = (db: Database) => ({
  /**
   * Adds bytes to a quota, or subtracts them. Belongs into the batch that writes the text: the statement changes no row when the
   * quota would grow beyond its limit. What does not grow always fits, also in a quota that was lowered below its use.
   */
  add: ({ name, limit }: Quota, bytes: number): Sql =>
    sql`insert into text_quotas (quota, bytes)
    select ${name}, ${bytes} where ${limit} = 0 or ${bytes} <= ${limit}
      or exists (select 1 from text_quotas where quota = ${name})
    on conflict (quota) do update set bytes = text_quotas.bytes + excluded.bytes
      where ${limit} = 0 or excluded.bytes <= 0 or text_quotas.bytes + excluded.bytes <= ${limit}`.byRow(),

  /** Bytes that a quota's texts take. */
  used: async (quota: string): Promise<number> =>
    (await db.first<{ bytes: number }>(sql`select bytes from text_quotas where quota = ${quota}`))?.bytes ?? 0,

  /** Bytes of the API key whose texts take most. */
  largestKey: async (): Promise<number> =>
    (
      await db.first<{ bytes: number }>(sql`
      select coalesce(max(bytes), 0) as bytes from text_quotas where quota >= 'apikey:' and quota < 'apikey;'`)
    )?.bytes ?? 0,

  TOTAL,
});
