import { Failure } from "#contract/failures";
import { ENDED_LINK_KEPT, GONE_SHARE_KEPT, RECEIPT_KEPT, REQUEST_KEY_LIFE, UPLOAD_LIFE } from "#contract/limits";
import type { NewStorage } from "#contract/storage";
import type { EventItem } from "#contract/webhooks";
import { type Admin, openAdmin } from "./access/admin.ts";
import { createAudit } from "./access/audit.ts";
import { createBasic } from "./access/basic.ts";
import { createCallers } from "./access/callers.ts";
import { createIdentify } from "./access/identify.ts";
import { createKeyCheck, createKeyGuesses } from "./access/key-check.ts";
import { createKeys } from "./access/keys.ts";
import { createKnownAddresses } from "./access/known-addresses.ts";
import { createCounter, createLimiter } from "./access/limiter.ts";
import { accountPasswords, sharePasswords } from "./access/passwords.ts";
import { createSessions, createTokens } from "./access/sessions.ts";
import { createSharedCounter } from "./access/shared-counter.ts";
import { createSignedIdentify } from "./access/signed-requests.ts";
import { createActivity } from "./activity/activity.ts";
import { standAlone } from "./cluster/alone.ts";
import { joinCluster } from "./cluster/cluster.ts";
import { boundDatabase } from "./database/bounded.ts";
import { checkClock, clockFault } from "./database/clock-check.ts";
import { checkCopied, noteUsed } from "./database/copy.ts";
import type { Database, Standby } from "./database/database.ts";
import { measuredDatabase } from "./database/measured.ts";
import { checkAge, migrate, type Schema } from "./database/migrate.ts";
import { checkSecret, noteSecret } from "./database/secret-check.ts";
import type { Sql } from "./database/sql.ts";
import { hasStorage } from "./database/tables.ts";
import { createImports } from "./import/import.ts";
import { createJobs } from "./jobs/jobs.ts";
import type { Failed } from "./jobs/runner.ts";
import { createTreeTasks } from "./jobs/tree-tasks.ts";
import {
  type AddressPolicy,
  type AddressSet,
  addressSet,
  publicAnd,
  publicOnly,
  type Resolve,
  resolveByMachine,
} from "./lib/addresses.ts";
import { type Clock, iso, steadyClock } from "./lib/clock.ts";
import { createClosing } from "./lib/closing.ts";
import type { ReadVolume } from "./lib/data-folder.ts";
import type { Log } from "./lib/log.ts";
import type { NamedFolders } from "./lib/named-folders.ts";
import { createSafeFetch } from "./lib/safe-fetch.ts";
import { createArrivalDigests } from "./links/arrival-digests.ts";
import { createLinks } from "./links/links.ts";
import { openSettings } from "./settings/settings.ts";
import { createFiles } from "./shares/files.ts";
import type { Refused, Spent, SpentView } from "./shares/gate.ts";
import { createGrants } from "./shares/grants.ts";
import { createPastes } from "./shares/pastes.ts";
import { createPublicFacts } from "./shares/public-facts.ts";
import { createSealedAt } from "./shares/sealed-at.ts";
import { createShareLimits } from "./shares/share-limits.ts";
import { createTextQuotas } from "./shares/text-quotas.ts";
import { createTextStorage } from "./shares/text-storage.ts";
import { createSources } from "./shares/url-import.ts";
import { configsTable } from "./stores/configs-table.ts";
import { createDiskSpace } from "./stores/disk/space.ts";
import { createDoctor } from "./stores/doctor/doctor.ts";
import { probeBucket } from "./stores/probe.ts";
import { openStores } from "./stores/stores.ts";
import { type BackupMaker, createBackups, createPlaceCheck } from "./system/backups.ts";
import type { Run } from "./system/backups-table.ts";
import { createCaches } from "./system/caches.ts";
import { createDashboard } from "./system/dashboard.ts";
import { createFullStorages } from "./system/full-storages.ts";
import { createHealth } from "./system/health.ts";
import { createMetrics } from "./system/metrics.ts";
import { createReadiness } from "./system/ready.ts";
import { createSweeper } from "./system/sweeper.ts";
import { createThumbs } from "./thumbs/thumbs.ts";
import { createChanges } from "./transfers/changes.ts";
import { createTransfers } from "./transfers/transfers.ts";
import { openVfs } from "./vfs/vfs.ts";
import { openWebhookQueue, type WebhookQueue } from "./webhooks/queue.ts";
import { createWebhooks, type Webhooks, type WebhooksDeps } from "./webhooks/webhooks.ts";

