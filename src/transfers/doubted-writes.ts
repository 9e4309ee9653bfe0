import { Failure, type FailureCode } from "#contract/failures";
import { type Log, unforeseen } from "../lib/log.ts";
import type { ObjectStore, Place } from "../stores/store.ts";
import type { Changes } from "./changes.ts";
import { type IntentRecords, recordOf } from "./intent-records.ts";

/** Failures of a storage that say nothing of what it did. */
export const mayBeMade: readonly FailureCode[] = ["storage.unreachable", "storage.broken", "storage.busy"];

interface DoubtedWritesDependencies {
  readonly records: Pick<IntentRecords, "table">;
  readonly log: Log;
}

/**
 * Returns the function that makes a write of which followers are told. When it failed and may have been made all the same, the next sweep
 * looks.
 */
export function createDoubtedWrites({ records: { table }, log }: DoubtedWritesDependencies) {
  const doubt = async (at: Place): Promise<void> => {
    try {
      await table.insertForAny(recordOf(at.storage, [{ kind: "doubted", at }]));
    } catch (error) {
      log.warn("change not noted", { storage: at.storage, ...unforeseen(error) });
    }
  };

  return async <Result>(at: Place, make: () => Promise<Result>): Promise<Result> => {
    try {
      return await make();
    } catch (error) {
      if (error instanceof Failure && mayBeMade.includes(error.code)) await doubt(at);
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
