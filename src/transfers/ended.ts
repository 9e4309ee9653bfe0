/** The results of replacing uploads that have ended, for senders that did not hear the answer. */
import type { Cluster } from "../database/cluster.ts";
import type { Sql } from "../database/database.ts";
import { Lru } from "../lib/cache.ts";
import { type Ended, endedTable } from "./ended-table.ts";

/** Finished uploads that one server remembers. */
const MAX_ENDED = 1000;
/** Milliseconds for which several servers remember one. */
const REMEMBERED = 60 * 60_000;

/** Kept in memory; several servers keep them in the database, because a sender asks any of them. */
export function createEnded(cluster: Pick<Cluster, "db" | "shared" | "now">) {
  const kept = new Lru<string, Ended>(MAX_ENDED);
  const table = endedTable(cluster);

  return {
    /** The result that has one of these names. */
    async find(...names: readonly string[]): Promise<Ended | undefined> {
      for (const name of names) {
        const found = cluster.shared ? await table.find(name) : kept.get(name);
        if (found) return found;
      }
      return undefined;
    },

    /** Keeps a result; returns what the transaction must do that removes the upload. */
    keep(names: readonly string[], ended: Ended): readonly Sql[] {
      if (cluster.shared) return names.map((name) => table.insertion(name, ended));
      for (const name of names) kept.set(name, ended);
      return [];
    },

    async forget(name: string): Promise<void> {
      if (cluster.shared) await table.remove(name);
      else kept.delete(name);
    },

    /** Forgets what several servers have remembered for an hour; returns how many. */
    sweep: (): Promise<number> => table.removeBefore(REMEMBERED),
  };
}

export type EndedUploads = ReturnType<typeof createEnded>;
