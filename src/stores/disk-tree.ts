import { mkdirSync, renameSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure } from "#contract/failures";
import type { Clearing } from "./disk-clearing.ts";
import type { KeyLocks } from "./disk-locks.ts";
import { asConflict, isFolderKey, isShortKey, pathOfKey, statNow, stayInside } from "./disk-paths.ts";
import type { DiskTreeTable } from "./disk-tree-table.ts";
import type { TreeVerbs } from "./store.ts";

interface DiskTree {
  readonly root: string;
  /** On the same file system, where nobody looks and the next start clears away what is left. */
  readonly aside: string;
  readonly clearing: Pick<Clearing, "begin">;
  readonly table: DiskTreeTable;
  readonly hold: KeyLocks;
}

/** Files and folders moved and removed by renaming them. What lies in a folder goes with it, links too, and none is followed. */
export function createDiskTree({ root, aside, clearing, table, hold }: DiskTree): TreeVerbs {
  /**
   * Attributes hold for a file's inode and time, which a rename keeps: known under both keys before it and under the new one
   * after it, they are right whenever the process ends.
   */
  const move = async (from: string, to: string): Promise<boolean> => {
    const [source, target] = [pathOfKey(root, from), pathOfKey(root, to)];
    for (const path of [source, target]) await stayInside(root, path);
    if (!isThere(source, from)) return false;
    if (statNow(target)) throw new Failure("path.conflict");
    if (isFolderKey(from) && isLonger(to, from)) await checkLengths(source, from, to);
    await table.copy(from, to);
    let moved = false;
    try {
      moved = renameInto(source, from, target);
    } finally {
      await table.forget(moved ? from : to);
    }
    return moved;
  };

  return {
    async move(from, to) {
      if (isFolderKey(from) !== isFolderKey(to) || (isFolderKey(from) && to.startsWith(from)))
        throw new Failure("path.invalid");
      return await hold([from, to], () => move(from, to));
    },

    async remove(folder) {
      if (!isFolderKey(folder)) throw new Failure("path.invalid");
      const path = pathOfKey(root, folder);
      const removed = join(aside, Bun.randomUUIDv7());
      const gone = await hold([folder], async () => {
        await stayInside(root, path);
        if (!renameInto(path, folder, removed)) return false;
        await table.forget(folder);
        return true;
      });
      if (gone) clearing.begin(removed);
    },
  };
}

/**
 * Answers whether there was something to rename. Nothing is awaited in here: nobody of this process comes between looking at
 * the target and taking it. 409 path.conflict.
 */
function renameInto(source: string, key: string, target: string): boolean {
  if (!isThere(source, key)) return false;
  if (statNow(target)) throw new Failure("path.conflict");
  try {
    mkdirSync(dirname(target), { recursive: true });
    renameSync(source, target);
    return true;
  } catch (error) {
    throw asConflict(error);
  }
}

/** Whether what is at a path is what its key says. */
function isThere(path: string, key: string): boolean {
  const stat = statNow(path);
  return (isFolderKey(key) ? stat?.isDirectory() : stat?.isFile()) === true;
}

const isLonger = (one: string, other: string): boolean => Buffer.byteLength(one) > Buffer.byteLength(other);

/** 400 path.invalid when a file or a folder below would get a key that is too long, and so be seen no more. */
async function checkLengths(path: string, from: string, to: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const name = entry.isDirectory() ? `${entry.name}/` : entry.name;
    if (!isShortKey(from + name)) continue;
    if (!isShortKey(to + name)) throw new Failure("path.invalid");
    if (entry.isDirectory()) await checkLengths(join(path, entry.name), from + name, to + name);
  }
}
