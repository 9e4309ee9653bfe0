import type { FsItem } from "#contract/fs";

/** What a listing says of a file or a folder. Its path tells it from all others: that of a folder ends in a slash. */
export type Entry = FsItem;

/** Reports whether it only leads to mounts: such a place cannot be renamed, moved, copied or deleted. */
export const isFixed = (entry: Entry): boolean => entry.isVirtual === true || entry.mount_id !== undefined;

/** The bytes of some entries together, as far as they are known. */
export const bytesOf = (entries: readonly Entry[]): number => entries.reduce((sum, { size = 0 }) => sum + size, 0);

/** Where the ending of a name begins; its length when it has none. */
export function stemLength(name: string): number {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? dot : name.length;
}

/** A name like this one that is not among those taken: "photo (1).jpg". */
export function freeName(name: string, isFolder: boolean, taken: ReadonlySet<string>): string {
  const end = isFolder ? name.length : stemLength(name);
  for (let number = 1; ; number += 1) {
    const free = `${name.slice(0, end)} (${number})${name.slice(end)}`;
    if (!taken.has(free)) return free;
  }
}
