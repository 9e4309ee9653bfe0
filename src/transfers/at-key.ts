/** What is in a storage at the key of a file, or below the key of a folder, which ends in a slash. */
import { bodyStream } from "../lib/open-file.ts";
import type { ObjectHead, ObjectStore } from "../stores/store.ts";

/** Objects by what their keys have behind that of the folder; a file by nothing. */
export type Objects = Map<string, ObjectHead>;

/** An object in its storage. */
interface Stored {
  readonly store: ObjectStore;
  readonly head: ObjectHead;
}

/** Objects that are worked on at the same time. */
const AT_ONCE = 8;
const PAGE = 1000;

export const isFolder = (key: string): boolean => key.endsWith("/");

/** Whether two objects have the same bytes. ETags tell where they are alike; else both are read. */
export async function areSame(one: Stored, other: Stored): Promise<boolean> {
  if (one.head.size !== other.head.size) return false;
  if (one.head.etag === other.head.etag) return true;
  const [digest, another] = [await digestOf(one), await digestOf(other)];
  return digest !== undefined && digest === another;
}

/** Whether two objects of one storage have the same bytes. */
export const isSame = (store: ObjectStore, one: ObjectHead, other: ObjectHead): Promise<boolean> =>
  areSame({ store, head: one }, { store, head: other });

/** The SHA-256 of an object in hexadecimal digits; undefined when it is another version by now. Throws what its signal says. */
export async function digestOf({ store, head }: Stored, signal?: AbortSignal): Promise<string | undefined> {
  const found = await store.get(head.key, undefined, head);
  if (!found) return undefined;
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of bodyStream(found.body)) {
    signal?.throwIfAborted();
    hash.update(chunk);
  }
  return hash.digest("hex");
}

/** Removes a file, or a folder with all below it. */
export async function removeAll(store: ObjectStore, key: string): Promise<void> {
  if (store.tree && isFolder(key)) return await store.tree.remove(key);
  const all = await objectsAt(store, key);
  await removeKeys(
    store,
    [...all.values()].map((head) => head.key),
  );
}

export async function removeKeys(store: ObjectStore, keys: readonly string[]): Promise<void> {
  for (let index = 0; index < keys.length; index += PAGE) await store.remove(keys.slice(index, index + PAGE));
}

/** Removes a folder, and those in it, as far as they hold no files; `remove` is handed their keys. */
export async function removeEmptyFolders(
  store: ObjectStore,
  key: string,
  remove: (keys: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let gone = ""; ; ) {
    const page = await store.list({ prefix: key, limit: PAGE });
    const empty = emptyFolders(
      page.objects.map((one) => one.key),
      page.next === undefined,
    );
    // Removing those of a page may leave others that reach beyond it empty.
    if (empty.length === 0 || empty.join() === gone) return;
    gone = empty.join();
    await remove(empty);
  }
}

/**
 * Those of these keys, in their order, that are folders with nothing but folders in them. Of one that reaches to the end of keys that are not all
 * nobody knows. Others stay, and nothing is told of them: that a folder is gone means all that is in it.
 */
function emptyFolders(keys: readonly string[], areAll: boolean): string[] {
  const last = areAll ? undefined : keys.at(-1);
  return keys.filter((folder, index) => {
    if (!isFolder(folder) || last?.startsWith(folder)) return false;
    for (let at = index + 1; keys[at]?.startsWith(folder); at++) if (!isFolder(keys[at] ?? "")) return false;
    return true;
  });
}

export async function objectsAt(store: ObjectStore, key: string): Promise<Objects> {
  const all: Objects = new Map();
  for await (const page of pagesOf(store, key)) for (const head of page) all.set(head.key.slice(key.length), head);
  return all;
}

/** Works on a few at the same time, and on the next ones when all of those have ended. Throws what the first that failed threw. */
export async function eachFew<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  begins: () => Promise<void>,
): Promise<void> {
  for (let index = 0; index < items.length; index += AT_ONCE) {
    await begins();
    // What still runs could not be undone, so it is waited for.
    const ended = await Promise.allSettled(items.slice(index, index + AT_ONCE).map(work));
    for (const one of ended) if (one.status === "rejected") throw one.reason;
  }
}

/** A file, or page by page all that is in a folder. */
export async function* pagesOf(store: ObjectStore, key: string): AsyncGenerator<readonly ObjectHead[]> {
  if (!isFolder(key)) {
    const head = await store.head(key);
    return yield head ? [head] : [];
  }
  let after: string | undefined;
  do {
    const page = await store.list({ prefix: key, after, limit: PAGE });
    yield page.objects;
    after = page.next;
  } while (after !== undefined);
}

export async function isThere(store: ObjectStore, key: string): Promise<boolean> {
  if (await store.head(key)) return true;
  if (!isFolder(key)) return false;
  return (await store.list({ prefix: key, limit: 1 })).objects.length > 0;
}
