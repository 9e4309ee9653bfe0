import { compareBytes } from "../lib/byte-order.ts";
import { folderAt, nameBelow, namesOf, nodeAt } from "./search-keys.ts";
import type { Outdated } from "./search-recent.ts";
import type { FileFacts, Sheet } from "./search-sheet.ts";
import type { NodeRow } from "./search-table.ts";

/** What a storage has of one folder: all of it, or all between two names. */
export interface Listed {
  /** A folder's key. */
  readonly folder: string;
  /** By name; undefined for a folder, whose name ends in a slash. */
  readonly entries: ReadonlyMap<string, FileFacts | undefined>;
  /** What comes up to this name was not asked for. */
  readonly after?: string | undefined;
  /** What comes behind this name was not asked for. */
  readonly upTo?: string | undefined;
}

interface Reconciled {
  readonly storage: string;
  readonly outdated: Outdated;
}

/** Nodes that are compared at once. */
const SLICE = 250;

/** Makes the nodes of a folder what was listed, and writes only what differs. */
export async function reconcile(sheet: Sheet, listed: Listed, { storage, outdated }: Reconciled): Promise<void> {
  if (outdated.whole(listed.folder)) return;
  const spared = outdated.names(listed.folder);
  const folder = await folderOf(sheet, storage, listed);
  if (!folder) return;
  const missing = new Map(listed.entries);
  missing.delete(listed.after ?? "");
  for (let after: string | undefined = listed.after ?? ""; after !== undefined; ) {
    const rows = await sheet.within(folder.id, after, SLICE);
    const { upTo } = listed;
    const asked = rows.filter(({ name }) => upTo === undefined || compareBytes(name, upTo) <= 0);
    for (const row of asked) if (!spared.has(row.name)) await compare(sheet, folder, row, listed.entries);
    for (const { name } of rows) missing.delete(name);
    after = rows.length === SLICE && asked.length === rows.length ? rows.at(-1)?.name : undefined;
    await sheet.breathe();
  }
  for (const name of spared) missing.delete(name);
  await insert(sheet, folder, [...missing]);
}

/** A folder that the index does not know is only worth one when there is something in it. */
const folderOf = async (sheet: Sheet, storage: string, { folder, entries }: Listed): Promise<NodeRow | undefined> =>
  entries.size > 0 ? await folderAt(sheet, storage, folder) : await nodeAt(sheet, storage, folder);

async function compare(sheet: Sheet, folder: NodeRow, row: NodeRow, entries: Listed["entries"]): Promise<void> {
  if (!entries.has(row.name)) return await sheet.remove(row);
  const file = entries.get(row.name);
  if (!file || (file.size === row.size && file.modified === row.modified)) return;
  await sheet.replace(row, folder, file);
  await sheet.grow(folder.id, file.size - row.size, 0);
}

async function insert(
  sheet: Sheet,
  folder: NodeRow,
  missing: readonly (readonly [string, FileFacts | undefined])[],
): Promise<void> {
  for (let begin = 0; begin < missing.length; begin += SLICE) {
    await sheet.addAll(folder, missing.slice(begin, begin + SLICE));
    await sheet.breathe();
  }
}

/** A page of all keys of a storage, in order: everything behind one key up to its last. */
export interface KeyPage {
  readonly objects: readonly (FileFacts & { readonly key: string })[];
  readonly after: string;
  /** Whether nothing comes behind it. */
  readonly last: boolean;
}

/** What a page says of the folders that it leads through, outer ones first. */
export function foldersOf({ objects, after, last }: KeyPage): Listed[] {
  const folders = new Map<string, Map<string, FileFacts | undefined>>();
  const entriesOf = (folder: string) => {
    const entries = folders.get(folder) ?? new Map<string, FileFacts | undefined>();
    folders.set(folder, entries);
    return entries;
  };
  // What comes behind the last key of the page before belongs to this one, also where nothing is left.
  for (const folder of foldersAbove(after)) entriesOf(folder);
  for (const { key, size, modified } of objects) {
    let folder = "";
    for (const name of namesOf(key)) {
      entriesOf(folder).set(name, name.endsWith("/") ? undefined : { size, modified });
      if (!name.endsWith("/")) continue;
      folder += name;
      entriesOf(folder);
    }
  }
  const end = last ? undefined : objects.at(-1)?.key;
  return [...folders]
    .filter(([folder]) => folder !== end)
    .map(([folder, entries]) => ({
      folder,
      entries,
      after: after !== folder && after.startsWith(folder) ? nameBelow(folder, after) : undefined,
      upTo: end?.startsWith(folder) ? nameBelow(folder, end) : undefined,
    }));
}

/** All folders that a key lies in, and itself when it is one. */
function foldersAbove(key: string): string[] {
  const folders = [""];
  for (const name of namesOf(key)) if (name.endsWith("/")) folders.push(folders.at(-1) + name);
  return folders;
}
