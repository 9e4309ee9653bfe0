import { Failure } from "#contract/failures";
import type { ImportKind } from "#contract/imports";
import { MAX_KEY_BYTES, MAX_REMARK_CHARACTERS, MAX_VIEWS } from "#contract/limits";
import { folderSegments, isFilename, isTooDeep, slugProblem } from "#contract/paths";
import type * as z from "#contract/schemas";
import { typeOf } from "../../lib/mime.ts";
import type { FileRow as OwnFileRow } from "../../shares/files-table.ts";
import type { ImportedText } from "../../shares/imported-shares.ts";
import { randomSlug } from "../../shares/new-share.ts";
import type { NewText } from "../../shares/pastes-table.ts";
import { LAST_INSTANT, pastInstant, readRow } from "../context.ts";
import type { Tally } from "../report.ts";
import type { Note, Reason } from "../words.ts";
import type { BackupRow } from "./backup.ts";
import type { CloudPasteContext } from "./context.ts";
import { type FileRow, fileRow, importedId, type PasteRow, pasteRow } from "./rows.ts";
import { type PasswordTexts, readPasswordTexts } from "./share-passwords.ts";

/** Those whose files have the same keys here. */
const STORAGE_TYPES = ["S3", "LOCAL"];

/** How shares of one kind are read and written. */
interface Shares<Row, Own> {
  readonly kind: Extract<ImportKind, "texts" | "files">;
  readonly table: "pastes" | "files";
  readonly passwords: "paste_passwords" | "file_passwords";
  readonly schema: z.ZodMiniType<Row>;
  readonly known: CloudPasteContext["rooms"]["texts"]["known"];
  /** Why a row is left out, whatever is here. */
  readonly problem: (row: Row) => Reason | undefined;
  /** Whether nobody but its owner might open it. */
  readonly isPrivate: (row: Row) => boolean;
  readonly make: (row: Row, share: ImportedText, notes: Set<Note>) => Own;
  readonly insert: (rows: readonly Own[]) => Promise<void>;
}

type SharedRow = Pick<
  PasteRow,
  | "id"
  | "slug"
  | "remark"
  | "password"
  | "expires_at"
  | "max_views"
  | "views"
  | "created_by"
  | "created_at"
  | "updated_at"
>;

/** Imports texts, those that are not public closed or not at all. */
export async function importTexts(context: CloudPasteContext): Promise<void> {
  const { texts } = context.rooms;
  // An import stops where there is no more room; a plan says beforehand which texts that would be.
  let room = context.isApplied ? Number.POSITIVE_INFINITY : await texts.room();
  await importShares<PasteRow, NewText>(context, {
    kind: "texts",
    table: "pastes",
    passwords: "paste_passwords",
    schema: pasteRow,
    known: context.rooms.texts.known,
    problem: (row) => textProblem(row, context),
    isPrivate: (row) => row.is_public === false,
    make(row, share, notes) {
      const text = texts.textOf({ ...share, remark: titled(row, notes) }, row.content);
      room -= text.row.quota_bytes;
      if (room < 0) notes.add("text.room");
      return text;
    },
    insert: texts.insert,
  });
}

/** Imports shares of files that are on imported storages. Their files stay where they are, and nobody looks for them. */
export const importFiles = (context: CloudPasteContext): Promise<void> =>
  importShares<FileRow, OwnFileRow>(context, {
    kind: "files",
    table: "files",
    passwords: "file_passwords",
    schema: fileRow,
    known: context.rooms.files.known,
    problem: (row) => fileProblem(row, context),
    isPrivate: () => false,
    make: (row, share) => ownFile(row, share, context),
    insert: context.rooms.files.insert,
  });

