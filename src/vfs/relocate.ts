import { Failure } from "#contract/failures";
import type { ObjectStore } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import type { Placing } from "../transfers/placing.ts";
import { type Found, isFile } from "./finding.ts";
import { folderKeyOf } from "./layout.ts";

interface Relocation {
  readonly storage: Storage;
  readonly placing: Placing;
  readonly found: Found;
  /** The new key, without a slash at its end. */
  readonly to: string;
}

/** Objects that are copied at the same time. */
const AT_ONCE = 8;
const PAGE = 1000;
/** Objects that a rename copies; more are for a job, which goes on where it was broken off. */
const MOST = 100_000;

/**
 * Gives what was found another key in its storage. Where that takes copies, all of them are made before anything is removed;
 * when one fails, those that were made go again and all is as it was. 404 path.missing, 400 path.large.
 */
export async function relocate({ storage, placing, found, to }: Relocation): Promise<void> {
  const { config, store } = storage;
  const file = isFile(found);
  const from = file ? found.head.key : folderKeyOf(found.spot);
  const target = file ? to : `${to}/`;
  if (store.tree) {
    if (!(await store.tree.move(from, target))) throw new Failure("path.missing");
  } else {
    await removeAll(store, await copyAll(store, from, target));
  }
  await placing.tell({
    kind: "moved",
    from: { storage: config.id, key: from },
    to: { storage: config.id, key: target },
  });
}

/** Answers the keys that were copied: what came to the folder meanwhile is not, and stays where it is. */
async function copyAll(store: ObjectStore, from: string, to: string): Promise<string[]> {
  const copied: string[] = [];
  const renamed = (key: string) => to + key.slice(from.length);
  const copy = async (key: string): Promise<void> => {
    if (await store.copy(key, renamed(key))) copied.push(key);
  };
  try {
    for await (const page of pagesOf(store, from)) {
      if (copied.length + page.length > MOST) throw new Failure("path.large", { limit: MOST });
      for (let index = 0; index < page.length; index += AT_ONCE)
        await allSettled(page.slice(index, index + AT_ONCE).map(copy));
    }
  } catch (error) {
    await removeAll(store, copied.map(renamed));
    throw error;
  }
  if (copied.length === 0) throw new Failure("path.missing");
  return copied;
}

/** Waits for all, and throws what the first that failed threw: what still runs could not be undone. */
async function allSettled(running: readonly Promise<void>[]): Promise<void> {
  for (const one of await Promise.allSettled(running)) if (one.status === "rejected") throw one.reason;
}

/** The key of a file, or page by page those of all that is in a folder. */
async function* pagesOf(store: ObjectStore, key: string): AsyncGenerator<readonly string[]> {
  if (!key.endsWith("/")) return yield [key];
  let after: string | undefined;
  do {
    const page = await store.list({ prefix: key, after, limit: PAGE });
    yield page.objects.map((one) => one.key);
    after = page.next;
  } while (after !== undefined);
}

async function removeAll(store: ObjectStore, keys: readonly string[]): Promise<void> {
  for (let index = 0; index < keys.length; index += PAGE) await store.remove(keys.slice(index, index + PAGE));
}
