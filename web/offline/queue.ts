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

/** The changes that wait, in the order in which they were made. */
export function createQueue(database: OfflineDatabase) {
  return {
    all: async (): Promise<readonly StoredChange[]> => {
      // The key of the store is in each entry, which the types of the database do not say.
      return (await database.getAll("offlineQueue")) as StoredChange[];
    },
    /** Keeps a change; false when there are too many. Rejects when the browser's storage is full. */
    async add(change: NewChange): Promise<boolean> {
      const transaction = database.transaction("offlineQueue", "readwrite");
      const full = (await transaction.store.count()) >= MAX_QUEUED;
      if (!full) await transaction.store.add({ ...change, shape: SHAPE, status: "pending" });
      await transaction.done;
      return !full;
    },
    remove: (id: number): Promise<void> => database.delete("offlineQueue", id),
    /** Changes what is known of an entry that is still there. */
    async update(
      id: number,
      known: Partial<Pick<QueuedChange, "status" | "refusal" | "answer" | "data" | "requestKey">>,
    ): Promise<void> {
      const transaction = database.transaction("offlineQueue", "readwrite");
      const entry = await transaction.store.get(id);
      if (entry) await transaction.store.put({ ...entry, ...known });
      await transaction.done;
    },
    clear: (): Promise<void> => database.clear("offlineQueue"),
  };
}

export type Queue = ReturnType<typeof createQueue>;
