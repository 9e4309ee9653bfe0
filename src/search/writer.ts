import type { Sql } from "../database/sql.ts";
import { createPace, createYielder } from "../lib/turns.ts";
import type { MovedChange } from "../stores/changes.ts";
import type { Place } from "../stores/store.ts";
import { type Change, type FileStat, namesOf } from "./changes.ts";
import { foldName } from "./letters.ts";
import { type Growth, type NodeRow, type NodesTable, nodeChange } from "./nodes-table.ts";

type Node = Pick<NodeRow, "id" | "parent" | "name">;
/** A node that others can be put into. */
export type Folder = Pick<NodeRow, "id" | "storage">;
/** Files and folders by name; a folder's name ends in a slash, and nothing is known of it. */
export type Entries = Iterable<readonly [string, FileStat | undefined]>;

/** Ids that are remembered between two batches. */
const MAX_KNOWN = 10_000;
/** Pages of the full-text index that one step of merging may write. */
const MERGED_AT_ONCE = 32;
const NO_FOLDER: Folder = { id: 0, storage: 0 };

const isFolder = ({ parent, name }: Node): boolean => parent === 0 || name.endsWith("/");

/**
 * Collects changes of nodes and writes them in batches that take a few milliseconds. Only ids are remembered in
 * between, because each statement finds in the database what the ones before it made. There is one writer, and one
 * task at a time uses it.
 */
