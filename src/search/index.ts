import type { Cluster } from "../cluster/cluster.ts";
import type { Clock } from "../lib/clock.ts";
import { createLocks } from "../lib/locks.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import type { Stores } from "../stores/stores.ts";
import { createBuilds } from "./build.ts";
import { createChangeLog } from "./change-log.ts";
import { placeOf } from "./change-subjects.ts";
import { type Change, createRecent, placesOf } from "./changes.ts";
import { createFind, type Hits, type Query } from "./find.ts";
import { createListings, type LookInto } from "./listings.ts";
import { foundTable, nodesTable } from "./nodes-table.ts";
import { createQueue } from "./queue.ts";
import { createReconciler } from "./reconcile.ts";
import { createSizes } from "./sizes.ts";
import { createWriter } from "./writer.ts";

export type { Hit, Hits } from "./find.ts";

interface SearchDeps {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly log: Log;
  readonly stores: Pick<Stores, "configs" | "of">;
  readonly lookInto?: LookInto | undefined;
}

/** Milliseconds that a query waits for changes: on another machine they take longer to write. */
const PATIENCE = { sqlite: 50, postgres: 500 } as const;

/**
 * Opens the index of the names and sizes in the storages. It follows changes, listings, and once a day the storages
 * themselves, folders of the machine once an hour; in between it may hold less than a storage, or more. An index that was not closed is built anew, unless other servers
 * go on with what it had not written.
 */
export async function openSearch({ cluster, clock, log, stores, lookInto = () => false }: SearchDeps) {
  const { shared } = cluster;
  const table = nodesTable(cluster.db);
  if (!shared) await table.open();
  const writer = await createWriter(table);
  const reconcile = createReconciler(table, writer);
  const recent = createRecent();
  const find = createFind(foundTable(cluster.reading));
  const oneByOne = createLocks();

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

  const record = async (change: Change): Promise<void> => {
    recent.add(...placesOf(change));
    if (!changeLog) return queue.add(change);
    await changeLog.add(change);
    queue.wakeSoon();
  };

  return {
    /** Records a change; it reaches the index a few milliseconds later. */
    record,

    ...createListings({ shared, writer, builds, log, queue, recent, reconcile, inSlices, lookInto, record }),

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
      await queue.synced();
      cluster.renew();
      return await find(query);
    },

    ...createSizes(table, queue),

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

    progress: builds.progress,

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