/** What every room stands on. */
interface AccountDependencies {
  readonly db: Database;
  readonly secret: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether `clock` must agree with that of the database, as it must where machines have one each. */
  readonly sameTime?: boolean | undefined;
}

/** The dependencies of the house. */
interface Dependencies extends AccountDependencies {
  /** The folder whose disk holds the database. */
  readonly folder: string;
  /** Where the built-in store keeps its files. */
  readonly objects: string;
  /** Folders of the machine that may be storages; none unless said. */
  readonly folders?: NamedFolders | undefined;
  /** Whether acknowledged writes must survive a power cut; otherwise the last seconds may be lost. */
  readonly durable?: boolean | undefined;
  /** How full disks are read; the system says so unless a test does. */
  readonly volume?: ReadVolume | undefined;
  /** A standby of the database, which lists, search and openings may read. */
  readonly standby?: Standby | undefined;
  /** Whether other servers work on the database too, and on the same storages. */
  readonly clustered?: boolean | undefined;
  /** Milliseconds since some moment, by which servers keep step; for tests. */
  readonly elapsed?: (() => number) | undefined;
  /** Milliseconds that a change waits for others of its path; for tests. */
  readonly patience?: number | undefined;
  /** Whether this process holds the data folder: then it may migrate tables and clean up after a crash. */
  readonly holdsDataFolder: boolean;
  /** The storage that is made when there is none: the built-in one unless said, a bucket that can be used, or none (null). An error is thrown then. */
  readonly firstStorage?: NewStorage | Error | null | undefined;
  /** Whether it counts what it does; not unless said. */
  readonly measured?: boolean | undefined;
  /** How this server makes backups. */
  readonly backups: BackupMaker;
  /** Where webhooks may lead, and how mail is sent; the public internet and not at all unless said. */
  readonly webhooks?: Pick<WebhooksDeps, "mailServer" | "patience"> & { readonly networks?: AddressSet | undefined };
  /** How names of storages and of URLs are resolved; as this machine does unless said. */
  readonly resolve?: Resolve | undefined;
  /** Where the URLs that users type may not lead: away from the public internet, unless a test says otherwise. */
  readonly sources?: AddressPolicy | undefined;
}

const bounded = (engine: Database, log: Log) =>
  boundDatabase(engine, {
    full: () => new Failure("storage.full", { bound: "database" }),
    unavailable(reason) {
      log.warn("database unavailable", { reason });
      return new Failure("database.unavailable");
    },
    tooLong: () => new Failure("text.tooLong"),
  });

/** Looks at the database and writes nothing, so that a start that is refused leaves it as it was. Throws as `openHouse`. */
async function checkDatabase(db: Database, { secret, clock, sameTime }: AccountDependencies): Promise<void> {
  if (sameTime) await checkClock(db, clock);
  await checkAge(db);
  await checkSecret(db, secret);
  await checkCopied(db);
}

/** Brings the tables of a checked database to the present version, and makes it that of this secret key. Throws as `openHouse`. */
async function openTables(db: Database, { secret }: AccountDependencies, holdsDataFolder: boolean): Promise<Schema> {
  const schema = await migrate(db, holdsDataFolder);
  await noteSecret(db, secret);
  if (holdsDataFolder && db.engine === "postgres") await noteUsed(db);
  return schema;
}

/** The storage to make, which has been tried: a name that is wrong would be kept for good. Undefined when the database has one. */
async function firstOf(
  db: Database,
  { firstStorage, clock, resolve }: Dependencies,
): Promise<NewStorage | null | undefined> {
  if (!firstStorage) return firstStorage;
  if (await hasStorage(db)) return null;
  if (firstStorage instanceof Error) throw firstStorage;
  await probeBucket(firstStorage, { clock, resolve });
  return firstStorage;
}

/**
 * Opens the room of the administrator's account and no other: a server may be running on the database, and what the other rooms note
 * at their opening is for one server. Throws as `openHouse`.
 */
