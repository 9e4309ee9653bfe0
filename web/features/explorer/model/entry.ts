import type { FsItem } from "#contract/fs";
import { nameWith } from "#contract/paths";

/** What a listing says of a file or a folder. Its path tells it from all others: that of a folder ends in a slash. */
export type Entry = FsItem;

/** Whether it only leads to mounts: such a place cannot be renamed, moved, copied or deleted. */
export const isFixed = (entry: Entry): boolean => entry.isVirtual === true || entry.mount_id !== undefined;

/** The bytes of some entries together, as far as they are known. */
export const bytesOf = (entries: readonly Entry[]): number => entries.reduce((sum, { size = 0 }) => sum + size, 0);

/** A name like this one that is not among those taken: "photo (1).jpg". */
export function freeName(name: string, isFolder: boolean, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const free = nameWith(name, ` (${number})`, isFolder ? "folder" : "file");
    if (!taken.has(free)) return free;
  }
}
