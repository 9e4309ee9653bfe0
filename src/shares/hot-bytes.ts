import { type Cache, cacheOf } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { Lru } from "../lib/lru.ts";
import type { ByteRange } from "../lib/range.ts";
import type { StoredObject } from "../stores/store.ts";
import type { FileRow } from "./files-table.ts";

type Fetch = (share: FileRow, range?: ByteRange) => Promise<StoredObject | undefined>;

const SMALL = 16 * 1024;
const MOST_FILES = 1000;
/** How long a file that somebody changes by hand may be answered as it was, in milliseconds. */
const FRESH = 1000;

interface Kept {
  readonly storage: string;
  readonly version: number;
  readonly until: number;
  readonly object: StoredObject & { readonly body: Blob };
}

/** Small files that were just asked for, kept for a second each (16 MB at most): opening one costs five times reading it. */
export function createHotBytes(clock: Clock, fetch: Fetch): { readonly get: Fetch; readonly cache: Cache } {
  const kept = new Lru<string, Kept>(MOST_FILES);

  const whole = async (share: FileRow): Promise<StoredObject | undefined> => {
    const known = kept.get(share.id, ({ version, until }) => version === share.version && until > clock());
    if (known) return known.object;
    const found = await fetch(share);
    if (!found || found.head.size > SMALL) return found;
    const body = new Blob([await new Response(found.body).bytes()]);
    const object = { head: { ...found.head, size: body.size }, body };
    kept.set(share.id, { storage: share.storage, version: share.version, until: clock() + FRESH, object });
    return object;
  };

  const get: Fetch = async (share, range) => {
    if (share.size > SMALL) return await fetch(share, range);
    const found = await whole(share);
    if (!range || !(found?.body instanceof Blob)) return found;
    return { head: found.head, body: found.body.slice(range.start, range.end + 1) };
  };

  return { get, cache: cacheOf("files", kept, ({ storage }, scope) => storage === scope.storage) };
}
