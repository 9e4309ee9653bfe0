import { Failure } from "#contract/failures";
import type { Storage } from "../stores/stores.ts";
import type { Access, TreeDeps } from "./access.ts";
import { folderKeyOf, type MountedLocation, pathIn } from "./layout.ts";
import { parentKey } from "./listing.ts";
import { isFile, isMounted, storageOf } from "./lookup.ts";

/** What was removed: a file, or a folder of a storage that removes it at once. */
export interface Removed {
  readonly path: string;
  readonly bytes: number;
  /** Whether it is a folder with all that was below it. */
  readonly whole?: boolean;
  /** Files that it is; one unless said. */
  readonly files?: number;
}

/** What is about to be removed, as in Removed. */
type Begins = (removed: readonly Removed[]) => Promise<void>;

/** How something is removed. */
interface Removal {
  /** Removes a file only in this version. */
  readonly ifMatch?: string | undefined;
  /** Called right before something is removed, with what that is. */
  readonly begins?: Begins | undefined;
}

/** What the other verbs that write lend. */
interface Lent extends Pick<Access, "reach" | "confirm"> {
  readonly room: TreeDeps;
  readonly keepFolder: (storage: Storage, key: string) => Promise<void>;
}

const REMOVED_AT_ONCE = 1000;

/** The verbs that remove. */
export function createRemoving({ room, reach, confirm, keepFolder }: Lent) {
  const { transfers, lookup, locks } = room;

  /** Removes a folder with all below it: at once, or a thousand objects at a time where a storage has no folders. */
  async function* removeFolder(storage: Storage, location: MountedLocation, begins?: Begins): AsyncGenerator<Removed> {
    const { config, store } = storage;
    const key = folderKeyOf(location);
    const mayRemove = confirm("remove", location, true);
    const gone = { kind: "removed", at: { storage: config.id, key } } as const;
    const { tree } = store;
    if (tree) {
      const all = { path: location.path, bytes: 0, whole: true } as const;
      await begins?.([all]);
      await transfers.objects.change([gone], () => tree.remove(key, mayRemove));
      return yield all;
    }
    for (;;) {
      const { objects } = await store.list({ prefix: key, limit: REMOVED_AT_ONCE });
      if (objects.length === 0) break;
      const removed = objects.map(({ key: one, size: bytes }) => ({
        path: pathIn(location.mount, one),
        bytes,
        ...(one.endsWith("/") && { files: 0 }),
      }));
      await begins?.(removed);
      // Told one by one, so that everybody knows what is left when this breaks off.
      await transfers.objects.remove(
        storage,
        objects.map((one) => one.key),
        mayRemove,
      );
      yield* removed;
    }
    await transfers.objects.tell(gone);
  }

  /** Removes what is at a path and tells of it piece by piece; nothing when nothing is there. 403 path.root, path.mount. */
  async function* removal(path: string, { ifMatch, begins }: Removal = {}): AsyncGenerator<Removed> {
    const { layout, location } = await reach("remove", path, true);
    const found = await lookup.find(layout, location);
    if (!found || !isMounted(found.location)) return;
    const storage = await storageOf(transfers, found.location);
    const { key, path: at } = found.location;
    if (isFile(found)) {
      if (ifMatch !== undefined && ifMatch !== found.head.etag) throw new Failure("path.changed");
      const removed = { path: at, bytes: found.head.size };
      await begins?.([removed]);
      await transfers.objects.remove(storage, [key], confirm("remove", found.location, true));
      yield removed;
    } else yield* removeFolder(storage, found.location, begins);
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
      for await (const _ of removal(path, { ifMatch })) removed = true;
      return removed;
    },

    /** Removes a folder, and those in it, as far as they hold no files: what a move leaves behind. */
    async removeEmpty(path: string): Promise<void> {
      const { layout, location } = await reach("move", path, true);
      const found = await lookup.find(layout, location);
      if (!found || isFile(found) || !isMounted(found.location)) return;
      const storage = await storageOf(transfers, found.location);
      const key = folderKeyOf(found.location);
      for (let gone = ""; ; ) {
        const { objects } = await storage.store.list({ prefix: key, limit: REMOVED_AT_ONCE });
        const empty = objects.map((one) => one.key).filter((one) => one.endsWith("/"));
        // Removing the innermost makes those around them empty.
        if (empty.length === 0 || empty.join() === gone) return;
        gone = empty.join();
        await transfers.objects.remove(storage, empty, confirm("move", found.location, true));
      }
    },
  };
}
