import { type BigIntStats, mkdirSync, realpathSync, renameSync } from "node:fs";
import { mkdir, rm, rmdir, statfs, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure } from "#contract/failures";
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { typeOfName } from "../lib/mime.ts";
import { createIncoming } from "./disk-incoming.ts";
import { keysBelow, type ListedKey } from "./disk-list.ts";
import { createDiskMultiparts } from "./disk-multiparts.ts";
import { isConflict, isFolderKey, isMissing, pathOfKey, statOf, stayInside } from "./disk-paths.ts";
import { type Attributes, diskTable } from "./disk-table.ts";
import { asFailure } from "./disk-write.ts";
import { derivedTag, newTag, stampOf } from "./etags.ts";
import type { ListPage, ListRequest, ObjectHead, ObjectStore, PresignRequest } from "./store.ts";

export interface DiskStoreNeeds {
  readonly db: Database;
  readonly clock: Clock;
  /** The folder that holds one folder per bucket, beside what is not whole yet. */
  readonly folder: string;
  readonly bucket: string;
  readonly presign: (request: PresignRequest) => string;
}

const FOLDER_TYPE = "application/x-directory";

/**
 * The built-in store: plain files that a person can read, back up and copy. A file is written aside, flushed and renamed, so
 * that nobody ever sees half of one. What a file cannot carry stands in the database, under the file's inode and time.
 */
export function createDiskStore({ db, clock, folder, bucket, presign }: DiskStoreNeeds): ObjectStore {
  const root = ownFolder(folder, bucket);
  const table = diskTable(db, bucket);
  const incoming = createIncoming(ownFolder(folder, ".incoming"));

  const headOf = async (key: string, stat: BigIntStats): Promise<ObjectHead> => {
    const modified = Number(stat.mtimeMs);
    if (stat.isDirectory()) return { key, size: 0, etag: derivedTag(stat), type: FOLDER_TYPE, modified };
    const known = await table.attributes(key, stampOf(stat));
    return {
      key,
      size: Number(stat.size),
      etag: known?.etag ?? derivedTag(stat),
      type: known?.content_type ?? typeOfName(key),
      modified,
    };
  };

  /** What is at a key, when it is what the key says: a file, or a folder for one that ends in a slash. */
  const found = async (key: string): Promise<{ path: string; stat: BigIntStats } | undefined> => {
    const path = pathOfKey(root, key);
    await stayInside(root, path);
    const stat = await statOf(path);
    return stat && (isFolderKey(key) ? stat.isDirectory() : stat.isFile()) ? { path, stat } : undefined;
  };

  /** Brings a file that is whole to its key, with the attributes that belong to it. 409 path.conflict. */
  const publish = async (whole: string, key: string, attributes: Attributes, signal?: AbortSignal) => {
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
    return await headOf(key, stat);
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
    const path = fileOfKey(key);
    await stayInside(root, path);
    if ((await statOf(path))?.isDirectory()) throw new Failure("path.conflict");
    const whole = await incoming.receive(body, bounds);
    try {
      return await publish(whole, key, { content_type: type, etag: newTag() }, bounds.signal);
    } catch (error) {
      await rm(whole, { force: true });
      throw await asFailure(error, folder, bounds.length);
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
      if (!isMissing(error) && !isConflict(error)) throw error;
    }
  };

  const head = async (key: string): Promise<ObjectHead | undefined> => {
    const there = await found(key);
    return there && (await headOf(key, there.stat));
  };

  const headOfListed = async ({ key }: ListedKey): Promise<ObjectHead[]> => {
    const listed = await head(key);
    return listed ? [listed] : [];
  };

  return {
    head,

    async get(key, range) {
      const there = await found(key);
      if (!there) return undefined;
      const head = await headOf(key, there.stat);
      if (isFolderKey(key)) return { head, body: new Blob() };
      const file = Bun.file(there.path);
      return { head, body: range ? file.slice(range.start, range.end + 1) : file };
    },

    put: (key, body, options) => (isFolderKey(key) ? makeFolder(key) : receive(key, body, options)),

    async remove(keys) {
      for (const key of keys) await removeOne(key);
      await table.forget(keys);
    },

    async copy(from, to) {
      const there = await found(from);
      if (!there) return undefined;
      if (isFolderKey(from)) return await makeFolder(to);
      const { type } = await headOf(from, there.stat);
      const body = new Response(Bun.file(there.path));
      return await receive(to, body, { type, length: Number(there.stat.size) });
    },

    async list(request: ListRequest): Promise<ListPage> {
      const listed: ListedKey[] = [];
      for await (const entry of keysBelow(root, request)) {
        listed.push(entry);
        if (listed.length > request.limit) break;
      }
      const page = listed.slice(0, request.limit);
      const heads = await Promise.all(page.filter(({ folded }) => !folded).map(headOfListed));
      return {
        objects: heads.flat(),
        folders: page.filter(({ folded }) => folded).map(({ key }) => key),
        next: listed.length > request.limit ? page.at(-1)?.key : undefined,
      };
    },

    async free() {
      const { bavail, bsize } = await statfs(root);
      return bavail * bsize;
    },

    presign,

    ...createDiskMultiparts({ table, clock, folder: ownFolder(folder, ".multipart"), fileOfKey, publish, head }),
  };
}

/** A folder beside the buckets, made when it is missing. */
function ownFolder(folder: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return realpathSync(path);
}

async function orConflict<Result>(change: Promise<Result>): Promise<Result> {
  try {
    return await change;
  } catch (error) {
    throw asConflict(error);
  }
}

const asConflict = (error: unknown): unknown => (isConflict(error) ? new Failure("path.conflict") : error);
