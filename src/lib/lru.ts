/** How often a cache was of use. */
export interface CacheCounts {
  hits: number;
  misses: number;
  /** Entries that were too old when they were asked for. */
  expired: number;
  /** Times that it was emptied. */
  invalidations: number;
  /** Entries that had to make room. */
  pruned: number;
}

/** A map that holds at most `capacity` entries and forgets the one that was used longest ago. */
export class Lru<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly counts: CacheCounts = { hits: 0, misses: 0, expired: 0, invalidations: 0, pruned: 0 };

  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.#entries.size;
  }

  /** What is kept; an entry of which `isGood` says no is forgotten instead. */
  get(key: Key, isGood?: (value: Value) => boolean): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) {
      this.counts.misses += 1;
      return undefined;
    }
    this.#entries.delete(key);
    if (isGood && !isGood(value)) {
      this.counts.expired += 1;
      return undefined;
    }
    this.counts.hits += 1;
    this.#entries.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.capacity) return;
    const oldest = this.#entries.keys().next();
    if (oldest.done) return;
    this.#entries.delete(oldest.value);
    this.counts.pruned += 1;
  }

  /** Forgets the entries of which `which` says yes, all of them without it, and answers how many. */
  clear(which?: (value: Value) => boolean): number {
    this.counts.invalidations += 1;
    const before = this.size;
    if (which) for (const [key, value] of this.#entries) if (which(value)) this.#entries.delete(key);
    if (!which) this.#entries.clear();
    return before - this.size;
  }
}
