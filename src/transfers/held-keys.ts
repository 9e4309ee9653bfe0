import { Failure } from "#contract/failures";
import type { ObjectStore } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import type { Deliveries } from "./deliveries.ts";
import type { UploadRow, UploadsTable } from "./uploads-table.ts";

interface HeldKeysNeeds {
  readonly table: UploadsTable;
  readonly deliveries: Deliveries;
}

/** Records that are let go at once. */
const SLICE = 50;

/**
 * Keeps uploads of shares, whose keys are theirs alone, and whoever writes to the tree out of each other's way. Each side says
 * what it is about to do before it looks whether the other has said something.
 */
export function createHeldKeys({ table, deliveries }: HeldKeysNeeds) {
  /** What is being written now; one that ends in a slash stands for all below it. */
  const writing = new Set<{ readonly at: string }>();

  /** Nothing is left for the record of a share that was deleted: what comes to its key is not its object. */
  const letGo = (row: UploadRow, store: ObjectStore): Promise<void> =>
    deliveries.alone(row.id, async () => {
      await forgetParts(row, store);
      if (!(await table.removeReleased(row.id)) && (await table.find(row.id))) throw new Failure("path.reserved");
    });

  /** Refuses a key, or a folder's with all below it, to which a file that is to be shared is on its way. 409 path.reserved. */
  const demandFree = async ({ config, store }: Storage, key: string): Promise<void> => {
    for (;;) {
      const held = await table.held({ storage: config.id, key }, SLICE);
      if (held.length === 0) return;
      if (held.some(({ state }) => state !== "removing")) throw new Failure("path.reserved");
      for (const row of held) await letGo(row, store);
    }
  };

  return {
    demandFree,

    /** Runs what writes to a key, or to a folder's, while no upload of a share gets it. 409 path.reserved. */
    async taking<Result>(storage: Storage, key: string, write: () => Promise<Result>): Promise<Result> {
      const mine = { at: nameOf(storage, key) };
      writing.add(mine);
      try {
        await demandFree(storage, key);
        return await write();
      } finally {
        writing.delete(mine);
      }
    },

    /** Whether somebody writes to a key now. */
    isWritten(storage: Storage, key: string): boolean {
      const name = nameOf(storage, key);
      return writing.values().some(({ at }) => at === name || (at.endsWith("/") && name.startsWith(at)));
    },
  };
}

export type HeldKeys = ReturnType<typeof createHeldKeys>;

/** Several storages may be one bucket. */
const nameOf = ({ config }: Storage, key: string): string => `${config.endpoint_url} ${config.bucket_name} ${key}`;

/** Forgets the parts of an upload that nobody wants any more. */
export async function forgetParts({ key, multipart, part_size }: UploadRow, store: ObjectStore): Promise<void> {
  if (multipart !== null) await store.abortMultipart({ key, upload: multipart });
  // A crash may have come between the upload in parts and the note of its id.
  else if (part_size !== null) await store.abortMultiparts(key);
}
