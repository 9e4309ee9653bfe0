import { compareBytes } from "#contract/paths";
import type { Entry } from "./entry.ts";

/** Entries of a folder, and where the next page begins; undefined at the end. */
interface Shown {
  readonly entries: readonly Entry[];
  readonly next: string | undefined;
}

/** How much of a folder is asked for: all of it unless one of these is said. */
interface Stretch {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** The key of an entry in its folder, by which pages are ordered. */
const keyOf = ({ name, kind }: Entry): string => (kind === "folder" ? `${name}/` : name);

/** Whether a key comes behind the page before and not behind what its storage has answered. */
export const isWithin = (key: string, after: string | undefined, last: string | undefined): boolean =>
  (after === undefined || compareBytes(key, after) > 0) && (last === undefined || compareBytes(key, last) <= 0);

const byKey = (one: Entry, other: Entry): number => compareBytes(keyOf(one), keyOf(other));

/** Two lists in the order of keys as one, in linear time: a page may have ten thousand. */
function mergedByKey(one: readonly Entry[], other: readonly Entry[]): readonly Entry[] {
  if (one.length === 0) return other;
  const all: Entry[] = [];
  let at = 0;
  for (const entry of one) {
    for (let next = other[at]; next && byKey(next, entry) < 0; next = other[at]) {
      all.push(next);
      at += 1;
    }
    all.push(entry);
  }
  return all.concat(other.slice(at));
}

/** What is shown of a folder: of all of it folders first, of a page no more than its limit and in the order of keys. */
export function arranged(leading: readonly Entry[], { entries, next }: Shown, { limit, cursor }: Stretch): Shown {
  if (limit === undefined && cursor === undefined)
    return { entries: leading.length > 0 ? withLeading(leading, entries) : entries, next };
  const firstFile = entries.findIndex(({ kind }) => kind === "file");
  const [folders, files] = firstFile < 0 ? [entries, []] : [entries.slice(0, firstFile), entries.slice(firstFile)];
  const merged = mergedByKey(mergedByKey([...leading].sort(byKey), folders), files);
  const last = limit !== undefined && merged.length > limit ? merged[limit - 1] : undefined;
  return last ? { entries: merged.slice(0, limit), next: keyOf(last) } : { entries: merged, next };
}

/** Folders that lead to mounts among those of the storage. */
function withLeading(leading: readonly Entry[], shown: readonly Entry[]): Entry[] {
  const isFolder = ({ kind }: Entry) => kind === "folder";
  const folders = [...leading, ...shown.filter(isFolder)].sort((one, other) => compareBytes(one.name, other.name));
  return [...folders, ...shown.filter((entry) => !isFolder(entry))];
}
