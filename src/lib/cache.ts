import type { CacheCounts, Lru } from "./lru.ts";

/** Limits what is forgotten to what is kept of one storage, or only of the tree over it. */
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
  /** Forgets everything, or what is kept of the scope, and answers how many entries that were. */
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
