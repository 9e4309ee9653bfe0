import { type BigIntStats, mkdirSync, realpathSync } from "node:fs";
import { mkdir, rm, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure } from "#contract/failures";
import type { Database } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import type { FollowFile } from "../../lib/digest-thread.ts";
import { checksumsOf } from "../../lib/digests.ts";
import { createLocks } from "../../lib/locks.ts";
import { wholeChecksums } from "../../lib/part-checksums.ts";
import { inOrder } from "../../lib/turns.ts";
import {
  type Bounds,
  type CopyOptions,
  type Described,
  isMd5,
  type ObjectHead,
  type ObjectStore,
  type PresignRequest,
  type PutOptions,
  type Recheck,
} from "../store.ts";
import { attributesOf, headOf, headsOf, newTag, stampOf } from "./attributes.ts";
import { type Attributes, diskTable } from "./disk-table.ts";
import { asFailure, createIncoming, SpooledBody } from "./files.ts";
import { type Cleanup, createDiskTree, type FlushFolders, foldersBetween, renameInto } from "./folders.ts";
import { createNameReader, listPage } from "./list.ts";
import { createMultiparts } from "./multipart.ts";
import {
  asConflict,
  isConflict,
  isDenied,
  isFolderKey,
  isMissing,
  isThere,
  pathOfKey,
  statOf,
  stayInside,
} from "./paths.ts";
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

/** A file or a folder on the disk. */
interface FoundFile {
  readonly path: string;
  readonly stat: BigIntStats;
}

/** The last checks before a complete file is published. */
type Conditions = Pick<PutOptions, "signal" | "beforeCommit" | "turn">;

/** Files that are removed at the same time. */
const REMOVED_AT_ONCE = 8;
/** Times that something is done again because its file is replaced while it is read. */
const MAX_TRIES = 3;

/**
 * Opens the built-in store: plain files that a person can read, back up and copy. A file is written to a temporary
 * name, flushed and renamed, so that no half file is ever visible. Attributes that a file cannot carry are in the
 * database, under the file's inode and time.
 */
