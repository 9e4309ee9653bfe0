import { join } from "node:path";
import { compareBytes } from "../lib/byte-order.ts";
import type { FolderNames } from "./disk-names.ts";
import { isFolderKey, isSegment, isShortKey, leadsOutside } from "./disk-paths.ts";
import type { ListRequest } from "./store.ts";

/** Some of what a request asks for, from one folder; folders' names end in a slash, and an empty one is that of the folder itself. */
export interface Listed {
  /** The key of the folder; empty for the root. */
  readonly folder: string;
  readonly names: readonly string[];
}

/** What is on a page, and what to go on after. */
interface ListedPage {
  readonly listed: readonly Listed[];
  readonly next: string | undefined;
}

/** The keys below a root that a request asks for, in order of UTF-8 bytes; an empty folder is a key of its own. */
export async function pageBelow(root: string, namesIn: FolderNames, request: ListRequest): Promise<ListedPage> {
  const listed: Listed[] = [];
  let room = request.limit;
  for await (const { folder, names } of keysBelow(root, namesIn, request)) {
    if (names.length > room) {
      listed.push({ folder, names: names.slice(0, room) });
      return { listed, next: lastKey(listed) };
    }
    listed.push({ folder, names });
    room -= names.length;
  }
  return { listed, next: undefined };
}

function lastKey(listed: readonly Listed[]): string | undefined {
  const last = listed.findLast(({ names }) => names.length > 0);
  return last && last.folder + last.names.at(-1);
}

async function* keysBelow(root: string, namesIn: FolderNames, request: ListRequest): AsyncGenerator<Listed> {
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

/** Where in a folder a request begins: behind what came before, at the prefix, or at the folder in which it goes on. */
function firstOf(names: readonly string[], folder: string, { prefix, delimiter, after = "" }: ListRequest): number {
  const passed = countWhile(names, (name) => compareBytes(folder + name, after) <= 0);
  const last = folder + (names[passed - 1] ?? "");
  const goesOn = !delimiter && passed > 0 && isFolderKey(last) && after.startsWith(last);
  return Math.max(
    goesOn ? passed - 1 : passed,
    countWhile(names, (name) => compareBytes(folder + name, prefix) < 0),
  );
}

/** How many of these names come first, when those that do are all before those that do not. */
function countWhile(names: readonly string[], comesFirst: (name: string) => boolean): number {
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comesFirst(names[middle] ?? "")) low = middle + 1;
    else high = middle;
  }
  return low;
}
