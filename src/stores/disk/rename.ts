import { close, openSync, renameSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { asConflict, isMissing, statNow } from "./paths.ts";
import type { DiskPath, Reach } from "./reach.ts";
import { READING } from "./read-opened.ts";

/** Bytes of a file from which on it is not freed while everybody waits. */
const LARGE = 16 * 1024 * 1024;

/**
 * Renames a file or a folder and makes the folders above its new path. Answers the folders that have a new entry. It awaits
 * nothing, so no other task runs between a check right before it and the rename. 409 path.conflict, 507 storage.full.
 */
export function renameInto(reach: Reach, source: string, target: string, free = closeLater): readonly string[] {
  try {
    const made = reach.makeFolders(dirname(target));
    reach.entry(source, (from) => reach.entry(target, (to) => replace(from, to, free)));
    return foldersBetween(dirname(target), made);
  } catch (error) {
    throw asConflict(error);
  }
}

/** Closes a file in another thread. It cannot fail: nothing was written. */
const closeLater = (held: number): void => close(held, () => undefined);

/**
 * Renames, and frees a large file that has its name no more in another thread: to free a gigabyte takes the system a second, in which
 * the rename would hold the event loop.
 */
function replace(from: DiskPath, to: DiskPath, free: (held: number) => void): void {
  const stat = statNow(to);
  const held = stat?.isFile() && stat.size >= LARGE ? opened(to) : undefined;
  try {
    renameSync(from, to);
  } finally {
    if (held !== undefined) free(held);
  }
}

/** Undefined for a file that cannot be opened: the rename does without. */
function opened(path: DiskPath): number | undefined {
  try {
    return openSync(path, READING);
  } catch {
    return undefined;
  }
}

/** A folder and those above it up to the one that holds `made`, the first that was made; only the folder when none was. */
export function foldersBetween(folder: string, made: string | undefined): readonly string[] {
  const top = made === undefined ? folder : dirname(made);
  const folders = [folder];
  for (let one = folder; one !== top && one !== dirname(one); one = dirname(one)) folders.push(dirname(one));
  return folders;
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
