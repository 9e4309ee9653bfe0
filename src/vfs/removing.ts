import { Failure } from "#contract/failures";
import type { Verb } from "../access/rights.ts";
import type { Storage } from "../stores/stores.ts";
import { isFile, isMounted, storageOf } from "./finding.ts";
import { folderKeyOf, type MountedSpot, pathIn } from "./layout.ts";
import { parentKey } from "./listing.ts";
import type { Reached, TreeRoom } from "./tree-access.ts";

/** What was removed: a file, or a folder of a storage that removes it at once. */
interface Removed {
  readonly path: string;
  readonly bytes: number;
  /** Whether it is a folder with all that was below it. */
  readonly whole?: true;
  /** Files that it is; one unless said. */
  readonly files?: number;
}

/** What the other verbs that write lend. */
interface Lent {
  readonly room: TreeRoom;
  /** Somewhere in a mount, free of locks. 403 path.root, path.mount; 404 mount.none; 423 path.locked. */
  readonly reach: (verb: Verb, path: string, deep: boolean) => Promise<Reached & { readonly spot: MountedSpot }>;
  readonly keepFolder: (storage: Storage, key: string) => Promise<void>;
}

const REMOVED_AT_ONCE = 1000;

/** The verbs that remove. */
export function createRemoving({ room, reach, keepFolder }: Lent) {
  const { transfers, finding, locks } = room;

  /** Removes a folder with all below it: at once, or a thousand objects at a time where a storage has no folders. */
  async function* removeFolder(storage: Storage, spot: MountedSpot): AsyncGenerator<Removed> {
    const { config, store } = storage;
    const key = folderKeyOf(spot);
    const gone = () => transfers.placing.tell({ kind: "removed", at: { storage: config.id, key } });
    if (store.tree) {
      await store.tree.remove(key);
      await gone();
      return yield { path: spot.path, bytes: 0, whole: true };
    }
    for (;;) {
      const { objects } = await store.list({ prefix: key, limit: REMOVED_AT_ONCE });
      if (objects.length === 0) break;
      // Told one by one, so that everybody knows what is left when this breaks off.
      await transfers.placing.remove(
        storage,
        objects.map((one) => one.key),
      );
      for (const { key: one, size: bytes } of objects)
        yield { path: pathIn(spot.mount, one), bytes, ...(one.endsWith("/") && { files: 0 }) };
    }
    await gone();
  }

  /** Removes what is at a path and tells of it piece by piece; nothing when nothing is there. 403 path.root, path.mount. */
  async function* removal(path: string, ifMatch?: string): AsyncGenerator<Removed> {
    const { layout, spot } = await reach("remove", path, true);
    const found = await finding.find(layout, spot);
    if (!found || !isMounted(found.spot)) return;
    const storage = await storageOf(transfers, found.spot);
    const { key, path: at } = found.spot;
    if (isFile(found)) {
      if (ifMatch !== undefined && ifMatch !== found.head.etag) throw new Failure("path.changed");
      await transfers.placing.remove(storage, [key]);
      yield { path: at, bytes: found.head.size };
    } else yield* removeFolder(storage, found.spot);
    await keepFolder(storage, parentKey(key));
    locks.drop(at.normalize("NFC"));
  }

  return {
    removal,

    /**
     * Removes a file (only this version of it, when one is named), or a folder with all below it; answers whether it was there.
     * 403 path.root, path.mount; 412 path.changed.
     */
    async remove(path: string, ifMatch?: string): Promise<boolean> {
      let removed = false;
      for await (const _ of removal(path, ifMatch)) removed = true;
      return removed;
    },

    /** Removes a folder, and those in it, as far as they hold no files: what a move leaves behind. */
    async removeEmpty(path: string): Promise<void> {
      const { layout, spot } = await reach("move", path, true);
      const found = await finding.find(layout, spot);
      if (!found || isFile(found) || !isMounted(found.spot)) return;
      const storage = await storageOf(transfers, found.spot);
      const key = folderKeyOf(found.spot);
      for (let gone = ""; ; ) {
        const { objects } = await storage.store.list({ prefix: key, limit: REMOVED_AT_ONCE });
        const empty = objects.map((one) => one.key).filter((one) => one.endsWith("/"));
        // Removing the innermost makes those around them empty.
        if (empty.length === 0 || empty.join() === gone) return;
        gone = empty.join();
        await transfers.placing.remove(storage, empty);
      }
    },
  };
}
