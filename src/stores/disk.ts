import { type BigIntStats, mkdirSync, realpathSync, renameSync } from "node:fs";
import { mkdir, rm, rmdir, statfs, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure } from "#contract/failures";
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Bounds } from "./bodies.ts";
import type { Clearing } from "./disk-clearing.ts";
import { headOf, headsOf } from "./disk-heads.ts";
import { createIncoming } from "./disk-incoming.ts";
import { pageBelow } from "./disk-list.ts";
import { createKeyLocks } from "./disk-locks.ts";
import { createDiskMultiparts } from "./disk-multiparts.ts";
import { createFolderNames } from "./disk-names.ts";
import { asConflict, isConflict, isFolderKey, isMissing, pathOfKey, statOf, stayInside } from "./disk-paths.ts";
import { type Attributes, diskTable } from "./disk-table.ts";
import { createDiskTree } from "./disk-tree.ts";
import { diskTreeTable } from "./disk-tree-table.ts";
import { asFailure } from "./disk-write.ts";
import { newTag, stampOf } from "./etags.ts";
import type { ObjectHead, ObjectStore, PresignRequest } from "./store.ts";

interface DiskStoreNeeds {
  readonly db: Database;
  readonly clock: Clock;
  /** The folder that holds one folder per bucket, beside what is not whole yet. */
  readonly folder: string;
  readonly bucket: string;
  readonly presign: (request: PresignRequest) => string;
  readonly clearing: Pick<Clearing, "begin">;
}

/** Copies of a file that is replaced while it is copied. */
const MOST_TRIES = 3;

/**
 * The built-in store: plain files that a person can read, back up and copy. A file is written aside, flushed and renamed, so
 * that nobody ever sees half of one. What a file cannot carry stands in the database, under the file's inode and time.
 */
