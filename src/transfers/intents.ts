/** Changes objects so that followers learn of it even when the process ends in between. */
import type { Cluster } from "../cluster/cluster.ts";
import type { Log } from "../lib/log.ts";
import type { Stores } from "../stores/stores.ts";
import type { Changes } from "./changes.ts";
import { createCrossMountMove } from "./cross-mount-move.ts";
import { createIntentRecords, recordOf } from "./intent-records.ts";
import { createIntentRecovery } from "./intent-recovery.ts";
import { createRecordedMove } from "./recorded-move.ts";
import type { IsThere, Removal } from "./removal-order.ts";
import { createStaging } from "./staging.ts";
import { createUnconfirmedWrites } from "./unconfirmed-writes.ts";

interface IntentsDependencies {
  readonly cluster: Cluster;
  readonly log: Log;
  readonly stores: Stores;
  readonly changes: Changes;
}

/**
 * Each change is recorded first and its record deleted last: if the process or the database fails in between,
 * followers are notified later.
 */
export function createIntents({ cluster, log, stores, changes }: IntentsDependencies) {
  const records = createIntentRecords({ cluster, changes });
  const { table, underWay } = records;
  const { settleAll, settleFailed } = createIntentRecovery({ records, changes, stores, log });
  const makeRecorded = createRecordedMove({ records, changes, settleFailed });

  // A server that died in between has told nobody; its leases end first.
  cluster.regularly(table.mayBeLeft, async () => {
    const lease = await cluster.leases.take("changes that were not told");
    if (!lease) return;
    try {
      await settleAll(await table.left(), new Set());
    } finally {
      await lease.release();
    }
  });

  return {
    /**
     * Makes removals and notifies followers, of none at whose place `isThere` finds what somebody has told of meanwhile. If making them
     * fails, those that were made are reported.
     */
    async change<Result>(planned: readonly Removal[], make: () => Promise<Result>, isThere?: IsThere): Promise<Result> {
      // Nothing is recorded where nothing is planned.
      const row = planned[0] && recordOf(planned[0].at.storage, planned);
      if (row) underWay.add(row.id);
      try {
        // One whose answer was lost may be written all the same.
        if (row) await table.insert(row);
        const result = await changes.removing(planned, { make, isThere });
        if (row) await table.remove(row.id);
        return result;
      } catch (error) {
        if (row) await settleFailed(row);
        throw error;
      } finally {
        if (row) underWay.delete(row.id);
      }
    },

    write: createUnconfirmedWrites({ records, changes, log }),

    ...createCrossMountMove({ records, makeRecorded, settleFailed }),

    stage: createStaging({ records, settleFailed }),

    /**
     * Reports the changes that the last process did not report, of the built-in storages. Call it at the start, before
     * any request is answered; storages elsewhere, which may not answer, are left to the sweeper.
     */
    start: async (elsewhere: readonly string[]): Promise<void> =>
      void (await settleAll(await table.all(elsewhere), new Set(elsewhere))),

    /** Reports unreported changes, except of silent storages; returns how many records there were. */
    sweep: async (silent: Set<string>): Promise<number> => await settleAll(await table.all([...silent]), silent),
  };
}

export type Intents = ReturnType<typeof createIntents>;
