import { type Log, unforeseen } from "../lib/log.ts";
import type { Change } from "../stores/changes.ts";
import type { ObjectStore } from "../stores/store.ts";
import type { Stores } from "../stores/stores.ts";
import { isThere } from "./at-key.ts";
import type { Changes } from "./changes.ts";
import { noteUnsettled } from "./cleanup.ts";
import { type CarriedMove, settleCarried } from "./copy-then-delete.ts";
import { type IntentRecords, type PlannedChange, recordOfCarried, TakenOver } from "./intent-records.ts";
import type { IntentRow } from "./intents-table.ts";
import { type PlannedMove, settleMove } from "./moves.ts";
import type { Removal } from "./removal-order.ts";
import { unstage } from "./staging.ts";
import { tellIfThere } from "./unconfirmed-writes.ts";

interface IntentRecoveryDependencies {
  readonly records: IntentRecords;
  readonly changes: Changes;
  readonly stores: Stores;
  readonly log: Log;
}

/** A recorded change of a storage. Those that are silent are not asked. */
interface Settling<Of = PlannedChange> {
  readonly store: ObjectStore;
  readonly change: Of;
  readonly silent: Set<string>;
}

/** Finds out what became of recorded changes, brings moves to an end, tells followers, and deletes the records. */
export function createIntentRecovery({ records, changes, stores, log }: IntentRecoveryDependencies) {
  const { table, underWay, noteFor, movingOf, carryingOf } = records;

  /** Notifies followers of a recorded change, and deletes its record. */
  const settle = async (row: IntentRow, silent: Set<string>): Promise<void> => {
    const store = await storeOf(row.storage, stores);
    const planned = store ? (JSON.parse(row.changes) as PlannedChange[]) : [];
    for (const change of planned) await (store && settleOne(row, { store, change, silent }));
    await table.remove(row.id);
  };

  const settleOne = async (row: IntentRow, { store, change, silent }: Settling): Promise<void> => {
    const { kind } = change;
    if (kind === "staged") return await unstage(store, change.at, changes.tell);
    if (kind === "doubted") return await tellIfThere(store, change.at, changes.tell);
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
      return await unstage(store, at, changes.tell);
    }
    const source = leaves && (await storeOf(leaves.storage, stores));
    if (!source) return;
    const next = recordOfCarried({ kind: "carried", from: leaves, to }, source);
    if (!(await table.insertFor(next, row.id))) throw new TakenOver();
    await settleAll([next], silent);
  };

  /** Nothing is left to do where one of the storages is not configured any more. */
  const settleCopies = async ({ id }: IntentRow, move: CarriedMove): Promise<void> => {
    const [source, target] = [await storeOf(move.from.storage, stores), await storeOf(move.to.storage, stores)];
    if (source && target) await settleCarried(carryingOf(id, { source, target, move }));
  };

  /** Settles changes that nobody makes now, except those of silent storages; returns how many were settled. The others stay recorded. */
  const settleAll = async (rows: readonly IntentRow[], silent: Set<string>): Promise<number> => {
    let settled = 0;
    for (const row of rows) {
      if (underWay.has(row.id) || silent.has(row.storage)) continue;
      underWay.add(row.id);
      try {
        if (!(await table.take(row.id))) continue;
        await settle(row, silent);
        settled += 1;
      } catch (error) {
        if (error instanceof TakenOver) continue;
        noteUnsettled(error, { storage: row.storage, silent, log });
      } finally {
        underWay.delete(row.id);
      }
    }
    return settled;
  };

  /** A change that failed may have been made all the same. If the storage cannot tell now, the sweeper checks again. */
  const settleFailed = async (row: IntentRow): Promise<void> => {
    try {
      await settle(row, new Set());
    } catch (error) {
      log.warn("change not settled", { storage: row.storage, ...unforeseen(error) });
    }
  };

  return { settleAll, settleFailed };
}

/** Undefined for a storage that is not configured any more. */
async function storeOf(id: string, stores: Stores): Promise<ObjectStore | undefined> {
  const configs = await stores.configs.all();
  return configs.some((config) => config.id === id) ? (await stores.get(id)).store : undefined;
}

/** The change as it is reported if followers may already know it. */
const again = (change: PlannedMove | Removal): Change =>
  change.kind === "moved" ? { ...change, again: true } : change;
