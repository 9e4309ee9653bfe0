import type { ObjectHead } from "../store.ts";
import { headOf, stampOf } from "./attributes.ts";
import type { DiskBucket } from "./bucket.ts";
import { isThere, pathOfKey, stayInside } from "./paths.ts";
import { statAt } from "./reach.ts";
import type { FoundFile } from "./read-opened.ts";

/** Times that something is done again because its file is replaced while it is read. */
export const MAX_TRIES = 3;

/** Finds the files and folders of a bucket, also while they are replaced. */
export function createFinder({ root, table, reach }: Pick<DiskBucket, "root" | "table" | "reach">) {
  /** Files by what was said of them. */
  const met = new WeakMap<ObjectHead, FoundFile>();

  /** Counts the folders that have given way to something else: between its two renames nothing is there. */
  let swaps = 0;

  /** Looks again where nothing was found while something was replaced, or a folder that moved seemed to be reached through a link. */
  const steadily = async <Found>(look: () => Promise<Found>, isNothing: (found: Found) => boolean): Promise<Found> => {
    for (;;) {
      const before = swaps;
      try {
        const found = await look();
        if (before === swaps || !isNothing(found)) return found;
      } catch (error) {
        if (before === swaps) throw error;
      }
    }
  };

  /** Path and stat of a key; undefined when there is no file, or for a folder's key no folder. */
  const find = (key: string): Promise<FoundFile | undefined> =>
    steadily(
      async () => {
        const path = pathOfKey(root, key);
        await stayInside(root, path);
        const stat = await statAt(reach, path);
        return stat && isThere(key, stat) ? { path, stat } : undefined;
      },
      (found) => found === undefined,
    );

  /** Finds a file or folder with its head. A file without attributes may be one that has just been replaced, with those. */
  const findHead = async (key: string): Promise<{ found: FoundFile; head: ObjectHead } | undefined> => {
    for (let tries = 1; ; tries++) {
      const found = await find(key);
      if (!found) return undefined;
      const { path, stat } = found;
      const known = stat.isFile() ? await table.attributes(key, stampOf(stat)) : undefined;
      const now = known || stat.isDirectory() ? stat : await statAt(reach, path);
      if (tries === MAX_TRIES || (now && stampOf(now) === stampOf(stat))) {
        const head = headOf(key, stat, known);
        met.set(head, found);
        return { found, head };
      }
    }
  };

  /**
   * Finds a file again by its head that `findHead` answered; undefined when it has changed. The database is not asked, nor the disk where
   * who opens the file sees what it is.
   */
  const findAgain = async (head: ObjectHead): Promise<{ found: FoundFile; head: ObjectHead } | undefined> => {
    const before = met.get(head);
    if (!before || reach.opensSame) return before && { found: before, head };
    const found = await find(head.key);
    return found && stampOf(found.stat) === stampOf(before.stat) ? { found, head } : undefined;
  };

  return {
    steadily,
    find,
    findHead,
    findAgain,

    /** Called right before something that is no file gives way to something else. */
    swapping: (): void => {
      swaps += 1;
    },
  };
}

export type Finder = ReturnType<typeof createFinder>;
