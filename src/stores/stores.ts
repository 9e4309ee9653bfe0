import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "#contract/failures";
import { ENDLESS_STORAGE_BYTES } from "#contract/limits";
import { isBuiltIn, isFolderStorage, isLocal } from "#contract/providers";
import type { NewStorage } from "#contract/storage";
import type { Cluster, InTurn } from "../cluster/cluster.ts";
import { ownTurns } from "../cluster/turns.ts";
import type { Database } from "../database/database.ts";
import { noLinkLocal, type Resolve, resolveByMachine } from "../lib/addresses.ts";
import type { Clock } from "../lib/clock.ts";
import type { ReadVolume } from "../lib/data-folder.ts";
import { createDigestThread, type FollowFile } from "../lib/digests/digest-thread.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import { type NamedFolders, noFolders } from "../lib/named-folders.ts";
import { createPinnedFetch } from "../lib/pinned-fetch.ts";
import { isReadOnly, openConfigs } from "./configs.ts";
import type { StorageRow } from "./configs-table.ts";
import { createConnections, type Failed } from "./connections.ts";
import { type Cleanup, createCleanup, tidyIfAllowed } from "./disk/cleanup.ts";
import { isAnyDenied, withDenials } from "./disk/denied.ts";
import { unfinishedMultiparts } from "./disk/disk-table.ts";
import { createSpool } from "./disk/files.ts";
import { clearKept } from "./disk/keeping.ts";
import { INCOMING, isDenied, MULTIPARTS } from "./disk/paths.ts";
import { createPresign } from "./disk/presign.ts";
import { type FlushFolders, flushFolders } from "./disk/rename.ts";
import { createDiskSpace, type DiskSpace } from "./disk/space.ts";
import { createDiskStore } from "./disk/store.ts";
import { createTemporary } from "./disk/temporary.ts";
import { createFolderStore } from "./folder/store.ts";
import { createOpened } from "./opened.ts";
import { createS3Store } from "./s3/store.ts";
import { withoutStaging } from "./staging.ts";
import type { ObjectStore, PresignRequest } from "./store.ts";

interface StoresDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly secret: string;
  /** Where the built-in store keeps its files. */
  readonly folder: string;
  /** Whether no other process writes there. */
  readonly holdsDataFolder: boolean;
  /** Whether a file that is answered as written must survive a power cut. */
  readonly durable?: boolean | undefined;
  readonly volume?: ReadVolume | undefined;
  readonly resolve?: Resolve | undefined;
  /** The storage that is made when there is none; the built-in one unless said. */
  readonly first?: NewStorage | null | undefined;
  /** Turns with other servers, of which there may be none. */
  readonly inTurn?: InTurn | undefined;
  /** Tells what other servers change, of which there may be none. */
  readonly cluster?: Pick<Cluster, "follow"> | undefined;
  readonly failed?: Failed | undefined;
  /** Folders of the machine that may be used; none unless said. */
  readonly named?: NamedFolders | undefined;
}

/** A storage with what keeps its objects. */
export interface Storage {
  readonly config: StorageRow;
  readonly store: ObjectStore;
  /** Whether nothing can be written to it. */
  readonly readOnly: boolean;
}

