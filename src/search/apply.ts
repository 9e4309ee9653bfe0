import type { MovedChange } from "../stores/changes.ts";
import type { Place } from "../stores/store.ts";
import { type Change, type FileStat, namesOf } from "./changes.ts";
import type { NodeBatch } from "./node-batch.ts";
import type { Node, NodeTree } from "./node-tree.ts";
import type { NodesTable } from "./nodes-table.ts";

interface ApplyDependencies {
  readonly table: Pick<NodesTable, "byId">;
  readonly batch: NodeBatch;
  readonly tree: NodeTree;
  /** Writes what is in the batch. */
  readonly flush: () => Promise<void>;
}

/**
 * Returns the function that makes a change of objects in the tree of nodes. It answers the storage whose index has to be built anew when
 * the change names something unknown.
 */
export function createApply({ table, batch, tree, flush }: ApplyDependencies) {
  const removeAt = async (place: Place): Promise<void> => {
    const node = place.key === "" ? undefined : await tree.locate(place);
    if (node) tree.remove(node);
  };

  const write = async ({ storage, key }: Place, file: FileStat): Promise<void> => {
    const names = namesOf(key);
    // The object of a folder's own key says no more than that there is the folder.
    const name = key.endsWith("/") ? undefined : names.pop();
    const folder = await tree.makeFolder(storage, names);
    if (name === undefined) return batch.grow(folder.id, { size: 0, files: 0, newest: file.modified });
    const node = await tree.find(folder.id, name);
    if (!node) return tree.add(folder, [[name, file]]);
    // The row of a node with a pending write is outdated.
    const row = batch.names(node.id) ? undefined : await table.byId(node.id);
    if (!row) {
      tree.remove(node);
      tree.add(folder, [[name, file]]);
    } else if (row.size !== file.size || row.modified !== file.modified) tree.replace(row, file);
  };

  const moveNode = async (node: Node, to: Place): Promise<void> => {
    const names = namesOf(to.key);
    const name = names.pop() ?? "";
    await removeAt(to);
    tree.move(node, await tree.makeFolder(to.storage, names), name);
  };

  const move = async ({ from, to, again, over }: MovedChange): Promise<string | undefined> => {
    const isFile = !to.key.endsWith("/");
    const isKnown = (again || over) && (isFile || from.storage !== to.storage);
    if (isKnown && (await tree.locate(to))) return void (await removeAt(from));
    const node = from.key === "" ? undefined : await tree.locate(from);
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
    if (!isFile) await tree.makeFolder(to.storage, namesOf(to.key));
    return to.storage;
  };

  return async (change: Change): Promise<string | undefined> => {
    if (change.kind === "moved") return await move(change);
    if (change.kind === "written") await write(change.at, change.file);
    else if (change.kind === "removed") await removeAt(change.at);
    else await write(change.at, { size: 0, modified: change.modified });
    return undefined;
  };
}
