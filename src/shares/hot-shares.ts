import { type Cache, cacheOf, Lru } from "../lib/cache.ts";

/** Shares that were just asked for, kept for as long as nothing changes. */
interface HotShares<Share> {
  kept(slug: string): Share | undefined;
  /** What `find` brings, kept from now on if that is worth it. */
  keep(slug: string, find: (slug: string) => Promise<Share | undefined>): Promise<Share | undefined>;
  /** Call after every change to any share. */
  forget(): void;
  readonly cache: Cache;
}

const MOST_SHARES = 1000;

/**
 * A link that goes around is read thousands of times in a row: what `worthKeeping` says may be answered from memory instead
 * of asking the database each time. This process is the only one that writes, so forgetting is exact.
 */
export function createHotShares<Share>(name: string, worthKeeping: (share: Share) => boolean): HotShares<Share> {
  const kept = new Lru<string, Share>(MOST_SHARES);
  let changes = 0;

  return {
    kept: (slug) => kept.get(slug),
    async keep(slug, find) {
      const before = changes;
      const found = await find(slug);
      // What was found before a change must not be kept after it.
      if (before === changes && found && worthKeeping(found)) kept.set(slug, found);
      return found;
    },
    forget() {
      changes += 1;
      kept.clear();
    },
    cache: cacheOf(name, kept),
  };
}