export async function openAccount(dependencies: AccountDependencies): Promise<Admin> {
  const { secret, clock, log } = dependencies;
  const { db } = bounded(dependencies.db, log);
  await checkDatabase(db, dependencies);
  await openTables(db, dependencies, false);
  const steady = steadyClock(clock);
  const known = createKnownAddresses({ cluster: standAlone({ db, clock }), clock: steady, log });
  const limiter = createLimiter(createCounter(steady), known);
  const sessions = createSessions({ db, clock, tokens: createTokens(secret, clock) });
  const audit = createAudit({ db, clock, log });
  return await openAdmin({ db, clock, passwords: accountPasswords(), sessions, limiter, audit });
}

/** Opens what tests storages and no other room, also beside a running server. Throws as `openHouse`. */
export async function openStorageTest(dependencies: AccountDependencies & Pick<Dependencies, "objects" | "folders">) {
  const { secret, clock, log, objects: folder, folders: named } = dependencies;
  const { db } = bounded(dependencies.db, log);
  await checkDatabase(db, dependencies);
  await openTables(db, dependencies, false);
  const cluster = standAlone({ db, clock });
  const stores = await openStores({
    db,
    clock,
    log,
    secret,
    folder,
    holdsDataFolder: false,
    first: null,
    cluster,
    named,
  });
  const { configs, close } = stores;
  return { list: configs.list, test: createDoctor({ stores, clock, log }).examine, close };
}

/** What every room stands on: checked tables, other servers and settings. */
async function openBase(dependencies: Dependencies) {
  const { db: engine, clock, log, folder, volume, holdsDataFolder, clustered } = dependencies;
  const metrics = dependencies.measured ? createMetrics(log) : undefined;
  const { db: own, isFull } = bounded(metrics ? measuredDatabase(engine, metrics.statement) : engine, log);
  const disk = createDiskSpace({ folder, volume });
  await checkDatabase(own, dependencies);
  const first = await firstOf(own, dependencies);
  const schema = await openTables(own, dependencies, holdsDataFolder);
  const busy = () => new Failure("server.busy");
  const cluster = clustered
    ? await joinCluster({ db: own, log, busy, elapsed: dependencies.elapsed, standby: dependencies.standby })
    : standAlone({ db: own, clock });
  const storages = async () => (await configsTable(cluster.db).all()).map((row) => ({ ...row }));
  const check = createPlaceCheck({ ...dependencies.backups, storages, secret: dependencies.secret });
  const settings = await openSettings({ db: cluster.db, clock, schema, cluster, check });
  const events = await openWebhookQueue({ cluster, clock, log });
  const activity = createActivity({ cluster, clock, log, settings });
  const steady = steadyClock(clock);
  return { dependencies, activity, metrics, own, isFull, disk, first, schema, cluster, settings, events, steady };
}

type Base = Awaited<ReturnType<typeof openBase>>;

/** Who calls, and what they may do. */
async function openAccess({ dependencies, activity, cluster, settings, events, steady }: Base) {
  const { secret, clock, log } = dependencies;
  const { db, synced } = cluster;
  const counting = cluster.shared && createSharedCounter({ cluster, clock: steady });
  const signedIn = (address: string, when: Sql) => events.told({ type: "sign_in.new", item: { address } }, when);
  const known = createKnownAddresses({ cluster, clock: steady, log, signedIn });
  const limiter = createLimiter(counting || createCounter(steady), known);
  const sessions = createSessions({ db, clock, tokens: createTokens(secret, clock) });
  const audit = createAudit({ db, reading: cluster.reading, clock, log });
  const admin = await openAdmin({ db, clock, passwords: accountPasswords(), sessions, limiter, audit });
  const keys = createKeys({ db, clock, log, secret, cluster });
  const guesses = createKeyGuesses({ limiter, secret });
  const checkKey = createKeyCheck({ keys, guesses });
  const passwords = sharePasswords(secret);
  const told = {
    arrived: (item: EventItem<"file.arrived">) => events.tell({ type: "file.arrived", item }),
    closed: (item: EventItem<"link.closed">) => events.told({ type: "link.closed", item }),
  };
  const limits = createShareLimits({ cluster, clock, settings, visitors: keys.visitors });
  const { callerOf } = keys;
  const links = createLinks({ cluster, clock, secret, passwords, limits, limiter, callerOf, told, activity });
  const identify = createIdentify({
    sessions,
    checkKey,
    basic: createBasic({ admin, checkKey, links: links.basic, synced, clock: steady, secret }),
    callerByGrant: links.callerByGrant,
    synced,
  });

  const identifySigned = createSignedIdentify({ keys, links: links.signers, guesses, clock, synced });

  const callers = createCallers({ sessions, admin, keys, links, synced });

  return {
    counting,
    known,
    limiter,
    sessions,
    audit,
    admin,
    keys,
    links,
    passwords,
    limits,
    identify,
    identifySigned,
    callers,
  };
}

