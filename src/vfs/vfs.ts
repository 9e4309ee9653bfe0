import { Failure } from "#contract/failures";
import type { Callers } from "../access/callers.ts";
import { ownerName, TEXTS, type TreeCaller } from "../access/principal.ts";
import type { Protocol } from "../access/rights.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { type Clock, steadyClock } from "../lib/clock.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import { openSearch, type Search } from "../search/index.ts";
import type { Settings } from "../settings/settings.ts";
import type { DiskSpace } from "../stores/disk/space.ts";
import type { Place } from "../stores/store.ts";
import type { Storage, Stores } from "../stores/stores.ts";
import type { Arrivals } from "../transfers/arrivals.ts";
import type { Changes } from "../transfers/changes.ts";
import type { Transfers } from "../transfers/transfers.ts";
import type { Viewer } from "./access.ts";
import { createFileAddresses } from "./addresses.ts";
import { createAdmission } from "./admission.ts";
import { createFolderWatches, type FolderWatches } from "./folder-watches.ts";
import { createTreeGrants } from "./grants.ts";
import { type Linked, type LinkedItem, linkedItems } from "./link-tree.ts";
import { createLinks } from "./links.ts";
import { createListings, type Listings } from "./listing.ts";
import { createLookup } from "./lookup.ts";
import { openMounts } from "./mounts.ts";
import type { ShownMountRow } from "./mounts-table.ts";
import { createOutside } from "./outside.ts";
import { openTrash } from "./trash/trash.ts";
import { openView, type View } from "./view.ts";
import { openPathLocks } from "./webdav/locks.ts";
import { openProperties } from "./webdav/properties.ts";

export { pathOfUpload } from "./arriving-names.ts";
export { isOneFile } from "./layout.ts";
export { type LinkedItem, uploadFolders } from "./link-tree.ts";

interface VfsDeps {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly log: Log;
  readonly secret: string;
  readonly stores: Stores;
  /** The disk of the database. */
  readonly disk: Pick<DiskSpace, "requireForDatabase">;
  readonly settings: Settings;
  readonly transfers: Transfers;
  readonly changes: Changes;
  readonly callers: Callers;
  readonly arrivals: Arrivals;
  /** Shared texts as files by their ids, which links lead to. */
  readonly texts: Storage;
  /** Milliseconds that a change waits for others of its path; for tests, PATIENCE unless said. */
  readonly patience?: number | undefined;
}

const PATIENCE = 30_000;

