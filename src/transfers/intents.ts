/** Changes objects so that followers learn of it even when the process ends in between. */
import { Failure } from "#contract/failures";
import type { Cluster } from "../database/cluster.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import type { Change } from "../stores/changes.ts";
import type { Confirm, ObjectStore, Place } from "../stores/store.ts";
import type { Storage, Stores } from "../stores/stores.ts";
import type { Changes } from "./changes.ts";
import { type Moving, makeMove, type PlannedMove, planned as plannedMove, settleMove } from "./moves.ts";
import { type IntentRow, intentsTable } from "./uploads-table.ts";

interface IntentsDependencies {
  readonly cluster: Cluster;
  readonly log: Log;
  readonly stores: Stores;
  readonly changes: Changes;
}

/** A change that can be recorded before it is made: afterwards the storage shows whether it was. */
type PlannedChange = PlannedMove | Removal;

type Removal = Extract<Change, { kind: "removed" }>;

/** Another server has taken over what this one was about, because it took this one for dead. */
class TakenOver extends Error {}

/**
 * Each change is recorded first and its record deleted last: if the process or the database fails in between,
 * followers are notified later.
 */
export function createIntents({ cluster, log, stores, changes }: IntentsDependencies) {
  const table = intentsTable(cluster);
  const underWay = new Set<string>();

  /** Nothing to record where nothing is planned. */
  const rowOf = (planned: readonly Removal[]): IntentRow | undefined =>
    planned[0] && {
      id: Bun.randomUUIDv7(),
      storage: planned[0].at.storage,
      certain: 0,
      changes: JSON.stringify(planned),
    };

  /** Notifies followers of a recorded change, and deletes its record. */
  const settle = async ({ id, storage, changes: text, certain }: IntentRow): Promise<void> => {
    const planned = JSON.parse(text) as PlannedChange[];
    const store = await storeOf(storage);
    for (const change of store ? planned : []) {
      if (certain === 1) await changes.tell(again(change));
      else if (store && change.kind === "moved") await settleMove(movingOf(id, store, change));
      else if (store && change.kind === "removed" && !(await isThere(change.at, store))) await changes.tell(change);
    }
    await table.remove(id);
  };

  /** A recorded move, which is no other server's to make or to bring to an end. */
  const movingOf = (
    id: string,
    store: ObjectStore,
    move: PlannedMove,
    confirm: Confirm = async () => undefined,
  ): Moving => ({
    store,
    move,
    confirm,
    async note(now) {
      if (!(await table.replace({ id, changes: JSON.stringify([now]) }))) throw new TakenOver();
    },
    async demandOwn() {
      if (cluster.shared && !(await table.isOwn(id))) throw new TakenOver();
    },
    tell: changes.tell,
    outdated: changes.outdated,
  });

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

  const change = async <Result>(planned: readonly Removal[], make: () => Promise<Result>): Promise<Result> => {
    const row = rowOf(planned);
    if (row) underWay.add(row.id);
    try {
      // One whose answer was lost may be written all the same.
      if (row) await table.insert(row);
      const result = await make();
      for (const one of planned) await changes.tell(one);
      if (row) await table.remove(row.id);
      return result;
    } catch (error) {
      if (row) await settleFailed(row);
      throw error;
    } finally {
      if (row) underWay.delete(row.id);
    }
  };

  /** Records a move, makes it and tells of it. One that fails is undone, or brought to an end where that is not possible. */
  const move = async ({ config, store }: Storage, wanted: PlannedMove, confirm: Confirm): Promise<void> => {
    let row: IntentRow = { id: Bun.randomUUIDv7(), storage: config.id, certain: 0, changes: "" };
    const noted = (now: PlannedMove) => {
      row = { ...row, changes: JSON.stringify([now]) };
    };
    const first = plannedMove(store, wanted);
    noted(first);
    const moving = movingOf(row.id, store, first, confirm);
    underWay.add(row.id);
    try {
      await table.insert(row);
      await makeMove({
        ...moving,
        async note(now) {
          await moving.note(now);
          noted(now);
        },
      });
      await table.remove(row.id);
    } catch (error) {
      // The other server settles it.
      if (error instanceof TakenOver) throw new Failure("server.busy");
      await settleFailed(row);
      throw error;
    } finally {
      underWay.delete(row.id);
    }
  };

  /** Returns how many were settled. */
  const settleAll = async (rows: readonly IntentRow[], silent: Set<string>): Promise<number> => {
    let settled = 0;
    for (const row of rows) {
      if (underWay.has(row.id) || silent.has(row.storage) || !(await table.take(row.id))) continue;
      underWay.add(row.id);
      try {
        await settle(row);
        settled += 1;
      } catch (error) {
        if (error instanceof TakenOver) continue;
        if (!(error instanceof Failure)) throw error;
        silent.add(row.storage);
      } finally {
        underWay.delete(row.id);
      }
    }
    return settled;
  };

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
    /** Makes removals and notifies followers. If making them fails, those that were made are reported. */
    change,

    /** As Objects.move. */
    move,

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

async function isThere({ key }: Place, store: ObjectStore): Promise<boolean> {
  if (await store.head(key)) return true;
  if (!key.endsWith("/")) return false;
  return (await store.list({ prefix: key, limit: 1 })).objects.length > 0;
}
