import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { BUILT_IN } from "#contract/storage";
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { openConfigs } from "./configs.ts";
import type { StorageRow } from "./configs-table.ts";
import { createDiskStore } from "./disk.ts";
import { type Clearing, createClearing } from "./disk-clearing.ts";
import { unfinishedMultiparts } from "./disk-table.ts";
import { createPresign } from "./presign.ts";
import { createS3Store, type S3StoreNeeds } from "./s3.ts";
import { createSpool } from "./spool.ts";
import type { ObjectStore } from "./store.ts";

/** Where bodies wait until they are whole. */
const INCOMING = ".incoming";

interface StoresNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly secret: string;
  /** Where the built-in store keeps its files. */
  readonly folder: string;
  /** Whether nobody else writes there now. */
  readonly alone: boolean;
}

/** A storage with what keeps its objects. */
export interface Storage {
  readonly config: StorageRow;
  readonly store: ObjectStore;
}

/** Whether a storage is kept in the data folder of this server. */
export const isBuiltIn = ({ provider_type }: Pick<StorageRow, "provider_type">): boolean => provider_type === BUILT_IN;

/** Every storage that is configured; the first start makes the built-in one. */
export async function openStores({ db, clock, log, secret, folder, alone }: StoresNeeds) {
  const presign = createPresign(secret, clock);
  const opened = new Map<string, { readonly made: string; readonly store: ObjectStore }>();
  const configs = await openConfigs({ db, clock, log, secret, removed: (id) => void opened.delete(id) });
  const clearing = createClearing(log);
  if (alone) tidy(folder, await unfinishedMultiparts(db), clearing);

  /** What a store in a storage elsewhere is made of. */
  const connection = (config: StorageRow): S3StoreNeeds => ({
    endpoint: config.endpoint_url,
    region: config.region,
    bucket: config.bucket_name,
    pathStyle: config.path_style === 1,
    provider: config.provider_type,
    accessKey: config.access_key_id,
    secret: configs.secretOf(config),
    clock,
    fetch,
    sleep: Bun.sleep,
    random: Math.random,
  });

  const create = (config: StorageRow): ObjectStore => {
    const { id, bucket_name: bucket } = config;
    if (!isBuiltIn(config)) return createS3Store(connection(config));
    return createDiskStore({ db, clock, folder, bucket, clearing, presign: (request) => presign.sign(id, request) });
  };

  /** What is read of a storage may be late: a store serves only those who read of it what it was made of. */
  const open = (config: StorageRow): ObjectStore => {
    const made = madeOf(config);
    const before = opened.get(config.id);
    if (before?.made === made) return before.store;
    const store = create(config);
    opened.set(config.id, { made, store });
    return store;
  };

  /** A storage that somebody configured. */
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

    connection,

    /** The id of the storage that every installation begins with; undefined when somebody deleted it. */
    builtIn: async (): Promise<string | undefined> => (await configs.list()).find(isBuiltIn)?.id,

    presign,

    spool: createSpool(join(folder, INCOMING)),

    /** Returns when what was removed is cleared away, or after a moment, and what is noted is written. */
    async close(): Promise<void> {
      await Promise.all([clearing.settled(), configs.close()]);
    },
  };
}

/** All that a store is made of, in one text; the built-in one knows who is writing, so nothing else may open it anew. */
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

/** Removes what a process that was killed left half written; uploads in parts that can go on are kept. */
function tidy(folder: string, unfinished: ReadonlySet<string>, clearing: Clearing): void {
  const incoming = join(folder, INCOMING);
  mkdirSync(incoming, { recursive: true });
  for (const entry of readdirSync(incoming, { withFileTypes: true })) {
    const path = join(incoming, entry.name);
    // A folder was removed from the tree and may hold very much.
    if (entry.isDirectory()) clearing.begin(path);
    else rmSync(path, { force: true });
  }
  const multiparts = join(folder, ".multipart");
  mkdirSync(multiparts, { recursive: true });
  for (const name of readdirSync(multiparts)) {
    if (!unfinished.has(name)) rmSync(join(multiparts, name), { recursive: true, force: true });
  }
}
