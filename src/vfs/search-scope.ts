import { nodeAt } from "./search-keys.ts";
import type { NodeRow, SearchTable } from "./search-table.ts";

/** A part of a storage to search in. */
export interface Scope {
  readonly storage: string;
  /** The key of a folder; empty is the whole storage. */
  readonly folder: string;
  /** Keys of folders in it that do not belong to it. */
  readonly except: readonly string[];
}

/** A scope as nodes. */
export interface Region {
  readonly folder: NodeRow;
  readonly except: ReadonlySet<number>;
}

type Ancestor = Pick<NodeRow, "id" | "parent" | "name">;

/** Knows the folders above nodes, each of which is read once. */
export function createAncestors(table: SearchTable) {
  const known = new Map<number, Ancestor>();

  return {
    get: (id: number): Ancestor | undefined => known.get(id),

    /** Reads these folders and all above them. */
    async learn(folders: Iterable<number>): Promise<void> {
      let wanted = unknown(folders);
      while (wanted.length > 0) {
        const found = await table.byIds(wanted);
        for (const one of found) known.set(one.id, one);
        wanted = unknown(found.map(({ parent }) => parent));
      }
    },
  };

  function unknown(folders: Iterable<number>): number[] {
    return [...new Set(folders)].filter((id) => id !== 0 && !known.has(id));
  }
}

type Ancestors = ReturnType<typeof createAncestors>;

/** Which nodes lie in any of the scopes. A folder that the index does not know has nothing in it. */
export async function openRegions(table: SearchTable, scopes: readonly Scope[], ancestors: Ancestors) {
  const regions: Region[] = [];
  for (const { storage, folder: key, except } of scopes) {
    const folder = await nodeAt(table.byName, storage, key);
    if (!folder) continue;
    const nodes = await Promise.all(except.map((one) => nodeAt(table.byName, storage, one)));
    regions.push({ folder, except: new Set(nodes.flatMap((node) => node?.id ?? [])) });
  }
  const insides = new Map<number, readonly Region[]>([[0, []]]);
  const adrift = (await table.adrift()) !== undefined;

  /** The regions that what lies directly in a folder belongs to. */
  const inside = (folder: number): readonly Region[] => {
    const before = insides.get(folder);
    if (before) return before;
    const above = ancestors.get(folder);
    const inherited = above ? inside(above.parent).filter(({ except }) => !except.has(folder)) : [];
    const own = above ? regions.filter((region) => region.folder.id === folder) : [];
    const all = [...inherited, ...own];
    insides.set(folder, all);
    return all;
  };

  const isWhole = ({ folder, except }: Region) => folder.parent === 0 && except.size === 0;

  return {
    /** Root nodes of the storages. */
    storages: [...new Set(regions.map(({ folder }) => folder.storage))],
    list: regions,
    /** Whether all nodes of the storages are meant. */
    whole: !adrift && regions.every(isWhole),
    /** Files in all of them, some perhaps counted twice. */
    files: regions.reduce((sum, { folder }) => sum + folder.files, 0),

    /** Those that lie in a region. */
    async filter(rows: readonly NodeRow[]): Promise<NodeRow[]> {
      await ancestors.learn(rows.map(({ parent }) => parent));
      return rows.filter(({ id, parent }) => inside(parent).some(({ except }) => !except.has(id)));
    },
  };
}

export type Regions = Awaited<ReturnType<typeof openRegions>>;
