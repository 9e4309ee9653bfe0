import type { Cluster } from "../cluster/cluster.ts";
import { type Cache, cacheOf, Lru } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import type { ByteRange } from "../lib/conditional.ts";
import type { Log } from "../lib/log.ts";
import { responseOf } from "../lib/open-file.ts";
import { createWriteBehind } from "../lib/write-behind.ts";
import type { ObjectHead, StoredObject } from "../stores/store.ts";
import type { Transfers } from "../transfers/transfers.ts";
import { type FileRow, hasLost } from "./files-table.ts";

/** Recently opened shares, cached until anything changes. */
interface ShareCache<Share> {
  kept(slug: string): Share | undefined;
  /** What `find` brings, kept from now on if that is worth it. */
  keep(slug: string, find: (slug: string) => Promise<Share | undefined>): Promise<Share | undefined>;
  /** Forgets what this server keeps; the others keep theirs. */
  forget(): void;
  /** Awaits a change of any share, and forgets all of them. Every change that visitors see goes through here. */
  changed<Result>(change: Promise<Result>): Promise<Result>;
  readonly cache: Cache;
}

const MAX_SHARES = 1000;

/**
 * Caches shares: a popular link is read thousands of times in a row, and what `worthKeeping` accepts is answered from
 * memory instead of the database. Other servers tell of their changes. What memory knows of views is not what counts: those are spent in the database.
 */
export function createShareCache<Share>(
  name: "texts" | "file shares",
  worthKeeping: (share: Share) => boolean,
  { follow }: Pick<Cluster, "follow">,
): ShareCache<Share> {
  const kept = new Lru<string, Share>(MAX_SHARES);
  let changes = 0;
  const forget = () => {
    changes += 1;
    kept.clear();
  };
  follow(name, forget);

  return {
    kept: (slug) => kept.get(slug),
    async keep(slug, find) {
      const before = changes;
      const found = await find(slug);
      // A share found before a change must not be cached after it.
      if (before === changes && found && worthKeeping(found)) kept.set(slug, found);
      else kept.delete(slug);
      return found;
    },
    forget,
    async changed(change) {
      try {
        return await change;
      } finally {
        forget();
      }
    },
    cache: cacheOf(name, kept),
  };
}

/** The file of a share as it was found, and a way to its bytes. */
interface FoundFile {
  readonly head: ObjectHead;
  /** All bytes or a range, which must lie within; undefined if the file has gone or changed since. */
  bytes(range?: ByteRange): Promise<StoredObject["body"] | undefined>;
}

const SMALL = 16 * 1024;
const MAX_FILES = 1000;
/** How long a file that was changed from outside may be answered as it was, in milliseconds. */
const FRESH = 1000;

interface Kept {
  readonly storage: string;
  readonly version: number;
  readonly until: number;
  readonly head: ObjectHead;
  readonly bytes: Blob;
}

/**
 * The files of shares. Small ones that were just read are cached for a second each (16 MB at most): opening a file
 * costs five times reading it.
 */
export function createFileCache(clock: Clock, transfers: Pick<Transfers, "look" | "read">) {
  const kept = new Lru<string, Kept>(MAX_FILES);

  const fresh = (share: FileRow): Kept | undefined =>
    kept.get(share.id, ({ version, until }) => version === share.version && until > clock());

  /** Undefined when the file is gone, or has become large since it was shared. */
  const keep = async (share: FileRow): Promise<Kept | undefined> => {
    const found = await transfers.read(share);
    if (!found || found.head.size > SMALL) return undefined;
    const bytes = new Blob([await responseOf(found.body).bytes()]);
    const { storage, version } = share;
    const small = { storage, version, until: clock() + FRESH, head: { ...found.head, size: bytes.size }, bytes };
    kept.set(share.id, small);
    return small;
  };

  const large = async (share: FileRow): Promise<FoundFile | undefined> => {
    const head = await transfers.look(share);
    if (!head) return undefined;
    const bytes = async (range?: ByteRange) => {
      const sent = await transfers.read(share, range, head);
      return sent?.head.etag === head.etag ? sent.body : undefined;
    };
    return { head, bytes };
  };

  return {
    /** Returns the attributes of the file; undefined if it is gone. */
    head: async (share: FileRow): Promise<ObjectHead | undefined> =>
      hasLost(share) ? undefined : (fresh(share)?.head ?? (await transfers.look(share))),

    /** The file; undefined when it is no longer there. */
    async find(share: FileRow): Promise<FoundFile | undefined> {
      if (hasLost(share)) return undefined;
      if (share.size > SMALL) return await large(share);
      const small = fresh(share) ?? (await keep(share));
      if (!small) return await large(share);
      const { head, bytes } = small;
      return { head, bytes: async (range) => (range ? bytes.slice(range.start, range.end + 1) : bytes) };
    },

    cache: cacheOf("files", kept, ({ storage }, scope) => storage === scope.storage),
  };
}

/** Adds views to shares that have no limit. */
interface ViewCounter {
  /** Counts one view and answers how many are not written yet. */
  count(id: string): number;
  /** Writes the counted views, or throws and keeps them; call before reading or changing a share's views, and at the end. */
  flush(): Promise<void>;
}

/**
 * Counts views in memory and writes them together: where no limit depends on the number, a write per opening would be the
 * dearest part of it.
 */
export function createViewCounter(
  add: (views: ReadonlyMap<string, number>) => Promise<unknown>,
  log: Log,
): ViewCounter {
  const merge = (failed: number, later: number) => failed + later;
  const pending = createWriteBehind({ name: "views", log, write: add, merge });
  return {
    count(id) {
      const views = (pending.get(id) ?? 0) + 1;
      pending.set(id, views);
      return views;
    },
    flush: pending.flush,
  };
}
