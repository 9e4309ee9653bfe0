import { realpathSync } from "node:fs";
import { Failure } from "#contract/failures";
import type { Database } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import type { FollowFile } from "../../lib/digests/digest-thread.ts";
import { createLocks } from "../../lib/locks.ts";
import type { ObjectStore, PresignRequest } from "../store.ts";
import { type Area, type AreaOf, type DiskBucket, ownFolder } from "./bucket.ts";
import type { Cleanup } from "./cleanup.ts";
import { createCopy } from "./copy.ts";
import { diskTable } from "./disk-table.ts";
import { createIncoming } from "./files.ts";
import { createFinder } from "./find.ts";
import { createDiskTree } from "./folders.ts";
import { createKeeping } from "./keeping.ts";
import { createMultiparts } from "./multipart.ts";
import { INCOMING, isBucketName, MULTIPARTS, pathOfFile } from "./paths.ts";
import { createPublish } from "./publish.ts";
import { createPut } from "./put.ts";
import { plainReach } from "./reach.ts";
import { createRead } from "./read.ts";
import { createRemove } from "./remove.ts";
import type { FlushFolders } from "./rename.ts";
import type { DiskSpace } from "./space.ts";

interface DiskStoreOptions {
  readonly db: Database;
  readonly clock: Clock;
  /** The folder of all buckets, beside `.incoming` and `.multipart`. */
  readonly folder: string;
  readonly bucket: string;
  readonly presign: (request: PresignRequest) => string;
  readonly cleanup: Pick<Cleanup, "begin">;
  /** Of the file system of the folder. */
  readonly space: DiskSpace;
  /** Hashes files while they are written. */
  readonly follow: FollowFile;
  /** Makes new names in folders durable before they are answered. Without it the system does so within seconds. */
  readonly flush?: FlushFolders | undefined;
}

/**
 * Opens the built-in store: plain files that a person can read, back up and copy. A file is written to a temporary
 * name, flushed and renamed, so that no half file is ever visible. Attributes that a file cannot carry are in the
 * database, under the file's inode and time.
 */
export function createDiskStore(options: DiskStoreOptions): ObjectStore {
  const { folder, bucket: name, db, space, flush = async () => undefined } = options;
  // As a record says, which may come from an archive that somebody else has made.
  if (!isBucketName(name)) throw new Failure("storage.bucket");
  const area: Area = { incoming: ownFolder(folder, INCOMING), parts: ownFolder(folder, MULTIPARTS), space };
  const bucket: DiskBucket = {
    name,
    folder,
    root: ownFolder(folder, name),
    table: diskTable(db, name),
    locks: createLocks(),
    keeping: createKeeping(realpathSync(folder)),
    reach: plainReach,
    besideSpool: true,
    flush,
    space,
  };
  return createFileStore(bucket, { ...options, areaOf: () => area });
}

/** What the verbs of a store of files need beside its bucket. */
interface FileStoreOptions extends Pick<DiskStoreOptions, "clock" | "presign" | "cleanup" | "follow"> {
  readonly areaOf: AreaOf;
}

/** The verbs of a store whose objects are files below a root. */
export function createFileStore(bucket: DiskBucket, options: FileStoreOptions): ObjectStore {
  const { root, table, locks, flush, keeping, space, reach } = bucket;
  const { clock, presign, cleanup, follow, areaOf } = options;
  const incoming = createIncoming(areaOf, follow);
  const finder = createFinder(bucket);
  const publish = createPublish(bucket);
  const { put, makeFolder } = createPut({ bucket, finder, incoming, publish });
  const reading = createRead(bucket, finder, clock);

  return {
    ...reading,
    put,
    remove: createRemove(bucket, finder),
    copy: createCopy({ bucket, finder, incoming, publish, makeFolder }),
    free: async () => space.free(),
    capacity: async () => space.capacity(),
    presign,

    tree: {
      ...createDiskTree({ root, areaOf, cleanup, table, locks, flush, keeping, reach, swapping: finder.swapping }),
      has: async (key) => (await finder.find(key)) !== undefined,
    },

    ...createMultiparts({
      table,
      clock,
      areaOf,
      fileOfKey: (key) => pathOfFile(root, key),
      publish,
      head: reading.head,
      follow,
      flush,
    }),
  };
}
