import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { compareBytes } from "../lib/byte-order.ts";
import type { Clock } from "../lib/clock.ts";
import { Lru } from "../lib/lru.ts";
import { isMissing, isSegment, statNow } from "./disk-paths.ts";

/** Smaller folders are read again sooner than found. */
const WORTH_KEEPING = 1000;
/** Of all folders together; some 60 bytes each. */
const MOST_NAMES = 1_000_000;
const KEPT_MILLISECONDS = 30_000;
/** File systems tell changes apart that lie further from each other. */
const SETTLED_MILLISECONDS = 2000;

interface Kept {
  readonly stamp: string;
  readonly names: readonly string[];
}

/**
 * Reads folders. The names in large ones are kept for a while, so that a list of many pages does not read and sort them for each:
 * a folder's own time tells whether anybody has added or removed one since.
 */
export function createFolderNames(clock: Clock) {
  const kept = new Lru<string, Kept>(MOST_NAMES, ({ names }) => names.length);
  let endsSoon = false;

  const keep = (path: string, folder: Kept) => {
    kept.set(path, folder);
    if (endsSoon) return;
    endsSoon = true;
    const end = setTimeout(() => {
      endsSoon = false;
      kept.clear();
    }, KEPT_MILLISECONDS);
    end.unref();
  };

  /** Names of files, and with a slash of folders, in the order of their keys; undefined when there is no such folder. */
  return async (path: string): Promise<readonly string[] | undefined> => {
    const stat = statNow(path);
    if (!stat?.isDirectory()) return undefined;
    const stamp = `${stat.ino}:${stat.mtimeNs}:${stat.ctimeNs}`;
    const known = kept.get(path, (folder) => folder.stamp === stamp);
    if (known) return known.names;
    const names = await read(path);
    const isSettled = clock() - Number(stat.ctimeMs) > SETTLED_MILLISECONDS;
    if (names && names.length >= WORTH_KEEPING && isSettled) keep(path, { stamp, names });
    return names;
  };
}

export type FolderNames = ReturnType<typeof createFolderNames>;

async function read(path: string): Promise<string[] | undefined> {
  try {
    return inOrder((await readdir(path, { withFileTypes: true })).flatMap(nameOf));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Links, sockets and names that no key can have are none of ours. */
function nameOf(entry: Dirent): string | [] {
  if (!isSegment(entry.name)) return [];
  if (entry.isDirectory()) return `${entry.name}/`;
  return entry.isFile() ? entry.name : [];
}

/** Texts without surrogates are in the same order in UTF-16, which the engine sorts by itself, as in UTF-8. */
const inOrder = (names: string[]): string[] =>
  names.some((name) => /[\ud800-\udfff]/.test(name)) ? names.sort(compareBytes) : names.sort();
