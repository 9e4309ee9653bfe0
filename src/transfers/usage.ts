import type { StorageRow } from "../stores/configs-table.ts";
import type { Stores } from "../stores/stores.ts";
import type { Quota } from "./quota.ts";
import type { UploadsTable } from "./uploads-table.ts";

interface UsageDependencies {
  readonly table: Pick<UploadsTable, "used">;
  readonly stores: Pick<Stores, "configs" | "of" | "capacity">;
  readonly quota: Quota;
}

/** How full storages are. */
export const createUsage = ({ table, stores, quota }: UsageDependencies) => ({
  /** Every storage with its used, free (null if unknown) and total bytes, the default one first. */
  async storages() {
    const configs = await stores.configs.list();
    return await Promise.all(configs.map((config) => withBytes(config, stores, quota)));
  },

  /** How much of its quota the storage has used that is closest to its own: 1 is all of it, 0 without any quota. */
  async fullestStorage(): Promise<number> {
    let fullest = 0;
    for (const { id, total_storage_bytes: total } of await stores.configs.all())
      if (total !== null) fullest = Math.max(fullest, (await table.used(id)) / Math.max(1, total));
    return fullest;
  },
});

/** A storage with how full it is. */
async function withBytes(config: StorageRow, stores: Pick<Stores, "of" | "capacity">, quota: Quota) {
  const storage = stores.of(config);
  const [used, free] = [await quota.used(config.id), await quota.free(storage)];
  const capacity = config.total_storage_bytes ?? (await stores.capacity(config));
  return { config, used, free, capacity, readOnly: storage.readOnly };
}
