import type { Passwords } from "../access/passwords.ts";
import { randomToken } from "../lib/secret.ts";
import type { DiskSpace } from "../stores/disk/space.ts";
import type { FileRow, FilesTable } from "./files-table.ts";
import { measured } from "./new-paste.ts";
import { randomSlug } from "./new-share.ts";
import type { NewText, PasteRow, PastesTable } from "./pastes-table.ts";
import type { Known } from "./shares-table.ts";
import { ownerQuota, quotaBytes, type TextQuotas } from "./text-quotas.ts";

/** How often a slug that was taken in the meantime is replaced. */
const TRIES = 5;

/** A text of another server, as its row says it; what the rest depends on is made here. */
export type ImportedText = Omit<PasteRow, "size" | "preview" | "plain" | "version" | "quota" | "quota_bytes">;

interface Written {
  readonly id: string;
  readonly slug: string;
}

/**
 * Writes rows whose ids and slugs were free a moment ago. Where one is not any more, each is written by itself: one whose id has come
 * is there, and one whose slug has come gets another.
 */
async function writeAll<Row extends Written>(
  rows: readonly Row[],
  write: (rows: readonly Row[]) => Promise<boolean>,
  known: (ids: readonly string[], slugs: readonly string[]) => Promise<Known>,
): Promise<void> {
  if (rows.length === 0 || (await write(rows))) return;
  for (const row of rows) {
    let tried = row;
    for (let attempt = 0; attempt < TRIES && !(await write([tried])); attempt++) {
      if ((await known([row.id], [])).ids.has(row.id)) break;
      tried = { ...row, slug: randomSlug() };
    }
  }
}

interface ImportedTextsDeps {
  readonly table: PastesTable;
  readonly quotas: TextQuotas;
  readonly disk: Pick<DiskSpace, "requireForDatabase">;
}

/** Texts that another server had. */
export const createImportedTexts = ({ table, quotas, disk }: ImportedTextsDeps) => ({
  known: table.known,
  room: quotas.room,

  /** 400 content.empty, 413 content.tooLarge. */
  check: (content: string): void => void measured(content),

  /** What is to be written of a text. 400 content.empty, 413 content.tooLarge. */
  textOf(share: ImportedText, content: string): NewText {
    const text = { ...measured(content), remark: share.remark };
    const row = {
      ...share,
      ...text,
      plain: 0,
      version: 1,
      quota: ownerQuota(share.created_by),
      quota_bytes: quotaBytes(text),
    };
    return { row, content };
  },

  /** Writes texts, in one transaction unless a slug was taken in the meantime. 507 storage.full. */
  async insert(texts: readonly NewText[]): Promise<void> {
    const contents = new Map(texts.map(({ row, content }) => [row.id, content]));
    const write = async (rows: readonly PasteRow[]): Promise<boolean> => {
      const growth = new Map<string, number>();
      for (const { quota, quota_bytes } of rows) growth.set(quota, (growth.get(quota) ?? 0) + quota_bytes);
      disk.requireForDatabase([...growth.values()].reduce((sum, one) => sum + one, 0));
      const added = rows.map((row) => ({ row, content: contents.get(row.id) ?? "" }));
      return await quotas.withinTotal(growth, (room) => table.insertAll(added, room));
    };
    await writeAll(
      texts.map(({ row }) => row),
      write,
      table.known,
    );
  },
});

/** Shares of files that another server had, whose files stay where they are. */
export const createImportedFiles = (table: FilesTable) => ({
  known: table.known,
  /** Writes shares, in one transaction unless a slug was taken in the meantime. */
  insert: (rows: readonly FileRow[]): Promise<void> => writeAll(rows, table.insertAll, table.known),
});

/** Hashes of passwords of imported shares. */
export function createImportedPasswords(passwords: Passwords) {
  let closed: Promise<string> | undefined;
  return {
    hash: passwords.hash,
    /** The hash of a password that nobody knows, the same for all of one import. */
    closed(): Promise<string> {
      closed ??= passwords.hash(randomToken(32));
      return closed;
    },
  };
}

export type ImportedTexts = ReturnType<typeof createImportedTexts>;
export type ImportedFiles = ReturnType<typeof createImportedFiles>;
export type ImportedPasswords = ReturnType<typeof createImportedPasswords>;
