import type { Place } from "../stores/store.ts";
import { namesOf } from "./changes.ts";
import type { FoundNode, FoundTable, NodeRow, ShownNode } from "./nodes-table.ts";

/** A part of a storage to search in. */
export interface Scope {
  readonly storage: string;
  /** The key of a folder; empty is the whole storage. */
  readonly folder: string;
  /** Keys of folders in it that do not belong to it, however what lies in it spells them. */
  readonly except: readonly string[];
  /** Keys of folders in it whose content comes behind everything else. */
  readonly last?: readonly string[] | undefined;
}

/** A scope as nodes. */
export interface Region {
  readonly folder: NodeRow;
  readonly except: ReadonlySet<number>;
}

const spellings = (name: string): string[] => [...new Set([name.normalize("NFC"), name.normalize("NFD")])];

const present = (nodes: readonly (NodeRow | undefined)[]): NodeRow[] => nodes.flatMap((node) => node ?? []);

/** The folders whose content comes behind everything else. */
function lateFolders(scopes: readonly Scope[]) {
  const keys = scopes.flatMap(({ storage, last = [] }) => last.map((key) => (storage + key).normalize("NFC")));
  return {
    any: keys.length > 0,
    /** Whether a folder is one of them or lies in one, by the names that lead to it. */
    hold(names: readonly string[]): boolean {
      const folder = names.join("").normalize("NFC");
      return keys.some((key) => folder.startsWith(key));
    },
  };
}

/** Finds the nodes of scopes. A folder that the index does not know is empty. */
export async function openRegions(table: FoundTable, scopes: readonly Scope[]) {
  const find = async ({ storage, folder: key, except }: Scope, folder: NodeRow | undefined): Promise<Region[]> => {
    const at = { storage, key };
    const nodes = await Promise.all(except.map((one) => nodesIn(at, one)));
    const apart = await Promise.all(nodes.flat().map(async (node) => ((await holdsAny(node)) ? [node.id] : [])));
    return folder ? [{ folder, except: new Set(apart.flat()) }] : [];
  };
  /** What is at a key in a folder, in every form of Unicode. */
  const nodesIn = async (folder: Place, key: string): Promise<readonly NodeRow[]> => {
    const below = key.slice(folder.key.length);
    if (spellings(below).length === 1) return present([await table.at({ ...folder, key })]);
    let nodes = present([await table.at(folder)]);
    for (const name of namesOf(below))
      nodes = present(
        await Promise.all(nodes.flatMap(({ id }) => spellings(name).map((one) => table.byName(id, one)))),
      );
    return nodes;
  };
  const holdsAny = async ({ id, files }: NodeRow): Promise<boolean> =>
    files > 0 || (await table.nameAfter(id, "", 1)) !== undefined;
  const places = scopes.map(({ storage, folder: key }) => ({ storage, key }));
  const [first] = places;
  const [removed, nodes] = await Promise.all([
    table.removedFolder(),
    // One is there with a single statement, however deep it lies.
    first && places.length === 1 ? [await table.at(first)] : table.atAll(places),
  ]);
  const found = await Promise.all(scopes.map((scope, index) => find(scope, nodes[index])));
  const list = found.flat();
  const known = new Map<number, ShownNode>();
  const regionsOf = new Map<number, readonly Region[]>([[0, []]]);

  /** Reads nodes and all folders above them, each once. */
  const read = async (ids: readonly number[]): Promise<void> => {
    const unknown = [...new Set(ids)].filter((id) => id !== 0 && !known.has(id));
    if (unknown.length === 0) return;
    for (const node of await table.upwards(unknown)) known.set(node.id, node);
  };

  /** The regions of the direct content of a folder. */
  const inside = (id: number): readonly Region[] => {
    const before = regionsOf.get(id);
    if (before) return before;
    const folder = known.get(id);
    const inherited = folder ? inside(folder.parent).filter(({ except }) => !except.has(id)) : [];
    const regions = folder ? [...inherited, ...list.filter((region) => region.folder.id === id)] : [];
    regionsOf.set(id, regions);
    return regions;
  };

  const late = lateFolders(scopes);

  const namesTo = (id: number): readonly string[] => {
    const node = known.get(id);
    return node ? [...namesTo(node.parent), node.name] : [];
  };

  return {
    list,
    /** Root nodes of the storages. */
    storages: [...new Set(list.map(({ folder }) => folder.storage))],
    /** Whether all nodes of the storages are meant. */
    whole: removed === undefined && list.every(({ folder, except }) => folder.parent === 0 && except.size === 0),
    /** Files in all of them, some perhaps counted twice. */
    files: list.reduce((sum, { folder }) => sum + folder.files, 0),

    /** Returns the nodes that are in a region. */
    async filter(rows: readonly FoundNode[]): Promise<FoundNode[]> {
      await read(rows.map(({ parent }) => parent));
      return rows.filter(({ id, parent }) => inside(parent).some(({ except }) => !except.has(id)));
    },

    /** Whether the content of some folders comes behind everything else. */
    hasLast: late.any,

    /** Puts that content behind the rest; within each the order stays. */
    async lastBehind(rows: readonly FoundNode[]): Promise<readonly FoundNode[]> {
      // With their folders, which `shown` needs too.
      await read(rows.map(({ id }) => id));
      const isLate = ({ parent }: FoundNode) => late.hold(namesTo(parent));
      return [...rows.filter((row) => !isLate(row)), ...rows.filter(isLate)];
    },

    /** Reads what nodes are shown by, and the names that lead to each, from its storage to itself; without those that are gone. */
    async shown(rows: readonly FoundNode[]): Promise<(ShownNode & { readonly path: readonly string[] })[]> {
      await read(rows.map(({ id }) => id));
      return rows.flatMap(({ id }) => {
        const node = known.get(id);
        return node ? { ...node, path: namesTo(id) } : [];
      });
    },
  };
}

export type Regions = Awaited<ReturnType<typeof openRegions>>;
