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

/** A map that holds entries up to `capacity`, each weighing 1 unless said, and forgets those that were used longest ago. */
export class Lru<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  #weight = 0;
  readonly counts: CacheCounts = { hits: 0, misses: 0, expired: 0, invalidations: 0, pruned: 0 };

  constructor(
    private readonly capacity: number,
    private readonly weigh: (value: Value) => number = () => 1,
  ) {}

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
    if (isGood && !isGood(value)) {
      this.delete(key);
      this.counts.expired += 1;
      return undefined;
    }
    this.#entries.delete(key);
    this.counts.hits += 1;
    this.#entries.set(key, value);
    return value;
  }

  /** An entry that is heavier than all there is room for is not kept. */
  set(key: Key, value: Value): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#weight += this.weigh(value);
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.capacity) return;
      this.delete(oldest);
      this.counts.pruned += 1;
    }
  }

  delete(key: Key): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#weight -= this.weigh(value);
  }

  /** Forgets the entries of which `which` says yes, all of them without it, and answers how many. */
  clear(which?: (value: Value) => boolean): number {
    this.counts.invalidations += 1;
    const before = this.size;
    for (const [key, value] of this.#entries) if (which === undefined || which(value)) this.delete(key);
    return before - this.size;
  }
}
