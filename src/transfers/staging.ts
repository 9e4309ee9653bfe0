import type { ObjectStore, Place } from "../stores/store.ts";
import { removeAll } from "./at-key.ts";
import type { Changes } from "./changes.ts";
import { type IntentRecords, recordOf } from "./intent-records.ts";
import type { IntentRow } from "./intents-table.ts";

/** Something that is not complete. */
export interface Staged {
  /** Of its record. */
  readonly id: string;
  readonly at: Place;
  /** Removes what was not moved. */
  end(): Promise<void>;
}

interface StagingDependencies {
  readonly records: IntentRecords;
  /** Looks what became of a change that broke off, and leaves it to the sweeper if the storage cannot tell. */
  readonly settleFailed: (row: IntentRow) => Promise<void>;
}

/** Returns the function that records that what comes to a name is not complete: until it is moved from there, it goes when this breaks off. */
export function createStaging({ records: { table, underWay }, settleFailed }: StagingDependencies) {
  return async (at: Place): Promise<Staged> => {
    const row = recordOf(at.storage, [{ kind: "staged", at }]);
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
}

/** Removes what did not become complete, whether it is a file or a folder. */
export async function unstage(store: ObjectStore, at: Place, tell: Changes["tell"]): Promise<void> {
  for (const key of [at.key, `${at.key}/`]) {
    await removeAll(store, key);
    await tell({ kind: "removed", at: { ...at, key } });
  }
}
