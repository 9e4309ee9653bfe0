import { Failure } from "#contract/failures";
import type { MountChange, NewMount } from "#contract/mounts";
import { type Caller, ownerName } from "../access/principal.ts";
import { maySee, mayUse } from "../access/rights.ts";
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Stores } from "../stores/stores.ts";
import { changedFields, firstMount, newFields, unused } from "./mount-fields.ts";
import { type MountRow, mountsTable, type ShownMountRow } from "./mounts-table.ts";

interface MountsRoom {
  readonly db: Database;
  readonly clock: Clock;
  readonly stores: Pick<Stores, "first">;
  /** Called when a storage has come into the tree. */
  readonly mounted: () => void;
}

/** The mounts that make up the tree; the first start makes `/drive` on the storage that it has. */
export async function openMounts({ db, clock, stores, mounted }: MountsRoom) {
  const table = mountsTable(db);
  const storage = await stores.first();
  if (storage !== undefined) await table.seed(firstMount(storage, clock()));

  /** 404 mount.missing. */
  const get = async (id: string): Promise<ShownMountRow> => {
    const row = await table.find(id);
    if (!row) throw new Failure("mount.missing");
    return row;
  };

  /** Why a mount could not be written. */
  const conflict = async ({ id, path, storage }: MountRow) => {
    if (await table.pathIsTaken(path, id)) return new Failure("mount.pathTaken");
    return new Failure((await table.hasStorage(storage)) ? "mount.missing" : "mount.storageMissing");
  };

  /** Keys see active mounts of public storages, where their base path leads; the admin sees every active one. */
  const isVisible = (caller: Caller, mount: ShownMountRow): boolean =>
    mount.is_active === 1 && mayUse(caller, mount) && maySee(caller, mount.path);

  return {
    /** By sort order and name. */
    list: () => table.all(),
    isVisible,
    get,

    async visible(caller: Caller): Promise<ShownMountRow[]> {
      return (await table.all()).filter((mount) => isVisible(caller, mount));
    },

    /** 404 mount.missing, also when the caller may not see it. */
    async getVisible(caller: Caller, id: string): Promise<ShownMountRow> {
      const row = await get(id);
      if (!isVisible(caller, row)) throw new Failure("mount.missing");
      return row;
    },

    /** 400 mount.pathInvalid, mount.pathReserved, mount.storageMissing; 409 mount.pathTaken. */
    async create(caller: Caller, request: NewMount): Promise<ShownMountRow> {
      const now = clock();
      const id = Bun.randomUUIDv7();
      const row = { id, ...newFields(request), created_by: ownerName(caller), ...unused(now) };
      if (!(await table.insert(row))) throw await conflict(row);
      mounted();
      return await get(id);
    },

    /** Changes what is given and answers what the mount was. 404 mount.missing; 400 mount.nothingToChange, else as `create`. */
    async update(id: string, change: MountChange): Promise<ShownMountRow> {
      const before = await get(id);
      const given = changedFields(change);
      if (!(await table.update(id, given, clock()))) throw await conflict({ ...before, ...given });
      if (given.storage !== undefined) mounted();
      return before;
    },

    /** Takes the mount out of the tree and answers what it was; no object is touched. 404 mount.missing. */
    async remove(id: string): Promise<ShownMountRow> {
      const before = await get(id);
      if (!(await table.remove(id))) throw new Failure("mount.missing");
      return before;
    },
  };
}

export type Mounts = Awaited<ReturnType<typeof openMounts>>;
