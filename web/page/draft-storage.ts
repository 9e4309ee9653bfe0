import { browserStorage, type KeyValue, keyIn } from "../lib/storage.ts";
import { createStore } from "../lib/store.ts";

/** The same key as in the page (src/fronts/site/head.ts), which shows no hint where there is a draft. */
const KEY = "satchel-draft";

interface DraftStoragePorts {
  readonly storage: KeyValue;
  readonly window: {
    addEventListener(type: "storage", listener: (event: Pick<StorageEvent, "key" | "newValue">) => void): void;
  };
}

/** The text of Home that is no share yet, as the browser keeps it for every tab. */
export function createDraftStorage({ storage, window }: DraftStoragePorts) {
  const forgotten = createStore(0);
  const tell = () => forgotten.set(forgotten.get() + 1);
  // No draft is ever kept empty, so this is how another tab says that it was forgotten and not shared.
  window.addEventListener("storage", (event) => {
    if (keyIn(event) === KEY && event.newValue === "") tell();
  });
  return {
    get: () => storage.get(KEY),
    /** False when the browser refuses. */
    set: (text: string) => storage.set(KEY, text),
    remove: () => storage.remove(KEY),
    /** Reports whether there is more than white space in it. */
    isThere: () => (storage.get(KEY) ?? "").trim() !== "",
    /** Removes it and what each tab has of it: who wrote it has logged out. */
    forget() {
      storage.set(KEY, "");
      storage.remove(KEY);
      tell();
    },
    /** Counts how often it was forgotten, here or in another tab. */
    forgotten,
  };
}

export type DraftStorage = ReturnType<typeof createDraftStorage>;

/** The draft of this browser. */
export const draftStorage = createDraftStorage({ storage: browserStorage, window });
