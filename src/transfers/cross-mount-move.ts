import { Failure } from "#contract/failures";
import type { Storage } from "../stores/stores.ts";
import { type CarriedMove, type Carrying, type Copied, removeSource } from "./copy-then-delete.ts";
import { type IntentRecords, recordOfCarried, TakenOver } from "./intent-records.ts";
import type { IntentRow } from "./intents-table.ts";
import { type MoveOptions, placeOf, type WantedMove } from "./recorded-move.ts";
import { mayBeMade } from "./unconfirmed-writes.ts";

/** A file that is to be moved by a copy. */
interface CarriedFile {
  readonly from: Storage;
  readonly to: Storage;
  readonly move: CarriedMove;
  /** Copies it; answers the ETags of what was copied, and of the copy. */
  readonly copy: () => Promise<NonNullable<CarriedMove["made"]>>;
}

interface CrossMountMoveDependencies {
  readonly records: IntentRecords;
  /** Makes a move within a storage, and answers its record. */
  readonly makeRecorded: (storage: Storage, wanted: WantedMove, options: MoveOptions) => Promise<IntentRow>;
  /** Looks what became of a change that broke off, and leaves it to the sweeper if the storage cannot tell. */
  readonly settleFailed: (row: IntentRow) => Promise<void>;
}

/** Moves that leave a source in another mount, which goes when its copy is at its place. */
export function createCrossMountMove({ records, makeRecorded, settleFailed }: CrossMountMoveDependencies) {
  const { table, underWay, noteFor, carryingOf } = records;

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

  return {
    /**
     * Makes a move within a storage, and then has its source go where that is in another mount. Answers what is still at that source, as
     * Copied names it.
     */
    async move(storage: Storage, wanted: WantedMove, options: MoveOptions): Promise<readonly string[]> {
      const { leaves, to } = wanted;
      const made = await makeRecorded(storage, wanted, options);
      if (!leaves) return [];
      const next = { kind: "carried", from: placeOf(leaves), to } as const;
      const row = recordOfCarried(next, leaves.storage.store);
      underWay.add(row.id);
      try {
        if (!(await table.insertFor(row, made.id))) throw new Failure("server.busy");
        const stores = { source: leaves.storage.store, target: storage.store };
        return await clear(row, carryingOf(row.id, { ...stores, move: next }), leaves.copied);
      } finally {
        underWay.delete(row.id);
        underWay.delete(made.id);
      }
    },

    /** Moves a file to another mount by a copy, also when the process ends in between; reports whether the source is gone. */
    async carry({ from, to, move, copy }: CarriedFile): Promise<boolean> {
      const row = recordOfCarried(move, from.store);
      underWay.add(row.id);
      try {
        await table.insert(row);
        const made = await copy().catch(async (error: unknown) => {
          // Who was refused has copied nothing, although the same bytes may have been there before.
          if (!mayBeMade(error)) await table.remove(row.id);
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
    },
  };
}
