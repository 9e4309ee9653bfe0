import { type BigIntStats, type Dirent, mkdirSync, openSync } from "node:fs";
import { readdir } from "node:fs/promises";
import type { ByteRange } from "../../lib/conditional.ts";
import type { StoredBody } from "../../lib/open-file.ts";
import { isMissing, isSegment, statNow, statOf } from "./paths.ts";
import { type FoundFile, READING, readFound } from "./read-opened.ts";

/** What the verbs want to know of a file or a folder. */
export type FileStat = Pick<BigIntStats, "ino" | "size" | "mtimeNs" | "mtimeMs" | "ctimeNs" | "isFile" | "isDirectory">;

/** A path as the system takes it: in bytes where a name on it is no UTF-8. */
export type DiskPath = string | Buffer;

/**
 * How the files of a bucket are reached. Nobody but Satchel writes to the data folder, so its paths are used as they are. In a folder of
 * the machine others may put a link in place of a folder between two steps, which must not lead anywhere else.
 */
export interface Reach {
  /** Calls `use` with a path of the same name in the same folder. It leads nowhere else, unless `use` follows a link at its end. */
  entry<Result>(path: string, use: (path: DiskPath) => Result): Result;
  /** Calls `use` with a path of the folder itself. */
  folder<Result>(path: string, use: (path: string) => Result): Result;
  /** Calls `use` with a path of the file itself, to read it. */
  file<Result>(path: string, use: (path: string) => Result): Result;
  /** Makes a folder and those above it that are missing; answers the first that it made. */
  makeFolders(path: string): string | undefined;
  /** Whether `body` opens a file itself, and answers nothing for another one than was found. */
  readonly opensSame: boolean;
  /** The bytes of a file, or a range of them; undefined where another one is there by now. */
  body(file: FoundFile, range: ByteRange | undefined): StoredBody | undefined;
  /** The names in a folder that `folder` has reached, in no order: of files, and of folders with a slash. Links, sockets and names that no key can have are left out. */
  names(at: string): Promise<string[]>;
  /** The path of a name in such a folder. */
  named(at: string, name: string): DiskPath;
  /** Looks at names in such a folder without their paths, where the system can; undefined for one that it has to be asked for by its path. */
  statsIn?(at: string): ((name: string) => FileStat | undefined) | undefined;
  /** Called with a path of a file before it gets its name. */
  adopt(path: string): void;
}

/** Reaches files of the data folder. */
export const plainReach: Reach = {
  entry: (path, use) => use(path),
  folder: (path, use) => use(path),
  file: (path, use) => use(path),
  opensSame: true,
  body(file, range) {
    try {
      return readFound(() => openSync(file.path, READING), file, range);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  },
  makeFolders: (path) => mkdirSync(path, { recursive: true }),
  names: async (at) => (await readdir(at, { withFileTypes: true })).flatMap(nameOf),
  named: (at, name) => `${at}/${name}`,
  adopt: () => undefined,
};

/** The name as lists have it. */
export function nameOf(entry: Dirent): string | [] {
  if (!isSegment(entry.name)) return [];
  if (entry.isDirectory()) return `${entry.name}/`;
  return entry.isFile() ? entry.name : [];
}

/** As `statOf`, of a path that is reached so. */
export async function statAt(reach: Reach, path: string) {
  try {
    return await reach.entry(path, statOf);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** As `statNow`, of a path that is reached so. */
export function statNowAt(reach: Reach, path: string) {
  try {
    return reach.entry(path, statNow);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
