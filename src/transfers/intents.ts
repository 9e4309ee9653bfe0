/** Changes objects so that followers learn of it even when the process ends in between. */
import { Failure } from "#contract/failures";
import type { Cluster } from "../database/cluster.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import type { Change, MovedChange } from "../stores/changes.ts";
import type { ObjectStore, Place } from "../stores/store.ts";
import type { Stores } from "../stores/stores.ts";
import type { Changes } from "./changes.ts";
import { type IntentRow, intentsTable } from "./uploads-table.ts";

interface IntentsDependencies {
  readonly cluster: Cluster;
  readonly log: Log;
  readonly stores: Stores;
  readonly changes: Changes;
}

/** A change that can be recorded before it is made: afterwards the storage shows whether it was. */
type PlannedChange = MovedChange | Extract<Change, { kind: "removed" }>;

/**
 * Each change is recorded first and its record deleted last: if the process or the database fails in between,
 * followers are notified later.
 */
export function createIntents({ cluster, log, stores, changes }: IntentsDependencies) {
  const table = intentsTable(cluster);
  const underWay = new Set<string>();

  /** Nothing to record where nothing is planned. */
  const rowOf = ([first, ...rest]: readonly PlannedChange[], certain: boolean): IntentRow | undefined => {
    if (!first) return undefined;
    const { storage } = first.kind === "moved" ? first.from : first.at;
    return { id: Bun.randomUUIDv7(), storage, certain: certain ? 1 : 0, changes: JSON.stringify([first, ...rest]) };
  };

  const tellEach = async (made: readonly Change[]): Promise<void> => {
    for (const change of made) await changes.tell(change);
  };

  /** Notifies followers of a recorded change, and deletes its record. */
  const settle = async ({ id, storage, changes: text, certain }: IntentRow): Promise<void> => {
    const planned = JSON.parse(text) as PlannedChange[];
    const store = await storeOf(storage);
    for (const change of store ? planned : []) {
      const made = certain === 1 ? again(change) : store && (await whatWasMade(change, store));
      if (made) await changes.tell(made);
    }
    await table.remove(id);
  };

  /** Undefined for a storage that is not configured any more. */
  const storeOf = async (id: string): Promise<ObjectStore | undefined> => {
    const configs = await stores.configs.list();
    return configs.some((config) => config.id === id) ? (await stores.get(id)).store : undefined;
  };

  /** A change that failed may have been made all the same. If the storage cannot tell now, the sweeper checks again. */
  const settleFailed = async (row: IntentRow): Promise<void> => {
    try {
      await settle(row);
    } catch (error) {
      log.warn("change not settled", { storage: row.storage, ...unforeseen(error) });
    }
  };

  const perform = async <Result>(
    planned: readonly PlannedChange[],
    certain: boolean,
    make: () => Promise<Result>,
  ): Promise<Result> => {
    const row = rowOf(planned, certain);
    if (row) underWay.add(row.id);
    try {
      // One whose answer was lost may be written all the same.
      if (row) await table.insert(row);
      const result = await make();
      await tellEach(planned);
      if (row) await table.remove(row.id);
      return result;
    } catch (error) {
      if (row) await settleFailed(row);
      throw error;
    } finally {
      if (row) underWay.delete(row.id);
    }
  };

  /** Returns how many were settled. */
  const settleAll = async (rows: readonly IntentRow[], silent: Set<string>): Promise<number> => {
    let settled = 0;
    for (const row of rows) {
      if (underWay.has(row.id) || silent.has(row.storage)) continue;
      try {
        await settle(row);
        settled += 1;
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        silent.add(row.storage);
      }
    }
    return settled;
  };

  // A server that died in between has told nobody; its leases end first.
  cluster.regularly(async () => {
    const lease = await cluster.leases.take("changes that were not told");
    if (!lease) return;
    try {
      await settleAll(await table.left(), new Set());
    } finally {
      await lease.release();
    }
  });

  return {
    /** Makes changes and notifies followers. If making them fails, those that were made are reported. */
    change: <Result>(planned: readonly PlannedChange[], make: () => Promise<Result>): Promise<Result> =>
      perform(planned, false, make),

    /** Tells followers of a change that was made. */
    made: (change: PlannedChange): Promise<void> => perform([change], true, async () => undefined),

    /**
     * Reports the changes that the last process did not report, of the built-in storages. Call it at the start, before
     * any request is answered; storages elsewhere, which may not answer, are left to the sweeper.
     */
    start: async (elsewhere: readonly string[]): Promise<void> =>
      void (await settleAll(await table.all(elsewhere), new Set())),

    /** Reports unreported changes, except of silent storages; returns how many records there were. */
    sweep: async (silent: Set<string>): Promise<number> => await settleAll(await table.all([...silent]), silent),
  };
}

export type Intents = ReturnType<typeof createIntents>;

/** The change as it is reported if followers may already know it. */
const again = (change: PlannedChange): Change => (change.kind === "moved" ? { ...change, again: true } : change);

/** Returns the part of a planned change that the storage shows; undefined if the old state is still there. */
async function whatWasMade(change: PlannedChange, store: ObjectStore): Promise<Change | undefined> {
  const from = change.kind === "moved" ? change.from : change.at;
  if (await isThere(from, store)) return undefined;
  const isMoved = change.kind === "moved" && (await isThere(change.to, store));
  return isMoved ? again(change) : { kind: "removed", at: from };
}

async function isThere({ key }: Place, store: ObjectStore): Promise<boolean> {
  if (await store.head(key)) return true;
  if (!key.endsWith("/")) return false;
  return (await store.list({ prefix: key, limit: 1 })).objects.length > 0;
}
