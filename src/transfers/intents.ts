/** Changes objects so that followers learn of it even when the process ends in between. */
import { Failure, type FailureCode } from "#contract/failures";
import type { Cluster } from "../database/cluster.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import type { Change } from "../stores/changes.ts";
import type { Confirm, ObjectStore, Place } from "../stores/store.ts";
import type { Storage, Stores } from "../stores/stores.ts";
import type { Changes } from "./changes.ts";
import { type Moving, makeMove, type PlannedMove, planned as plannedMove, removeAll, settleMove } from "./moves.ts";
import { type IntentRow, intentsTable } from "./uploads-table.ts";

interface IntentsDependencies {
  readonly cluster: Cluster;
  readonly log: Log;
  readonly stores: Stores;
  readonly changes: Changes;
}

/** A change that can be recorded before it is made: afterwards the storage shows whether it was. */
type PlannedChange =
  | PlannedMove
  | Removal
  | { readonly kind: "staged"; readonly at: Place }
  | { readonly kind: "doubted"; readonly at: Place };

type Removal = Extract<Change, { kind: "removed" }>;

/** Something that is not complete. */
export interface Staged {
  /** Of its record. */
  readonly id: string;
  /** Removes what was not moved. */
  end(): Promise<void>;
}

export interface WantedMove extends Omit<PlannedMove, "staged" | "phase"> {
  /** What is moved, if it was staged: from now on it is the move that is recorded. */
  readonly staged?: Staged | undefined;
}

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
      if (change.kind === "staged") await (store && unstage(store, change.at));
      else if (change.kind === "doubted") await (store && tellIfThere(store, change.at));
      else if (certain === 1) await changes.tell(again(change));
      else if (store && change.kind === "moved") await settleMove(movingOf(id, store, change));
      else if (store && change.kind === "removed" && !(await isThere(change.at, store))) await changes.tell(change);
    }
    await table.remove(id);
  };

  /** Tells of a file or an empty folder whose writing nobody answered for. */
  const tellIfThere = async (store: ObjectStore, at: Place): Promise<void> => {
    const file = await store.head(at.key);
    if (file && at.key.endsWith("/")) await changes.tell({ kind: "made", at, modified: file.modified });
    else if (file) await changes.tell({ kind: "written", at, file });
  };

  /** Makes a write that followers are told of. When it failed and may have been made all the same, the next sweep looks. */
  const write = async <Result>(at: Place, make: () => Promise<Result>): Promise<Result> => {
    try {
      return await make();
    } catch (error) {
      if (error instanceof Failure && mayBeMade.includes(error.code)) await doubt(at);
      throw error;
    }
  };

  const doubt = async (at: Place): Promise<void> => {
    const changes = JSON.stringify([{ kind: "doubted", at } satisfies PlannedChange]);
    try {
      await table.insertForAny({ id: Bun.randomUUIDv7(), storage: at.storage, certain: 0, changes });
    } catch (error) {
      log.warn("change not noted", { storage: at.storage, ...unforeseen(error) });
    }
  };

  /** Removes what did not become complete, whether it is a file or a folder. */
  const unstage = async (store: ObjectStore, at: Place): Promise<void> => {
    for (const key of [at.key, `${at.key}/`]) {
      await removeAll(store, key);
      await changes.tell({ kind: "removed", at: { ...at, key } });
    }
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

  /** Records that what comes to a name is not complete: until it is moved from there, it goes when this breaks off. */
  const stage = async (at: Place): Promise<Staged> => {
    const changes = JSON.stringify([{ kind: "staged", at } satisfies PlannedChange]);
    const row = { id: Bun.randomUUIDv7(), storage: at.storage, certain: 0, changes };
    underWay.add(row.id);
    await table.insert(row).catch((error: unknown) => {
      underWay.delete(row.id);
      throw error;
    });
    return {
      id: row.id,
      async end() {
        if (await table.isOwn(row.id)) await settleFailed(row);
        underWay.delete(row.id);
      },
    };
  };

  /** Records a move, makes it and tells of it. One that fails is undone, or brought to an end where that is not possible. */
  const move = async (
    { config, store }: Storage,
    { staged, ...wanted }: WantedMove,
    confirm: Confirm,
  ): Promise<void> => {
    let row: IntentRow = { id: Bun.randomUUIDv7(), storage: config.id, certain: 0, changes: "" };
    const noted = (now: PlannedMove) => {
      row = { ...row, changes: JSON.stringify([now]) };
    };
    const first = plannedMove(store, staged ? { ...wanted, staged: true } : wanted);
    noted(first);
    const moving = movingOf(row.id, store, first, confirm);
    underWay.add(row.id);
    try {
      await (staged ? table.insertFor(row, staged.id) : table.insert(row));
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

    write,

    /** As Objects.move. */
    move,

    /** As Objects.stage. */
    stage,

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

/** Failures of a storage that say nothing of what it did. */
const mayBeMade: readonly FailureCode[] = ["storage.unreachable", "storage.broken", "storage.busy"];

/** The change as it is reported if followers may already know it. */
const again = (change: PlannedMove | Removal): Change =>
  change.kind === "moved" ? { ...change, again: true } : change;

async function isThere({ key }: Place, store: ObjectStore): Promise<boolean> {
  if (await store.head(key)) return true;
  if (!key.endsWith("/")) return false;
  return (await store.list({ prefix: key, limit: 1 })).objects.length > 0;
}
