import { resolve } from "node:path";
import { Failure } from "#contract/failures";
import { isFolderStorage } from "#contract/providers";
import type { NewStorage, StorageChange } from "#contract/storage";
import type { Cluster, InTurn } from "../cluster/cluster.ts";
import type { Database } from "../database/database.ts";
import { type Clock, iso } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { NamedFolder } from "../lib/named-folders.ts";
import { createSeals } from "../lib/secret.ts";
import { createSnapshot } from "../lib/snapshot.ts";
import { createLastUses } from "../lib/write-behind.ts";
import { changedFields, firstStorage, newFields } from "./config-fields.ts";
import { type ConfigsTable, configsTable, type StorageRow } from "./configs-table.ts";

interface ConfigsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly secret: string;
  /** The capacity of a storage without a limit, in bytes. */
  readonly capacity: (config: StorageRow) => Promise<number>;
  /** The storage that is made when there is none: one of S3, or the built-in one; null makes none. */
  readonly first: NewStorage | "built-in" | null;
  /** Changes of one storage, on whichever server. */
  readonly inTurn: InTurn;
  readonly cluster: Pick<Cluster, "follow">;
  /** The folders of this machine that may be used. */
  readonly folders: readonly NamedFolder[];
  /** Told of a storage that is no more. */
  readonly removed: (id: string) => void;
}

