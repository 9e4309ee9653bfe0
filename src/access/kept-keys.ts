import type { Cluster } from "../cluster/cluster.ts";
import { cacheOf, Lru } from "../lib/cache.ts";
import { createSnapshot } from "../lib/snapshot.ts";
import type { KeyRow, KeysTable } from "./keys-table.ts";

const MAX_KEPT = 1000;

/** Keeps keys in memory until one of them is changed, on whichever server. */
export function createKeptKeys(table: KeysTable, cluster: Pick<Cluster, "follow">) {
  // Other servers tell of their changes, so forgetting all of them after one is exact.
  const rows = new Lru<string, KeyRow>(MAX_KEPT);
  const names = createSnapshot(async () => new Map((await table.names()).map(({ id, name }) => [id, name])));
  let changes = 0;
  const forget = () => {
    changes += 1;
    rows.clear();
    names.forget();
  };
  cluster.follow("keys", forget);

  const keptOr = async (name: string, find: () => Promise<KeyRow | undefined>): Promise<KeyRow | undefined> => {
    const known = rows.get(name);
    if (known) return known;
    const before = changes;
    const found = await find();
    // A key found before a change must not be cached after it.
    if (before === changes && found) rows.set(name, found);
    return found;
  };

  return {
    forget,

    /** The key that is kept under a name, else what `find` finds. */
    getOr: keptOr,

    /** Returns the function that finds the name of the key that created a record; undefined for other owners and deleted keys. */
    async creators(): Promise<(createdBy: string) => string | undefined> {
      const known = await names.get();
      return (createdBy) => known.get(createdBy.replace(/^apikey:/, ""));
    },

    cache: cacheOf("keys", rows),
  };
}

export type KeptKeys = ReturnType<typeof createKeptKeys>;