/** Every storage that is configured; the first start makes one. */
export async function openStores(deps: StoresDeps) {
  const { db, clock, log, secret, folder, holdsDataFolder, durable, volume, resolve = resolveByMachine, failed } = deps;
  const { folders } = deps.named ?? noFolders;
  const { first = "built-in", inTurn = ownTurns(undefined), cluster = { follow: () => undefined } } = deps;
  const space = createDiskSpace({ folder, volume });
  const presign = createPresign(secret, clock);
  const opened = createOpened((config) => create(config));
  /** The default capacity of a storage in bytes: that of its volume, if known. */
  const capacity = async (config: StorageRow): Promise<number> =>
    (await opened.open(config).capacity()) ?? ENDLESS_STORAGE_BYTES;
  const common = { db, clock, log, secret, inTurn, cluster, folders };
  const configs = await openConfigs({ ...common, first, capacity, removed: opened.forget });
  const cleanup = createCleanup(log);
  const flush = durable ? flushFolders : undefined;
  const { follow, stop } = createDigestThread();
  const pinned = createPinnedFetch({ fetch, policy: noLinkLocal, resolve, clock });
  const connection = createConnections({ clock, fetch: pinned, failed, secretOf: configs.secretOf });
  if (holdsDataFolder) clearIfAllowed(folder, log);
  if (holdsDataFolder) tidyIfAllowed({ folder, cleanup, log }, await unfinishedMultiparts(db));

  const disk = { cleanup, flush, follow, space, presign };
  const create = (config: StorageRow): ObjectStore =>
    withoutStaging(isLocal(config) ? onDisk(config, { ...deps, ...disk }) : createS3Store(connection(config)));

  /** A configured storage. */
  const of = (config: StorageRow): Storage => ({
    config,
    store: opened.open(config),
    readOnly: isReadOnly(config, folders),
  });

  return {
    configs,

    /** The storage of this id, or the default one. 404 storage.missing. */
    async get(id?: string): Promise<Storage> {
      const config = id === undefined ? await configs.default() : await configs.get(id);
      configs.note(config);
      return of(config);
    },

    of,

    /**
     * Throws unless the default storage answers: one elsewhere what it has, the built-in one that it may be used. Returns where it is,
     * on the disk of this server or elsewhere.
     */
    async probe(): Promise<"here" | "elsewhere"> {
      const { config, store } = of(await configs.default());
      if (isBuiltIn(config)) {
        if (await isAnyDenied([join(folder, config.bucket_name)])) throw new Failure("storage.denied");
        return "here";
      }
      await store.list({ prefix: config.default_folder, limit: 1 });
      return isFolderStorage(config) ? "here" : "elsewhere";
    },

    /** Reports whether a storage is on the disk of this server. */
    areSomeHere: async (): Promise<boolean> => (await configs.all()).some(isBuiltIn),

    capacity,

    connection,

    /** The id of the default storage, which a new installation begins with; undefined when there is none. */
    first: async (): Promise<string | undefined> => (await configs.all())[0]?.id,

    presign,

    /** Of the disk that the built-in store writes to. */
    space,

    /** Reports whether this process may not read and write where the built-in storages keep their files. */
    async isDenied(): Promise<boolean> {
      const buckets = (await configs.all()).filter(isBuiltIn).map(({ bucket_name }) => bucket_name);
      return await isAnyDenied([INCOMING, MULTIPARTS, ...buckets].map((name) => join(folder, name)));
    },

    spool: createSpool(join(folder, INCOMING), space, follow),
    temporary: createTemporary(join(folder, INCOMING), space),

    /** Removes what a killed backup has left; returns how much that was. */
    sweepKept: async (): Promise<number> => clearKept(folder),

    /** Returns when removed files are cleared away, or after a moment, and all pending writes are done. */
    async close(): Promise<void> {
      stop();
      await Promise.all([cleanup.settled(), configs.close()]);
    },
  };
}

/** What the storages on the disks of this server share. */
interface OnDisk extends StoresDeps {
  readonly cleanup: Cleanup;
  readonly flush: FlushFolders | undefined;
  readonly follow: FollowFile;
  readonly space: DiskSpace;
  readonly presign: ReturnType<typeof createPresign>;
}

/** Opens a storage on a disk of this server. */
function onDisk(config: StorageRow, deps: OnDisk): ObjectStore {
  const { id, bucket_name: bucket } = config;
  const { folder, named: { folders, modes } = noFolders, volume } = deps;
  const presign = (request: PresignRequest) => deps.presign.sign(id, request);
  if (isBuiltIn(config)) return withDenials(createDiskStore({ ...deps, bucket, presign }));
  const own = realpathSync(dirname(folder));
  const one = folders.find((named) => named.id === bucket);
  return createFolderStore({ ...deps, named: one, modes, own, volume, presign });
}

/** Removes what a killed backup has left, unless the folder may only be read. */
function clearIfAllowed(folder: string, log: Log): void {
  try {
    clearKept(folder);
  } catch (error) {
    if (!isDenied(error)) throw error;
    log.warn("what a backup has left was not removed", unforeseen(error));
  }
}

export type Stores = Awaited<ReturnType<typeof openStores>>;
