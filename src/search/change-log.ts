/** Changes on their way to the index when several servers record them: one of them at a time applies those of all. */
import type { Cluster } from "../cluster/cluster.ts";
import { LeaseLost } from "../cluster/held-leases.ts";
import type { Sql } from "../database/sql.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import { changeLogTable } from "./change-log-table.ts";
import type { Change } from "./changes.ts";

interface ChangeLogDeps {
  readonly cluster: Cluster;
  readonly log: Log;
  /** Begins to write, with what proves in each transaction that this server may. */
  readonly begin: (proof: readonly Sql[]) => Promise<void>;
  readonly apply: (changes: readonly Change[]) => Promise<void>;
  /** Receives changes that will never be applied. */
  readonly lost: (changes: readonly Change[]) => void;
}

/** Changes that are applied at once. */
const BATCH = 500;
/** Changes that are counted, so that counting them stays cheap. */
const MOST_COUNTED = 10_000;

export function createChangeLog({ cluster, log, begin, apply, lost }: ChangeLogDeps) {
  const table = changeLogTable(cluster.db);

  const applyOrLose = async (changes: readonly Change[]): Promise<void> => {
    try {
      await apply(changes);
    } catch (error) {
      // Whoever writes the index now applies them.
      if (error instanceof LeaseLost) throw error;
      log.error("changes not indexed", unforeseen(error));
      lost(changes);
    }
  };

  return {
    /** Records a change; it reaches the index a moment later, also when this server dies. */
    add: table.add,

    /** Reports whether every change is in the index. */
    isEmpty: table.isEmpty,

    /** A condition: some changes are not in the index. */
    isWaiting: table.isWaiting,

    /** How many changes of all servers are not in the index yet, 10,000 at most. */
    waiting: () => table.count(MOST_COUNTED),

    /** Runs a task while no other server writes the index. */
    async exclusively(task: () => Promise<void>): Promise<void> {
      const lease = await cluster.leases.wait(["search index"]);
      try {
        await cluster.synced();
        await begin(lease.proof);
        await task();
      } finally {
        await lease.release();
      }
    },

    /** Applies the first changes that wait; reports whether there were any. */
    async next(): Promise<boolean> {
      const rows = await table.first(BATCH);
      if (rows.length === 0) return false;
      // A listing that was requested before a change must be known to be older once the change is applied.
      await cluster.synced();
      await applyOrLose(rows.map(({ change }) => JSON.parse(change) as Change));
      await table.remove(rows.map(({ id }) => id));
      return true;
    },
  };
}

export type ChangeLog = ReturnType<typeof createChangeLog>;
