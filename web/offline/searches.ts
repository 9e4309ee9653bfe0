import type { OfflineDatabase } from "./database.ts";

/** How many searches are kept per person. */
const KEPT = 10;

interface SearchesPorts {
  readonly database: OfflineDatabase;
  /** Who is signed in; undefined for a visitor. */
  readonly person: () => string | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Remembers recent searches of this browser, separately for each person. */
export function createSearches({ database, person, now }: SearchesPorts) {
  return {
    /** Returns the searches of the current person, newest first. */
    async recall(): Promise<readonly string[]> {
      const all = await database.getAllFromIndex("searchHistory", "timestamp");
      return all.flatMap((one) => (one.person === person() ? [one.query] : [])).reverse();
    },
    /** Stores a search as the newest. An older one with the same text is deleted, and the oldest beyond the limit. */
    async note(query: string): Promise<void> {
      const who = person();
      const transaction = database.transaction("searchHistory", "readwrite");
      let others = 0;
      // Later than all others, even if the clock was set back since.
      let timestamp = now();
      for await (const cursor of transaction.store.index("timestamp").iterate(null, "prev")) {
        if (cursor.value.person !== who) continue;
        timestamp = Math.max(timestamp, cursor.value.timestamp + 1);
        if (cursor.value.query === query || others === KEPT - 1) await cursor.delete();
        else others += 1;
      }
      await transaction.store.add({ query, timestamp, ...(who !== undefined && { person: who }) });
      await transaction.done;
    },
    /** Deletes the searches of the current person. */
    async clear(): Promise<void> {
      const transaction = database.transaction("searchHistory", "readwrite");
      for await (const cursor of transaction.store) if (cursor.value.person === person()) await cursor.delete();
      await transaction.done;
    },
  };
}
