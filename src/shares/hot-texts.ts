import { Lru } from "../lib/lru.ts";
import type { FoundPaste } from "./pastes-table.ts";

/** Small texts that anybody may read, kept for as long as nothing changes. */
export interface HotTexts {
  /** The kept share, or the one that `find` brings. */
  get(slug: string, find: (slug: string) => Promise<FoundPaste | undefined>): Promise<FoundPaste | undefined>;
  /** Call after every change to any share. */
  forget(): void;
}

const MOST_TEXTS = 1000;

/**
 * A link that goes around is read thousands of times in a row: its text is then answered from memory (16 MB at most)
 * instead of asking the database each time. This process is the only one that writes, so forgetting is exact.
 */
export function createHotTexts(): HotTexts {
  let kept = new Lru<string, FoundPaste>(MOST_TEXTS);

  return {
    async get(slug, find) {
      const known = kept.get(slug);
      if (known) return known;
      const before = kept;
      const found = await find(slug);
      // What was found before a change must not be kept after it.
      if (before === kept && found?.free_content != null) kept.set(slug, found);
      return found;
    },
    forget() {
      kept = new Lru(MOST_TEXTS);
    },
  };
}
