import { mkdirSync, renameSync, rmdirSync } from "node:fs";
import { open, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure } from "#contract/failures";
import { isTooDeep } from "#contract/paths";
import type { Locks } from "../../lib/locks.ts";
import type { Log } from "../../lib/log.ts";
import { unforeseen } from "../../lib/log.ts";
import type { MoveOptions, TreeVerbs } from "../store.ts";
import { stampOf } from "./attributes.ts";
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
  /** Called right before something that is no file gives way to something else, which takes two renames. */
  readonly swapping: () => void;
}

/** Moves and removes files and folders by renaming them, with the content of a folder; links are not followed. */
export function createDiskTree({
  root,
  aside,
  cleanup,
  table,
  locks,
  flush,
  swapping,
}: DiskTree): Omit<TreeVerbs, "has"> {
  /** Asks for the attributes of what moves, and of what it replaces, to be right at both of their keys. */
  const copyAttributes = async ({ from, to, replaced, kept }: Move): Promise<void> => {
    if (replaced !== undefined && kept !== undefined) await table.copyTree(replaced, kept);
    await table.copyTree(from, to);
  };

  /** Removes the attributes of what is no longer there: of what moved when it did, else of where it should have gone. */
  const removeAttributes = async ({ from, to, replaced, kept, stamp }: Move, moved: boolean): Promise<void> => {
    if (!moved) {
      await table.removeCopies(from, to);
      if (kept !== undefined) await table.removeTree(kept);
      return;
    }
    if (replaced !== undefined && kept !== undefined) await table.removeCopies(kept, replaced);
    else if (replaced !== undefined) await table.removeOlderAttributes(to, stamp);
    await table.removeTree(from);
  };

  /** Renames what is there, and before it what it replaces unless both are files. Returns as `renameInto`. */
  const rename = ({ from, to, replaced, kept }: Move): readonly string[] | undefined => {
    const [source, target] = [pathOfKey(root, from), pathOfKey(root, to)];
    if (!isThere(from, statNow(source))) return undefined;
    if (keyAt(target, to) !== replaced) throw new Failure("path.conflict");
    if (kept === undefined) return [dirname(source), ...renameInto(source, target)];
    swapping();
    const set = pathOfKey(root, kept);
    renameInto(target, set);
    try {
      return [dirname(source), dirname(set), ...renameInto(source, target)];
    } catch (error) {
      renameInto(set, target);
      throw error;
    }
  };

  /**
   * Attributes belong to a file's inode and time, which a rename keeps. They have both keys before the rename and only the new one
   * after it, so they are right whenever the process ends.
   */
  const move = async (from: string, to: string, { beforeCommit, aside: name }: MoveOptions): Promise<boolean> => {
    const [source, target] = [pathOfKey(root, from), pathOfKey(root, to)];
    for (const path of [source, target]) await stayInside(root, path);
    const stat = statNow(source);
    if (!stat || !isThere(from, stat)) return false;
    const replaced = keyAt(target, to);
    if (replaced !== undefined && name === undefined) throw new Failure("path.conflict");
    const isSwap = replaced !== undefined && (isFolderKey(replaced) || isFolderKey(from));
    const kept = isSwap ? keyLike(replaced, name ?? "") : undefined;
    if (isFolderKey(from) && (isLonger(to, from) || depthOf(to) > depthOf(from))) await checkKeys(source, from, to);
    const moving = { from, to, replaced, kept, stamp: stampOf(stat) };
    await copyAttributes(moving);
    let changed: readonly string[] | undefined;
    try {
      await beforeCommit?.();
      changed = rename(moving);
      if (changed) await flush(changed);
    } finally {
      await removeAttributes(moving, changed !== undefined);
    }
    return changed !== undefined;
  };

  return {
    async move(from, to, options = {}) {
      if (isFolderKey(from) !== isFolderKey(to) || (isFolderKey(from) && to.startsWith(from)))
        throw new Failure("path.invalid");
      const { aside: name } = options;
      const replaced = name === undefined ? [] : [...bothKeys(to), ...bothKeys(name)];
      return await locks([from, to, ...replaced], () => move(from, to, options));
    },

    async remove(folder, beforeCommit) {
      if (!isFolderKey(folder)) throw new Failure("path.invalid");
      const path = pathOfKey(root, folder);
      const removed = join(aside, Bun.randomUUIDv7());
      const isGone = await locks(folder, async () => {
        await stayInside(root, path);
        await beforeCommit?.();
        if (!takePlace(path, folder, removed)) return false;
        await flush([dirname(path)]);
        await table.removeTree(folder);
        return true;
      });
      if (isGone) cleanup.begin(removed);
    },

    async removeEmpty(folder, beforeCommit) {
      if (!isFolderKey(folder)) throw new Failure("path.invalid");
      const path = pathOfKey(root, folder);
      await stayInside(root, path);
      await beforeCommit?.();
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

/** A move with what is at its target. */
interface Move {
  readonly from: string;
  readonly to: string;
  /** The key of what is replaced. */
  readonly replaced: string | undefined;
  /** What that gets for a key; undefined where a file gives way to a file. */
  readonly kept: string | undefined;
  /** Of the file or folder that moves. */
  readonly stamp: string;
}

/** A key as that of a file and as that of a folder. */
const bothKeys = (key: string): readonly string[] => [keyLike("", key), keyLike("/", key)];

/** A key as that of a folder if another one is a folder's, else as that of a file. */
const keyLike = (other: string, key: string): string => {
  const plain = isFolderKey(key) ? key.slice(0, -1) : key;
  return isFolderKey(other) ? `${plain}/` : plain;
};

/** The key of what is at a path, which may be of another kind than the key that is asked for. 409 path.conflict for what no key can be. */
function keyAt(path: string, key: string): string | undefined {
  const stat = statNow(path);
  if (!stat) return undefined;
  if (!stat.isFile() && !stat.isDirectory()) throw new Failure("path.conflict");
  return keyLike(stat.isDirectory() ? "/" : "", key);
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
