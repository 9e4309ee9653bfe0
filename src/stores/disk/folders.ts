import { rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "#contract/failures";
import type { TreeVerbs } from "../store.ts";
import type { AreaOf } from "./bucket.ts";
import type { Cleanup } from "./cleanup.ts";
import { createMove, type MoveDeps } from "./move.ts";
import {
  asConflict,
  isBelowFile,
  isConflict,
  isFolderKey,
  isMissing,
  isThere,
  pathOfKey,
  stayInside,
} from "./paths.ts";
import { type Reach, statNowAt } from "./reach.ts";
import { renameInto } from "./rename.ts";

interface DiskTree extends MoveDeps {
  readonly areaOf: AreaOf;
  readonly cleanup: Pick<Cleanup, "begin">;
}

/** Moves and removes files and folders by renaming them, with the content of a folder; links are not followed. */
export function createDiskTree({
  root,
  areaOf,
  cleanup,
  table,
  locks,
  flush,
  keeping,
  swapping,
  reach,
}: DiskTree): Omit<TreeVerbs, "has"> {
  return {
    move: createMove({ root, table, locks, flush, keeping, swapping, reach }),

    async remove(folder, beforeCommit) {
      if (!isFolderKey(folder)) throw new Failure("path.invalid");
      const path = pathOfKey(root, folder);
      const unneeded = await locks(folder, async () => {
        await stayInside(root, path);
        await beforeCommit?.();
        // Asked right before: a backup that has ended meanwhile wants nothing, and its folder must not come back.
        const kept = keeping.folderAside();
        const removed = kept ?? join(areaOf(folder).incoming, Bun.randomUUIDv7());
        keeping.moving(path, removed);
        if (!takePlace(reach, folder, [path, removed])) return undefined;
        await flush([dirname(path)]);
        await table.removeTree(folder);
        return kept === undefined ? removed : undefined;
      });
      if (unneeded !== undefined) cleanup.begin(unneeded);
    },

    async removeEmpty(folder, beforeCommit) {
      if (!isFolderKey(folder)) throw new Failure("path.invalid");
      const path = pathOfKey(root, folder);
      await stayInside(root, path);
      await beforeCommit?.();
      keeping.moving(path);
      if (!removeNow(reach, path)) return false;
      await flush([dirname(path)]);
      return true;
    },

    isBelowFile: async (key) => await isBelowFile(root, dirname(pathOfKey(root, key))),
  };
}

/** Removes an empty folder. It awaits nothing, so that it never comes between the making of a folder and what is put there. */
function removeNow(reach: Reach, path: string): boolean {
  try {
    reach.entry(path, rmdirSync);
    return true;
  } catch (error) {
    if (isMissing(error) || isConflict(error)) return false;
    throw asConflict(error);
  }
}

/** Renames a key if it exists and the target does not. Returns as `renameInto`. 409 path.conflict. */
function takePlace(
  reach: Reach,
  key: string,
  [source, target]: readonly [string, string],
): readonly string[] | undefined {
  if (!isThere(key, statNowAt(reach, source))) return undefined;
  if (statNowAt(reach, target)) throw new Failure("path.conflict");
  return [dirname(source), ...renameInto(reach, source, target)];
}
