import { compareBytes } from "../lib/byte-order.ts";
import { folderAt, nameBelow, namesOf, nodeAt } from "./search-keys.ts";
import type { Outdated } from "./search-recent.ts";
import type { FileFacts, Sheet } from "./search-sheet.ts";
import type { NodeRow } from "./search-table.ts";

/** Files and folders by name; a folder's name ends in a slash, and nothing is known of it. */
export type Entries = Map<string, FileFacts | undefined>;

/** What a storage has of one folder: all of it, or all between two names. */
export interface Listed {
  /** A folder's key. */
  readonly folder: string;
  /** Used up by comparing. */
  readonly entries: Entries;
  /** What comes up to this name was not asked for. */
  readonly after?: string | undefined;
  /** What comes behind this name was not asked for. */
  readonly upTo?: string | undefined;
}

interface Asked {
  readonly storage: string;
  /** What of the answer is older than what was told by now; undefined when nobody can tell any more. */
  readonly outdated: () => Outdated | undefined;
  /** Called when there is a folder that nobody has told of: what is in it is not known either. */
  readonly strange?: () => void;
}

/** Nodes that are compared at once, and names that are added at once. */
const SLICE = 500;

/**
 * Makes the nodes of a folder what was listed, and writes only what differs. Between two slices anything may happen; answers
 * whether it came to the end, if it had begun.
 */
export async function* reconcile(
  sheet: Sheet,
  listed: Listed,
  { storage, outdated, strange }: Asked,
): AsyncGenerator<void, boolean> {
  const { folder: key } = listed;
  if (outdated()?.whole(key) !== false) return true;
  const folder = await folderOf(sheet, storage, listed);
  if (!folder) return true;

  /** Names of which the listing says nothing by now; undefined when it says nothing at all. */
  const sparedNow = async (): Promise<ReadonlySet<string> | undefined> => {
    const told = outdated();
    if (!told || told.whole(key)) return undefined;
    return (await nodeAt(sheet.find, storage, key))?.id === folder.id ? told.names(key) : undefined;
  };
  const known = { folder, sparedNow, strange };
  return (yield* compareAll(sheet, known, listed)) && (yield* addAll(sheet, known, listed));
}

interface Known {
  readonly folder: NodeRow;
  readonly sparedNow: () => Promise<ReadonlySet<string> | undefined>;
  readonly strange: (() => void) | undefined;
}

/** Leaves the entries that no node stands for. */
async function* compareAll(
  sheet: Sheet,
  { folder, sparedNow }: Known,
  { entries, after: begin = "", upTo }: Listed,
): AsyncGenerator<void, boolean> {
  entries.delete(begin);
  for (let after: string | undefined = begin; after !== undefined; ) {
    const spared = await sparedNow();
    if (!spared) return false;
    const rows = await sheet.within(folder.id, after, SLICE);
    const asked = rows.filter(({ name }) => upTo === undefined || compareBytes(name, upTo) <= 0);
    for (const row of asked) if (!spared.has(row.name)) await compare(sheet, folder, row, entries);
    for (const { name } of rows) entries.delete(name);
    after = rows.length === SLICE && asked.length === rows.length ? rows.at(-1)?.name : undefined;
    await sheet.breathe();
    if (after !== undefined) yield;
  }
  return true;
}

async function* addAll(sheet: Sheet, known: Known, { entries }: Listed): AsyncGenerator<void, boolean> {
  const { folder, sparedNow, strange } = known;
  const left = entries.entries();
  for (let some = [...left.take(SLICE)]; some.length > 0; some = [...left.take(SLICE)]) {
    const spared = await sparedNow();
    if (!spared) return false;
    const added = some.filter(([name]) => !spared.has(name));
    await sheet.addAll(folder, added);
    if (added.some(([name]) => name.endsWith("/"))) strange?.();
    await sheet.breathe();
    if (some.length === SLICE) yield;
  }
  return true;
}

/** A folder that the index does not know is only worth one when there is something in it. */
const folderOf = async (sheet: Sheet, storage: string, { folder, entries }: Listed): Promise<NodeRow | undefined> =>
  entries.size > 0 ? await folderAt(sheet, storage, folder) : await nodeAt(sheet.find, storage, folder);

async function compare(sheet: Sheet, folder: NodeRow, row: NodeRow, entries: Entries): Promise<void> {
  if (!entries.has(row.name)) return await sheet.remove(row);
  const file = entries.get(row.name);
  if (!file || (file.size === row.size && file.modified === row.modified)) return;
  await sheet.replace(row, folder, file);
  await sheet.grow(folder.id, file.size - row.size, 0);
}

/** Everything that lies directly in a folder. */
export interface ListedFolder {
  readonly storage: string;
  /** A folder's key. */
  readonly key: string;
  readonly files: readonly (FileFacts & { readonly key: string })[];
  /** Their keys. */
  readonly folders: readonly string[];
}

/** What a folder has by name, slice by slice as `reconcile`. */
export async function* entriesOf({ key: folder, files, folders }: ListedFolder): AsyncGenerator<void, Entries> {
  const entries: Entries = new Map();
  for (const file of files) {
    entries.set(file.key.slice(folder.length), file);
    if (entries.size % SLICE === 0) yield;
  }
  for (const key of folders) {
    entries.set(key.slice(folder.length), undefined);
    if (entries.size % SLICE === 0) yield;
  }
  return entries;
}

/** A page of all keys of a storage, in order: everything behind one key up to its last. */
interface KeyPage {
  readonly objects: readonly (FileFacts & { readonly key: string })[];
  readonly after: string;
  /** Whether nothing comes behind it. */
  readonly last: boolean;
}

/** What a page says of the folders that it leads through, outer ones first. */
export function foldersOf({ objects, after, last }: KeyPage): Listed[] {
  const folders = new Map<string, Entries>();
  const entriesOf = (folder: string) => {
    const entries = folders.get(folder) ?? (new Map() as Entries);
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
