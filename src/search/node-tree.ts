import type { Place } from "../stores/store.ts";
import { type FileStat, namesOf } from "./changes.ts";
import { foldName } from "./letters.ts";
import type { NodeBatch } from "./node-batch.ts";
import type { NodeRow, NodesTable } from "./nodes-table.ts";

export type Node = Pick<NodeRow, "id" | "parent" | "name">;
/** A node that others can be put into. */
export type Folder = Pick<NodeRow, "id" | "storage">;
/** Files and folders by name; a folder's name ends in a slash, and nothing is known of it. */
export type Entries = Iterable<readonly [string, FileStat | undefined]>;

interface NodeTreeDependencies {
  readonly table: Pick<NodesTable, "byName">;
  readonly batch: NodeBatch;
  /** The highest id that was ever given. */
  readonly last: number;
}

/** Ids that are remembered between two batches. */
const MAX_KNOWN = 10_000;
const NO_FOLDER: Folder = { id: 0, storage: 0 };

const isFolder = ({ parent, name }: Node): boolean => parent === 0 || name.endsWith("/");

const keyOf = (parent: number, name: string): string => `${parent} ${name}`;

/** The tree as it is when the batch is written: finds nodes in it, and changes it through the batch. */
export function createNodeTree({ table, batch, last: highest }: NodeTreeDependencies) {
  /** Ids by parent and name; undefined where there is no such node. */
  const ids = new Map<string, number | undefined>();
  let last = highest;

  const find = async (parent: number, name: string): Promise<Node | undefined> => {
    const key = keyOf(parent, name);
    const id = ids.has(key) ? ids.get(key) : (await table.byName(parent, name))?.id;
    ids.set(key, id);
    return id === undefined ? undefined : { id, parent, name };
  };

  const create = (parent: Folder, name: string, file?: FileStat): number => {
    last += 1;
    ids.set(keyOf(parent.id, name), last);
    const node = { id: last, storage: parent.storage || last, parent: parent.id, name, folded: foldName(name) };
    batch.insert(node, file);
    return last;
  };

  return {
    find,

    /** The node of a key, of the storage itself for an empty one. */
    async locate({ storage, key }: Place): Promise<Node | undefined> {
      let node = await find(0, storage);
      for (const name of namesOf(key)) node = node && (await find(node.id, name));
      return node;
    },

    /** The folder of these names, which is made with all above it when it is missing. */
    async makeFolder(storage: string, names: readonly string[]): Promise<Folder> {
      const root = (await find(0, storage))?.id ?? create(NO_FOLDER, storage);
      let id = root;
      for (const name of names) id = (await find(id, name))?.id ?? create({ id, storage: root }, name);
      return { id, storage: root };
    },

    /** Puts nodes that are not there yet into a folder. */
    add(folder: Folder, entries: Entries): void {
      for (const [name, file] of entries) {
        create(folder, name, file);
        if (file) batch.grow(folder.id, { size: file.size, files: 1, newest: file.modified });
      }
    },

    remove(node: Node): void {
      ids.set(keyOf(node.parent, node.name), undefined);
      batch.remove(node.id, isFolder(node));
    },

    /** Gives a file another size and time, and a new id: among very many hits the highest ids are put in order. */
    replace(row: NodeRow, file: FileStat): void {
      const { parent, name, size } = row;
      last += 1;
      ids.set(keyOf(parent, name), last);
      batch.grow(parent, { size: file.size - size, files: 0, newest: file.modified });
      batch.replace(row, last, file);
    },

    /** Moves a node into a folder where nothing has the name. */
    move({ id, parent, name: before }: Node, folder: Folder, name: string): void {
      ids.set(keyOf(parent, before), undefined);
      ids.set(keyOf(folder.id, name), id);
      batch.move({ id, parent: folder.id, name, folded: foldName(name) });
    },

    /** Whether so many ids are remembered that the batch should be written and they forgotten. */
    knowsMany: (): boolean => ids.size > MAX_KNOWN,

    forget: (): void => ids.clear(),

    /** Goes on behind the highest id that another server may have given. */
    goOnAfter(id: number): void {
      last = id;
    },
  };
}

export type NodeTree = ReturnType<typeof createNodeTree>;
