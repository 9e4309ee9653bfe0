/** Changes objects so that followers learn of it even when the process ends in between. */
import { Failure, type FailureCode } from "#contract/failures";
import type { Cluster } from "../cluster/cluster.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import type { Change } from "../stores/changes.ts";
import type { ObjectStore, Place, Recheck } from "../stores/store.ts";
import type { Storage, Stores } from "../stores/stores.ts";
import { isThere, removeAll } from "./at-key.ts";
import type { Changes } from "./changes.ts";
import { type CarriedMove, type Carrying, type Copied, removeSource, settleCarried } from "./copy-then-delete.ts";
import { type Moving, makeMove, type PlannedMove, planned as plannedMove, settleMove } from "./moves.ts";
import type { Leave } from "./reservations.ts";
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
  | CarriedMove
  | Removal
  | { readonly kind: "staged"; readonly at: Place }
  | { readonly kind: "doubted"; readonly at: Place };

type Removal = Extract<Change, { kind: "removed" }>;

/** Something that is not complete. */
export interface Staged {
  /** Of its record. */
  readonly id: string;
  readonly at: Place;
  /** Removes what was not moved. */
  end(): Promise<void>;
}

export interface WantedMove extends Omit<PlannedMove, "staged" | "phase" | "leaves"> {
  /** What is moved, if it was staged: from now on it is the move that is recorded. */
  readonly staged?: Staged | undefined;
  /** What goes when this has moved, because this is its copy. */
  readonly leaves?: Left | undefined;
  /** Whatever else must hold of what is there; asked right before that changes, and never again. */
  readonly condition?: Recheck | undefined;
}

/** The source of what was copied. */
interface Left {
  readonly storage: Storage;
  readonly key: string;
  readonly copied: Copied;
}

/** A file that is to be moved by a copy. */
interface CarriedFile {
  readonly from: Storage;
  readonly to: Storage;
  readonly move: CarriedMove;
  /** Copies it; answers the ETags of what was copied, and of the copy. */
  readonly copy: () => Promise<NonNullable<CarriedMove["made"]>>;
}

interface MoveOptions {
  readonly beforeCommit: Recheck;
  /** Leaves the removal of the record of a move that was made and told of to the end of the writing. */
  readonly leave: Leave;
}

/** A recorded change of a storage. Those that are silent are not asked. */
interface Settling<Of = PlannedChange> {
  readonly store: ObjectStore;
  readonly change: Of;
  readonly silent: Set<string>;
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
  const settle = async (row: IntentRow, silent: Set<string>): Promise<void> => {
    const store = await storeOf(row.storage);
    const planned = store ? (JSON.parse(row.changes) as PlannedChange[]) : [];
    for (const change of planned) await (store && settleOne(row, { store, change, silent }));
    await table.remove(row.id);
  };

  const settleOne = async (row: IntentRow, { store, change, silent }: Settling): Promise<void> => {
    const { kind } = change;
    if (kind === "staged") return await unstage(store, change.at);
    if (kind === "doubted") return await tellIfThere(store, change.at);
    if (kind === "carried") return await settleCopies(row, change);
    if (row.certain === 1) return await changes.tell(again(change));
    if (kind === "moved") return await settleMoved(row, { store, change, silent });
    if (!(await isThere(store, change.at.key))) await changes.tell(change);
  };

  /** A move within a storage, and what it leaves in another one. */
  const settleMoved = async (row: IntentRow, { store, change, silent }: Settling<PlannedMove>): Promise<void> => {
    const { from, to, staged, leaves } = change;
    const isMade = await settleMove(movingOf(row.id, store, change));
    if (!isMade && staged) {
      const at = { ...from, key: from.key.replace(/\/$/, "") };
      await noteFor(row.id, { kind: "staged", at });
      return await unstage(store, at);
    }
    const source = leaves && (await storeOf(leaves.storage));
    if (!source) return;
    const next = rowOfCarried({ kind: "carried", from: leaves, to }, source);
    if (!(await table.insertFor(next, row.id))) throw new TakenOver();
    await settleAll([next], silent);
  };

