import { type BigIntStats, mkdirSync } from "node:fs";
import type { ByteRange } from "../../lib/conditional.ts";
import { isMissing, statNow, statOf } from "./paths.ts";

/** A file or a folder on the disk. */
export interface FoundFile {
  readonly path: string;
  readonly stat: BigIntStats;
}

/**
 * How the files of a bucket are reached. Nobody but Satchel writes to the data folder, so its paths are used as they are. In a folder of
 * the machine others may put a link in place of a folder between two steps, which must not lead anywhere else.
 */
export interface Reach {
  /** Calls `use` with a path of the same name in the same folder. It leads nowhere else, unless `use` follows a link at its end. */
  entry<Result>(path: string, use: (path: string) => Result): Result;
  /** Calls `use` with a path of the folder itself. */
  folder<Result>(path: string, use: (path: string) => Result): Result;
  /** Calls `use` with a path of the file itself, to read it. */
  file<Result>(path: string, use: (path: string) => Result): Result;
  /** Makes a folder and those above it that are missing; answers the first that it made. */
  makeFolders(path: string): string | undefined;
  /** The bytes of a file, or a range of them. */
  body(file: FoundFile, range: ByteRange | undefined): Blob | ReadableStream<Uint8Array>;
  /** Called with a path of a file before it gets its name. */
  adopt(path: string): void;
}

/** Reaches files of the data folder. */
export const plainReach: Reach = {
  entry: (path, use) => use(path),
  folder: (path, use) => use(path),
  file: (path, use) => use(path),
  body({ path }, range) {
    const file = Bun.file(path);
    return range ? file.slice(range.start, range.end + 1) : file;
  },
  makeFolders: (path) => mkdirSync(path, { recursive: true }),
  adopt: () => undefined,
};

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
