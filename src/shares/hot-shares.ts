import { Lru } from "../lib/lru.ts";

/** Shares that were just asked for, kept for as long as nothing changes. */
export interface HotShares<Share> {
  /** The kept share, or the one that `find` brings. */
  get(slug: string, find: (slug: string) => Promise<Share | undefined>): Promise<Share | undefined>;
  /** Call after every change to any share. */
  forget(): void;
}

const MOST_SHARES = 1000;

/**
 * A link that goes around is read thousands of times in a row: what `worthKeeping` says may be answered from memory instead
 * of asking the database each time. This process is the only one that writes, so forgetting is exact.
 */
export function createHotShares<Share>(worthKeeping: (share: Share) => boolean): HotShares<Share> {
  let kept = new Lru<string, Share>(MOST_SHARES);

  return {
    async get(slug, find) {
      const known = kept.get(slug);
      if (known) return known;
      const before = kept;
      const found = await find(slug);
      // What was found before a change must not be kept after it.
      if (before === kept && found && worthKeeping(found)) kept.set(slug, found);
      return found;
    },
    forget() {
      kept = new Lru(MOST_SHARES);
    },
  };
}
