import { MAX_EARLIER_CHANGES } from "#contract/limits";
import type { PasteChange } from "#contract/pastes";
import { randomKey } from "../lib/random-key.ts";
import { type QueuedChange, SHAPE } from "./change.ts";
import { withRoom } from "./copies.ts";
import type { OfflineDatabase } from "./database.ts";

/** Changes that wait at most: beyond it a person is told that nothing more can be kept. */
export const MAX_QUEUED = 100;

/** A change as the database has it. */
export type StoredChange = QueuedChange & { readonly id: number };

/** What is new about a change before it is kept. */
type NewChange = Omit<QueuedChange, "id" | "shape" | "status" | "refusal" | "answer">;

/** What has become of a change that was sent. */
export type Settled = Pick<QueuedChange, "status" | "refusal" | "answer">;

/** What became of an entry that was to be removed as it was seen. */
export type Removed = "discarded" | "gone" | "changed";

/** Reports whether an entry can be sent by this version of the pages. */
export const isReadable = (entry: unknown): entry is StoredChange =>
  typeof entry === "object" && entry !== null && (entry as { shape?: unknown }).shape === SHAPE;

/** Reports whether an entry is still to be sent. */
const isWaiting = (entry: StoredChange): boolean => isReadable(entry) && entry.status === "pending";

/** Reports whether a change concerns who is here: they made it, or some visitor did. */
export const isFor = (person: string | undefined, change: StoredChange): boolean =>
  change.person === undefined || change.person === person;

/** Reports whether an entry is to be sent while this person is here. */
export const canGo = (person: string | undefined, entry: StoredChange): boolean =>
  isWaiting(entry) && isFor(person, entry);

/** Reports whether both are the same call of the same person, whatever is sent with it. */
const isSameCall = (entry: StoredChange, call: SameCall): boolean =>
  sameCall.every((part) => entry[part] === call[part]);

const sameCall = ["type", "method", "endpoint", "person"] as const;
type SameCall = Pick<QueuedChange, (typeof sameCall)[number]>;

/**
 * What becomes of the entries that wait when the same person does this as well: nothing new if the last one is the very same; of two changes of one
 * text one, because the second would not be of the version that the first leaves behind. Else an entry of its own.
 */
function merged(waiting: readonly StoredChange[], change: NewChange): StoredChange | Omit<QueuedChange, "id"> {
  const own = { ...change, shape: SHAPE, status: "pending" } as const;
  const twin = waiting.find(({ requestKey }) => requestKey === change.requestKey);
  // Only the last one: what was done and undone is to be done again.
  const entry = twin ?? waiting.findLast((one) => isSameCall(one, change));
  if (twin) return twin;
  if (!entry || change.type === "createPaste") return own;
  if (change.type === "updatePaste") {
    const before = untouched(entry, change);
    const after = { ...(change.data as object), ...baseOf(entry, change) };
    // The answer of the first may have been lost: under its own name alone the server does not do it again.
    if (isDoneAnew(before)) return { ...own, data: after };
    const data = { ...before, ...after };
    // What was asked under either name was less than this.
    return { ...entry, data, requestKey: randomKey(), timestamp: change.timestamp };
  }
  return JSON.stringify(entry.data) === JSON.stringify(change.data) ? entry : own;
}

/** Reports whether values of a change of a text do something each time they are sent: the views are counted from zero, or a link is drawn. */
const isDoneAnew = ({ resetViews, newSlug }: PasteChange): boolean =>
  resetViews === true || newSlug === null || newSlug === "";

/** What a change of a text was made to. */
interface Base {
  readonly version?: unknown;
  readonly after?: readonly string[];
}

/**
 * What a change of a text is made to that goes on from another one: to the version that this was made to, or to what either has left of it,
 * because the answer of each may have been lost.
 */
