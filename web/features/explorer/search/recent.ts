import { callerOf } from "../../../api/session/caller.ts";
import { credential } from "../../../api/session/credential.ts";
import { createStore } from "../../../lib/store.ts";
import { pageDatabase } from "../../../offline/page-database.ts";
import { createSearches } from "../../../offline/searches.ts";

/** Searches that are shown. */
export const SHOWN = 5;

const person = () => callerOf(credential.state.get());
const store = createStore<readonly string[]>([]);

/** Does something with what is kept, then shows what is there; where the browser keeps nothing there is nothing to show. */
async function withKept(act: (kept: ReturnType<typeof createSearches>) => Promise<unknown>): Promise<void> {
  const who = person();
  try {
    const database = await pageDatabase();
    const kept = createSearches({ database, person, now: Date.now });
    await act(kept);
    const recalled = await kept.recall();
    if (person() === who) store.set(recalled);
  } catch {
    store.set([]);
  }
}

// Somebody else may be here now.
credential.state.subscribe(() => void recentSearches.recall());

/** The last searches of who is here, the newest first. */
export const recentSearches = {
  store,
  /** Reads them anew. */
  recall: () => withKept(async () => undefined),
  note: (query: string) => withKept((kept) => kept.note(query)),
  clear: () => withKept((kept) => kept.clear()),
};
