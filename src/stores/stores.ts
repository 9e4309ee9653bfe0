import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "#contract/failures";
import { ENDLESS_STORAGE_BYTES } from "#contract/limits";
import { STAGING } from "#contract/paths";
import { isBuiltIn } from "#contract/providers";
import type { NewStorage } from "#contract/storage";
import type { Cluster, InTurn } from "../cluster/cluster.ts";
import type { Database } from "../database/database.ts";
import { noLinkLocal, type Resolve, resolveByMachine } from "../lib/addresses.ts";
import type { Clock } from "../lib/clock.ts";
import type { ReadVolume } from "../lib/data-folder.ts";
import { createDigestThread } from "../lib/digest-thread.ts";
import { createLocks } from "../lib/locks.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import { createPinnedFetch, type Fetch } from "../lib/pinned-fetch.ts";
import { deriveKey } from "../lib/secret.ts";
import { createSigner, encodeKey } from "../lib/sigv4.ts";
import { openConfigs } from "./configs.ts";
import type { StorageRow } from "./configs-table.ts";
import { isAnyDenied, withDenials } from "./disk/denied.ts";
import { unfinishedMultiparts } from "./disk/disk-table.ts";
import { createSpool } from "./disk/files.ts";
import { type Cleanup, createCleanup, flushFolders } from "./disk/folders.ts";
import { isDenied } from "./disk/paths.ts";
import { createDiskSpace } from "./disk/space.ts";
import { createDiskStore } from "./disk/store.ts";
import { createTemporary } from "./disk/temporary.ts";
import { createPartBuffers } from "./s3/part-buffers.ts";
import { createS3Store, type S3StoreOptions } from "./s3/store.ts";
import { createStreams } from "./s3/streams.ts";
import type { ObjectStore, PresignRequest } from "./store.ts";

/** Where bodies wait until they are whole. */
const INCOMING = ".incoming";
/** Where the parts of unfinished uploads are. */
const MULTIPARTS = ".multipart";

interface StoresDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly secret: string;
  /** Where the built-in store keeps its files. */
  readonly folder: string;
  /** Whether no other process writes there. */
  readonly alone: boolean;
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
  /** Told of each request that a storage elsewhere did not answer, or answered with a fault of its own. */
  readonly failed?: Failed | undefined;
}

/** A storage with what keeps its objects. */
export interface Storage {
  readonly config: StorageRow;
  readonly store: ObjectStore;
}

/** A store whose lists do not show what waits to be complete or to be removed, unless they are asked for in particular. */
const withoutStaging = (store: ObjectStore): ObjectStore => ({
  ...store,
  async list(request) {
    for (let from = request; ; ) {
      const { objects, folders, next } = await store.list(from);
      if (isStaged(request.prefix)) return { objects, folders, next };
      const shown = {
        objects: objects.filter(({ key }) => !isStaged(key)),
        folders: folders.filter((key) => !isStaged(key)),
        next,
      };
      // Without anything it would look like the end.
      if (next === undefined || shown.objects.length + shown.folders.length > 0) return shown;
      from = { ...request, after: next };
    }
  },
});

const isStaged = (key: string): boolean => key.startsWith(STAGING) || key.includes(`/${STAGING}`);

/** Every storage that is configured; the first start makes one. */
export async function openStores(deps: StoresDeps) {
  const {
    db,
    clock,
    log,
    secret,
    folder,
    alone,
    durable,
    volume,
    resolve = resolveByMachine,
    first = "built-in",
    inTurn = createLocks(),
    cluster = { follow: () => undefined },
    failed,
  } = deps;
  const space = createDiskSpace({ folder, volume });
  const presign = createPresign(secret, clock);
  const opened = new Map<string, { readonly made: string; readonly store: ObjectStore }>();
  /** The default capacity of a storage in bytes: that of its volume, if known. */
  const capacity = async (config: StorageRow): Promise<number> =>
    (await open(config).capacity()) ?? ENDLESS_STORAGE_BYTES;
  const removed = (id: string) => void opened.delete(id);
  const configs = await openConfigs({ db, clock, log, secret, capacity, first, inTurn, cluster, removed });
  const cleanup = createCleanup(log);
  const flush = durable ? flushFolders : undefined;
  const { follow, stop } = createDigestThread();
  const buffers = createPartBuffers();
  const streams = createStreams();
  const pinned = createPinnedFetch({ fetch, policy: noLinkLocal, resolve, clock });
  if (alone) tidyIfAllowed({ folder, cleanup, log }, await unfinishedMultiparts(db));

  /** The options of a remote store. */
  const connection = (config: StorageRow): S3StoreOptions => ({
    endpoint: config.endpoint_url,
    region: config.region,
    bucket: config.bucket_name,
    pathStyle: config.path_style === 1,
    provider: config.provider_type,
    accessKey: config.access_key_id,
    secret: configs.secretOf(config),
    clock,
    fetch: failed ? watchedFetch(pinned, failed) : pinned,
    buffers: buffers.ofAnother(),
    streams,
    sleep: Bun.sleep,
    random: Math.random,
  });

  const create = (config: StorageRow): ObjectStore => {
    const { id, bucket_name: bucket } = config;
    if (!isBuiltIn(config)) return withoutStaging(createS3Store(connection(config)));
    const sign = (request: PresignRequest) => presign.sign(id, request);
    const disk = createDiskStore({ db, clock, folder, bucket, cleanup, space, flush, follow, presign: sign });
    return withDenials(withoutStaging(disk));
  };

  /** A configuration may be read late: a store serves only readers of the configuration it was made from. */
  const open = (config: StorageRow): ObjectStore => {
    const made = madeOf(config);
    const before = opened.get(config.id);
    if (before?.made === made) return before.store;
    const store = create(config);
    opened.set(config.id, { made, store });
    return store;
  };

  /** A configured storage. */
  const of = (config: StorageRow): Storage => ({ config, store: open(config) });

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
      return "elsewhere";
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

    /** Returns when removed files are cleared away, or after a moment, and all pending writes are done. */
    async close(): Promise<void> {
      stop();
      await Promise.all([cleanup.settled(), configs.close()]);
    },
  };
}

