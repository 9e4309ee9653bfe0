import { lstat, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Failure } from "#contract/failures";
import type { Bounds, ObjectHead, PutOptions } from "../store.ts";
import { headOf, stampOf } from "./attributes.ts";
import type { DiskBucket } from "./bucket.ts";
import type { Attributes } from "./disk-table.ts";
import { asFailure } from "./files.ts";
import { asConflict, pathOfFile, pathOfKey, stayInside } from "./paths.ts";
import { type Reach, statAt } from "./reach.ts";
import { renameInto } from "./rename.ts";

/** The last checks before a complete file is published. */
type Conditions = Pick<PutOptions, "signal" | "beforeCommit" | "turn" | "findPlace">;

/** Moves a complete file to its key, or to the free one that is found, together with its attributes. 409 path.conflict. */
export type Publish = (
  file: string,
  key: string,
  attributes: Attributes,
  conditions: Conditions,
) => Promise<ObjectHead>;

/** Makes complete files visible under their keys. */
export function createPublish({ root, table, locks, flush, keeping, reach }: DiskBucket): Publish {
  const publishNow = (file: string, key: string, attributes: Attributes, { signal, beforeCommit }: Conditions) =>
    locks(key, async (): Promise<ObjectHead> => {
      const path = pathOfKey(root, key);
      // Throws when it is gone.
      const stat = await lstat(file, { bigint: true });
      const stamp = stampOf(stat);
      await stayInside(root, path);
      await table.addAttributes(key, stamp, attributes);
      let changed: readonly string[];
      try {
        await beforeCommit?.();
        signal?.throwIfAborted();
        // Nothing runs between the line above and the rename, so a write that was aborted is never published.
        keeping.keep(path);
        reach.adopt(file);
        changed = renameInto(reach, file, path);
      } catch (error) {
        await table.removeAttributes(key, stamp);
        throw asConflict(error);
      }
      await flush(changed);
      await table.removeOlderAttributes(key, stamp);
      return headOf(key, stat, attributes);
    });

  return async (file, key, attributes, { findPlace, ...conditions }) => {
    for (let tries = 1; ; tries++) {
      // Taken before the lock: whoever has the turn may be about to take that.
      const place = await findPlace?.();
      const pass = place ? place.pass : await conditions.turn?.();
      try {
        return await publishNow(file, place?.key ?? key, attributes, { ...conditions, ...place });
      } catch (error) {
        if (!place || !isTaken(error) || tries === PLACE_TRIES) throw error;
      } finally {
        pass?.();
      }
    }
  };
}

/** How often a place is looked for that somebody without a turn takes right before the file is there. */
const PLACE_TRIES = 20;

const isTaken = (error: unknown): boolean => error instanceof Failure && error.code === "path.taken";

/** Throws before the body is written what a `Publish` would throw after it. */
export async function checkFree(
  { root, reach }: { readonly root: string; readonly reach: Reach },
  key: string,
): Promise<void> {
  const path = pathOfFile(root, key);
  await stayInside(root, path);
  if ((await statAt(reach, path))?.isDirectory()) throw new Failure("path.conflict");
}

/** Publishes a file that was made for its key, and removes it when that fails. */
export const orRemoved =
  (publish: Publish) =>
  async (file: string, key: string, attributes: Attributes, bounds: Bounds): Promise<ObjectHead> => {
    try {
      return await publish(file, key, attributes, bounds);
    } catch (error) {
      await rm(file, { force: true });
      throw await asFailure(error, dirname(file), bounds.length);
    }
  };
