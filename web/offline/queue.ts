import { MAX_EARLIER_CHANGES } from "#contract/limits";
import type { PasteChange } from "#contract/pastes";
import { randomKey } from "../lib/random-key.ts";
import { type QueuedChange, SHAPE } from "./change.ts";
import { withRoom } from "./copies.ts";
import type { OfflineDatabase } from "./database.ts";

/** How many changes can be queued; beyond that the person is told that the queue is full. */
export const MAX_QUEUED = 100;

/** A change as it is stored. */
export type StoredChange = QueuedChange & { readonly id: number };

/** A change before it is stored. */
type NewChange = Omit<QueuedChange, "id" | "shape" | "status" | "refusal" | "answer">;

/** The result of sending a change. */
export type Settled = Pick<QueuedChange, "status" | "refusal" | "answer">;

/** The result of removing an entry: `changed` if it is no longer the one that was shown. */
export type Removed = "discarded" | "gone" | "changed";

/** Reports whether this version of the app can send an entry. */
export const isReadable = (entry: unknown): entry is StoredChange =>
  typeof entry === "object" && entry !== null && (entry as { shape?: unknown }).shape === SHAPE;

/** Reports whether an entry is still to be sent. */
const isWaiting = (entry: StoredChange): boolean => isReadable(entry) && entry.status === "pending";

/** Reports whether a change may be shown to and sent for this person: they made it, or a visitor did. */
export const isFor = (person: string | undefined, change: StoredChange): boolean =>
  change.person === undefined || change.person === person;

/** Reports whether an entry can be sent while this person is signed in. */
export const canGo = (person: string | undefined, entry: StoredChange): boolean =>
  isWaiting(entry) && isFor(person, entry);

/** Reports whether both are the same call of the same person, whatever its body. */
const isSameCall = (entry: StoredChange, call: SameCall): boolean =>
  sameCall.every((part) => entry[part] === call[part]);

const sameCall = ["type", "method", "endpoint", "person"] as const;
type SameCall = Pick<QueuedChange, (typeof sameCall)[number]>;

/**
 * Returns the entry to store for a change: the existing one if the last of the same call is identical; for a second change of one text usually
 * the first one with both merged, because the second is not based on the version that the first creates; else a new entry.
 */
function merged(waiting: readonly StoredChange[], change: NewChange): StoredChange | Omit<QueuedChange, "id"> {
  const own = { ...change, shape: SHAPE, status: "pending" } as const;
  const repeated = waiting.find(({ requestKey }) => requestKey === change.requestKey);
  // Only the last one counts: A, then B, then A again are three changes.
  const entry = repeated ?? waiting.findLast((one) => isSameCall(one, change));
  if (repeated) return repeated;
  if (!entry || change.type === "createPaste") return own;
  if (change.type === "updatePaste") {
    const before = untouched(entry, change);
    const after = { ...(change.data as object), ...baseOf(entry, change) };
    // The first may have been sent and its answer lost. Only under its own key does the server recognize it and not do it again.
    if (isDoneAnew(before)) return { ...own, data: after };
    const data = { ...before, ...after };
    // The server may know either key, but for less than this, so the merged change gets a new one.
    return { ...entry, data, requestKey: randomKey(), timestamp: change.timestamp };
  }
  return JSON.stringify(entry.data) === JSON.stringify(change.data) ? entry : own;
}

/** Reports whether a change of a text is not idempotent: it resets the view counter, or has the server choose a new random slug. */
const isDoneAnew = ({ resetViews, newSlug }: PasteChange): boolean =>
  resetViews === true || newSlug === null || newSlug === "";

/** What a change of a text is based on: a version, and the keys of earlier changes that may have been saved since. */
interface Base {
  readonly version?: unknown;
  readonly after?: readonly string[];
}

/**
 * Returns the base of a change of a text that follows a queued one: the version that the queued one is based on, or the result of either of
 * them, because the answer to each may have been lost.
 */
function baseOf(entry: StoredChange, change: Pick<NewChange, "data" | "requestKey">): Base {
  const [{ version, after = [] }, { after: later = [] }] = [entry.data as Base, (change.data ?? {}) as Base];
  const names = [...new Set([...after, entry.requestKey, ...later, change.requestKey])];
  return { ...(version !== undefined && { version }), after: names.slice(-MAX_EARLIER_CHANGES) };
}