  /** Nothing is left to do where one of the storages is not configured any more. */
  const settleCopies = async ({ id }: IntentRow, move: CarriedMove): Promise<void> => {
    const [source, target] = [await storeOf(move.from.storage), await storeOf(move.to.storage)];
    if (source && target) await settleCarried(carryingOf(id, { source, target, move }));
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
    beforeCommit: Recheck = async () => undefined,
  ): Moving => ({
    store,
    move,
    beforeCommit,
    note: (now) => noteFor(id, now),
    requireOwn: () => requireOwn(id),
    tell: changes.tell,
    outdated: changes.outdated,
  });

  const carryingOf = (id: string, stores: Pick<Carrying, "source" | "target" | "move">): Carrying => ({
    ...stores,
    requireOwn: () => requireOwn(id),
    tell: changes.tell,
    outdated: changes.outdated,
  });

  const noteFor = async (id: string, now: PlannedChange): Promise<void> => {
    if (!(await table.replace({ id, changes: JSON.stringify([now]) }))) throw new TakenOver();
  };

  const requireOwn = async (id: string): Promise<void> => {
    if (cluster.shared && !(await table.isOwn(id))) throw new TakenOver();
  };

  /** Undefined for a storage that is not configured any more. */
  const storeOf = async (id: string): Promise<ObjectStore | undefined> => {
    const configs = await stores.configs.all();
    return configs.some((config) => config.id === id) ? (await stores.get(id)).store : undefined;
  };

  /** A change that failed may have been made all the same. If the storage cannot tell now, the sweeper checks again. */
  const settleFailed = async (row: IntentRow): Promise<void> => {
    try {
      await settle(row, new Set());
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
      at,
      async end() {
        if (await table.isOwn(row.id)) await settleFailed(row);
        underWay.delete(row.id);
      },
    };
  };

  /** Records the move of what was staged. Another server that took this one for dead has removed what had come till then: the rest goes too. */
  const unlessTaken = async (row: IntentRow, staged: Staged, store: ObjectStore): Promise<void> => {
    if (await table.insertFor(row, staged.id)) return;
    await unstage(store, staged.at);
    throw new TakenOver();
  };

  /** Deletes the record of what was made and told of. */
  const forget = async (id: string): Promise<void> => {
    try {
      await table.remove(id);
    } finally {
      underWay.delete(id);
    }
  };

  /** Makes a move as `move` does, and answers its record where that is still needed for what it leaves. */
  const makeRecorded = async (
    { config, store }: Storage,
    { staged, leaves, condition, ...wanted }: WantedMove,
    { beforeCommit, leave }: MoveOptions,
  ): Promise<IntentRow> => {
    let row: IntentRow = { id: Bun.randomUUIDv7(), storage: config.id, certain: 0, changes: "" };
    const noted = (now: PlannedMove) => {
      row = { ...row, changes: JSON.stringify([now]) };
    };
    const left = leaves && { leaves: { storage: leaves.storage.config.id, key: leaves.key } };
    const first = plannedMove(store, { ...wanted, ...(staged && { staged: true }), ...left });
    noted(first);
    const moving = movingOf(row.id, store, first, beforeCommit);
    let [isLeft, isRefused] = [false, false];
    const asked = async (): Promise<void> => {
      await condition?.().catch((error: unknown) => {
        isRefused = !staged && first.phase === undefined;
        throw error;
      });
    };
    underWay.add(row.id);
    try {
      await (staged ? unlessTaken(row, staged, store) : table.insert(row));
      await makeMove({
        ...moving,
        condition: asked,
        async note(now) {
          await moving.note(now);
          noted(now);
        },
      });
      isLeft = true;
      if (!leaves) leave(() => forget(row.id));
      return row;
    } catch (error) {
      // The other server settles it.
      if (error instanceof TakenOver) throw new Failure("server.busy");
      // Nothing has changed yet, although the same bytes may be at both keys.
      if (isRefused) await table.remove(row.id);
      else await settleFailed(row);
      throw error;
    } finally {
      if (!isLeft) underWay.delete(row.id);
    }
  };

