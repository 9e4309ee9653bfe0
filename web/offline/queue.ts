import { type QueuedChange, SHAPE } from "./change.ts";
import type { OfflineDatabase } from "./database.ts";

/** Changes that wait at most: beyond it a person is told that nothing more can be kept. */
export const MAX_QUEUED = 100;

/** A change as the database has it. */
export type StoredChange = QueuedChange & { readonly id: number };

/** What is new about a change before it is kept. */
type NewChange = Omit<QueuedChange, "id" | "shape" | "status" | "refusal" | "answer">;

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
 * text one, because the second would not be of the version that the first leaves behind. Undefined if they have nothing to do with each other.
 */
function merged(waiting: readonly StoredChange[], change: NewChange): StoredChange | undefined {
  const twin = waiting.find(({ requestKey }) => requestKey === change.requestKey);
  // Only the last one: what was done and undone is to be done again.
  const entry = twin ?? waiting.findLast((one) => isSameCall(one, change));
  if (twin || !entry || change.type === "createPaste") return twin;
  if (change.type === "updatePaste") {
    const data = { ...(entry.data as object), ...(change.data as object), ...versionOf(entry.data) };
    return { ...entry, data, requestKey: change.requestKey, timestamp: change.timestamp };
  }
  return JSON.stringify(entry.data) === JSON.stringify(change.data) ? entry : undefined;
}

/** The version of the text that the first change was made to. */
function versionOf(data: unknown): { readonly version?: unknown } {
  const { version } = (data ?? {}) as { version?: unknown };
  return version === undefined ? {} : { version };
}

/** The changes that wait, in the order in which they were made. */
export function createQueue(database: OfflineDatabase) {
  return {
    all: async (): Promise<readonly StoredChange[]> => {
      // The key of the store is in each entry, which the types of the database do not say.
      return (await database.getAll("offlineQueue")) as StoredChange[];
    },
    /** The first entry behind that number, as it is at this moment. */
    async after(id: number): Promise<StoredChange | undefined> {
      const cursor = await database.transaction("offlineQueue").store.openCursor(IDBKeyRange.lowerBound(id, true));
      return cursor?.value as StoredChange | undefined;
    },
    /** Keeps a change, at most once; false when there are too many. Rejects when the browser's storage is full. */
    async add(change: NewChange): Promise<boolean> {
      const transaction = database.transaction("offlineQueue", "readwrite");
      const entries = (await transaction.store.getAll()) as StoredChange[];
      const one = merged(entries.filter(isWaiting), change);
      // What was sent is small, and needs no room that a change could have.
      const full = one === undefined && entries.filter(({ status }) => status !== "sent").length >= MAX_QUEUED;
      if (!full) await transaction.store.put(one ?? { ...change, shape: SHAPE, status: "pending" });
      await transaction.done;
      return !full;
    },
    /** Takes out of what waits the values of a record that the same person has set otherwise since, and that hold already. */
    async overtake(call: SameCall, record: object): Promise<void> {
      const transaction = database.transaction("offlineQueue", "readwrite");
      for await (const cursor of transaction.store) {
        const entry = cursor.value as StoredChange;
        if (!isWaiting(entry) || !isSameCall(entry, call)) continue;
        const left = Object.entries(entry.data ?? {}).filter(([name]) => !Object.hasOwn(record, name));
        if (left.length === 0) await cursor.delete();
        else await cursor.update({ ...entry, data: Object.fromEntries(left) });
      }
      await transaction.done;
    },
    remove: (id: number): Promise<void> => database.delete("offlineQueue", id),
    /** Notes what became of a change that was sent, unless it has become another one meanwhile; without an answer to show it is gone. */
    async settle({ id, requestKey }: StoredChange, known?: Pick<QueuedChange, "status" | "refusal" | "answer">) {
      const transaction = database.transaction("offlineQueue", "readwrite");
      const entry = await transaction.store.get(id);
      if (entry?.requestKey === requestKey) {
        // What was sent is done with, the password in it too.
        const { data, ...rest } = entry;
        if (known) await transaction.store.put({ ...rest, ...known, data: known.status === "sent" ? undefined : data });
        else await transaction.store.delete(id);
      }
      await transaction.done;
    },
    /** Makes another change of an entry that is still there. */
    async update(id: number, known: Partial<Pick<QueuedChange, "status" | "data" | "requestKey">>): Promise<void> {
      const transaction = database.transaction("offlineQueue", "readwrite");
      const entry = await transaction.store.get(id);
      if (entry) await transaction.store.put({ ...entry, ...known });
      await transaction.done;
    },
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
