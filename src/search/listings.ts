import { Lru } from "../lib/cache.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import type { Place } from "../stores/store.ts";
import { type Change, type Listing, namesOf, type Recent } from "./changes.ts";
import type { Queue } from "./queue.ts";
import { listedOf, type Reconcile } from "./reconcile.ts";
import type { Writer } from "./writer.ts";

/** Has a folder listed that the index did not know; false where nobody does. */
export type LookInto = (folder: Place) => boolean;

interface ListingsDependencies {
  readonly log: Log;
  readonly queue: Pick<Queue, "isClosed">;
  readonly recent: Recent;
  readonly reconcile: Reconcile;
  readonly writer: Pick<Writer, "corrections">;
  /** Whether other servers write the index as well. */
  readonly shared: boolean;
  /** Runs a generator to its end, from so many milliseconds on, one slice after the other between other work. */
  readonly inSlices: (slices: AsyncGenerator<void>, delay: number) => Promise<void>;
  readonly builds: { setOutdated(storage: string): void };
  readonly lookInto: LookInto;
  readonly record: (change: Change) => Promise<void>;
}

/** Entries of listings that may wait; a listing beyond that is not recorded. */
const MAX_LISTED = 200_000;
/** Milliseconds after which a listing is compared: its requester comes first. */
const LATER = 20;

/** A listing that the index matches: read again without a change in between, it has nothing to say. */
interface Matched {
  readonly digest: bigint;
  readonly since: number;
  readonly corrections: number;
}

/** Matched listings that are remembered. */
const MAX_MATCHED = 1000;
/** Entries of a listing that one step of its digest takes. */
const DIGESTED_AT_ONCE = 2000;

/** Takes what others have read of a storage, and has the index match it. */
export function createListings(deps: ListingsDependencies) {
  const { log, queue, recent, reconcile, writer, builds, inSlices, record } = deps;
  const matched = new Lru<string, Matched>(MAX_MATCHED);
  let listed = 0;

  const isMatched = (place: Place, digest: bigint): boolean => {
    const { storage, key } = place;
    const last = matched.get(nameOf(place));
    if (last?.digest !== digest || last.corrections !== writer.corrections()) return false;
    const changed = recent.since(last.since, storage);
    return changed !== undefined && !changed.whole(key) && changed.names(key).size === 0;
  };

  async function* reconcileListing(listing: Listing, since: number) {
    // What several servers write another one may have corrected.
    const digest = deps.shared ? undefined : yield* digestOf(listing);
    if (digest !== undefined && isMatched(listing, digest)) return;
    const { storage } = listing;
    const outdated = () => recent.since(since, storage);
    // A folder that another process has made, and nobody looks into now, is looked into by the next build.
    const unknownFolder = (key: string): void => {
      if (!deps.lookInto({ storage, key })) builds.setOutdated(storage);
    };
    const finished = yield* reconcile(yield* listedOf(listing), { outdated, unknownFolder });
    // A folder that moved during the comparison is at its new place without the rest.
    if (!finished) return builds.setOutdated(storage);
    if (digest === undefined) return;
    const corrections = writer.corrections();
    // What this slice has changed is written before the next one begins.
    yield;
    matched.set(nameOf(listing), { digest, since, corrections });
  }

  return {
    /**
     * Counts the changes so far. Read it before requesting a listing, and pass it to `recordListing` or
     * `recordMissing`.
     */
    moment: recent.moment,

    /**
     * Records a whole listing of a folder that was just fetched, except for changes recorded since it was requested.
     */
    recordListing(listing: Listing, since: number): void {
      const count = listing.files.length + listing.folders.length;
      if (queue.isClosed() || (listed > 0 && listed + count > MAX_LISTED)) return;
      listed += count;
      inSlices(reconcileListing(listing, since), LATER)
        .catch((error: unknown) => log.error("listing not indexed", { storage: listing.storage, ...unforeseen(error) }))
        .finally(() => {
          listed -= count;
        });
    },

    /** Records that a storage had nothing at a key, unless a change of it was recorded since the request. */
    recordMissing(at: Place, since: number): void {
      const names = namesOf(at.key);
      const name = names.pop() ?? "";
      const folder = names.join("");
      const changed = recent.since(since, at.storage);
      if (!changed || changed.whole(folder) || changed.names(folder).has(name)) return;
      record({ kind: "removed", at }).catch((error: unknown) =>
        log.error("change not recorded", { storage: at.storage, ...unforeseen(error) }),
      );
    },
  };
}

const nameOf = ({ storage, key }: Place): string => `${storage} ${key}`;

/** A digest of what a listing says. */
async function* digestOf({ files, folders }: Listing): AsyncGenerator<void, bigint> {
  let digest = Bun.hash.wyhash(folders.join("\0"));
  for (let from = 0; from < files.length; from += DIGESTED_AT_ONCE) {
    const some = files.slice(from, from + DIGESTED_AT_ONCE);
    digest = Bun.hash.wyhash(some.map(({ key, size, modified }) => `${key}\0${size}\0${modified}`).join("\0"), digest);
    yield;
  }
  return digest;
}