/** Imports shares slice by slice. One that is here already, by its id, stays as it is. */
async function importShares<Row extends SharedRow, Own>(
  context: CloudPasteContext,
  shares: Shares<Row, Own>,
): Promise<void> {
  const tally = context.report.tally(shares.kind);
  const passwords = await readPasswordTexts(context.backup, shares.passwords);
  let slice: Row[] = [];
  let bytes = 0;
  const write = async (): Promise<void> => {
    const rows = slice;
    slice = [];
    bytes = 0;
    await importSlice(context, shares, { rows, tally, passwords });
    await context.passed(shares.kind, tally.counts.rows);
  };
  const add = async (row: BackupRow): Promise<void> => {
    const read = readRow(shares.schema, row, tally);
    if (!read) return;
    slice.push(read);
    bytes += row.end - row.start;
    if (slice.length >= context.slice.rows || bytes >= context.slice.bytes) await write();
  };
  for await (const rows of context.backup.rows(shares.table)) for (const row of rows) await add(row);
  await write();
}

interface SharesSlice<Row> {
  readonly rows: readonly Row[];
  readonly tally: Tally;
  readonly passwords: PasswordTexts;
}

async function importSlice<Row extends SharedRow, Own>(
  context: CloudPasteContext,
  { kind, known, problem, isPrivate, make, insert }: Shares<Row, Own>,
  { rows, tally, passwords }: SharesSlice<Row>,
): Promise<void> {
  if (rows.length === 0) return;
  const idOf = ({ id }: Row): string => importedId(kind, id);
  const here = await known(
    rows.map(idOf),
    rows.map(({ slug }) => slug),
  );
  const added: Own[] = [];
  const [ids, slugs] = [new Set<string>(), new Set<string>()];
  for (const row of rows) {
    const id = idOf(row);
    const reason = here.ids.has(id) ? undefined : ids.has(id) ? "row.repeated" : problem(row);
    if (here.ids.has(id)) tally.present();
    else if (reason) tally.left(reason, row.slug);
    else {
      const notes = new Set<Note>();
      const isFree = !slugProblem(row.slug) && !here.slugs.has(row.slug) && !slugs.has(row.slug);
      if (!isFree) notes.add("slug.replaced");
      const slug = isFree ? row.slug : randomSlug();
      const password_hash = await passwordHash(context, row, { passwords, isPrivate: isPrivate(row), notes });
      added.push(make(row, { ...shareOf(context, row, notes), id, slug, password_hash }, notes));
      ids.add(id);
      slugs.add(slug);
      tally.added(isFree || !context.isApplied ? row.slug : `${row.slug} -> ${slug}`, notes);
    }
  }
  if (context.isApplied) await insert(added);
}

interface PasswordSource {
  readonly passwords: PasswordTexts;
  readonly isPrivate: boolean;
  readonly notes: Set<Note>;
}

/** The hash of a share's password by our way; null when it has none. A text is forgotten with its hash. */
async function passwordHash(
  { passwords: hashes, isApplied }: CloudPasteContext,
  { id, password }: SharedRow,
  { passwords, isPrivate, notes }: PasswordSource,
): Promise<string | null> {
  if (password === null && !isPrivate) return null;
  const text = password === null || isPrivate ? undefined : await passwords.find(id, password);
  if (text === undefined) notes.add(isPrivate ? "text.protected" : "password.closed");
  // What nobody is told of costs no hashing.
  if (!isApplied) return "";
  return text === undefined ? await hashes.closed() : await hashes.hash(text);
}

/** What texts and files have alike, but for slug and password. */
function shareOf(
  { now, keys }: CloudPasteContext,
  row: SharedRow,
  notes: Set<Note>,
): Omit<ImportedText, "id" | "slug" | "password_hash"> {
  const limit = Math.max(0, row.max_views ?? 0);
  if (limit > MAX_VIEWS) notes.add("views.limit");
  const createdAt = pastInstant(row.created_at, now);
  return {
    remark: row.remark === null ? null : cut(row.remark, notes),
    expires_at: row.expires_at !== null && row.expires_at < LAST_INSTANT ? row.expires_at : null,
    max_views: Math.min(limit, MAX_VIEWS),
    views: Math.min(row.views ?? 0, MAX_VIEWS),
    created_by: ownerOf(row.created_by, keys, notes),
    created_at: createdAt,
    updated_at: Math.max(createdAt, pastInstant(row.updated_at, now)),
  };
}

