import { join } from "node:path";
import { compareBytes } from "#contract/paths";
import { Lru } from "../../lib/cache.ts";
import type { Clock } from "../../lib/clock.ts";
import type { ListRequest } from "../store.ts";
import { isFolderKey, isMissing, isSegment, isShortKey, leadsOutside, statNow } from "./paths.ts";
import type { Reach } from "./reach.ts";

/** Names of one folder that a request covers. Names of folders end in a slash; the empty name is the folder itself. */
export interface Listed {
  /** The key of the folder; empty for the root. */
  readonly folder: string;
  readonly names: readonly string[];
}

/** One page of a list. */
interface ListedPage {
  readonly listed: readonly Listed[];
  /** The key after which the next page begins. */
  readonly next: string | undefined;
}

/** Lists keys below a root in order of UTF-8 bytes; an empty folder is a key of its own. */
export async function listPage(root: string, namesIn: ReadNames, request: ListRequest): Promise<ListedPage> {
  const listed: Listed[] = [];
  let left = request.limit;
  for await (const { folder, names } of keysBelow(root, namesIn, request)) {
    if (names.length > left) {
      listed.push({ folder, names: names.slice(0, left) });
      return { listed, next: lastKey(listed) };
    }
    listed.push({ folder, names });
    left -= names.length;
  }
  return { listed, next: undefined };
}

function lastKey(listed: readonly Listed[]): string | undefined {
  const last = listed.findLast(({ names }) => names.length > 0);
  return last && last.folder + last.names.at(-1);
}

async function* keysBelow(root: string, namesIn: ReadNames, request: ListRequest): AsyncGenerator<Listed> {
  const { prefix, delimiter, after = "", limit } = request;

  async function* keysIn(folder: string): AsyncGenerator<Listed> {
    const names = await namesIn(join(root, folder));
    if (names === undefined) return;
    if (names.length === 0 && folder !== "" && folder.startsWith(prefix) && compareBytes(folder, after) > 0)
      yield { folder, names: [""] };
    const begin = prefix.slice(folder.length);
    let files: string[] = [];
    for (let at = firstOf(names, folder, request); at < names.length && files.length <= limit; at++) {
      const name = names[at] ?? "";
      if (!name.startsWith(begin)) break;
      if (!isShortKey(folder + name)) continue;
      if (delimiter || !isFolderKey(name)) {
        files.push(name);
        continue;
      }
      if (files.length > 0) yield { folder, names: files };
      files = [];
      yield* keysIn(folder + name);
    }
    if (files.length > 0) yield { folder, names: files };
  }

  const base = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  if (base !== "" && !base.slice(0, -1).split("/").every(isSegment)) return;
  if (base !== "" && (await leadsOutside(root, join(root, base.slice(0, -1))))) return;
  yield* keysIn(base);
}

/** Index of the first name to list: after the page before, at the prefix, or at the folder in which the page before ended. */
function firstOf(names: readonly string[], folder: string, { prefix, delimiter, after = "" }: ListRequest): number {
  const listed = countWhile(names, (name) => compareBytes(folder + name, after) <= 0);
  const last = folder + (names[listed - 1] ?? "");
  const goesOn = !delimiter && listed > 0 && isFolderKey(last) && after.startsWith(last);
  return Math.max(
    goesOn ? listed - 1 : listed,
    countWhile(names, (name) => compareBytes(folder + name, prefix) < 0),
  );
}

/** Binary search: the number of names for which a predicate holds that is true for the first ones only. */
function countWhile(names: readonly string[], comesFirst: (name: string) => boolean): number {
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comesFirst(names[middle] ?? "")) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Folders with fewer names are not cached: reading them again is as fast. */
const FEWEST_CACHED = 1000;
/** Names that the cache holds in all, about 60 bytes each. */
const MAX_CACHED = 1_000_000;
const CACHED_MILLISECONDS = 30_000;
/** A folder that changed more recently is not cached: its time may not change again with the next change. */
const SETTLED_MILLISECONDS = 2000;

interface CachedFolder {
  readonly stamp: string;
  readonly names: readonly string[];
}

/**
 * Reads the names in folders. It caches large folders for up to 30 seconds, so that not every page of a list reads and sorts them
 * again; the folder's own time says whether a name was added or removed since.
 */
export function createNameReader(clock: Clock, reach: Reach) {
  const cache = new Lru<string, CachedFolder>(MAX_CACHED, ({ names }) => names.length);
  let clearsSoon = false;

  const add = (path: string, folder: CachedFolder) => {
    cache.set(path, folder);
    if (clearsSoon) return;
    clearsSoon = true;
    const timer = setTimeout(() => {
      clearsSoon = false;
      cache.clear();
    }, CACHED_MILLISECONDS);
    timer.unref();
  };

  const namesAt = async (path: string, at: string): Promise<readonly string[] | undefined> => {
    const stat = statNow(at);
    if (!stat?.isDirectory()) return undefined;
    const stamp = `${stat.ino}:${stat.mtimeNs}:${stat.ctimeNs}`;
    const known = cache.get(path, (folder) => folder.stamp === stamp);
    if (known) return known.names;
    const names = inOrder(await reach.names(at));
    const isSettled = clock() - Number(stat.ctimeMs) > SETTLED_MILLISECONDS;
    if (names.length >= FEWEST_CACHED && isSettled) add(path, { stamp, names });
    return names;
  };

  /** Names of files, and of folders with a slash, in the order of their keys; undefined when there is no such folder. */
  return async (path: string): Promise<readonly string[] | undefined> => {
    try {
      return await reach.folder(path, (at) => namesAt(path, at));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  };
}

type ReadNames = ReturnType<typeof createNameReader>;

/** Sorts by UTF-8 bytes. Without surrogates that is the order of UTF-16, in which the engine sorts faster. */
const inOrder = (names: string[]): string[] =>
  names.some((name) => /[\ud800-\udfff]/.test(name)) ? names.sort(compareBytes) : names.sort();