type Access = Awaited<ReturnType<typeof openAccess>>;

/** Storages, the tree on them, and the jobs that work on it. */
async function openTree(base: Base, { keys, links, callers }: Access) {
  const { dependencies, metrics, disk, first, cluster, settings, events } = base;
  const { secret, clock, log, objects, durable, volume, holdsDataFolder, resolve, folders: named } = dependencies;
  const { db } = cluster;
  const inTurn = cluster.turns("storage");
  const kept = { folder: objects, holdsDataFolder, durable, volume, first, named };
  const stores = await openStores({
    db,
    clock,
    log,
    secret,
    ...kept,
    resolve,
    inTurn,
    cluster,
    failed: metrics?.storageFailed,
  });
  const changes = createChanges();
  const failed = (item: EventItem<"upload.failed">) => events.tell({ type: "upload.failed", item });
  const transfers = createTransfers({
    ...{ cluster, clock, log, stores, settings, changes, failed },
    visitors: keys.visitors,
  });

  const digests = createArrivalDigests({ cluster, clock, log, sha256Of: transfers.sha256Of });
  const tree = {
    cluster,
    clock,
    log,
    secret,
    stores,
    disk,
    settings,
    transfers,
    changes,
    callers,
    arrivals: digests.after(links.arrivals),
    texts: createTextStorage({ db, clock }),
    patience: dependencies.patience,
  };
  const vfs = await openVfs(tree);
  changes.add(links);
  const tasks = createTreeTasks({ as: vfs.view, search: vfs.search });
  const jobs = {
    ...createJobs({ cluster, clock, log, ...tasks, callers, failed: toldJob(events) }),
    run: tasks.run,
    folderFor: tasks.folderFor,
  };

  if (cluster.replica) metrics?.watchReplica(cluster.replica);
  metrics?.watch({ jobs: jobs.counts.byState, waiting: vfs.search.waiting });

  return { stores, changes, transfers, vfs, jobs, digests };
}

type Tree = Awaited<ReturnType<typeof openTree>>;

/** Tells of a job that failed, with the transaction that ends it. */
const toldJob =
  ({ told }: WebhookQueue): Failed =>
  ({ id, owner, reason }, when) =>
    told({ type: "job.failed", item: { job: id, owner, reason } }, when);

/** Tells of a view that was spent. */
const tellView = ({ tell }: WebhookQueue, { kind, id, slug, filename, isLast }: SpentView): void => {
  const item = { kind, id, slug, name: filename ?? null };
  tell({ type: "share.opened", item: { ...item, openings: 1 } });
  if (isLast) tell({ type: "share.spent", item });
};

/** Links to texts and files. */
function openShares(base: Base, { limiter, passwords, limits, callers, links }: Access, { changes, transfers }: Tree) {
  const { dependencies, activity, metrics, disk, cluster, settings, events, steady } = base;
  const { secret, clock, log, resolve, sources: policy = publicOnly } = dependencies;
  const { db } = cluster;
  const grants = createGrants(secret);
  const quotas = createTextQuotas({ db, settings });
  const spent: Spent = (view, visitor) => {
    metrics?.spent(view);
    tellView(events, view);
    const bytes = view.kind === "paste" ? view.size : null;
    activity.note(view, visitor, { event: "opened", outcome: "whole", bytes });
  };
  const refused: Refused = (view, visitor) =>
    activity.note(view, visitor, { event: "refused", outcome: view.why, bytes: null });
  const pastes = createPastes({
    ...{ db, clock, log, passwords, grants, limits, limiter, quotas, disk, cluster, spent, refused },
    edited: links.textsChanged,
  });
  const files = createFiles({
    db,
    clock,
    log,
    passwords,
    grants,
    limits,
    limiter,
    settings,
    transfers,
    callers,
    cluster,
    spent,
    refused,
  });

  const fetchSource = createSafeFetch({
    fetch,
    policy,
    resolve: resolve ?? resolveByMachine,
    clock: steady,
  });
  const sources = createSources({ fetch: fetchSource, limiter, largest: transfers.largest });

  changes.add(files);

  return { pastes, files, sources, grants, quotas, passwords };
}