  /**
   * Records a move, makes it and tells of it. One that fails is undone, or brought to an end where that is not possible. Answers what is
   * still at the source of what it leaves, as Copied names it.
   */
  const move = async (storage: Storage, wanted: WantedMove, options: MoveOptions): Promise<readonly string[]> => {
    const { leaves, to } = wanted;
    const made = await makeRecorded(storage, wanted, options);
    if (!leaves) return [];
    const from = { storage: leaves.storage.config.id, key: leaves.key };
    const next = { kind: "carried", from, to } as const;
    const row = rowOfCarried(next, leaves.storage.store);
    underWay.add(row.id);
    try {
      if (!(await table.insertFor(row, made.id))) throw new Failure("server.busy");
      const stores = { source: leaves.storage.store, target: storage.store };
      return await clear(row, carryingOf(row.id, { ...stores, move: next }), leaves.copied);
    } finally {
      underWay.delete(row.id);
      underWay.delete(made.id);
    }
  };

  /** Has the source of what was copied go, and deletes the record of it. */
  const clear = async (row: IntentRow, carrying: Carrying, copied: Copied): Promise<readonly string[]> => {
    try {
      const kept = await removeSource(carrying, copied);
      await table.remove(row.id);
      return kept;
    } catch (error) {
      // The other server settles it.
      if (error instanceof TakenOver) throw new Failure("server.busy");
      await settleFailed(row);
      throw error;
    }
  };

  /** Moves a file to another mount by a copy, also when the process ends in between; reports whether the source is gone. */
  const carry = async ({ from, to, move, copy }: CarriedFile): Promise<boolean> => {
    const row = rowOfCarried(move, from.store);
    underWay.add(row.id);
    try {
      await table.insert(row);
      const made = await copy().catch(async (error: unknown) => {
        // Who was refused has copied nothing, although the same bytes may have been there before.
        if (error instanceof Failure && !mayBeMade.includes(error.code)) await table.remove(row.id);
        else await settleFailed(row);
        throw error;
      });
      const noted = { ...move, made };
      await noteFor(row.id, noted);
      const carrying = carryingOf(row.id, { source: from.store, target: to.store, move: noted });
      const now = { ...row, changes: JSON.stringify([noted]) };
      return (await clear(now, carrying, new Map([["", made.of]]))).length === 0;
    } catch (error) {
      throw error instanceof TakenOver ? new Failure("server.busy") : error;
    } finally {
      underWay.delete(row.id);
    }
  };

  /** Whoever settles it asks the storage first that is elsewhere. */
  const rowOfCarried = (move: CarriedMove, source: ObjectStore): IntentRow => ({
    id: Bun.randomUUIDv7(),
    storage: source.tree ? move.to.storage : move.from.storage,
    certain: 0,
    changes: JSON.stringify([move]),
  });

  /** Returns how many were settled. */
  async function settleAll(rows: readonly IntentRow[], silent: Set<string>): Promise<number> {
    let settled = 0;
    for (const row of rows) {
      if (underWay.has(row.id) || silent.has(row.storage) || !(await table.take(row.id))) continue;
      underWay.add(row.id);
      try {
        await settle(row, silent);
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
  }

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

    move,
    carry,
    stage,

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

/** Failures of a storage that say nothing of what it did. */
const mayBeMade: readonly FailureCode[] = ["storage.unreachable", "storage.broken", "storage.busy"];

/** The change as it is reported if followers may already know it. */
const again = (change: PlannedMove | Removal): Change =>
  change.kind === "moved" ? { ...change, again: true } : change;
