import { cacheOf, Lru } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import type { ByteRange } from "../lib/range.ts";
import type { ObjectHead, StoredObject } from "../stores/store.ts";
import type { Transfers } from "../transfers/transfers.ts";
import type { FileRow } from "./files-table.ts";

/** The file of a share as it was found, and a way to its bytes. */
interface FoundFile {
  readonly head: ObjectHead;
  /** All of them or a range, which must lie within; undefined when the file has gone or changed since. */
  bytes(range?: ByteRange): Promise<StoredObject["body"] | undefined>;
}

const SMALL = 16 * 1024;
const MOST_FILES = 1000;
/** How long a file that somebody changes by hand may be answered as it was, in milliseconds. */
const FRESH = 1000;

interface Kept {
  readonly storage: string;
  readonly version: number;
  readonly until: number;
  readonly head: ObjectHead;
  readonly bytes: Blob;
}

/**
 * The files of shares. Small ones that were just asked for are kept for a second each (16 MB at most): opening one costs five
 * times reading it.
 */
export function createHotBytes(clock: Clock, transfers: Pick<Transfers, "look" | "read">) {
  const kept = new Lru<string, Kept>(MOST_FILES);

  const fresh = (share: FileRow): Kept | undefined =>
    kept.get(share.id, ({ version, until }) => version === share.version && until > clock());

  /** Undefined when the file is gone, or has become large since it was shared. */
  const keep = async (share: FileRow): Promise<Kept | undefined> => {
    const found = await transfers.read(share);
    if (!found || found.head.size > SMALL) return undefined;
    const bytes = new Blob([await new Response(found.body).bytes()]);
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
    /** What is known of the file; undefined when it is no longer there. */
    head: async (share: FileRow): Promise<ObjectHead | undefined> =>
      share.file_gone_at === null ? (fresh(share)?.head ?? (await transfers.look(share))) : undefined,

    /** The file; undefined when it is no longer there. */
    async find(share: FileRow): Promise<FoundFile | undefined> {
      if (share.file_gone_at !== null) return undefined;
      if (share.size > SMALL) return await large(share);
      const small = fresh(share) ?? (await keep(share));
      if (!small) return await large(share);
      const { head, bytes } = small;
      return { head, bytes: async (range) => (range ? bytes.slice(range.start, range.end + 1) : bytes) };
    },

    cache: cacheOf("files", kept, ({ storage }, scope) => storage === scope.storage),
  };
}