type Shares = ReturnType<typeof openShares>;

/** What the administrator and monitors see. */
function openSystem(base: Base, { keys, links, admin }: Access, tree: Tree, shares: Shares, webhooks: Webhooks) {
  const { pastes, files, quotas } = shares;
  const { dependencies, metrics, isFull, disk, schema, cluster, settings, events, steady } = base;
  const { clock, log } = dependencies;
  const { stores, transfers, vfs, jobs } = tree;
  const { db } = cluster;
  const caches = createCaches({
    caches: [pastes.cache, ...files.caches, keys.cache, links.cache, ...vfs.caches],
    clock,
    cluster,
  });
  const { shared } = cluster;
  const timed = { clockFault: async () => (dependencies.sameTime ? await clockFault(db, clock) : undefined) };
  const disks = [disk, stores.space];
  const health = createHealth({ db, clock, log, ...timed, isFull, disks, quotas, transfers, stores, shared });
  const { probe } = stores;
  const readiness = createReadiness({
    db,
    known: schema.known,
    ...timed,
    probe,
    shared,
    elapsed: steady,
    log,
  });
  const failedJobs = jobs.counts.failed;
  const failed = ({ began, by }: Run) => events.told({ type: "backup.failed", item: { started_at: iso(began), by } });
  const backups = createBackups({ cluster, clock, log, settings, failed, ...dependencies.backups });
  metrics?.watchBackups(backups.status);
  const { switchedOff } = webhooks;
  const counted = { clock, pastes, files, keys, admin, transfers };
  const dashboard = createDashboard({ ...counted, health, failedJobs, backups, webhooks: switchedOff });
  const full = (item: EventItem<"storage.full">) => events.told({ type: "storage.full", item });
  const fullStorages = createFullStorages({ cluster, log, transfers, full, isWanted: events.isWanted });
  return { health, readiness, dashboard, caches, backups, fullStorages };
}

/** What tells of what happens to whom the administrator wants. */
function openWebhooks({ dependencies, cluster, events: queue }: Base): Webhooks {
  const { clock, log, secret, resolve, webhooks: { networks = addressSet([])[0], ...chosen } = {} } = dependencies;
  return createWebhooks({ cluster, clock, log, secret, queue, resolve, policy: publicAnd(networks), ...chosen });
}

/** What takes over from other servers, into the other rooms. */
function openImports({ dependencies, cluster, settings }: Base, { keys }: Access, tree: Tree, shares: Shares) {
  const { stores, vfs } = tree;
  const { pastes, files, passwords } = shares;
  const rooms = {
    configs: stores.configs,
    keys,
    mounts: vfs.mounts,
    settings,
    texts: pastes.imported,
    files: files.imported,
  };
  return createImports({ db: cluster.db, clock: dependencies.clock, passwords, rooms });
}