function baseOf(entry: StoredChange, change: Pick<NewChange, "data" | "requestKey">): Base {
  const [{ version, after = [] }, { after: later = [] }] = [entry.data as Base, (change.data ?? {}) as Base];
  const names = [...new Set([...after, entry.requestKey, ...later, change.requestKey])];
  return { ...(version !== undefined && { version }), after: names.slice(-MAX_EARLIER_CHANGES) };
}

/** The names of the changes that a change of a text goes on from. */
const afterOf = ({ data }: Pick<NewChange, "data">): readonly string[] => ((data ?? {}) as Base).after ?? [];

/**
 * Reports whether a change goes on from one of those that were refused. It waits until the person has decided about that one: sent before, it would
 * leave another version than that was made to, and that could never be sent again.
 */
export const isBehind = (refused: ReadonlySet<string>, change: StoredChange): boolean =>
  afterOf(change).some((key) => refused.has(key));

/** A change that goes on from that one, too. */
const naming = <Change extends Pick<NewChange, "data">>(change: Change, requestKey: string): Change => ({
  ...change,
  data: { ...(change.data as object), after: [...afterOf(change), requestKey] },
});

/** Names under which one thing is set. */
const password = ["password", "clearPassword"];

/** The values of a change that a later one of the same record does not set. */
function untouched({ data }: Pick<StoredChange, "data">, later: Pick<NewChange, "data">): Record<string, unknown> {
  const set = Object.keys(later.data ?? {});
  const isSet = (name: string) =>
    set.some((one) => one === name || (password.includes(one) && password.includes(name)));
  return Object.fromEntries(Object.entries(data ?? {}).filter(([name]) => !isSet(name)));
}

/** What is left of a change when the same person has set some of its values otherwise since. */
function leftOf(entry: StoredChange, later: Pick<NewChange, "data" | "requestKey">): StoredChange | undefined {
  const { version: _version, after: _after, ...data } = untouched(entry, later);
  const text = entry.type === "updatePaste" ? unseenText(entry, later) : undefined;
  if (text) return { ...entry, data: { ...data, ...text }, requestKey: randomKey() };
  if (Object.keys(data).length === 0) return undefined;
  if (entry.type !== "updatePaste") return { ...entry, data };
  return { ...entry, data: { ...data, ...baseOf(entry, later) }, requestKey: randomKey() };
}

/**
 * The text of a change in whose place a later one has put another without knowing it, as an editor in another tab does. It stays a change of
 * the version that it was made to: the server refuses that one, and the person decides. Undefined when nothing is lost with it.
 */
function unseenText(entry: StoredChange, later: Pick<NewChange, "data">): (Base & { content: string }) | undefined {
  const { content, version, after = [] } = entry.data as Base & { content?: string };
  const { content: other, after: known = [] } = (later.data ?? {}) as Base & { content?: string };
  if (content === undefined || version === undefined || other === undefined || other === content) return undefined;
  // A change that several were merged into names the last of them last.
  if ([entry.requestKey, after.at(-1) ?? ""].some((key) => known.includes(key))) return undefined;
  return { content, version, after: [...after, entry.requestKey].slice(-MAX_EARLIER_CHANGES) };
}

/** What browsers say when the file of a large value is gone. */
const LOST: ReadonlySet<string> = new Set(["NotReadableError", "NotFoundError"]);

