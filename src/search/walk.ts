import { Failure } from "#contract/failures";
import type { ObjectStore } from "../stores/store.ts";
import { type FileStat, nameBelow, namesOf, type Recent } from "./changes.ts";
import type { Queue } from "./queue.ts";
import type { Entries, Listed, Reconcile } from "./reconcile.ts";
import type { Writer } from "./writer.ts";

export interface WalkDependencies {
  readonly writer: Writer;
  readonly queue: Pick<Queue, "isClosed">;
  readonly recent: Recent;
  readonly reconcile: Reconcile;
  /** Runs a generator to its end, one slice after the other between other work, unless the index closes. */
  readonly inSlices: (slices: AsyncGenerator<void>) => Promise<void>;
}

/** Keys in one request to a storage. */
const PAGE = 1000;

/**
 * Returns the function that makes the index match all that a storage lists; it tells how many names it has read, and reports whether it came to
 * the end.
 */
export function createWalk({ writer, queue, recent, reconcile, inSlices }: WalkDependencies) {
  async function* reconcileAll(page: KeyPage, since: number) {
    const { storage, objects } = page;
    const outdated = () => recent.since(since, storage);
    for (const listed of foldersOf(page)) yield* reconcile(listed, { outdated });
    if (!outdated()) throw new Failure("storage.busy");
    for (const { key, modified } of objects) if (key.endsWith("/")) await writer.setTime({ storage, key }, modified);
  }

  return async (storage: string, store: ObjectStore, read: (names: number) => void): Promise<boolean> => {
    let next: string | undefined = "";
    for (let after = ""; next !== undefined; ) {
      const since = recent.moment();
      const page = await store.list({ prefix: "", after: next === "" ? undefined : next, limit: PAGE, trash: true });
      const { objects } = page;
      read(objects.length);
      await inSlices(reconcileAll({ storage, objects, after, last: page.next === undefined }, since));
      if (queue.isClosed()) return false;
      after = page.objects.at(-1)?.key ?? after;
      next = page.next;
    }
    return true;
  };
}

/** A page of all keys of a storage, in order: everything behind one key up to its last. */
interface KeyPage {
  readonly storage: string;
  readonly objects: readonly (FileStat & { readonly key: string })[];
  readonly after: string;
  /** Whether nothing follows it. */
  readonly last: boolean;
}

/** The entries of a page in each folder that it passes through, outer ones first. */
function foldersOf({ storage, objects, after, last }: KeyPage): Listed[] {
  const folders = new Map<string, Entries>();
  const entriesOf = (folder: string): Entries => {
    const entries: Entries = folders.get(folder) ?? new Map();
    folders.set(folder, entries);
    return entries;
  };
  // Names after the last key of the page before belong to this one, even if none are left.
  for (const { key, file } of [{ key: after, file: undefined }, ...objects.map((file) => ({ key: file.key, file }))]) {
    let folder = "";
    for (const name of namesOf(key)) {
      const isFolder = name.endsWith("/");
      const entries = entriesOf(folder);
      if (file) entries.set(name, isFolder ? undefined : file);
      if (isFolder) folder += name;
    }
    entriesOf(folder);
  }
  const end = last ? undefined : objects.at(-1)?.key;
  return [...folders]
    .filter(([folder]) => folder !== end)
    .map(([key, entries]) => ({
      storage,
      key,
      entries,
      after: after !== key && after.startsWith(key) ? nameBelow(key, after) : undefined,
      upTo: end?.startsWith(key) ? nameBelow(key, end) : undefined,
    }));
}
