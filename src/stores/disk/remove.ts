import { rmdir, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { inOrder } from "../../lib/turns.ts";
import type { ObjectStore } from "../store.ts";
import type { DiskBucket } from "./bucket.ts";
import type { Finder } from "./find.ts";
import { asConflict, isConflict, isFolderKey, isMissing } from "./paths.ts";

/** Files that are removed at the same time. */
const REMOVED_AT_ONCE = 8;

/** Removes files and empty folders. */
export function createRemove(
  { locks, flush, table, keeping, reach }: Pick<DiskBucket, "locks" | "flush" | "table" | "keeping" | "reach">,
  { find }: Pick<Finder, "find">,
): ObjectStore["remove"] {
  /** Removes a file or an empty folder; answers the folder that held it. */
  const removeOne = async (key: string): Promise<string[]> => {
    const found = await find(key);
    if (!found) return [];
    try {
      if (isFolderKey(key)) keeping.moving(found.path);
      else keeping.keep(found.path);
      await reach.entry(found.path, isFolderKey(key) ? rmdir : unlink);
      return [dirname(found.path)];
    } catch (error) {
      if (!isMissing(error) && !isConflict(error)) throw asConflict(error);
      return [];
    }
  };

  return async (keys, { beforeCommit } = {}) => {
    await locks(keys, async () => {
      await beforeCommit?.();
      const changed: string[] = [];
      const isFolder = Map.groupBy(keys, isFolderKey);
      for await (const one of inOrder(isFolder.get(false) ?? [], REMOVED_AT_ONCE, removeOne)) changed.push(...one);
      // A folder may hold another of them.
      for (const key of isFolder.get(true) ?? []) changed.push(...(await removeOne(key)));
      await flush(changed);
      await table.removeAttributesOf(keys);
    });
  };
}
