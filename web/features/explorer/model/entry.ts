import type { FsItem } from "#contract/fs/fs";
import { nameWith } from "#contract/paths";

/** A file or folder of a listing, identified by its path. The path of a folder ends in a slash. */
export type Entry = FsItem;

/** Reports whether it is a mount or only leads to mounts: it cannot be renamed, moved, copied or deleted. */
export const isFixed = (entry: Entry): boolean => entry.isVirtual === true || entry.mount_id !== undefined;

/** Returns the sum of the known sizes of entries, in bytes. */
export const bytesOf = (entries: readonly Entry[]): number => entries.reduce((sum, { size = 0 }) => sum + size, 0);

/** Returns a name like this one that is not taken: "photo (1).jpg". */
export function freeName(name: string, isFolder: boolean, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const free = nameWith(name, ` (${number})`, isFolder ? "folder" : "file");
    if (!taken.has(free)) return free;
  }
}