export async function createWriter(table: NodesTable) {
  /** Ids by parent and name, as they are when everything is written; undefined where there is no such node. */
  const ids = new Map<string, number | undefined>();
  /** Additions to folders and to all above them. */
  const sums = new Map<number, Growth>();
  const named = new Map<number, string>();
  const unnamed = new Set<number>();
  let statements: Sql[] = [];
  let last = await table.lastId();
  let proof: readonly Sql[] = [];
  const yielder = createYielder();
  const writing = createPace({ first: 200, least: 100, most: 1000 });
  const clearing = createPace({ first: 100, least: 50, most: 1000 });

  const keyOf = (parent: number, name: string) => `${parent} ${name}`;

  const find = async (parent: number, name: string): Promise<Node | undefined> => {
    const key = keyOf(parent, name);
    const id = ids.has(key) ? ids.get(key) : (await table.byName(parent, name))?.id;
    ids.set(key, id);
    return id === undefined ? undefined : { id, parent, name };
  };

  const create = (parent: Folder, name: string, file?: FileStat): number => {
    last += 1;
    const node = { id: last, storage: parent.storage || last, parent: parent.id, name, folded: foldName(name) };
    ids.set(keyOf(parent.id, name), last);
    statements.push(nodeChange.insert(node, file?.size ?? 0, file?.modified ?? null));
    if (parent.id !== 0) named.set(last, node.folded);
    return last;
  };

  const grow = (folder: number, { size, files, newest }: Growth): void => {
    const sum = sums.get(folder) ?? { size: 0, files: 0, newest: 0 };
    const later = Math.max(sum.newest ?? 0, newest ?? 0);
    sums.set(folder, { size: sum.size + size, files: sum.files + files, newest: later });
  };

  /** To be called before a folder is removed or moved, because its sums go with it. */
  const settleSums = (): void => {
    for (const sum of sums) statements.push(nodeChange.grow(...sum));
    sums.clear();
  };

  const forget = (): void => {
    ids.clear();
    sums.clear();
    named.clear();
    unnamed.clear();
    statements = [];
  };

  const writeAll = async (): Promise<void> => {
    settleSums();
    const removed = [...unnamed].sort((one, other) => one - other).map(nodeChange.removeName);
    const added = [...named].sort(([one], [other]) => one - other).map((name) => nodeChange.addName(...name));
    const batch = [...statements, ...removed, ...added];
    await table.ready();
    await writing.measure(batch.length, () => table.write([...batch, ...proof]));
    named.clear();
    unnamed.clear();
    statements = [];
    await yielder.yieldIfDue();
    await table.ready();
    await table.merge(MERGED_AT_ONCE);
    await yielder.yieldIfDue();
  };

  const flush = async (): Promise<void> => {
    if (statements.length + sums.size > 0) await writeAll();
    if (ids.size > MAX_KNOWN) ids.clear();
  };

  /** The node of a key, of the storage itself for an empty one. */
  const locate = async ({ storage, key }: Place): Promise<Node | undefined> => {
    let node = await find(0, storage);
    for (const name of namesOf(key)) node = node && (await find(node.id, name));
    return node;
  };

  /** The folder of these names, which is made with all above it when it is missing. */
  const makeFolder = async (storage: string, names: readonly string[]): Promise<Folder> => {
    const root = (await find(0, storage))?.id ?? create(NO_FOLDER, storage);
    let id = root;
    for (const name of names) id = (await find(id, name))?.id ?? create({ id, storage: root }, name);
    return { id, storage: root };
  };

  /** Puts nodes that are not there yet into a folder. */
  const add = (folder: Folder, entries: Entries): void => {
    for (const [name, file] of entries) {
      create(folder, name, file);
      if (file) grow(folder.id, { size: file.size, files: 1, newest: file.modified });
    }
  };

  const remove = (node: Node): void => {
    const { id, parent, name } = node;
    ids.set(keyOf(parent, name), undefined);
    named.delete(id);
    unnamed.add(id);
    if (isFolder(node)) {
      settleSums();
      statements.push(nodeChange.markRemoved(id));
    }
    statements.push(nodeChange.addToFolders(-1, id), nodeChange.remove(id));
  };

  const removeAt = async (place: Place): Promise<void> => {
    const node = place.key === "" ? undefined : await locate(place);
    if (node) remove(node);
  };

  /** Gives a file another size and time, and a new id: among very many hits the highest ids are put in order. */
  const replace = ({ id, parent, name, folded, size }: NodeRow, file: FileStat): void => {
    last += 1;
    ids.set(keyOf(parent, name), last);
    unnamed.add(id);
    named.set(last, folded);
    grow(parent, { size: file.size - size, files: 0, newest: file.modified });
    statements.push(nodeChange.replace(id, last, file));
  };

  const write = async ({ storage, key }: Place, file: FileStat): Promise<void> => {
    const names = namesOf(key);
    // The object of a folder's own key says no more than that there is the folder.
    const name = key.endsWith("/") ? undefined : names.pop();
    const folder = await makeFolder(storage, names);
    if (name === undefined) return grow(folder.id, { size: 0, files: 0, newest: file.modified });
    const node = await find(folder.id, name);
    if (!node) return add(folder, [[name, file]]);
    // The row of a node with a pending write is outdated.
    const row = named.has(node.id) ? undefined : await table.byId(node.id);
    if (!row) {
      remove(node);
      add(folder, [[name, file]]);
    } else if (row.size !== file.size || row.modified !== file.modified) replace(row, file);
  };

  const moveNode = async (node: Node, to: Place): Promise<void> => {
    const names = namesOf(to.key);
    const name = names.pop() ?? "";
    const { id } = node;
    await removeAt(to);
    const folder = await makeFolder(to.storage, names);
    const folded = foldName(name);
    ids.set(keyOf(node.parent, node.name), undefined);
    ids.set(keyOf(folder.id, name), id);
    unnamed.add(id);
    named.set(id, folded);
    settleSums();
    const moved = nodeChange.move({ id, parent: folder.id, name, folded });
    statements.push(nodeChange.addToFolders(-1, id), moved, nodeChange.addToFolders(1, id));
  };

  /** Returns the storage whose index has to be built anew when the moved node is unknown. */
  const move = async ({ from, to, again, over }: MovedChange): Promise<string | undefined> => {
    const isFile = !to.key.endsWith("/");
    const isKnown = (again || over) && (isFile || from.storage !== to.storage);
    if (isKnown && (await locate(to))) return void (await removeAt(from));
    const node = from.key === "" ? undefined : await locate(from);
    const fits = to.key !== "" && isFile !== from.key.endsWith("/");
    if (node && fits && from.storage === to.storage) {
      // A folder cannot have gone into itself.
      if (to.key.startsWith(from.key) && !isFile) return to.storage;
      return to.key === from.key ? undefined : void (await moveNode(node, to));
    }
    await flush();
    const row = node && (await table.byId(node.id));
    await removeAt(from);
    if (row && row.modified !== null && fits) return void (await write(to, { size: row.size, modified: row.modified }));
    await removeAt(to);
    if (!isFile) await makeFolder(to.storage, namesOf(to.key));
    return to.storage;
  };

  return {
    locate,

    /** Forgets what another server may have changed; `given` goes with every batch that is written from now on. */
    async begin(given: readonly Sql[]): Promise<void> {
      forget();
      proof = given;
      last = await table.lastId();
    },

    /** Gives a folder that is there the time of the object of its own key, when that is newer. */
    async setTime(place: Place, modified: number): Promise<void> {
      const node = await locate(place);
      const known = node && (await table.byId(node.id))?.newest;
      if (node && (known ?? 0) < modified) grow(node.id, { size: 0, files: 0, newest: modified });
    },

    makeFolder,
    add,
    remove,
    replace,
    flush,

    /** Applies a change; returns the storage whose index has to be built anew when the change names something unknown. */
    async apply(change: Change): Promise<string | undefined> {
      if (change.kind === "moved") return await move(change);
      if (change.kind === "written") await write(change.at, change.file);
      else if (change.kind === "removed") await removeAt(change.at);
      else await write(change.at, { size: 0, modified: change.modified });
      return undefined;
    },

    /** How many new names make a batch. */
    batchOfNames: (): number => Math.ceil(writing.count() / 2),

    /** Writes when there is enough to write, and lets others run. */
    async pause(): Promise<void> {
      const size = statements.length + sums.size + named.size + unnamed.size;
      if (size >= writing.count() || ids.size > MAX_KNOWN) await flush();
      await yielder.yieldIfDue();
    },

    /** Runs a task and writes its changes. Nothing of a failing task is written, except earlier changes. */
    async run(task: () => Promise<void>): Promise<void> {
      try {
        await task();
        await flush();
      } catch (error) {
        forget();
        throw error;
      }
    },

    /** Does a step of the work that can wait: deletes the content of removed folders, then merges; reports whether there is more. */
    async tidy(): Promise<boolean> {
      await table.ready();
      const folder = await table.removedFolder();
      const limit = clearing.count();
      const merged = folder === undefined && (await table.merge(MERGED_AT_ONCE));
      if (folder !== undefined) await clearing.measure(limit, () => table.clear(folder, limit));
      await yielder.yieldIfDue();
      return folder !== undefined || merged;
    },
  };
}

export type Writer = Awaited<ReturnType<typeof createWriter>>;
