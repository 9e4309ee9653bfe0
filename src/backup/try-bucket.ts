/** Tries, before backups go to a bucket, whether they can. */
import { Failure } from "#contract/failures";
import type { KnownBuckets } from "../stores/configs-table.ts";
import { tryStore } from "../stores/probe.ts";
import { accessTo, openBucket } from "./bucket.ts";
import { folderOf } from "./destination.ts";

/** Milliseconds, fewer than a page waits for its answer. */
const PATIENCE = 20_000;

type Access = Parameters<typeof accessTo>[1];

/**
 * Makes what lists a bucket, writes a small file to it and removes the file, as backups do; the variables of AWS give an access. 400
 * backup.bucketUnknown where nothing says how to reach it, else the failures of a storage.
 */
export const createBucketTrial =
  (given: Access) =>
  async (address: string, known: KnownBuckets): Promise<void> => {
    const { store, prefix } = open(address, given, known);
    const silent = Promise.withResolvers<never>();
    const timer = setTimeout(() => silent.reject(new Failure("storage.unreachable")), PATIENCE);
    try {
      await Promise.race([tryStore(store, folderOf(prefix)), silent.promise]);
    } finally {
      clearTimeout(timer);
    }
  };

function open(address: string, given: Access, { storages, secret }: KnownBuckets) {
  try {
    const access = accessTo(address, given, storages, () => secret);
    return openBucket(address, access);
  } catch {
    throw new Failure("backup.bucketUnknown");
  }
}
