/** Archives that the server unpacks, by their names alone: what is in a file is found out when it is read. */
type ArchiveFormat = "zip" | "tar" | "tar.gz" | "tar.zst" | "gz";

const endings: readonly (readonly [ending: string, format: ArchiveFormat])[] = [
  [".tar.gz", "tar.gz"],
  [".tgz", "tar.gz"],
  [".tar.zst", "tar.zst"],
  [".tzst", "tar.zst"],
  [".tar", "tar"],
  [".zip", "zip"],
  [".gz", "gz"],
];

const endingOf = (name: string) =>
  endings.find(([ending]) => name.toLowerCase().endsWith(ending) && name.length > ending.length);

/** The format that a name promises; undefined for what is not unpacked. */
export const archiveFormat = (name: string): ArchiveFormat | undefined => endingOf(name)?.[1];

/** A name without the ending that makes it one of an archive. */
export const archiveStem = (name: string): string => name.slice(0, -(endingOf(name)?.[0].length ?? 0) || undefined);