/** What a record that comes from another server keeps of its own. */
interface Origin {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** The largest difference between a rounded size from a form, with two decimals of a unit, and the stored one. */
const ROUNDED = 0.01;

/** What the secret of a storage is sealed for. */
export const sealPurpose = (id: string): string => `storage ${id}`;

/** The storages as an administrator configures them; the first start makes one. Throws as `create` when that one cannot be. */
export async function openConfigs(deps: ConfigsDeps) {
  const { db, clock, log, secret, capacity, first, inTurn, cluster, removed, folders } = deps;
  const table = configsTable(db);
  /** Every storage, the default one first; each call of a share or of the tree needs one. */
  const known = createSnapshot(table.all);
  cluster.follow("storages", known.forget);
  const seals = createSeals(secret);
  const uses = createLastUses({ name: "uses of storages", clock, log, write: table.addUses });

  /** 400 body.invalid, storage.bucket, storage.customHost, storage.endpoint, storage.linkLocal, path.invalid. */
  const rowOf = (request: NewStorage, origin?: Origin): StorageRow => {
    const now = clock();
    const { id, createdAt } = origin ?? { id: Bun.randomUUIDv7(), createdAt: now };
    const sealed_secret = request.secret_access_key ? seals.seal(request.secret_access_key, sealPurpose(id)) : "";
    const times = { last_used: null, tested_at: null, passed: null, created_at: createdAt, updated_at: now };
    return { id, ...newFields(request), sealed_secret, is_default: Number(request.is_default), ...times };
  };

  if (first !== null) await table.seed(first === "built-in" ? firstStorage(clock()) : rowOf(first));

  /** 404 storage.missing. */
  const get = async (id: string): Promise<StorageRow> => orMissing((await known.get()).find((row) => row.id === id));

  /** Reads a storage from the database for a change of it; another server may have changed it a moment ago. 404 storage.missing. */
  const latest = async (id: string): Promise<StorageRow> => orMissing(await table.find(id));

  return {
    /** With the latest uses and tests, which `all` does not know. */
    async list(): Promise<StorageRow[]> {
      await uses.flush();
      return await table.all();
    },

    /** Every storage, from memory; the default one first. */
    all: (): Promise<readonly StorageRow[]> => known.get(),

    /** What uses each of them. */
    uses: table.allUses,

    get,

    /** The folders of this machine that may be used, and which of them are. */
    async folders() {
      const used = (await known.get()).filter(isFolderStorage).map(({ bucket_name }) => bucket_name);
      return folders.map(({ id, readOnly }) => ({ id, read_only: readOnly, used: used.includes(id) }));
    },

    /** What the operator calls the folder of this machine at a path; undefined for one that is not named in FOLDERS. */
    folderAt: (path: string): string | undefined => folders.find((one) => resolve(one.path) === resolve("/", path))?.id,

    /** The storage that is used when none is named. 404 storage.missing. */
    async default(): Promise<StorageRow> {
      return orMissing((await known.get())[0]);
    },

    /** The secret access key; empty if the stored value was altered. */
    secretOf: ({ id, sealed_secret }: StorageRow): string => seals.open(sealed_secret, sealPurpose(id)) ?? "",

    /** Notes, to the minute, that a storage is used. */
    note: uses.note,

    /** Notes what came of a test, unless the storage was changed since it was read. */
    noteTest: (row: StorageRow, passed: boolean) => table.addTest(row, passed, clock()),

    /** 400 body.invalid, storage.bucket, storage.customHost, storage.endpoint, storage.folder, storage.linkLocal, path.invalid; 403 storage.readOnly. */
    async create(request: NewStorage): Promise<StorageRow> {
      const row = rowOf(request);
      requireFolder(row, folders);
      if (row.is_default) requireWritable(row, folders);
      if (!(await known.forgetAfter(table.insert(row)))) throw new Failure("storage.bucket");
      return await get(row.id);
    },

    /** The row of a storage that another server had, with its secret sealed. Throws as `create`. */
    rowOf: (request: NewStorage, origin: Origin): StorageRow => rowOf(request, origin),

    /** Adds storages that another server had, in one transaction; those that are here already stay as they are. */
    insertAll: (rows: readonly StorageRow[]) => known.forgetAfter(table.insertAll(rows)),

    /**
     * Changes the given fields and returns the storage as it was. 404 storage.missing; 409 storage.inUse,
     * storage.leftovers if it is to be elsewhere; 400 storage.nothingToChange, storage.fixed and those of `create`.
     */
    update: (id: string, change: StorageChange): Promise<StorageRow> =>
      // Endpoint, bucket and provider are valid only together, so no other change may come between.
      inTurn(id, async () => {
        const before = await latest(id);
        const secret_key = change.secret_access_key;
        const sealed = secret_key ? seals.seal(secret_key, sealPurpose(id)) : before.sealed_secret;
        const row = {
          ...changedFields(before, await withoutShown(before, change, capacity)),
          sealed_secret: sealed,
          updated_at: clock(),
        };
        if (!(await known.forgetAfter(table.update(row, clock())))) throw await inUse(table, id, clock());
        return before;
      }),

    /** Removes an unused storage and returns it as it was. 404 storage.missing, 409 storage.inUse, storage.leftovers. */
    async remove(id: string): Promise<StorageRow> {
      const before = await latest(id);
      if (!(await known.forgetAfter(table.remove(id, clock())))) throw await inUse(table, id, clock());
      removed(id);
      return before;
    },

    /** 404 storage.missing, 403 storage.readOnly. */
    async setDefault(id: string): Promise<StorageRow> {
      requireWritable(await get(id), folders);
      if (!(await known.forgetAfter(table.setDefault(id)))) throw new Failure("storage.missing");
      return await get(id);
    },

    /** Writes the last uses that are still in memory. */
    close: () => uses.flush(),
  };
}

/** 400 storage.folder for a folder that the operator of this server has not named. */
function requireFolder(row: StorageRow, folders: readonly NamedFolder[]): void {
  if (isFolderStorage(row) && !folders.some(({ id }) => id === row.bucket_name)) throw new Failure("storage.folder");
}

/** 403 storage.readOnly for a storage that cannot take the files of shares. */
function requireWritable(row: StorageRow, folders: readonly NamedFolder[]): void {
  if (isReadOnly(row, folders)) throw new Failure("storage.readOnly");
}

/** Reports whether a storage is a folder that may only be read. */
export const isReadOnly = (row: StorageRow, folders: readonly NamedFolder[]): boolean =>
  isFolderStorage(row) && folders.some(({ id, readOnly }) => id === row.bucket_name && readOnly);

/** 404 storage.missing. */
function orMissing(row: StorageRow | undefined): StorageRow {
  if (!row) throw new Failure("storage.missing");
  return row;
}

/** Older forms send the shown capacity back, rounded: it is not a new limit. */
async function withoutShown(
  before: StorageRow,
  change: StorageChange,
  capacity: ConfigsDeps["capacity"],
): Promise<StorageChange> {
  const { total_storage_bytes: bytes } = change;
  if (bytes == null || before.total_storage_bytes !== null) return change;
  const shown = await capacity(before);
  return Math.abs(bytes - shown) <= shown * ROUNDED ? { ...change, total_storage_bytes: null } : change;
}

/** Why a storage cannot be removed: something uses it, or objects of it are still being removed. */
async function inUse(table: ConfigsTable, id: string, now: number): Promise<Failure> {
  const { files = 0, mounts = 0, trashed = 0, dropped = 0, addressed_until } = (await table.uses(id, now)) ?? {};
  if (files + mounts + trashed > 0 || dropped === 0) return new Failure("storage.inUse", { files, mounts, trashed });
  const until = iso(Math.max(addressed_until ?? 0, now))
    .slice(0, 16)
    .replace("T", " ");
  return new Failure("storage.leftovers", { dropped, until: `${until} UTC` });
}