/** The changes that wait, in the order in which they were made. */
export function createQueue(database: OfflineDatabase) {
  const add = async (change: NewChange): Promise<boolean> => {
    const transaction = database.transaction("offlineQueue", "readwrite");
    const entries = (await transaction.store.getAll()) as StoredChange[];
    const one = merged(entries.filter(isWaiting), change);
    // What was sent is small, and needs no room that a change could have.
    const full = !("id" in one) && entries.filter(({ status }) => status !== "sent").length >= MAX_QUEUED;
    if (!full) await transaction.store.put(one);
    await transaction.done;
    return !full;
  };
  const settle = async ({ id, requestKey }: StoredChange, known?: Settled): Promise<boolean> => {
    const transaction = database.transaction("offlineQueue", "readwrite");
    const entry = await transaction.store.get(id);
    const isSame = entry?.requestKey === requestKey;
    if (isSame) {
      // What was sent is done with, the password in it too.
      const { data, ...rest } = entry;
      if (known) await transaction.store.put({ ...rest, ...known, data: known.status === "sent" ? undefined : data });
      else await transaction.store.delete(id);
    }
    await transaction.done;
    return isSame;
  };
  const retry = async (id: number, data?: unknown): Promise<void> => {
    const transaction = database.transaction("offlineQueue", "readwrite");
    const entry = (await transaction.store.get(id)) as StoredChange | undefined;
    // Another tab may have sent it since it was shown.
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
  };
  return {
    all: async (): Promise<readonly StoredChange[]> => {
      // The key of the store is in each entry, which the types of the database do not say.
      return (await database.getAll("offlineQueue")) as StoredChange[];
    },
    /** The number of the first entry behind that one. */
    next: (id: number): Promise<number | undefined> =>
      database.getKey("offlineQueue", IDBKeyRange.lowerBound(id, true)),
    /** An entry as it is at this moment. */
    get: async (id: number): Promise<StoredChange | undefined> =>
      (await database.get("offlineQueue", id)) as StoredChange | undefined,
    /** Keeps a change, at most once; false when there are too many. Rejects when the browser's storage is full. */
    add: (change: NewChange): Promise<boolean> => withRoom(database, () => add(change)),
    /** Takes out of what waits the values that the same person has set otherwise since, by a change that holds already. */
    async overtake(change: SameCall & Pick<NewChange, "data" | "requestKey">): Promise<void> {
      const transaction = database.transaction("offlineQueue", "readwrite");
      let holding: Parameters<typeof leftOf>[1] = change;
      for await (const cursor of transaction.store) {
        const entry = cursor.value as StoredChange;
        if (!isWaiting(entry) || !isSameCall(entry, change)) continue;
        const left = leftOf(entry, holding);
        await (left ? cursor.update(left) : cursor.delete());
        // It is sent before those behind it, under a name that they do not know yet.
        if (left && afterOf(left).includes(change.requestKey)) holding = naming(holding, left.requestKey);
      }
      await transaction.done;
    },
    /**
     * Removes the entries that the browser cannot read any more, and answers whether there were any: browsers keep large values in files of
     * their own, which may be gone. One such entry would hide all others.
     */
    async removeUnreadable(): Promise<boolean> {
      let found = false;
      for (const id of await database.getAllKeys("offlineQueue")) {
        const isLost = await database.get("offlineQueue", id).then(
          () => false,
          // Other errors pass, as that of a device short of memory does.
          (error: unknown) => error instanceof DOMException && LOST.has(error.name),
        );
        if (!isLost) continue;
        await database.delete("offlineQueue", id);
        found = true;
      }
      return found;
    },
    /** Removes an entry as it was seen: not one that has become another change since, and a sent one only if it was seen as sent. */
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
     * Notes what became of a change that was sent, and answers whether it did: not if it has become another one meanwhile. Without an answer to
     * show it is gone.
     */
    settle: (change: StoredChange, known?: Settled): Promise<boolean> =>
      withRoom(database, () => settle(change, known)),
    /** Has a refused change wait again, with other content if some is given; those that go on from it then go on from that. */
    retry: (id: number, data?: unknown): Promise<void> => withRoom(database, () => retry(id, data)),
    /** Removes every change that this person made, and those of which it cannot be told. */
    async removeOf(person: string): Promise<void> {
      const transaction = database.transaction("offlineQueue", "readwrite");
      for await (const cursor of transaction.store)
        if (!isReadable(cursor.value) || cursor.value.person === person) await cursor.delete();
      await transaction.done;
    },
  };
}

export type Queue = ReturnType<typeof createQueue>;
