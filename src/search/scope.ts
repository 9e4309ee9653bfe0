import type { NodeRow, NodesTable } from "./nodes-table.ts";

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

/** Finds the nodes of scopes. A folder that the index does not know is empty. */
export async function openRegions(table: NodesTable, scopes: readonly Scope[]) {
  const find = async ({ storage, folder: key, except }: Scope): Promise<Region[]> => {
    const [folder, ...nodes] = await Promise.all([key, ...except].map((one) => table.at({ storage, key: one })));
    return folder ? [{ folder, except: new Set(nodes.flatMap((node) => node?.id ?? [])) }] : [];
  };
  const [removed, ...found] = await Promise.all([table.removedFolder(), ...scopes.map(find)]);
  const list = found.flat();
  const removing = removed !== undefined;
  const folders = new Map<number, Pick<NodeRow, "id" | "parent" | "name">>();
  const regionsOf = new Map<number, readonly Region[]>([[0, []]]);

  /** Reads the folders of nodes and all above them, each once. */
  const readFolders = async (nodes: readonly Pick<NodeRow, "parent">[]): Promise<void> => {
    const unknown = [...new Set(nodes.map(({ parent }) => parent))].filter((id) => id !== 0 && !folders.has(id));
    if (unknown.length === 0) return;
    for (const folder of await table.upwards(unknown)) folders.set(folder.id, folder);
  };

  /** The regions of the direct content of a folder. */
  const inside = (id: number): readonly Region[] => {
    const before = regionsOf.get(id);
    if (before) return before;
    const folder = folders.get(id);
    const inherited = folder ? inside(folder.parent).filter(({ except }) => !except.has(id)) : [];
    const regions = folder ? [...inherited, ...list.filter((region) => region.folder.id === id)] : [];
    regionsOf.set(id, regions);
    return regions;
  };

  const namesTo = (id: number): readonly string[] => {
    const folder = folders.get(id);
    return folder ? [...namesTo(folder.parent), folder.name] : [];
  };

  return {
    list,
    /** Root nodes of the storages. */
    storages: [...new Set(list.map(({ folder }) => folder.storage))],
    /** Whether all nodes of the storages are meant. */
    whole: !removing && list.every(({ folder, except }) => folder.parent === 0 && except.size === 0),
    /** Files in all of them, some perhaps counted twice. */
    files: list.reduce((sum, { folder }) => sum + folder.files, 0),

    /** Returns the nodes that are in a region. */
    async filter(rows: readonly NodeRow[]): Promise<NodeRow[]> {
      await readFolders(rows);
      return rows.filter(({ id, parent }) => inside(parent).some(({ except }) => !except.has(id)));
    },

    /** Tells the names that lead to each of these nodes, from its storage to itself. */
    async paths(rows: readonly NodeRow[]): Promise<(row: NodeRow) => readonly string[]> {
      await readFolders(rows);
      return ({ parent, name }) => [...namesTo(parent), name];
    },
  };
}

export type Regions = Awaited<ReturnType<typeof openRegions>>;
