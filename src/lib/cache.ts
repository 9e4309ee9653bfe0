/** The counters of a cache. */
interface CacheCounts {
  hits: number;
  misses: number;
  /** Entries that had expired when they were read. */
  expired: number;
  /** Times that it was emptied. */
  invalidations: number;
  /** Entries that were evicted. */
  pruned: number;
}

/** A map that holds entries up to `capacity`, each weighing 1 by default, and evicts the least recently used. */
export class Lru<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  #weight = 0;
  /** The key that was used last. */
  #newest: Key | undefined;
  readonly counts: CacheCounts = { hits: 0, misses: 0, expired: 0, invalidations: 0, pruned: 0 };

  constructor(
    private readonly capacity: number,
    private readonly weigh: (value: Value) => number = () => 1,
  ) {}

  get size(): number {
    return this.#entries.size;
  }

  /** Returns the entry; removes it instead when `isGood` refuses it. */
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
    this.counts.hits += 1;
    // What everybody asks for stays where it is: to move it costs more than the look-up.
    if (key === this.#newest) return value;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#newest = key;
    return value;
  }

  /** Adds or replaces an entry. An entry heavier than the capacity is not kept. */
  set(key: Key, value: Value): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#newest = key;
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

  /** Removes the entries that `which` accepts, or all without it, and returns how many. */
  clear(which?: (value: Value) => boolean): number {
    this.counts.invalidations += 1;
    const before = this.size;
    for (const [key, value] of this.#entries) if (which === undefined || which(value)) this.delete(key);
    return before - this.size;
  }
}

/** Limits a `clear` to the entries of one storage, or only of the tree over it. */
export interface CacheScope {
  readonly storage?: string;
  /** The storage behind a mount. */
  readonly tree?: string;
}

/** Something kept in memory to answer faster, which may be forgotten at any time. */
export interface Cache {
  readonly name: string;
  readonly counts: Readonly<CacheCounts>;
  /** Entries. */
  size(): number;
  /** Removes all entries, or those of the scope, and returns how many. */
  clear(scope?: CacheScope): number;
}

/** Presents an Lru as a cache; `inScope` says whether an entry belongs to a scope, none does without it. */
export const cacheOf = <Value>(
  name: string,
  lru: Lru<string, Value>,
  inScope: (value: Value, scope: CacheScope) => boolean = () => false,
): Cache => ({
  name,
  counts: lru.counts,
  size: () => lru.size,
  clear: (scope) => lru.clear(scope && ((value) => inScope(value, scope))),
});
