import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "#contract/failures";
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { configsTable, type StorageRow } from "./configs-table.ts";
import { createDiskStore } from "./disk.ts";
import { unfinishedMultiparts } from "./disk-table.ts";
import { createPresign } from "./presign.ts";
import type { ObjectStore } from "./store.ts";

interface StoresNeeds {
  readonly db: Database;
  readonly clock: Clock;
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

export const BUILT_IN = "Built-in disk";

/** Every storage that is configured; the first start makes the built-in one. */
export async function openStores({ db, clock, secret, folder, alone }: StoresNeeds) {
  const table = configsTable(db);
  const presign = createPresign(secret, clock);
  const opened = new Map<string, ObjectStore>();
  await table.seed(builtIn(clock()));
  if (alone) tidy(folder, await unfinishedMultiparts(db));

  const open = (config: StorageRow): ObjectStore => {
    const { id, bucket_name: bucket } = config;
    const before = opened.get(id);
    if (before) return before;
    const store = createDiskStore({ db, clock, folder, bucket, presign: (request) => presign.sign(id, request) });
    opened.set(id, store);
    return store;
  };

  return {
    /** The default one first. */
    list: () => table.all(),

    /** The storage of this id, or the default one. 404 storage.missing. */
    async get(id?: string): Promise<Storage> {
      const config = id === undefined ? (await table.all())[0] : await table.find(id);
      if (!config) throw new Failure("storage.missing");
      return { config, store: open(config) };
    },

    presign,
  };
}

export type Stores = Awaited<ReturnType<typeof openStores>>;

const builtIn = (now: number): StorageRow => ({
  id: Bun.randomUUIDv7(),
  name: "Built-in storage",
  provider_type: BUILT_IN,
  bucket_name: "drive",
  default_folder: "shares/",
  is_public: 1,
  is_default: 1,
  total_storage_bytes: null,
  signature_expires_in: 3600,
  created_at: now,
  updated_at: now,
});

/** Removes what a process that was killed left half written; uploads in parts that can go on are kept. */
function tidy(folder: string, unfinished: ReadonlySet<string>): void {
  rmSync(join(folder, ".incoming"), { recursive: true, force: true });
  const multiparts = join(folder, ".multipart");
  mkdirSync(multiparts, { recursive: true });
  for (const name of readdirSync(multiparts)) {
    if (!unfinished.has(name)) rmSync(join(multiparts, name), { recursive: true, force: true });
  }
}