/** Returns the keys of the changes that a change of a text builds on. */
const afterOf = ({ data }: Pick<NewChange, "data">): readonly string[] => ((data ?? {}) as Base).after ?? [];

/**
 * Reports whether a change builds on one that was rejected. It then waits until the person has decided about that one: if it were sent first, it
 * would create another version than the rejected one is based on, which could then never be sent again.
 */
export const isBehind = (refused: ReadonlySet<string>, change: StoredChange): boolean =>
  afterOf(change).some((key) => refused.has(key));

/** Returns the change as one that also builds on the change with that key. */
const naming = <Change extends Pick<NewChange, "data">>(change: Change, requestKey: string): Change => ({
  ...change,
  data: { ...(change.data as object), after: [...afterOf(change), requestKey] },
});

/** Two fields that set the same thing. */
const password = ["password", "clearPassword"];

/** Returns the fields of a change that a later change of the same record does not set. */
function untouched({ data }: Pick<StoredChange, "data">, later: Pick<NewChange, "data">): Record<string, unknown> {
  const set = Object.keys(later.data ?? {});
  const isSet = (name: string) =>
    set.some((one) => one === name || (password.includes(one) && password.includes(name)));
  return Object.fromEntries(Object.entries(data ?? {}).filter(([name]) => !isSet(name)));
}

/** Returns what is left of a queued change after the same person has saved a later one; undefined if nothing is. */
function leftOf(entry: StoredChange, later: Pick<NewChange, "data" | "requestKey">): StoredChange | undefined {
  const { version: _version, after: _after, ...data } = untouched(entry, later);
  const text = entry.type === "updatePaste" ? unseenText(entry, later) : undefined;
  if (text) return { ...entry, data: { ...data, ...text }, requestKey: randomKey() };
  if (Object.keys(data).length === 0) return undefined;
  if (entry.type !== "updatePaste") return { ...entry, data };
  return { ...entry, data: { ...data, ...baseOf(entry, later) }, requestKey: randomKey() };
}

/**
 * Returns the text of a queued change that a later change has overwritten without knowing it, as an editor in another tab does. It keeps its
 * base version: the server then rejects it, and the person decides. Undefined if no text would be lost.
 */
function unseenText(entry: StoredChange, later: Pick<NewChange, "data">): (Base & { content: string }) | undefined {
  const { content, version, after = [] } = entry.data as Base & { content?: string };
  const { content: other, after: known = [] } = (later.data ?? {}) as Base & { content?: string };
  if (content === undefined || version === undefined || other === undefined || other === content) return undefined;
  // A merged change has the key of the last one that was merged at the end.
  if ([entry.requestKey, after.at(-1) ?? ""].some((key) => known.includes(key))) return undefined;
  return { content, version, after: [...after, entry.requestKey].slice(-MAX_EARLIER_CHANGES) };
}

/** Errors that browsers throw when the file of a large value is gone. */
const LOST: ReadonlySet<string> = new Set(["NotReadableError", "NotFoundError"]);

async function add(database: OfflineDatabase, change: NewChange): Promise<boolean> {
  const transaction = database.transaction("offlineQueue", "readwrite");
  const entries = (await transaction.store.getAll()) as StoredChange[];
  const one = merged(entries.filter(isWaiting), change);
  // Sent entries are small and do not count.
  const full = !("id" in one) && entries.filter(({ status }) => status !== "sent").length >= MAX_QUEUED;
  if (!full) await transaction.store.put(one);
  await transaction.done;
  return !full;
}

async function settle(
  database: OfflineDatabase,
  { id, requestKey }: StoredChange,
  known: Settled | undefined,
): Promise<boolean> {
  const transaction = database.transaction("offlineQueue", "readwrite");
  const entry = await transaction.store.get(id);
  const isSame = entry?.requestKey === requestKey;
  if (isSame) {
    // The content of a sent change is no longer needed, and may contain a password.
    const { data, ...rest } = entry;
    if (known) await transaction.store.put({ ...rest, ...known, data: known.status === "sent" ? undefined : data });
    else await transaction.store.delete(id);
  }
  await transaction.done;
  return isSame;
}

