import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { compareBytes } from "../lib/byte-order.ts";
import { isMissing, isSegment, isShortKey, leadsOutside } from "./disk-paths.ts";
import type { ListRequest } from "./store.ts";

/** A key in a listing: an object's, or with a slash at the end that of a folder, which `folded` stands for all below it. */
export interface ListedKey {
  readonly key: string;
  readonly folded: boolean;
}

/** The keys below a root that a request asks for, in order of UTF-8 bytes; an empty folder is a key of its own. */
export async function* keysBelow(root: string, request: ListRequest): AsyncGenerator<ListedKey> {
  const { prefix } = request;
  const base = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  if (base !== "" && !base.slice(0, -1).split("/").every(isSegment)) return;
  if (base !== "" && (await leadsOutside(root, join(root, base.slice(0, -1))))) return;
  yield* keysIn(root, base, request);
}

async function* keysIn(root: string, base: string, request: ListRequest): AsyncGenerator<ListedKey> {
  const { prefix, delimiter, after = "" } = request;
  const names = await namesIn(join(root, base));
  if (names === undefined) return;
  if (names.length === 0 && base !== "" && base.startsWith(prefix) && compareBytes(base, after) > 0)
    yield { key: base, folded: false };
  for (const name of names) {
    const key = base + name;
    if (!key.startsWith(prefix) || !isShortKey(key)) continue;
    const folder = name.endsWith("/");
    const passed = compareBytes(key, after) <= 0;
    if (folder && !delimiter && (!passed || after.startsWith(key))) yield* keysIn(root, key, request);
    else if (!passed && (!folder || delimiter)) yield { key, folded: folder };
  }
}

/** Names of files, and with a slash of folders, in the order of their keys; undefined when there is no such folder. */
async function namesIn(path: string): Promise<string[] | undefined> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.flatMap(nameOf).sort(compareBytes);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Links, sockets and names that no key can have are none of ours. */
function nameOf(entry: Dirent): string[] {
  if (!isSegment(entry.name)) return [];
  if (entry.isDirectory()) return [`${entry.name}/`];
  return entry.isFile() ? [entry.name] : [];
}
