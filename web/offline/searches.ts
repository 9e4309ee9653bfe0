import type { OfflineDatabase } from "./database.ts";

/** Searches that are kept of one person. */
const KEPT = 10;

interface Surroundings {
  readonly database: OfflineDatabase;
  /** Who is signed in; undefined for a visitor. */
  readonly person: () => string | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** What was searched for last in this browser, each person's own. */
export function createSearches({ database, person, now }: Surroundings) {
  return {
    /** The searches of who is here, the newest first. */
    async recall(): Promise<readonly string[]> {
      const all = await database.getAllFromIndex("searchHistory", "timestamp");
      return all.flatMap((one) => (one.person === person() ? [one.query] : [])).reverse();
    },
    /** Keeps a search as the newest one, once; the oldest go. */
    async note(query: string): Promise<void> {
      const who = person();
      const transaction = database.transaction("searchHistory", "readwrite");
      let others = 0;
      // Behind all others, also when the clock was set back since.
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
    /** Forgets the searches of who is here. */
    async clear(): Promise<void> {
      const transaction = database.transaction("searchHistory", "readwrite");
      for await (const cursor of transaction.store) if (cursor.value.person === person()) await cursor.delete();
      await transaction.done;
    },
  };
}
