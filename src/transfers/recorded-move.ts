import { Failure } from "#contract/failures";
import type { Place, Recheck } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import type { Changes } from "./changes.ts";
import type { Copied } from "./copy-then-delete.ts";
import { type IntentRecords, recordOf, TakenOver } from "./intent-records.ts";
import type { IntentRow } from "./intents-table.ts";
import { makeMove, type PlannedMove, planned as plannedMove } from "./moves.ts";
import type { Leave } from "./reservations.ts";
import { type Staged, unstage } from "./staging.ts";

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

export interface MoveOptions {
  readonly beforeCommit: Recheck;
  /** Leaves the removal of the record of a move that was made and told of to the end of the writing. */
  readonly leave: Leave;
}

interface RecordedMoveDependencies {
  readonly records: IntentRecords;
  readonly changes: Pick<Changes, "tell">;
  /** Looks what became of a change that broke off, and leaves it to the sweeper if the storage cannot tell. */
  readonly settleFailed: (row: IntentRow) => Promise<void>;
}

/**
 * Returns the function that records a move within a storage, makes it and tells of it. One that fails is undone, or brought to an end
 * where that is not possible. It answers the record where that is still needed for what the move leaves.
 */
export function createRecordedMove({ records, changes, settleFailed }: RecordedMoveDependencies) {
  const { table, underWay, movingOf } = records;

  /** Records the move of what was staged. Another server that took this one for dead has removed what had come till then: the rest goes too. */
  const unlessTaken = async (row: IntentRow, staged: Staged, { store }: Storage): Promise<void> => {
    if (await table.insertFor(row, staged.id)) return;
    await unstage(store, staged.at, changes.tell);
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

  return async (
    storage: Storage,
    { staged, leaves, condition, ...wanted }: WantedMove,
    { beforeCommit, leave }: MoveOptions,
  ): Promise<IntentRow> => {
    const left = leaves && { leaves: placeOf(leaves) };
    const first = plannedMove(storage.store, { ...wanted, ...(staged && { staged: true }), ...left });
    let row = recordOf(storage.config.id, [first]);
    const moving = movingOf(row.id, storage.store, first, beforeCommit);
    let [isLeft, isRefused] = [false, false];
    const asked = async (): Promise<void> => {
      await condition?.().catch((error: unknown) => {
        isRefused = !staged && first.phase === undefined;
        throw error;
      });
    };
    underWay.add(row.id);
    try {
      await (staged ? unlessTaken(row, staged, storage) : table.insert(row));
      await makeMove({
        ...moving,
        condition: asked,
        async note(now) {
          await moving.note(now);
          row = { ...row, changes: JSON.stringify([now]) };
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
}

export const placeOf = ({ storage, key }: Left): Place => ({ storage: storage.config.id, key });