function cut(remark: string, notes: Set<Note>): string {
  if (remark.length <= MAX_REMARK_CHARACTERS) return remark;
  notes.add("remark.cut");
  return remark.slice(0, MAX_REMARK_CHARACTERS).toWellFormed();
}

function titled({ title, remark }: PasteRow, notes: Set<Note>): string | null {
  if (title === null) return remark === null ? null : cut(remark, notes);
  notes.add("title.remark");
  return cut(remark === null || remark === title ? title : `${title} - ${remark}`, notes);
}

/** The owner of a record: a key that is imported or was here, else the administrator. */
function ownerOf(createdBy: string | null, keys: ReadonlyMap<string, string>, notes: Set<Note>): string {
  if (!createdBy?.startsWith("apikey:")) return "admin";
  const key = keys.get(createdBy.slice("apikey:".length));
  if (key !== undefined) return `apikey:${key}`;
  notes.add("owner.admin");
  return "admin";
}

const isGone = ({ expires_at, max_views, views }: SharedRow, now: number): boolean =>
  (expires_at !== null && expires_at <= now) || (max_views !== null && max_views > 0 && (views ?? 0) >= max_views);

function textProblem(row: PasteRow, { now, privateTexts, rooms }: CloudPasteContext): Reason | undefined {
  if (isGone(row, now)) return "share.gone";
  if (row.is_public === false && privateTexts === "skip") return "text.private";
  try {
    rooms.texts.check(row.content);
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.code === "content.empty" ? "text.empty" : "text.tooLong";
  }
}

function fileProblem(row: FileRow, { now, storages }: CloudPasteContext): Reason | undefined {
  if (isGone(row, now)) return "share.gone";
  const storage = storages.get(storageOf(row));
  if (!storage || !STORAGE_TYPES.includes((row.storage_type ?? "S3").toUpperCase())) return "storage.missing";
  if (!isFilename(row.filename)) return "file.name";
  return keyOf(row, storage.prefix) === undefined ? "file.key" : undefined;
}

const storageOf = ({ storage_config_id, s3_config_id }: FileRow): string => storage_config_id ?? s3_config_id ?? "";

/** The key of a file in its bucket, as CloudPaste finds it; undefined for a folder and for what leads elsewhere. */
function keyOf({ storage_path }: FileRow, prefix: string): string | undefined {
  const path = storage_path.replace(/\/+/g, "/").replace(/^\//, "");
  const key = path.startsWith(prefix) ? path : prefix + path;
  const isKey = key !== "" && !key.endsWith("/") && folderSegments(key) !== undefined && !isTooDeep(key);
  return isKey && Buffer.byteLength(key) <= MAX_KEY_BYTES ? key : undefined;
}

function ownFile(row: FileRow, share: ImportedText, { storages }: CloudPasteContext): OwnFileRow {
  const storage = storages.get(storageOf(row));
  const key = storage && keyOf(row, storage.prefix);
  if (!storage || key === undefined) throw new Error("A file without a storage was not left out.");
  const etag = row.etag?.replaceAll('"', "") ?? "";
  return {
    ...share,
    filename: row.filename,
    storage: storage.id,
    key,
    // The other server may still have it: it is not this share's to remove.
    upload: null,
    pending: 0,
    content_type: typeOf(row.filename, row.mimetype),
    size: row.size,
    etag: /^[\x21-\x7e]{1,200}$/.test(etag) ? etag : null,
    use_proxy: Number(row.use_proxy ?? false),
    version: 1,
    sealed: null,
    file_gone_at: null,
  };
}
