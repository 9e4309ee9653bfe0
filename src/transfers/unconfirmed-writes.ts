import { Failure, type FailureCode } from "#contract/failures";
import { type Log, unforeseen } from "../lib/log.ts";
import type { Change } from "../stores/changes.ts";
import type { ObjectStore, Place } from "../stores/store.ts";
import type { Changes } from "./changes.ts";
import { type IntentRecords, recordOf } from "./intent-records.ts";

/** Failures that say nothing of what the storage did. */
const UNANSWERED: readonly FailureCode[] = [
  "storage.unreachable",
  "storage.broken",
  "storage.busy",
  "database.unavailable",
];

/** Reports whether a change that ended with this error may have been made all the same: only other failures are refusals. */
export const mayBeMade = (error: unknown): boolean => !(error instanceof Failure) || UNANSWERED.includes(error.code);

interface UnconfirmedWritesDependencies {
  readonly records: Pick<IntentRecords, "table">;
  readonly changes: Pick<Changes, "tell">;
  readonly log: Log;
}

/**
 * Returns the function that makes a write and tells followers of the change that it was. When the write failed and may have been made all
 * the same, or when a follower failed, the next sweep looks.
 */
export function createUnconfirmedWrites({ records: { table }, changes, log }: UnconfirmedWritesDependencies) {
  const recordUnconfirmed = async (at: Place): Promise<void> => {
    try {
      await table.insertForAny(recordOf(at.storage, [{ kind: "doubted", at }]));
    } catch (error) {
      log.warn("change not noted", { storage: at.storage, ...unforeseen(error) });
    }
  };

  return async <Result>(
    at: Place,
    make: () => Promise<Result>,
    changeOf: (result: Result) => Change | undefined,
  ): Promise<Result> => {
    let made: Place | undefined;
    try {
      const result = await make();
      made = at;
      const change = changeOf(result);
      // It may have gone elsewhere.
      if (change?.kind === "written") made = change.at;
      if (change) await changes.tell(change);
      return result;
    } catch (error) {
      if (made || mayBeMade(error)) await recordUnconfirmed(made ?? at);
      throw error;
    }
  };
}

/** Tells of a file or an empty folder whose writing nobody answered for. */
export async function tellIfThere(store: ObjectStore, at: Place, tell: Changes["tell"]): Promise<void> {
  const file = await store.head(at.key);
  if (file && at.key.endsWith("/")) await tell({ kind: "made", at, modified: file.modified });
  else if (file) await tell({ kind: "written", at, file });
}
