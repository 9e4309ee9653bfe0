import { TRASH } from "#contract/paths";
import { createYielder } from "../lib/turns.ts";
import type { Place } from "../stores/store.ts";
import type { NodeRow, NodesTable } from "./nodes-table.ts";
import type { Queue } from "./queue.ts";

/** Bytes of everything below a folder, and its newest time in epoch milliseconds. */
type FolderStat = Pick<NodeRow, "size" | "newest">;

/** Folders whose sizes are read at once. */
const SIZES = 1000;

/** Reads the sizes of folders, which the index keeps. */
export function createSizes(table: Pick<NodesTable, "at" | "folders">, queue: Pick<Queue, "synced">) {
  const nodeAt = async (place: Place) => {
    await queue.synced();
    return await table.at(place);
  };

  return {
    /** Returns the sizes of neighbouring folders in this one, by their keys, which are in order. */
    async sizes(place: Place, folders: readonly string[]): Promise<ReadonlyMap<string, FolderStat>> {
      const sizes = new Map<string, FolderStat>();
      const [first, last] = [folders[0], folders.at(-1)].map((folder) => folder?.slice(place.key.length));
      const node = last === undefined ? undefined : await nodeAt(place);
      if (!node || last === undefined) return sizes;
      const yielder = createYielder();
      for (let from = first; from !== undefined; ) {
        const some = await table.folders(node.id, { from, upTo: last, limit: SIZES });
        for (const one of some) sizes.set(place.key + one.name, one);
        from = some.length === SIZES ? some.at(-1)?.name : undefined;
        await yielder.yieldIfDue();
      }
      return sizes;
    },

    /** Returns the size of a folder, of a storage without its trash for an empty key: a day old if others changed it. */
    async folder(place: Place): Promise<(FolderStat & Pick<NodeRow, "files">) | undefined> {
      const node = await nodeAt(place);
      const trash = node && place.key === "" ? await table.at({ ...place, key: TRASH }) : undefined;
      const { size, files } = trash ?? { size: 0, files: 0 };
      return node && { size: node.size - size, files: node.files - files, newest: node.newest };
    },
  };
}