/** One tree over all storages, as each caller sees it. */
export async function openVfs(dependencies: VfsDeps) {
  const { cluster, clock, log, secret, stores, disk, settings, changes, callers, arrivals } = dependencies;
  const { patience = PATIENCE } = dependencies;
  const transfers = withTexts(dependencies);
  const search = await openSearch({ cluster, clock, log, stores, lookInto: (folder) => outside.lookInto(folder) });
  const index = createIndexing({
    log,
    search,
    mounts: () => mounts.list(),
    keepOnly: (kept) => outside.keepOnly(kept),
  });
  const watches = createFolderWatches();
  const changed = () => [index(), watches.note(undefined)];
  const mounts = await openMounts({ db: cluster.db, clock, log, stores, cluster, changed });
  const listings = createListings({
    clock: steadyClock(clock),
    asked: (storage, key) => outside.watch(storage, key),
    moment: search.moment,
    fetched: search.recordListing,
  });
  const outside = createOutside({ log, look: createLook({ stores, listings, search }), settled: search.settled });
  const locks = await openPathLocks({ cluster, clock });
  const properties = await openProperties({ cluster, clock, disk });
  const lookup = createLookup(transfers, "any");
  const exactLookup = createLookup(transfers, "exact");
  const inTurn = cluster.turns("path", { patience, busy: () => new Failure("server.busy") });
  const grants = createTreeGrants({ secret, clock, callers });
  const links = createLinks({ secret, clock, settings });
  const addresses = createFileAddresses({ transfers, grants, links, clock });
  const trash = openTrash({ cluster, clock, settings, transfers, inTurn });
  const own = { trash, mounts, lookup, exactLookup, listings, search, locks, properties, addresses, inTurn };
  const deps = { clock, log, callers, arrivals, transfers, settings, ...own };
  const depsOfS3 = { ...deps, lookup: exactLookup };

  /** A token of somebody else's lock opens nothing. */
  const view = (viewer: Viewer): Promise<View> =>
    openView(viewer.protocol === "s3" ? depsOfS3 : deps, {
      ...viewer,
      tokens: locks.own(viewer.tokens ?? [], ownerName(viewer.caller)),
    });

  followChanges(dependencies, listings, watches);
  outside.follow(watches.note);
  changes.add(properties);
  changes.add(trash);
  const admit = createAdmission(deps);
  changes.add({ follow: search.record, settled: search.applied, admit });

  return {
    /** Returns the tree as a caller sees it through a protocol. */
    as: (caller: TreeCaller, protocol: Protocol, request: Pick<Viewer, "tokens" | "signal"> = {}): Promise<View> =>
      view({ caller, protocol, ...request }),
    /** As `as`. */
    view,
    /** The items of a link, and where its owner reaches them at this moment. */
    itemsOf: async (link: Linked): Promise<LinkedItem[]> => linkedItems(link, await mounts.list(), mounts.isVisible),
    mounts,
    locks,
    properties,
    search,
    grants,
    links,
    addresses,
    /** Who is told of changes in and below folders. */
    watches,
    caches: [listings.cache],
    /** Calls back with each folder of the machine in which something has changed, after the index was told; returns what ends that. */
    followOutside: outside.follow,

    /** Removes for ever what has waited in the trash long enough, except in silent storages; returns how many. */
    sweepTrash: trash.sweep,

    /** As the sweeper wants it; it does not wait, because a large storage takes its time. */
    async sweepIndex(): Promise<number> {
      index();
      return 0;
    },

    /** Writes what is only noted in memory. */
    close: (): Promise<void> => closeAll(watches, outside, search, mounts),
  };
}

/** Storages with that of texts among them, which only the tree of a link knows. */
const withTexts = ({ transfers, texts }: Pick<VfsDeps, "transfers" | "texts">): Transfers => ({
  ...transfers,
  storage: async (id) => (id === TEXTS ? texts : await transfers.storage(id)),
});

/** One after the other. */
async function closeAll(...rooms: readonly { close(): Promise<void> | void }[]): Promise<void> {
  for (const room of rooms) await room.close();
}

/** Tells listings and those who watch folders what has changed, in this order: whoever is told and lists anew gets no older one. */
function followChanges({ changes, cluster }: VfsDeps, listings: Listings, watches: FolderWatches): void {
  for (const { follow, learn } of [listings, watches]) {
    changes.add({ follow, outdated: follow });
    cluster.follow("objects", learn);
  }
  cluster.follow("mounts", () => watches.note(undefined));
}

interface IndexingDeps extends Pick<VfsDeps, "log"> {
  readonly search: Pick<Search, "rebuildDue">;
  readonly mounts: () => Promise<readonly ShownMountRow[]>;
  /** Ends what is watched in all other storages. */
  readonly keepOnly: (storages: ReadonlySet<string>) => void;
}

/** Makes what begins to build what is due of the index; nobody waits for it, however long that takes. */
function createIndexing({ log, search, mounts, keepOnly }: IndexingDeps): () => void {
  const indexMounted = async (): Promise<void> => {
    const active = (await mounts()).filter(({ is_active }) => is_active === 1);
    const mounted = new Set(active.map(({ storage }) => storage));
    keepOnly(mounted);
    await search.rebuildDue(mounted);
  };
  return () => {
    indexMounted().catch((error: unknown) => log.error("index not built", unforeseen(error)));
  };
}

/** Makes what lists a folder for the index. */
function createLook({ stores, listings, search }: { stores: Stores; listings: Listings; search: Search }) {
  return async ({ storage, key }: Place): Promise<boolean> => {
    const since = search.moment();
    const { there, next } = await listings.get(stores.of(await stores.configs.get(storage)), key, 0);
    if (!there) search.recordMissing({ storage, key }, since);
    return next === undefined;
  };
}

export type Vfs = Awaited<ReturnType<typeof openVfs>>;