export function createDiskStore({ db, clock, folder, bucket, presign, clearing }: DiskStoreNeeds): ObjectStore {
  const root = ownFolder(folder, bucket);
  const table = diskTable(db, bucket);
  const aside = ownFolder(folder, ".incoming");
  const incoming = createIncoming(aside);
  const hold = createKeyLocks();
  const namesIn = createFolderNames(clock);

  const headAt = async (key: string, stat: BigIntStats): Promise<ObjectHead> =>
    headOf(key, stat, stat.isFile() ? await table.attributes(key, stampOf(stat)) : undefined);

  /** What is at a key, when it is what the key says: a file, or a folder for one that ends in a slash. */
  const found = async (key: string): Promise<{ path: string; stat: BigIntStats } | undefined> => {
    const path = pathOfKey(root, key);
    await stayInside(root, path);
    const stat = await statOf(path);
    return stat && (isFolderKey(key) ? stat.isDirectory() : stat.isFile()) ? { path, stat } : undefined;
  };

  /** Brings a file that is whole to its key, with the attributes that belong to it. 409 path.conflict. */
  const publish = (whole: string, key: string, attributes: Attributes, signal?: AbortSignal) =>
    hold([key], () => publishAlone(whole, key, attributes, signal));

  const publishAlone = async (whole: string, key: string, attributes: Attributes, signal?: AbortSignal) => {
    const path = pathOfKey(root, key);
    const stat = await statOf(whole);
    if (!stat) throw new Error(`${bucket}: the file for a key is gone before it was published.`);
    const stamp = stampOf(stat);
    await stayInside(root, path);
    await orConflict(mkdir(dirname(path), { recursive: true }));
    await table.remember(key, stamp, attributes);
    try {
      signal?.throwIfAborted();
      // Between the line above and this one nobody else can run, so what was aborted is never published.
      renameSync(whole, path);
    } catch (error) {
      await table.disown(key, stamp);
      throw asConflict(error);
    }
    await table.settle(key, stamp);
    return headOf(key, stat, attributes);
  };

  const makeFolder = async (key: string): Promise<ObjectHead> => {
    const path = pathOfKey(root, key);
    await stayInside(root, path);
    await orConflict(mkdir(path, { recursive: true }));
    const made = await head(key);
    if (!made) throw new Failure("path.conflict");
    return made;
  };

  const receive: ObjectStore["put"] = async (key, body, { type, ...bounds }) => {
    await checkFree(key);
    const whole = await incoming.receive(body, bounds);
    return await publishOrForget(whole, key, { content_type: type, etag: newTag() }, bounds);
  };

  /** 409 path.conflict for a file that is replaced faster than it is copied. */
  const copyFile = async (from: string, to: string): Promise<ObjectHead | undefined> => {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const there = await found(from);
      if (!there) return undefined;
      await checkFree(to);
      const { type, size } = await headAt(from, there.stat);
      const whole = await incoming.copy(there.path, size);
      if (whole === undefined) return undefined;
      // Of another file that came in its place the type may be another, too.
      if (isSameFile(there.stat, await statOf(there.path)))
        return await publishOrForget(whole, to, { content_type: type, etag: newTag() }, { length: size });
      await rm(whole, { force: true });
    }
    throw new Failure("path.conflict");
  };

  /** Refuses early what publishing would refuse when all has been written. */
  const checkFree = async (key: string): Promise<void> => {
    const path = fileOfKey(key);
    await stayInside(root, path);
    if ((await statOf(path))?.isDirectory()) throw new Failure("path.conflict");
  };

  const publishOrForget = async (whole: string, key: string, attributes: Attributes, { length, signal }: Bounds) => {
    try {
      return await publish(whole, key, attributes, signal);
    } catch (error) {
      await rm(whole, { force: true });
      throw await asFailure(error, folder, length);
    }
  };

  /** 400 path.invalid also for a folder's key. */
  const fileOfKey = (key: string): string => {
    if (isFolderKey(key)) throw new Failure("path.invalid");
    return pathOfKey(root, key);
  };

  const removeOne = async (key: string): Promise<void> => {
    const there = await found(key);
    if (!there) return;
    try {
      await (isFolderKey(key) ? rmdir(there.path) : unlink(there.path));
    } catch (error) {
      if (!isMissing(error) && !isConflict(error)) throw asConflict(error);
    }
  };

  const head = async (key: string): Promise<ObjectHead | undefined> => {
    const there = await found(key);
    return there && (await headAt(key, there.stat));
  };

  return {
    head,

    async get(key, range) {
      const there = await found(key);
      if (!there) return undefined;
      const head = await headAt(key, there.stat);
      if (isFolderKey(key)) return { head, body: new Blob() };
      const file = Bun.file(there.path);
      return { head, body: range ? file.slice(range.start, range.end + 1) : file };
    },

    put: (key, body, options) => (isFolderKey(key) ? hold([key], () => makeFolder(key)) : receive(key, body, options)),

    async remove(keys) {
      await hold(keys, async () => {
        for (const key of keys) await removeOne(key);
        await table.forget(keys);
      });
    },

    async copy(from, to) {
      if (!isFolderKey(from)) return await copyFile(from, to);
      return (await found(from)) && (await hold([to], () => makeFolder(to)));
    },

    async list(request) {
      const { listed, next } = await pageBelow(root, namesIn, request);
      // Nobody may take a disk that is not mounted for an empty one.
      if (listed.length === 0 && !(await statOf(root))?.isDirectory()) throw new Failure("storage.unreachable");
      const objects = await headsOf(root, table, listed);
      const folders = listed.flatMap(({ folder, names }) => names.filter(isFolderKey).map((name) => folder + name));
      return { objects, folders, next };
    },

    async free() {
      const { bavail, bsize } = await statfs(root);
      return bavail * bsize;
    },

    presign,

    tree: createDiskTree({ root, aside, clearing, table: diskTreeTable(db, bucket), hold }),

    ...createDiskMultiparts({ table, clock, folder: ownFolder(folder, ".multipart"), fileOfKey, publish, head }),
  };
}

/** A folder beside the buckets, made when it is missing. */
function ownFolder(folder: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return realpathSync(path);
}

const isSameFile = (before: BigIntStats, after: BigIntStats | undefined): boolean =>
  before.ino === after?.ino && before.birthtimeNs === after.birthtimeNs;

async function orConflict<Result>(change: Promise<Result>): Promise<Result> {
  try {
    return await change;
  } catch (error) {
    throw asConflict(error);
  }
}
