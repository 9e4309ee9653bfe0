import { type Log, unforeseen } from "../lib/log.ts";
import type { Place } from "../stores/store.ts";
import { type Change, type Listing, namesOf, type Recent } from "./changes.ts";
import type { Queue } from "./queue.ts";
import { listedOf, type Reconcile } from "./reconcile.ts";

/** Has a folder listed that the index did not know; false where nobody does. */
export type LookInto = (folder: Place) => boolean;

interface ListingsDependencies {
  readonly log: Log;
  readonly queue: Pick<Queue, "isClosed">;
  readonly recent: Recent;
  readonly reconcile: Reconcile;
  /** Runs a generator to its end, from so many milliseconds on, one slice after the other between other work. */
  readonly inSlices: (slices: AsyncGenerator<void>, delay: number) => Promise<void>;
  readonly setOutdated: (storage: string) => void;
  readonly lookInto: LookInto;
  readonly record: (change: Change) => Promise<void>;
}

/** Entries of listings that may wait; a listing beyond that is not recorded. */
const MAX_LISTED = 200_000;
/** Milliseconds after which a listing is compared: its requester comes first. */
const LATER = 20;

/** Takes what others have read of a storage, and has the index match it. */
export function createListings(deps: ListingsDependencies) {
  const { log, queue, recent, reconcile, inSlices, record } = deps;
  let listed = 0;

  async function* reconcileListing(listing: Listing, since: number) {
    const { storage } = listing;
    const outdated = () => recent.since(since, storage);
    // A folder that another process has made, and nobody looks into now, is looked into by the next build.
    const unknownFolder = (key: string): void => {
      if (!deps.lookInto({ storage, key })) deps.setOutdated(storage);
    };
    const finished = yield* reconcile(yield* listedOf(listing), { outdated, unknownFolder });
    // A folder that moved during the comparison is at its new place without the rest.
    if (!finished) deps.setOutdated(storage);
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
