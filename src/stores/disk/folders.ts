import { mkdirSync, renameSync, rmdirSync } from "node:fs";
import { open, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure } from "#contract/failures";
import { isTooDeep } from "#contract/paths";
import type { Locks } from "../../lib/locks.ts";
import type { Log } from "../../lib/log.ts";
import { unforeseen } from "../../lib/log.ts";
import type { Confirm, TreeVerbs } from "../store.ts";
import type { DiskTable } from "./disk-table.ts";
import {
  asConflict,
  isBelowFile,
  isConflict,
  isFolderKey,
  isMissing,
  isShortKey,
  isThere,
  pathOfKey,
  statNow,
  stayInside,
} from "./paths.ts";

/** How long `settled` waits, in milliseconds. The next start removes the rest. */
const LONGEST_WAIT = 2000;

interface DiskTree {
  readonly root: string;
  /** A folder on the same file system that nobody reads; the next start empties it. */
  readonly aside: string;
  readonly cleanup: Pick<Cleanup, "begin">;
  readonly table: DiskTable;
  readonly locks: Locks;
  readonly flush: FlushFolders;
}

/** Moves and removes files and folders by renaming them, with the content of a folder; links are not followed. */
export function createDiskTree({ root, aside, cleanup, table, locks, flush }: DiskTree): TreeVerbs {
  /**
   * Attributes belong to a file's inode and time, which a rename keeps. They have both keys before the rename and only the new one
   * after it, so they are right whenever the process ends.
   */
  const move = async (from: string, to: string, confirm: Confirm | undefined): Promise<boolean> => {
    const [source, target] = [pathOfKey(root, from), pathOfKey(root, to)];
    for (const path of [source, target]) await stayInside(root, path);
    if (!isThere(from, statNow(source))) return false;
    if (statNow(target)) throw new Failure("path.conflict");
    if (isFolderKey(from) && (isLonger(to, from) || depthOf(to) > depthOf(from))) await checkKeys(source, from, to);
    await table.copyTree(from, to);
    let changed: readonly string[] | undefined;
    try {
      await confirm?.();
      changed = takePlace(source, from, target);
      if (changed) await flush(changed);
    } finally {
      await table.removeTree(changed ? from : to);
    }
    return changed !== undefined;
  };

  return {
    async move(from, to, confirm) {
      if (isFolderKey(from) !== isFolderKey(to) || (isFolderKey(from) && to.startsWith(from)))
        throw new Failure("path.invalid");
      return await locks([from, to], () => move(from, to, confirm));
    },

    async remove(folder, confirm) {
      if (!isFolderKey(folder)) throw new Failure("path.invalid");
      const path = pathOfKey(root, folder);
      const removed = join(aside, Bun.randomUUIDv7());
      const isGone = await locks(folder, async () => {
        await stayInside(root, path);
        await confirm?.();
        if (!takePlace(path, folder, removed)) return false;
        await flush([dirname(path)]);
        await table.removeTree(folder);
        return true;
      });
      if (isGone) cleanup.begin(removed);
    },

    async removeEmpty(folder, confirm) {
      if (!isFolderKey(folder)) throw new Failure("path.invalid");
      const path = pathOfKey(root, folder);
      await stayInside(root, path);
      await confirm?.();
      if (!removeNow(path)) return false;
      await flush([dirname(path)]);
      return true;
    },

    isBelowFile: async (key) => await isBelowFile(root, dirname(pathOfKey(root, key))),
  };
}

/** Removes an empty folder. It awaits nothing, so that it never comes between the making of a folder and what is put there. */
function removeNow(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    if (isMissing(error) || isConflict(error)) return false;
    throw asConflict(error);
  }
}

/** Renames a key if it exists and the target does not. Returns as `renameInto`. 409 path.conflict. */
function takePlace(source: string, key: string, target: string): readonly string[] | undefined {
  if (!isThere(key, statNow(source))) return undefined;
  if (statNow(target)) throw new Failure("path.conflict");
  return [dirname(source), ...renameInto(source, target)];
}

/**
 * Renames a file or a folder and makes the folders above its new path. Answers the folders that have a new entry. It awaits
 * nothing, so no other task runs between a check right before it and the rename. 409 path.conflict, 507 storage.full.
 */
export function renameInto(source: string, target: string): readonly string[] {
  try {
    const made = mkdirSync(dirname(target), { recursive: true });
    renameSync(source, target);
    return foldersBetween(dirname(target), made);
  } catch (error) {
    throw asConflict(error);
  }
}

/** A folder and those above it up to the one that holds `made`, the first that was made; only the folder when none was. */
export function foldersBetween(folder: string, made: string | undefined): readonly string[] {
  const top = made === undefined ? folder : dirname(made);
  const folders = [folder];
  for (let one = folder; one !== top && one !== dirname(one); one = dirname(one)) folders.push(dirname(one));
  return folders;
}

const isLonger = (one: string, other: string): boolean => Buffer.byteLength(one) > Buffer.byteLength(other);

const depthOf = (key: string): number => key.split("/").length;

/** Throws 400 path.invalid or path.tooDeep when something below a folder would get a key that is too long or too deep. */
async function checkKeys(path: string, from: string, to: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const name = entry.isDirectory() ? `${entry.name}/` : entry.name;
    if (!isShortKey(from + name)) continue;
    if (!isShortKey(to + name)) throw new Failure("path.invalid");
    if (isTooDeep(to + name) && !isTooDeep(from + name)) throw new Failure("path.tooDeep");
    if (entry.isDirectory()) await checkKeys(join(path, entry.name), from + name, to + name);
  }
}

/** Returns when new names in these folders survive a power cut. */
export type FlushFolders = (folders: readonly string[]) => Promise<void>;

/** Flushes folders with fsync(2), which a rename needs on most file systems (Linux man-pages, fsync). A missing one is passed over. */
export const flushFolders: FlushFolders = async (folders) => {
  for (const folder of new Set(folders)) {
    try {
      const handle = await open(folder, "r");
      await handle.sync().finally(() => handle.close());
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
};

/** Removes folders that nobody sees any more, one after the other, in the background. */
export function createCleanup(log: Log) {
  let last = Promise.resolve();

  const remove = async (path: string): Promise<void> => {
    try {
      await rm(path, { recursive: true, force: true });
    } catch (error) {
      log.warn("removed folder not cleared away", unforeseen(error));
    }
  };

  return {
    begin(path: string): void {
      last = last.then(() => remove(path));
    },

    /** Returns when everything that was begun is removed, or after two seconds. */
    async settled(): Promise<void> {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, LONGEST_WAIT);
      await Promise.race([last, late.promise]);
      clearTimeout(timer);
    },
  };
}

export type Cleanup = ReturnType<typeof createCleanup>;
