import type { Sql } from "../database/database.ts";
import { createSlices } from "../lib/slices.ts";
import { foldName } from "./search-names.ts";
import { type NodeRow, nodeChange, type SearchTable } from "./search-table.ts";

/** A node as it will be; `was` is what the database has. */
interface Draft {
  row: NodeRow;
  was: NodeRow | undefined;
  gone: boolean;
}

/** A file as a storage tells of it. */
export interface FileFacts {
  readonly size: number;
  readonly modified: number;
}

interface NewNode {
  readonly name: string;
  /** None for a folder. */
  readonly file?: FileFacts | undefined;
}

/** Changes that wait on the sheet before they are written. */
const HEAVY = 400;
/** Nodes that are remembered between changes. */
const MOST_KNOWN = 5000;
/** Pages that one step of putting the full-text index in order may write. */
const MERGED_AT_ONCE = 32;

/**
 * The nodes that are being changed, in memory: reading and writing are apart, because a batch cannot read. There is one
 * sheet, and it is used by one at a time. Sizes and numbers of files of the folders above follow every change.
 */
export function createSheet(table: SearchTable) {
  const byId = new Map<number, Draft>();
  const byName = new Map<string, Draft | undefined>();
  const touched = new Set<Draft>();
  const removedFolders = new Set<number>();
  const slices = createSlices();
  let last: number | undefined;

  const nameOf = ({ parent, name }: Pick<NodeRow, "parent" | "name">) => `${parent} ${name}`;

  const know = (row: NodeRow): Draft => {
    const known = byId.get(row.id);
    if (known) return known;
    const draft: Draft = { row, was: row, gone: false };
    byId.set(row.id, draft);
    byName.set(nameOf(row), draft);
    return draft;
  };

  const at = async (id: number): Promise<Draft | undefined> => {
    const known = byId.get(id);
    if (known) return known.gone ? undefined : known;
    const row = await table.byId(id);
    return row && know(row);
  };

  const change = (draft: Draft, row: NodeRow): void => {
    draft.row = row;
    touched.add(draft);
  };

  /** Adds to a folder and to all above it. */
  const grow = async (folder: number, size: number, files: number): Promise<void> => {
    if (size === 0 && files === 0) return;
    for (let id = folder; id !== 0; ) {
      const draft = await at(id);
      if (!draft) return;
      change(draft, { ...draft.row, size: draft.row.size + size, files: draft.row.files + files });
      id = draft.row.parent;
    }
  };

  const find = async (parent: number, name: string): Promise<NodeRow | undefined> => {
    const key = nameOf({ parent, name });
    if (byName.has(key)) return byName.get(key)?.row;
    const row = await table.byName(parent, name);
    // What the sheet knows may have gone elsewhere.
    const draft = row && !byId.has(row.id) ? know(row) : undefined;
    if (!draft) byName.set(key, undefined);
    return draft?.row;
  };

  const create = (id: number, parent: Pick<NodeRow, "id" | "storage">, { name, file }: NewNode): NodeRow => {
    const row: NodeRow = {
      id,
      storage: parent.storage === 0 ? id : parent.storage,
      parent: parent.id,
      name,
      folded: foldName(name),
      size: file?.size ?? 0,
      files: file ? 1 : 0,
      modified: file?.modified ?? null,
    };
    const draft: Draft = { row, was: undefined, gone: false };
    byId.set(row.id, draft);
    byName.set(nameOf(row), draft);
    touched.add(draft);
    return row;
  };

  const add = async (parent: Pick<NodeRow, "id" | "storage">, name: string, file?: FileFacts): Promise<NodeRow> => {
    last = (last ?? (await table.lastId())) + 1;
    return create(last, parent, { name, file });
  };

  /** Takes a node away without telling the folders above. */
  const drop = (row: NodeRow): void => {
    const draft = know(row);
    draft.gone = true;
    touched.add(draft);
    byName.set(nameOf(draft.row), undefined);
    if (row.modified === null) removedFolders.add(row.id);
  };

  const forget = (): void => {
    byId.clear();
    byName.clear();
    touched.clear();
    removedFolders.clear();
    last = undefined;
  };

  const flush = async (): Promise<void> => {
    if (touched.size === 0 && removedFolders.size === 0) return;
    try {
      await table.write([...statementsOf(touched), ...[...removedFolders].map(nodeChange.setAdrift)]);
    } catch (error) {
      forget();
      throw error;
    }
    for (const draft of touched) {
      draft.was = draft.gone ? undefined : draft.row;
      if (draft.gone) byId.delete(draft.row.id);
    }
    touched.clear();
    removedFolders.clear();
    await slices.next();
    await table.merge(MERGED_AT_ONCE);
    await slices.next();
  };

  return {
    find,
    flush,
    /** Leaves out what is not written yet. */
    forget,
    grow,
    drop,

    /** A node as it is now. */
    at: async (id: number) => (await at(id))?.row,

    /** What lies directly in a folder behind a name; not what was put there since `flush`. */
    async within(folder: number, after: string, limit: number): Promise<NodeRow[]> {
      if (byId.has(folder) && byId.get(folder)?.was === undefined) return [];
      const drafts = (await table.within(folder, after, limit)).map(know);
      return drafts.filter(({ gone }) => !gone).map(({ row }) => row);
    },

    /** Puts a node into a folder; the folders above are told by `grow`. */
    add,

    /** Puts nodes into a folder and tells the folders above. */
    async addAll(parent: NodeRow, entries: readonly (readonly [string, FileFacts | undefined])[]): Promise<void> {
      let id = last ?? (await table.lastId());
      let [size, files] = [0, 0];
      for (const [name, file] of entries) {
        id += 1;
        create(id, parent, { name, file });
        size += file?.size ?? 0;
        files += file ? 1 : 0;
      }
      last = id;
      await grow(parent.id, size, files);
    },

    async remove(row: NodeRow): Promise<void> {
      drop(row);
      await grow(row.parent, -row.size, -row.files);
    },

    /** Writes down another size or time, under a new id: of very many hits those with the highest are put in order. */
    async replace(row: NodeRow, parent: NodeRow, file: FileFacts): Promise<void> {
      drop(row);
      await add(parent, row.name, file);
    },

    /** Puts a node elsewhere in its storage, with all that is below it. */
    async move(row: NodeRow, parent: NodeRow, name: string): Promise<void> {
      const draft = know(row);
      byName.set(nameOf(row), undefined);
      await grow(row.parent, -row.size, -row.files);
      change(draft, { ...draft.row, parent: parent.id, name, folded: foldName(name) });
      byName.set(nameOf(draft.row), draft);
      await grow(parent.id, row.size, row.files);
    },

    /** Writes when there is much to write, and makes way for others. */
    async breathe(): Promise<void> {
      if (touched.size >= HEAVY) await flush();
      await slices.next();
    },

    /** A step of putting the full-text index in order; answers whether there is more to do. */
    async merge(): Promise<boolean> {
      const more = await table.merge(MERGED_AT_ONCE);
      await slices.next();
      return more;
    },

    /** Takes away some of what a removed folder had in it, and notes when that was all. */
    async clear(folder: number): Promise<void> {
      const rows = await table.within(folder, "", HEAVY);
      for (const row of rows) drop(row);
      await flush();
      if (rows.length < HEAVY) await table.write([nodeChange.cleared(folder)]);
    },

    /** Between two changes: forgets what it knows when that has become much. */
    async rest(): Promise<void> {
      if (byId.size < MOST_KNOWN && byName.size < 2 * MOST_KNOWN) return;
      await flush();
      forget();
    },
  };
}

export type Sheet = ReturnType<typeof createSheet>;

/** First all that goes and then all that comes, so that names may change hands. */
function statementsOf(touched: Iterable<Draft>): Sql[] {
  const [going, coming, resized, forgotten, named]: Sql[][] = [[], [], [], [], []];
  const drafts = [...touched].sort((one, other) => one.row.id - other.row.id);
  for (const { row, was, gone } of drafts) {
    const isRoot = row.parent === 0;
    const renamed = gone || was?.folded !== row.folded;
    const moved = gone || was?.parent !== row.parent || was.name !== row.name;
    if (was && renamed && !isRoot) forgotten?.push(nodeChange.forgetName(was));
    if (was && moved) going?.push(nodeChange.remove(row.id));
    if (gone) continue;
    if (moved) coming?.push(nodeChange.insert(row));
    else resized?.push(nodeChange.resize(row));
    if (renamed && !isRoot) named?.push(nodeChange.addName(row));
  }
  return [forgotten, going, coming, resized, named].flatMap((statements) => statements ?? []);
}