async function retry(database: OfflineDatabase, id: number, data: unknown): Promise<void> {
  const transaction = database.transaction("offlineQueue", "readwrite");
  const entry = (await transaction.store.get(id)) as StoredChange | undefined;
  // Another tab may have retried it since it was shown.
  if (entry?.status === "rejected") {
    const other = data === undefined ? entry : { ...entry, data, requestKey: randomKey() };
    await transaction.store.put({ ...other, status: "pending" });
    for await (const cursor of transaction.store) {
      const behind = cursor.value as StoredChange;
      if (!isReadable(behind) || !isBehind(new Set([entry.requestKey]), behind)) continue;
      const after = afterOf(behind).map((key) => (key === entry.requestKey ? other.requestKey : key));
      await cursor.update({ ...behind, data: { ...(behind.data as object), after } });
    }
  }
  await transaction.done;
}

/** The queue of changes, in the order in which they were made. */
export function createQueue(database: OfflineDatabase) {
  return {
    all: async (): Promise<readonly StoredChange[]> => {
      // Each stored entry has its id, which the types of the database do not say.
      return (await database.getAll("offlineQueue")) as StoredChange[];
    },
    /** Returns the id of the first entry after that one. */
    next: (id: number): Promise<number | undefined> =>
      database.getKey("offlineQueue", IDBKeyRange.lowerBound(id, true)),
    /** Returns an entry as it is now. */
    get: async (id: number): Promise<StoredChange | undefined> =>
      (await database.get("offlineQueue", id)) as StoredChange | undefined,
    /** Queues a change, at most once; false if the queue is full. Rejects when the browser's storage is full. */
    add: (change: NewChange): Promise<boolean> => withRoom(database, () => add(database, change)),
    /** Removes from queued changes the values that the same person has set since, by a change that the server has already accepted. */
    async overtake(change: SameCall & Pick<NewChange, "data" | "requestKey">): Promise<void> {
      const transaction = database.transaction("offlineQueue", "readwrite");
      let holding: Parameters<typeof leftOf>[1] = change;
      for await (const cursor of transaction.store) {
        const entry = cursor.value as StoredChange;
        if (!isWaiting(entry) || !isSameCall(entry, change)) continue;
        const left = leftOf(entry, holding);
        await (left ? cursor.update(left) : cursor.delete());
        // What is left has a new key, and is sent before the later entries: they build on it, too.
        if (left && afterOf(left).includes(change.requestKey)) holding = naming(holding, left.requestKey);
      }
      await transaction.done;
    },
    /**
     * Removes the entries that the browser can no longer read, and reports whether there were any. Browsers keep large values in separate files,
     * which may be lost, and one such entry makes the whole queue unreadable.
     */
    async removeUnreadable(): Promise<boolean> {
      let found = false;
      for (const id of await database.getAllKeys("offlineQueue")) {
        const isLost = await database.get("offlineQueue", id).then(
          () => false,
          // Other errors are temporary, such as that of a device short of memory.
          (error: unknown) => error instanceof DOMException && LOST.has(error.name),
        );
        if (!isLost) continue;
        await database.delete("offlineQueue", id);
        found = true;
      }
      return found;
    },
    /** Removes an entry as it was shown: not if it has changed since, and if it has been sent only if it was shown as sent. */
    async remove({ id, requestKey }: Pick<StoredChange, "id" | "requestKey">, sent: boolean): Promise<Removed> {
      const transaction = database.transaction("offlineQueue", "readwrite");
      const entry = await transaction.store.get(id);
      const isGone = !entry || (entry.status === "sent" && !sent);
      const became = isGone ? "gone" : entry.requestKey === requestKey ? "discarded" : "changed";
      if (became === "discarded") await transaction.store.delete(id);
      await transaction.done;
      return became;
    },
    /**
     * Stores the result of a change that was sent, or removes the change without one. Reports whether it did: not if the change has become another
     * one in the meantime.
     */
    settle: (change: StoredChange, known?: Settled): Promise<boolean> =>
      withRoom(database, () => settle(database, change, known)),
    /** Queues a rejected change again, with other content if some is given; changes that build on it are updated to its new key. */
    retry: (id: number, data?: unknown): Promise<void> => withRoom(database, () => retry(database, id, data)),
    /** Removes every change of this person, and those of other versions of the app, whose owner is unknown. */
    async removeOf(person: string): Promise<void> {
      const transaction = database.transaction("offlineQueue", "readwrite");
      for await (const cursor of transaction.store)
        if (!isReadable(cursor.value) || cursor.value.person === person) await cursor.delete();
      await transaction.done;
    },
  };
}

export type Queue = ReturnType<typeof createQueue>;
