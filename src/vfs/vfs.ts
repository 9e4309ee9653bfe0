import type { Caller } from "../access/principal.ts";
import type { Door } from "../access/rights.ts";
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { createLocks } from "../lib/locks.ts";
import type { Log } from "../lib/log.ts";
import { unforeseen } from "../lib/unforeseen.ts";
import type { Settings } from "../settings/settings.ts";
import type { Stores } from "../stores/stores.ts";
import type { Changes } from "../transfers/changes.ts";
import type { Transfers } from "../transfers/transfers.ts";
import { createFileAddresses } from "./addresses.ts";
import { createAdmission } from "./admission.ts";
import { createFinding } from "./finding.ts";
import { createTreeGrants } from "./grants.ts";
import type { CallerOf } from "./job-work.ts";
import { createJobs } from "./jobs.ts";
import { createLinks } from "./links.ts";
import { createListings } from "./listing.ts";
import { createPathLocks } from "./locks.ts";
import { openMounts } from "./mounts.ts";
import { openSearch } from "./search.ts";
import type { Viewer } from "./tree-access.ts";
import { createView, type View } from "./view.ts";
import { createWork } from "./working.ts";

interface VfsNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly secret: string;
  readonly stores: Stores;
  readonly settings: Settings;
  readonly transfers: Transfers;
  readonly changes: Changes;
  readonly callerOf: CallerOf;
}

/** One tree over all storages, as each caller sees it. */
export async function openVfs({ db, clock, log, secret, stores, settings, transfers, changes, callerOf }: VfsNeeds) {
  const search = await openSearch({ db, clock, log, stores });
  const indexMounted = async (): Promise<void> => {
    const mounted = (await mounts.list()).filter(({ is_active }) => is_active === 1);
    await search.rebuildDue(new Set(mounted.map(({ storage }) => storage)));
  };
  /** Begins to build what is due of the index; nobody waits for it, however long that takes. */
  const index = (): void => {
    indexMounted().catch((error: unknown) => log.error("index not built", unforeseen(error)));
  };
  const mounts = await openMounts({ db, clock, stores, mounted: index });
  const listings = createListings({ clock, moment: search.moment, fetched: search.saw });
  const locks = createPathLocks(clock);
  const finding = createFinding(transfers);
  const inTurn = createLocks();
  const room = { clock, log, mounts, transfers, settings, finding, listings, search, locks, inTurn };

  const view = (viewer: Viewer): View => createView(room, viewer);
  const work = createWork({ as: view, search });
  const jobs = createJobs({ db, clock, log, ...work, callerOf });

  const grants = createTreeGrants({ secret, clock, callerOf });
  const links = createLinks({ secret, clock, settings });

  changes.add(listings);
  const admit = createAdmission({ as: view, mounts, callerOf });
  changes.add({ follow: search.note, settled: search.applied, admit });

  return {
    /** The tree as somebody sees it through a door; `tokens` are those of locks that the request names. */
    as: (caller: Caller, door: Door, tokens: readonly string[] = []): View => view({ caller, door, tokens }),
    /** Does a task step by step. */
    run: work.run,
    mounts,
    locks,
    jobs,
    search,
    grants,
    links,
    addresses: createFileAddresses({ transfers, grants, links, clock }),
    caches: [listings.cache],

    /** Goes on with what the last server left. To be called once, before any request is answered. */
    start: jobs.start,

    /** As the sweeper wants it; it does not wait, because a large storage takes its time. */
    async sweepIndex(): Promise<number> {
      index();
      return 0;
    },

    /** Stops behind the files under way and writes what is only noted in memory. */
    async close(): Promise<void> {
      await jobs.close();
      await search.close();
    },
  };
}

export type Vfs = Awaited<ReturnType<typeof openVfs>>;