/** What is removed periodically. */
function openSweeper(base: Base, access: Access, tree: Tree, shares: Shares, webhooks: Webhooks) {
  const { dependencies, activity, own, disk, cluster } = base;
  const { clock, log } = dependencies;
  const { db } = cluster;
  const { counting, known, sessions, audit, admin, links } = access;
  const { stores, transfers, vfs, jobs } = tree;
  const { pastes, files } = shares;
  const holdSpare = async () => {
    own.spare?.take(disk.free());
    return 0;
  };
  const buildIndexes = async () => {
    await db.buildIndexes();
    return 0;
  };
  const sent = { look: transfers.look, ended: transfers.uploads.ended };
  return createSweeper(
    [
      { name: "spare room of the database", sweep: holdSpare },
      { name: "texts", sweep: () => pastes.sweep(GONE_SHARE_KEPT) },
      { name: "files", sweep: (silent) => files.sweep(GONE_SHARE_KEPT, silent) },
      { name: "links", sweep: () => links.sweep(ENDED_LINK_KEPT) },
      { name: "abandoned uploads", sweep: (silent) => files.sweepAbandoned(UPLOAD_LIFE, silent) },
      { name: "uploads", sweep: (silent) => transfers.sweep(clock() - UPLOAD_LIFE, silent) },
      // Behind those, which say what of uploads is left.
      { name: "files that come by links", sweep: () => links.arrivals.sweepArrivals(sent, RECEIPT_KEPT) },
      { name: "results of uploads", sweep: transfers.sweepEnded },
      { name: "files of visitors", sweep: transfers.sweepVisitors },
      { name: "changes that were not told", sweep: transfers.sweepChanges },
      { name: "request keys of texts", sweep: () => pastes.forgetRequestKeys(REQUEST_KEY_LIFE) },
      { name: "request keys of files", sweep: () => files.forgetRequestKeys(REQUEST_KEY_LIFE) },
      { name: "what a backup has left", sweep: stores.sweepKept },
      { name: "trash", sweep: vfs.sweepTrash },
      { name: "search index", sweep: vfs.sweepIndex },
      { name: "jobs", sweep: jobs.sweep },
      { name: "locks", sweep: vfs.locks.sweep },
      { name: "sessions", sweep: sessions.sweep },
      { name: "sign-in links", sweep: admin.sweep },
      { name: "audit log", sweep: audit.sweep },
      { name: "activity", sweep: activity.sweep },
      { name: "free pages", sweep: db.shrink },
      { name: "guesses", sweep: async () => (counting ? await counting.sweep() : 0) },
      { name: "known addresses", sweep: known.sweep },
      { name: "deliveries of webhooks", sweep: webhooks.sweep },
      { name: "leases and changes", sweep: cluster.sweep },
      // Behind all others, because that takes as long as it takes.
      { name: "indexes", sweep: buildIndexes },
    ],
    {
      log,
      clock,
      elapsed: () => performance.now(),
      takeTurn: (lately) => cluster.leases.takeEvery("sweep", lately),
    },
  );
}

/**
 * Builds every room once, top to bottom. Throws when the database is newer than this Satchel, was made with another secret or has another
 * time, and when its first storage cannot be used.
 */
export async function openHouse(dependencies: Dependencies) {
  const { clock, log, resolve } = dependencies;
  const base = await openBase(dependencies);
  const { activity, metrics, cluster, settings } = base;
  const access = await openAccess(base);
  const { admin, sessions, keys, links, limits, identify, identifySigned, limiter, audit, callers } = access;
  const tree = await openTree(base, access);
  const { stores, transfers, vfs, jobs, digests } = tree;
  const shares = openShares(base, access, tree);
  const { pastes, files, sources, grants } = shares;
  const webhooks = openWebhooks(base);
  const thumbs = createThumbs({ folder: dependencies.folder, clock, log });
  const publicFacts = createPublicFacts({ ...shares, pictures: thumbs.known });
  const sealedAt = createSealedAt({ files, limiter, hasLink: links.has });
  const system = openSystem(base, access, tree, shares, webhooks);
  const sweeper = openSweeper(base, access, tree, shares, webhooks);
  const imports = openImports(base, access, tree, shares);

  return {
    access: { admin, sessions, keys, identify, identifySigned, limiter, audit, callers },
    shares: { pastes, files, sources, grants, limits, publicFacts, sealedAt },
    stores: { configs: stores.configs, doctor: createDoctor({ stores, clock, log, ...(resolve && { resolve }) }) },
    links,
    activity,
    transfers,
    vfs,
    jobs,
    settings,
    system: { ...system, metrics, sweeper },
    /** `events` takes what happens; the others are for the administrator, and deliver it. */
    webhooks: { ...webhooks, events: base.events },
    imports,
    thumbs,
    clock,
    log,
    cluster,
    /** Continues the work of the last server. Call it once, before any request is answered. */
    async start() {
      await cluster.start();
      await transfers.start();
      await jobs.start();
      digests.wake();
    },
    /** Stops jobs behind the files under way, and writes what rooms still hold in memory. Never rejects: what fails is logged. */
    async close() {
      const closing = createClosing(log);
      await closing("full storages", system.fullStorages.stop);
      await closing("backups", system.backups.stop);
      await closing("sweeper", sweeper.stop);
      await closing("jobs", jobs.close);
      await closing("receipts", digests.stop);
      await closing("share events", files.progress.close);
      await closing("thumbnails", thumbs.close);
      await closing("search index", vfs.close);
      await Promise.all([
        closing("texts", pastes.close),
        closing("files", files.close),
        closing("keys", keys.close),
        closing("activity", activity.close),
        closing("storages", stores.close),
      ]);
      await closing("webhooks", webhooks.stop);
      await closing("cluster", cluster.close);
      log.flush();
    },
  };
}

export type House = Awaited<ReturnType<typeof openHouse>>;
