import { compareBytes, TRASH } from "#contract/paths";
import { createPace } from "../lib/turns.ts";
import { type FileStat, type Listing, namesOf, type Outdated } from "./changes.ts";
import type { Folder } from "./node-tree.ts";
import type { NodesTable } from "./nodes-table.ts";
import type { Writer } from "./writer.ts";

/** Files and folders by name; a folder's name ends in a slash. */
export type Entries = Map<string, FileStat | undefined>;

/** The content of one folder: all of it, or all between two names. */
export interface Listed {
  readonly storage: string;
  /** The folder's key. */
  readonly key: string;
  /** Used up by comparing. */
  readonly entries: Entries;
  /** Names up to this one were not listed. */
  readonly after?: string | undefined;
  /** Names after this one were not listed. */
  readonly upTo?: string | undefined;
}

/** The nodes of a folder behind a name, except for those that have changed since it was listed. */
interface Part extends Pick<Listed, "entries" | "upTo"> {
  readonly after: string;
  readonly changed: ReadonlySet<string>;
}

interface CompareOptions {
  /** The part of the answer that later changes outdate; undefined when the index no longer knows them. */
  readonly outdated: () => Outdated | undefined;
  /** Called with the key of a folder that no change named: its content is unknown, too. */
  readonly unknownFolder?: (key: string) => void;
}

/** Entries of a listing that are read between two pauses. */
const SLICE = 500;

/** Makes folders of the index match listings, and writes only the differences. */
export function createReconciler(table: NodesTable, writer: Writer) {
  const reading = createPace({ first: 200, least: 50, most: 1000 });

  /**
   * Compares a folder, slice by slice; the index may change between two of them. Reports whether it came to the end,
   * if it had begun.
   */
  return async function* reconcile(
    listed: Listed,
    { outdated, unknownFolder }: CompareOptions,
  ): AsyncGenerator<void, boolean> {
    const { storage, key, entries, after: begin = "", upTo } = listed;
    if (outdated()?.whole(key) !== false) return true;
    const folder = await folderOf(listed);
    if (!folder) return true;

    /** Names of which the listing says nothing by now; undefined when it says nothing at all. */
    const changedSince = async (): Promise<ReadonlySet<string> | undefined> => {
      const since = outdated();
      if (!since || since.whole(key)) return undefined;
      return (await writer.locate({ storage, key }))?.id === folder.id ? since.names(key) : undefined;
    };

    entries.delete(begin);
    for (let after: string | undefined = begin; after !== undefined; ) {
      const changed = await changedSince();
      if (!changed) return false;
      after = await compare(folder, { entries, after, upTo, changed });
      if (after !== undefined) yield;
    }
    const left = entries.entries();
    for (let more = entries.size > 0; more; ) {
      const changed = await changedSince();
      if (!changed) return false;
      const limit = writer.batchOfNames();
      const some = [...left.take(limit)];
      const added = some.filter(([name]) => !changed.has(name));
      if (added.length > 0) writer.add(folder, added);
      for (const [name] of added) if (name.endsWith("/")) unknownFolder?.(key + name);
      await writer.pause();
      more = some.length === limit;
      if (more) yield;
    }
    return true;
  };

  /** A folder that the index does not know is only added if it has entries. */
  async function folderOf({ storage, key, entries }: Listed): Promise<Folder | undefined> {
    const root = await writer.locate({ storage, key: "" });
    const folder = await writer.locate({ storage, key });
    if (root && folder) return { id: folder.id, storage: root.id };
    return entries.size > 0 ? await writer.makeFolder(storage, namesOf(key)) : undefined;
  }

  /** Compares some nodes after a name, and leaves the entries without a node; returns the last of these nodes. */
  async function compare(folder: Folder, { entries, after, upTo, changed }: Part): Promise<string | undefined> {
    const limit = reading.count();
    const rows = await reading.measure(limit, () => table.children(folder.id, after, limit));
    const asked = rows.filter(({ name }) => upTo === undefined || compareBytes(name, upTo) <= 0);
    for (const row of asked.filter(({ name }) => !changed.has(name))) {
      const file = entries.get(row.name);
      // No folder lists the trash that is in it, and what leaves it is told.
      if (!entries.has(row.name) && row.name !== TRASH) writer.remove(row);
      else if (file && (file.size !== row.size || file.modified !== row.modified)) writer.replace(row, file);
      await writer.pause();
    }
    for (const { name } of rows) entries.delete(name);
    return rows.length === limit && asked.length === rows.length ? rows.at(-1)?.name : undefined;
  }
}

export type Reconcile = ReturnType<typeof createReconciler>;

/** The entries of a listing by name, removed slice by slice as they are compared. */
export async function* listedOf({ storage, key, files, folders }: Listing): AsyncGenerator<void, Listed> {
  const entries: Entries = new Map();
  for (const file of files) {
    entries.set(file.key.slice(key.length), file);
    if (entries.size % SLICE === 0) yield;
  }
  for (const folder of folders) {
    entries.set(folder.slice(key.length), undefined);
    if (entries.size % SLICE === 0) yield;
  }
  return { storage, key, entries };
}
