import type { FsItem } from "#contract/fs";

/** A file or folder of a listing, identified by its path. The path of a folder ends in a slash. */
export type Entry = FsItem;

/** Reports whether it is a mount or only leads to mounts: it cannot be renamed, moved, copied or deleted. */
export const isFixed = (entry: Entry): boolean => entry.isVirtual === true || entry.mount_id !== undefined;

/** Returns the sum of the known sizes of entries, in bytes. */
export const bytesOf = (entries: readonly Entry[]): number => entries.reduce((sum, { size = 0 }) => sum + size, 0);

/** Returns where the extension of a name begins; the name's length if it has none. */
export function stemLength(name: string): number {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? dot : name.length;
}

/** Returns a name like this one that is not taken: "photo (1).jpg". */
export function freeName(name: string, isFolder: boolean, taken: ReadonlySet<string>): string {
  const end = isFolder ? name.length : stemLength(name);
  for (let number = 1; ; number += 1) {
    const free = `${name.slice(0, end)} (${number})${name.slice(end)}`;
    if (!taken.has(free)) return free;
  }
}
