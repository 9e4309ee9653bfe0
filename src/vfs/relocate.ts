import { Failure } from "#contract/failures";
import type { Change } from "../stores/changes.ts";
import type { Confirm, ObjectHead, ObjectStore } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import type { Objects } from "../transfers/objects.ts";
import { folderKeyOf } from "./layout.ts";
import { type Found, isFile } from "./lookup.ts";

interface Relocation {
  readonly storage: Storage;
  readonly objects: Pick<Objects, "change" | "made">;
  /** Forgets listings of what has changed. */
  readonly forget: (change: Change) => void;
  readonly found: Found;
  /** The new key, without a slash at its end. */
  readonly to: string;
  /** Asks whether the caller may still move it; when it throws, all is as it was. */
  readonly confirm: Confirm;
}

/** Objects that are copied at the same time. */
const AT_ONCE = 8;
const PAGE = 1000;
/** Objects that a rename copies; more are for a job, which goes on where it was broken off. */
const MOST = 100_000;

type Versions = Map<string, string>;

/**
 * Gives what was found another key in its storage. Where that takes copies, all of them are made before anything is removed;
 * when one fails, those that were made go again and all is as it was. 404 path.missing, 400 path.large.
 */
export async function relocate({ storage, objects, forget, found, to, confirm }: Relocation): Promise<void> {
  const { config, store } = storage;
  const file = isFile(found);
  const from = file ? found.head.key : folderKeyOf(found.location);
  const target = file ? to : `${to}/`;
  const moved = {
    kind: "moved",
    from: { storage: config.id, key: from },
    to: { storage: config.id, key: target },
  } as const;
  if (store.tree) {
    const { tree } = store;
    return await objects.change([moved], async () => {
      if (!(await tree.move(from, target, confirm))) throw new Failure("path.missing");
    });
  }
  if (target.startsWith(from) && !file) throw new Failure("path.into");
  const copied = await copyAll(store, { from, to: target, confirm });
  // From here on it has moved, whatever becomes of the old ones: shares find it at its new place at once.
  await objects.made(moved);
  try {
    await removeCopied(store, { from, to: target, copied });
  } finally {
    forget(moved);
  }
}

/** Answers the versions that were copied. */
async function copyAll(store: ObjectStore, { from, to, confirm }: Copying): Promise<Versions> {
  const copied: Versions = new Map();
  const copy = async (head: ObjectHead): Promise<void> => {
    const { key, etag } = head;
    if (await store.copy(key, to + key.slice(from.length), { found: head })) copied.set(key, etag);
  };
  try {
    for await (const page of pagesOf(store, from)) {
      if (copied.size + page.length > MOST) throw new Failure("path.large", { limit: MOST });
      for (let index = 0; index < page.length; index += AT_ONCE) {
        await confirm();
        await allSettled(page.slice(index, index + AT_ONCE).map(copy));
      }
    }
    // Copying takes its time, and what follows cannot be undone.
    await confirm();
  } catch (error) {
    const made = [...copied.keys()].map((key) => to + key.slice(from.length));
    for (let index = 0; index < made.length; index += PAGE) await store.remove(made.slice(index, index + PAGE));
    throw error;
  }
  if (copied.size === 0) throw new Failure("path.missing");
  return copied;
}

/**
 * Removes what was copied. What somebody has written anew since is copied once more before it goes; what came to the folder
 * meanwhile stays where it is.
 */
async function removeCopied(store: ObjectStore, { from, to, copied }: Copies): Promise<void> {
  for await (const page of pagesOf(store, from)) {
    const known = page.filter(({ key }) => copied.has(key));
    for (const { key, etag } of known) if (copied.get(key) !== etag) await store.copy(key, to + key.slice(from.length));
    await store.remove(known.map(({ key }) => key));
  }
}

interface Copying extends Pick<Relocation, "to" | "confirm"> {
  readonly from: string;
}

interface Copies {
  readonly from: string;
  readonly to: string;
  readonly copied: Versions;
}

/** Waits for all, and throws what the first that failed threw: what still runs could not be undone. */
async function allSettled(running: readonly Promise<void>[]): Promise<void> {
  for (const one of await Promise.allSettled(running)) if (one.status === "rejected") throw one.reason;
}

/** A file, or page by page all that is in a folder. */
async function* pagesOf(store: ObjectStore, key: string): AsyncGenerator<readonly ObjectHead[]> {
  if (!key.endsWith("/")) {
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
