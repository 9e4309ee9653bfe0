import type { Cluster } from "../cluster/cluster.ts";
import type { Clock } from "../lib/clock.ts";
import { createLocks } from "../lib/locks.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import { createYielder } from "../lib/turns.ts";
import type { Place } from "../stores/store.ts";
import type { Stores } from "../stores/stores.ts";
import { createBuilds, createReconciler, listedOf } from "./build.ts";
import { createChangeLog } from "./change-log.ts";
import { placeOf } from "./change-subjects.ts";
import { type Change, createRecent, type Listing, namesOf, placesOf } from "./changes.ts";
import { createFind, type Hits, type Query } from "./find.ts";
import { type NodeRow, nodesTable } from "./nodes-table.ts";
import { createQueue } from "./queue.ts";
import { createWriter } from "./writer.ts";

export type { Hit, Hits } from "./find.ts";

interface SearchDeps {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly log: Log;
  readonly stores: Pick<Stores, "configs" | "of">;
}

/** Bytes of everything below a folder, and its newest time in epoch milliseconds. */
type FolderStat = Pick<NodeRow, "size" | "newest">;

/** Entries of listings that may wait; a listing beyond that is not recorded. */
const MAX_LISTED = 200_000;
/** Milliseconds after which a listing is compared: its requester comes first. */
const LATER = 20;
/** Milliseconds that a query waits for changes: on another machine they take longer to write. */
const PATIENCE = { sqlite: 50, postgres: 500 } as const;
/** Folders whose sizes are read at once. */
const SIZES = 1000;

/**
 * Opens the index of the names and sizes in the storages. It follows changes, listings, and once a day the storages
 * themselves; in between it may hold less than a storage, or more. An index that was not closed is built anew, unless other servers
 * go on with what it had not written.
 */
export async function openSearch({ cluster, clock, log, stores }: SearchDeps) {
  const { shared } = cluster;
  const table = nodesTable(cluster.db);
  if (!shared) await table.open();
  const writer = await createWriter(table);
  const reconcile = createReconciler(table, writer);
  const recent = createRecent();
  const find = createFind(table);
  const oneByOne = createLocks();
  let listed = 0;

  const apply = (changes: readonly Change[]): Promise<void> =>
    writer.run(async () => {
      for (const change of changes) {
        const outdated = await writer.apply(change);
        if (outdated !== undefined) builds.setOutdated(outdated);
        await writer.pause();
      }
    });

  const lost = (changes: readonly Change[]): void => {
    for (const { storage } of changes.flatMap(placesOf)) builds.setOutdated(storage);
  };

  const changeLog = shared ? createChangeLog({ cluster, log, begin: writer.begin, apply, lost }) : undefined;
  const queue = createQueue({ log, apply, lost, patience: PATIENCE[cluster.db.engine], tidy: writer.tidy, changeLog });
  cluster.follow("objects", (subjects) =>
    subjects ? recent.add(...subjects.map((subject) => placeOf(subject).at)) : recent.forget(),
  );
  if (changeLog) cluster.regularly(changeLog.isWaiting, async () => queue.wakeSoon());

  /** One generator after the other: the later listing wins. */
  const inSlices = (slices: AsyncGenerator<void>, delay = 0): Promise<void> =>
    oneByOne("slices", async () => {
      if (delay > 0) await Bun.sleep(delay);
      for (let more = true; more && !queue.isClosed(); )
        await queue.run(() =>
          writer.run(async () => {
            more = !(await slices.next()).done;
          }),
        );
    });

  const builds = createBuilds({ table, writer, queue, recent, reconcile, stores, clock, log, cluster, inSlices });

  async function* reconcileListing(listing: Listing, since: number) {
    const { storage } = listing;
    const setOutdated = () => builds.setOutdated(storage);
    const outdated = () => recent.since(since, storage);
    // A folder that another process has made is looked into by the next build.
    const finished = yield* reconcile(yield* listedOf(listing), { outdated, unknownFolder: setOutdated });
    // A folder that moved during the comparison is at its new place without the rest.
    if (!finished) setOutdated();
  }

  const nodeAt = async (place: Place) => {
    await queue.caughtUp();
    return await table.at(place);
  };

  const record = async (change: Change): Promise<void> => {
    recent.add(...placesOf(change));
    if (!changeLog) return queue.add(change);
    await changeLog.add(change);
    queue.wakeSoon();
  };

  return {
    /** Records a change; it reaches the index a few milliseconds later. */
    record,

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

    /** How many changes the index does not have yet, of all servers where there are several. */
    waiting: async (): Promise<number> => (changeLog ? await changeLog.waiting() : queue.waiting()),

    /** Returns when all changes that were recorded so far are in the index. */
    applied: queue.applied,

    /** Returns when all changes and listings that were recorded so far are in the index. */
    async settled(): Promise<void> {
      await oneByOne("slices", async () => undefined);
      await queue.applied();
    },

    /** Finds names that contain all words of a query, the best first; fewer than two letters find nothing. */
    async find(query: Query): Promise<Hits> {
      await queue.caughtUp();
      return await find(query);
    },

    /** Returns the sizes of neighbouring folders in this one, by their keys, which are in order. */
    async sizes(place: Place, folders: readonly string[]): Promise<ReadonlyMap<string, FolderStat>> {
      const sizes = new Map<string, FolderStat>();
      const [first, last] = [folders[0], folders.at(-1)].map((folder) => folder?.slice(place.key.length));
      const node = last === undefined ? undefined : await nodeAt(place);
      if (!node || last === undefined) return sizes;
      const yielder = createYielder();
      for (let from = first; from !== undefined; ) {
        const some = await table.folders(node.id, { from, upTo: last, limit: SIZES });
        for (const one of some) sizes.set(place.key + one.name, one);
        from = some.length === SIZES ? some.at(-1)?.name : undefined;
        await yielder.yieldIfDue();
      }
      return sizes;
    },

    /** Returns the size of a folder, of a storage for an empty key: a day old if others changed it. */
    async folder(place: Place): Promise<(FolderStat & Pick<NodeRow, "files">) | undefined> {
      const node = await nodeAt(place);
      return node && { size: node.size, files: node.files, newest: node.newest };
    },

    /**
     * Makes the index match a storage. Throws the failures of the storage, and then removes only nodes that it has
     * seen missing.
     */
    build: builds.build,

    /** Builds the index of each of these storages that is a day old or outdated, one after the other; returns how many. */
    rebuildDue: builds.due,

    /** When the index of a storage was last complete, in epoch milliseconds; null when it has to be built. */
    status: async (storage: string): Promise<{ readonly built_at: number | null }> => ({
      built_at: await builds.builtAt(storage),
    }),

    /** Applies the recorded changes; a running build stops. */
    async close(): Promise<void> {
      await queue.close();
      if (shared) return;
      try {
        await table.close();
      } catch (error) {
        // The mark stays, and the next start builds the index anew.
        log.error("index not closed", unforeseen(error));
      }
    },
  };
}

export type Search = Awaited<ReturnType<typeof openSearch>>;
