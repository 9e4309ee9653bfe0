import { Failure } from "#contract/failures";
import type { NewStorage } from "#contract/storage";
import { createActivity } from "../activity/activity.ts";
import { standAlone } from "../cluster/alone.ts";
import { joinCluster } from "../cluster/cluster.ts";
import type { Database, Standby } from "../database/database.ts";
import { measuredDatabase } from "../database/measured.ts";
import { hasStorage } from "../database/tables.ts";
import type { AddressPolicy, AddressSet, Resolve } from "../lib/addresses.ts";
import { steadyClock } from "../lib/clock.ts";
import type { ReadVolume } from "../lib/data-folder.ts";
import type { NamedFolders } from "../lib/named-folders.ts";
import { openSettings } from "../settings/settings.ts";
import { configsTable } from "../stores/configs-table.ts";
import { createDiskSpace } from "../stores/disk/space.ts";
import { probeBucket } from "../stores/probe.ts";
import { type BackupMaker, createPlaceCheck } from "../system/backups.ts";
import { createMetrics } from "../system/metrics.ts";
import { openWebhookQueue } from "../webhooks/queue.ts";
import type { WebhooksDeps } from "../webhooks/webhooks.ts";
import { bounded, checkDatabase, type DatabaseDependencies, openTables } from "./database.ts";

/** The dependencies of the house. */
export interface Dependencies extends DatabaseDependencies {
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

/** What every room stands on: checked tables, other servers and settings. */
export async function openBase(dependencies: Dependencies) {
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

export type Base = Awaited<ReturnType<typeof openBase>>;