export function createDiskStore(options: DiskStoreOptions): ObjectStore {
  const { db, clock, folder, bucket, presign, cleanup, space, follow, flush = async () => undefined } = options;
  const root = ownFolder(folder, bucket);
  const table = diskTable(db, bucket);
  const aside = ownFolder(folder, ".incoming");
  const incoming = createIncoming(aside, space, follow);
  const readNames = createNameReader(clock);
  /** Held by key during a change, so that the database's attributes stay with the file; a folder's key covers all below. */
  const locks = createLocks();

  /** The stamps of files by what was said of them. */
  const stamps = new WeakMap<ObjectHead, string>();

  /** Counts the folders that have given way to something else: between its two renames nothing is there. */
  let swaps = 0;

  /** Looks again where nothing was found while something was replaced, or a folder that moved seemed to be reached through a link. */
  const steadily = async <Found>(look: () => Promise<Found>, isNothing: (found: Found) => boolean): Promise<Found> => {
    for (;;) {
      const before = swaps;
      try {
        const found = await look();
        if (before === swaps || !isNothing(found)) return found;
      } catch (error) {
        if (before === swaps) throw error;
      }
    }
  };

  /** Path and stat of a key; undefined when there is no file, or for a folder's key no folder. */
  const find = (key: string): Promise<FoundFile | undefined> =>
    steadily(
      async () => {
        const path = pathOfKey(root, key);
        await stayInside(root, path);
        const stat = await statOf(path);
        return stat && isThere(key, stat) ? { path, stat } : undefined;
      },
      (found) => found === undefined,
    );

  /** As `find`, with what is known of it. A file without attributes may be one that has just been replaced, with those. */
  const findHead = async (key: string): Promise<{ found: FoundFile; head: ObjectHead } | undefined> => {
    for (let tries = 1; ; tries++) {
      const found = await find(key);
      if (!found) return undefined;
      const { path, stat } = found;
      const known = stat.isFile() ? await table.attributes(key, stampOf(stat)) : undefined;
      const now = known || stat.isDirectory() ? stat : await statOf(path);
      if (tries === MAX_TRIES || (now && stampOf(now) === stampOf(stat))) {
        const head = headOf(key, stat, known);
        stamps.set(head, stampOf(stat));
        return { found, head };
      }
    }
  };

  /** As `findHead`, for what it answered before: unless the file has changed since, the database is not asked again. */
  const findAgain = async (head: ObjectHead): Promise<{ found: FoundFile; head: ObjectHead } | undefined> => {
    const stamp = stamps.get(head);
    const found = stamp === undefined ? undefined : await find(head.key);
    return found && stampOf(found.stat) === stamp ? { found, head } : undefined;
  };

  const head = async (key: string): Promise<ObjectHead | undefined> => (await findHead(key))?.head;

  /** Moves a complete file to its key, together with its attributes. 409 path.conflict. */
  const publish = async (file: string, key: string, attributes: Attributes, conditions: Conditions) => {
    // Taken before the lock: whoever has the turn may be about to take that.
    const pass = await conditions.turn?.();
    try {
      return await publishNow(file, key, attributes, conditions);
    } finally {
      pass?.();
    }
  };

  const publishNow = (file: string, key: string, attributes: Attributes, { signal, beforeCommit }: Conditions) =>
    locks(key, async (): Promise<ObjectHead> => {
      const path = pathOfKey(root, key);
      const stat = await statOf(file);
      if (!stat) throw new Error(`${bucket}: the file for a key is gone before it was published.`);
      const stamp = stampOf(stat);
      await stayInside(root, path);
      await table.addAttributes(key, stamp, attributes);
      let changed: readonly string[];
      try {
        await beforeCommit?.();
        signal?.throwIfAborted();
        // Nothing runs between the line above and the rename, so a write that was aborted is never published.
        changed = renameInto(file, path);
      } catch (error) {
        await table.removeAttributes(key, stamp);
        throw asConflict(error);
      }
      await flush(changed);
      await table.removeOlderAttributes(key, stamp);
      return headOf(key, stat, attributes);
    });

  const makeFolder = (key: string, beforeCommit: Recheck | undefined): Promise<ObjectHead> =>
    locks(key, async () => {
      const path = pathOfKey(root, key);
      using _held = space.hold(path, 0);
      await stayInside(root, path);
      await beforeCommit?.();
      const made = await orConflict(mkdir(path, { recursive: true }));
      if (made !== undefined) await flush(foldersBetween(dirname(path), made));
      const folder = await head(key);
      if (!folder) throw new Failure("path.conflict");
      return folder;
    });

  const putFile: ObjectStore["put"] = async (key, body, { type, headers, ...bounds }) => {
    await checkFree(key);
    const isWhole = body instanceof SpooledBody && bounds.digesting === undefined;
    const { path, digests } = isWhole ? { path: body.path, digests: {} } : await incoming.receive(body, bounds);
    const checksums = checksumsOf(digests, bounds.digesting?.kept);
    const etag = digests.md5?.toString("hex") ?? newTag();
    return await publishOrRemove(path, key, attributesOf({ type, headers }, etag, { checksums }), bounds);
  };

  /** 409 path.conflict for a file that is replaced faster than it is copied. */
  const copyFile = async (
    from: string,
    to: string,
    { beforeCommit, described, ifMatch }: CopyOptions,
  ): Promise<ObjectHead | undefined> => {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const known = await findHead(from);
      if (!known || isOther(known.head, ifMatch)) return undefined;
      await checkFree(to);
      const { found, head: source } = known;
      const copy = await incoming.copy(found.path, source.size);
      if (copy === undefined) return undefined;
      const checksums = wholeChecksums(source.checksums);
      const etag = isMd5(source.etag) ? source.etag : newTag();
      const attributes = attributesOf(described ?? source, etag, { checksums });
      // A file that replaced the source in the meantime may have another type.
      if (isSameFile(found.stat, await statOf(found.path)))
        return await publishOrRemove(copy, to, attributes, { length: source.size, beforeCommit });
      await rm(copy, { force: true });
    }
    throw new Failure("path.conflict");
  };

  /** Changes what is said of a file, whose bytes stay as they are. */
  const describe = (key: string, described: Described, { beforeCommit, ifMatch }: CopyOptions) =>
    locks(key, async (): Promise<ObjectHead | undefined> => {
      const known = await findHead(key);
      if (!known || isOther(known.head, ifMatch)) return undefined;
      const { found, head: before } = known;
      const attributes = attributesOf(described, before.etag, before);
      await beforeCommit?.();
      await table.addAttributes(key, stampOf(found.stat), attributes);
      return headOf(key, found.stat, attributes);
    });

  /** Throws before the body is written what `publish` would throw after it. */
  const checkFree = async (key: string): Promise<void> => {
    const path = fileOfKey(key);
    await stayInside(root, path);
    if ((await statOf(path))?.isDirectory()) throw new Failure("path.conflict");
  };

  const publishOrRemove = async (file: string, key: string, attributes: Attributes, bounds: Bounds) => {
    try {
      return await publish(file, key, attributes, bounds);
    } catch (error) {
      await rm(file, { force: true });
      throw await asFailure(error, folder, bounds.length);
    }
  };

  /** 400 path.invalid also for a folder's key. */
  const fileOfKey = (key: string): string => {
    if (isFolderKey(key)) throw new Failure("path.invalid");
    return pathOfKey(root, key);
  };

  /** Removes a file or an empty folder; answers the folder that held it. */
  const removeOne = async (key: string): Promise<string[]> => {
    const found = await find(key);
    if (!found) return [];
    try {
      await (isFolderKey(key) ? rmdir(found.path) : unlink(found.path));
      return [dirname(found.path)];
    } catch (error) {
      if (!isMissing(error) && !isConflict(error)) throw asConflict(error);
      return [];
    }
  };

  const swapping = (): void => {
    swaps += 1;
  };

  return {
    head,

    async get(key, range, met) {
      const known = (met && (await findAgain(met))) ?? (await findHead(key));
      if (!known) return undefined;
      const { found, head } = known;
      if (met && met.etag !== head.etag) return undefined;
      if (isFolderKey(key)) return { head, body: new Blob() };
      const file = Bun.file(found.path);
      return { head, body: range ? file.slice(range.start, range.end + 1) : file };
    },

    put: (key, body, options) =>
      isFolderKey(key) ? makeFolder(key, options.beforeCommit) : putFile(key, body, options),

    async remove(keys, { beforeCommit } = {}) {
      await locks(keys, async () => {
        await beforeCommit?.();
        const changed: string[] = [];
        const isFolder = Map.groupBy(keys, isFolderKey);
        for await (const one of inOrder(isFolder.get(false) ?? [], REMOVED_AT_ONCE, removeOne)) changed.push(...one);
        // A folder may hold another of them.
        for (const key of isFolder.get(true) ?? []) changed.push(...(await removeOne(key)));
        await flush(changed);
        await table.removeAttributesOf(keys);
      });
    },

    async copy(from, to, options = {}) {
      const { beforeCommit, described } = options;
      if (!isFolderKey(from) && from === to && described) return await describe(to, described, options);
      if (!isFolderKey(from)) return await copyFile(from, to, options);
      return (await find(from)) && (await makeFolder(to, beforeCommit));
    },

    async list(request) {
      const { listed, next } = await steadily(
        () => listPage(root, readNames, request),
        (page) => page.listed.every(({ names }) => names.length === 0),
      );
      // A disk that is not mounted must not look like an empty one.
      if (listed.length === 0 && !(await statOf(root))?.isDirectory()) throw new Failure("storage.unreachable");
      const objects = await headsOf(root, table, listed);
      const folders = listed.flatMap(({ folder, names }) => names.filter(isFolderKey).map((name) => folder + name));
      return { objects, folders, next };
    },

    free: async () => space.free(),

    capacity: async () => space.capacity(),

    presign,

    tree: {
      ...createDiskTree({ root, aside, cleanup, table, locks, flush, swapping }),
      has: async (key) => (await find(key)) !== undefined,
    },

    ...createMultiparts({
      table,
      clock,
      folder: ownFolder(folder, ".multipart"),
      fileOfKey,
      publish,
      head,
      space,
      follow,
      flush,
    }),
  };
}

/** The real path of a folder beside the buckets. Makes it when it is missing. 502 storage.denied. */
function ownFolder(folder: string, name: string): string {
  const path = join(folder, name);
  try {
    mkdirSync(path, { recursive: true });
    return realpathSync(path);
  } catch (error) {
    throw isDenied(error) ? new Failure("storage.denied") : error;
  }
}

const isOther = ({ etag }: ObjectHead, wanted: string | undefined): boolean => wanted !== undefined && wanted !== etag;

const isSameFile = (before: BigIntStats, after: BigIntStats | undefined): boolean =>
  before.ino === after?.ino && before.birthtimeNs === after.birthtimeNs;

async function orConflict<Result>(change: Promise<Result>): Promise<Result> {
  try {
    return await change;
  } catch (error) {
    throw asConflict(error);
  }
}