type Failed = (kind: "unreachable" | "fault") => void;

/** The same fetch, which tells what failed; a request that its sender gave up did not. */
const watchedFetch =
  (fetch: Fetch, failed: Failed): Fetch =>
  async (url, init) => {
    try {
      const response = await fetch(url, init);
      if (response.status >= 500) failed("fault");
      return response;
    } catch (error) {
      const { aborted, reason } = init?.signal ?? {};
      if (!aborted || reason instanceof Failure) failed("unreachable");
      throw error;
    }
  };

/**
 * The options of a store as one text; the built-in store knows its running writes, so it must not be opened again for
 * other reasons.
 */
const madeOf = (config: StorageRow): string =>
  JSON.stringify(
    isBuiltIn(config)
      ? [config.bucket_name]
      : [
          ...[config.provider_type, config.endpoint_url, config.region, config.bucket_name, config.path_style],
          ...[config.access_key_id, config.sealed_secret],
        ],
  );

export type Stores = Awaited<ReturnType<typeof openStores>>;

interface Tidying {
  readonly folder: string;
  readonly cleanup: Cleanup;
  readonly log: Log;
}

/** As `tidy`; a folder that may only be read is served as it is. */
function tidyIfAllowed({ folder, cleanup, log }: Tidying, unfinished: ReadonlySet<string>): void {
  try {
    tidy(folder, unfinished, cleanup);
  } catch (error) {
    if (!isDenied(error)) throw error;
    log.warn("half-written files not removed", unforeseen(error));
  }
}

/** Removes half-written files of a killed process; uploads in parts that can continue are kept. */
function tidy(folder: string, unfinished: ReadonlySet<string>, cleanup: Cleanup): void {
  const incoming = join(folder, INCOMING);
  mkdirSync(incoming, { recursive: true });
  for (const entry of readdirSync(incoming, { withFileTypes: true })) {
    const path = join(incoming, entry.name);
    // A folder was removed from the tree and may hold very much.
    if (entry.isDirectory()) cleanup.begin(path);
    else rmSync(path, { force: true });
  }
  const multiparts = join(folder, MULTIPARTS);
  mkdirSync(multiparts, { recursive: true });
  for (const name of readdirSync(multiparts)) {
    if (!unfinished.has(name)) rmSync(join(multiparts, name), { recursive: true, force: true });
  }
}

/** The buckets of the built-in store as its addresses name them; no mount's bucket can be called so. */
const PREFIX = "store-";
const ACCESS_KEY = "satchel-internal";
const REGION = "us-east-1";

/**
 * Addresses of the built-in store: ordinary presigned URLs of our own S3 endpoint, signed by a pair that no API key can
 * have, so that one way of uploading serves every provider.
 */
function createPresign(secret: string, clock: Clock) {
  const signer = createSigner();
  const credentials = { accessKey: ACCESS_KEY, secret: deriveKey(secret, "internal pair").toString("base64url") };

  return {
    sign(storage: string, { method, key, expires, origin, ticket, part }: PresignRequest): string {
      return signer.presign(method, `${origin}/${PREFIX}${storage}/${encodeKey(key)}`, {
        credentials,
        region: REGION,
        now: clock(),
        expires,
        query: {
          ...(ticket !== undefined && { ticket }),
          ...(part && { partNumber: String(part.number), uploadId: part.upload }),
        },
      });
    },

    /** Returns the secret of the internal pair, to check a signature. */
    secretOf: (accessKey: string): string | undefined => (accessKey === ACCESS_KEY ? credentials.secret : undefined),

    /** Returns the storage of a bucket name; undefined if it is not the built-in store's. */
    storageOf: (bucket: string): string | undefined =>
      bucket.startsWith(PREFIX) ? bucket.slice(PREFIX.length) : undefined,
  };
}
