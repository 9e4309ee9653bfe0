import { createStore } from "../../../lib/store.ts";
import { createOwnStorage } from "../model/own-storage.ts";

/** Searches that are kept, and those of them that are shown. */
const KEPT = 10;
export const SHOWN = 5;

const kept = createOwnStorage("fileSearchHistory", (value): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string").slice(0, KEPT) : [],
);

const store = createStore<readonly string[]>([]);

/** The last searches of who is here, the newest first. */
export const recentSearches = {
  store,
  /** Reads them anew: somebody else may be here now. */
  recall: () => store.set(kept.get()),
  note(query: string): void {
    store.set([query, ...kept.get().filter((one) => one !== query)].slice(0, KEPT));
    kept.set(store.get());
  },
  clear(): void {
    store.set([]);
    kept.remove();
  },
};
