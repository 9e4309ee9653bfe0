import type { Sql } from "../database/sql.ts";
import type { FileStat } from "./changes.ts";
import { type Growth, type NodeRow, nodeChange } from "./nodes-table.ts";

/** A node with its name as it is searched for. */
type NamedNode = Pick<NodeRow, "id" | "parent" | "name" | "folded">;

/** Collects the changes of nodes that one transaction writes, with their names in the full-text index. */
export function createNodeBatch() {
  /** Additions to folders and to all above them. */
  const sums = new Map<number, Growth>();
  const named = new Map<number, string>();
  const unnamed = new Set<number>();
  const statements: Sql[] = [];

  /** To be called before a folder is removed or moved, because its sums go with it. */
  const settleSums = (): void => {
    for (const sum of sums) statements.push(nodeChange.grow(...sum));
    sums.clear();
  };

  return {
    insert(node: NamedNode & Pick<NodeRow, "storage">, file: FileStat | undefined): void {
      statements.push(nodeChange.insert(node, file?.size ?? 0, file?.modified ?? null));
      if (node.parent !== 0) named.set(node.id, node.folded);
    },

    grow(folder: number, { size, files, newest }: Growth): void {
      const sum = sums.get(folder) ?? { size: 0, files: 0, newest: 0 };
      const later = Math.max(sum.newest ?? 0, newest ?? 0);
      sums.set(folder, { size: sum.size + size, files: sum.files + files, newest: later });
    },

    remove(id: number, isFolder: boolean): void {
      named.delete(id);
      unnamed.add(id);
      if (isFolder) {
        settleSums();
        statements.push(nodeChange.markRemoved(id));
      }
      statements.push(nodeChange.addToFolders(-1, id), nodeChange.remove(id));
    },

    replace({ id, folded }: Pick<NamedNode, "id" | "folded">, newId: number, file: FileStat): void {
      unnamed.add(id);
      named.set(newId, folded);
      statements.push(nodeChange.replace(id, newId, file));
    },

    move(node: NamedNode): void {
      const { id, folded } = node;
      unnamed.add(id);
      named.set(id, folded);
      settleSums();
      statements.push(nodeChange.addToFolders(-1, id), nodeChange.move(node), nodeChange.addToFolders(1, id));
    },

    /** Whether a node gets a name here, so that its row in the database is outdated. */
    names: (id: number): boolean => named.has(id),

    isEmpty: (): boolean => statements.length + sums.size === 0,

    /** Statements and sums, and names that are added to the full-text index or removed from it. */
    size: (): number => statements.length + sums.size + named.size + unnamed.size,

    /** All statements in the order in which they have to be written. */
    statements(): Sql[] {
      settleSums();
      const removed = [...unnamed].sort((one, other) => one - other).map(nodeChange.removeName);
      const added = [...named].sort(([one], [other]) => one - other).map((name) => nodeChange.addName(...name));
      return [...statements, ...removed, ...added];
    },

    clear(): void {
      sums.clear();
      named.clear();
      unnamed.clear();
      statements.length = 0;
    },
  };
}

export type NodeBatch = ReturnType<typeof createNodeBatch>;
