import { Failure } from "#contract/failures";
import type { MountChange, NewMount } from "#contract/mounts";
import { type Caller, ownerName, type TreeCaller } from "../access/principal.ts";
import { maySee, mayUse } from "../access/rights.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { createSnapshot } from "../lib/snapshot.ts";
import { createLastUses } from "../lib/write-behind.ts";
import type { StorageRow } from "../stores/configs-table.ts";
import type { Stores } from "../stores/stores.ts";
import { changedFields, firstMount, newFields, unused } from "./mount-fields.ts";
import { type MountRow, mountsTable, type ShownMountRow } from "./mounts-table.ts";

interface MountsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly stores: Pick<Stores, "first" | "configs">;
  readonly cluster: Pick<Cluster, "follow">;
  /** Called when a storage may have come into the tree, left it or moved in it. */
  readonly changed: () => void;
}

/** The mounts as they are shown, and what that was made of. */
interface Shown {
  readonly mounts: readonly MountRow[];
  readonly storages: readonly StorageRow[];
  readonly rows: readonly ShownMountRow[];
}

/** The mounts that make up the tree; the first start makes `/drive` on the storage that it has. */
export async function openMounts({ db, clock, log, stores, cluster, changed }: MountsDeps) {
  const table = mountsTable(db);
  const rows = createSnapshot(table.all);
  const uses = createLastUses({ name: "uses of mounts", clock, log, write: table.addUses });
  cluster.follow("mounts", rows.forget);
  const storage = await stores.first();
  if (storage !== undefined) await table.seed(firstMount(storage, clock()));

  let shown: Shown | undefined;
  /** By sort order and name. */
  const list = async (): Promise<readonly ShownMountRow[]> => {
    const [mounts, storages] = await Promise.all([rows.get(), stores.configs.all()]);
    if (shown?.mounts !== mounts || shown.storages !== storages)
      shown = { mounts, storages, rows: withStorages(mounts, storages) };
    return shown.rows;
  };

  /** 404 mount.missing. */
  const get = async (id: string): Promise<ShownMountRow> => orMissing((await list()).find((mount) => mount.id === id));

  /** As it was before a change of it. 404 mount.missing. */
  const previous = async (id: string): Promise<MountRow> =>
    orMissing((await rows.get()).find((mount) => mount.id === id));

  /** Why a mount could not be written. */
  const conflict = async ({ id, path, storage }: MountRow) => {
    if (await table.pathIsTaken(path, id)) return new Failure("mount.pathTaken");
    return new Failure((await table.hasStorage(storage)) ? "mount.missing" : "mount.storageMissing");
  };

  /** Keys see active mounts of public storages, where their base path leads; the admin sees every active one, and a link none. */
  const isVisible = (caller: TreeCaller, mount: ShownMountRow): boolean =>
    caller.kind !== "link" && mount.is_active === 1 && mayUse(caller, mount) && maySee(caller, mount.path);

  return {
    list,
    isVisible,
    get,

    /** Notes that somebody has used a mount; it costs nobody a write. */
    noteUse: uses.note,

    /** When mounts were used last, to the minute, by their ids. */
    async lastUses(): Promise<ReadonlyMap<string, number | null>> {
      await uses.flush();
      return new Map((await table.uses()).map(({ id, last_used }) => [id, last_used]));
    },

    /** Writes the last uses that are still in memory. */
    close: () => uses.flush(),

    async visible(caller: TreeCaller): Promise<ShownMountRow[]> {
      return (await list()).filter((mount) => isVisible(caller, mount));
    },

    /** 404 mount.missing, also when the caller may not see it. */
    async getVisible(caller: TreeCaller, id: string): Promise<ShownMountRow> {
      const row = await get(id);
      if (!isVisible(caller, row)) throw new Failure("mount.missing");
      return row;
    },

    /** 400 mount.pathInvalid, mount.pathReserved, mount.storageMissing; 409 mount.pathTaken. */
    async create(caller: Caller, request: NewMount): Promise<ShownMountRow> {
      const now = clock();
      const id = Bun.randomUUIDv7();
      const row = { id, ...newFields(request), created_by: ownerName(caller), ...unused(now) };
      if (!(await rows.forgetAfter(table.insert(row)))) throw await conflict(row);
      changed();
      return await get(id);
    },

    /** The row of a mount that another server had, which is the administrator's here. Throws as `create`. */
    rowOf: (request: NewMount, { id, createdAt }: Pick<MountRow, "id"> & { readonly createdAt: number }): MountRow => ({
      id,
      ...newFields(request),
      created_by: "admin",
      ...unused(clock()),
      created_at: createdAt,
    }),

    /**
     * Adds mounts that another server had, in one transaction; those that are here already stay as they are. No storage is asked:
     * the index of their names is built when the next one is due.
     */
    insertAll: (added: readonly MountRow[]) => rows.forgetAfter(table.insertAll(added)),

    /** Changes what is given and answers what the mount was. 404 mount.missing; 400 mount.nothingToChange, else as `create`. */
    async update(id: string, change: MountChange): Promise<MountRow> {
      const before = await previous(id);
      const given = changedFields(change);
      if (!(await rows.forgetAfter(table.update(id, given, clock())))) throw await conflict({ ...before, ...given });
      if (given.storage !== undefined || given.is_active !== undefined || given.path !== undefined) changed();
      return before;
    },

    /** Takes the mount out of the tree and answers what it was; no object is touched. 404 mount.missing. */
    async remove(id: string): Promise<MountRow> {
      const before = await previous(id);
      if (!(await rows.forgetAfter(table.remove(id)))) throw new Failure("mount.missing");
      changed();
      return before;
    },
  };
}

export type Mounts = Awaited<ReturnType<typeof openMounts>>;

/** 404 mount.missing. */
function orMissing<Row>(row: Row | undefined): Row {
  if (!row) throw new Failure("mount.missing");
  return row;
}

function withStorages(mounts: readonly MountRow[], storages: readonly StorageRow[]): ShownMountRow[] {
  const byId = new Map(storages.map((storage) => [storage.id, storage]));
  return mounts.flatMap((mount) => {
    const storage = byId.get(mount.storage);
    if (!storage) return [];
    const { name: storage_name, provider_type, is_public } = storage;
    return [{ ...mount, storage_name, provider_type, is_public, bucket: bucketOf(storage) }];
  });
}

const bucketOf = ({ id, endpoint_url, bucket_name }: StorageRow): string =>
  endpoint_url === "" ? id : `${endpoint_url} ${bucket_name}`;
