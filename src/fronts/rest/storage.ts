import { storage as api, type StorageConfig } from "#contract/storage";
import type { House } from "../../house.ts";
import { iso } from "../../lib/clock.ts";
import { mayUse } from "../../transfers/storage-access.ts";
import type { Bind } from "./route.ts";

type Stored = Awaited<ReturnType<House["transfers"]["storages"]>>[number];

/** The storages, over REST. */
export function bindStorage(bind: Bind, { transfers }: Pick<House, "transfers">): void {
  bind(api.list, async ({ principal }) => {
    const all = await transfers.storages();
    return { data: all.filter(({ config }) => mayUse(principal, config)).map(shown) };
  });
}

/** Each field by its name: what else a configuration holds is no caller's business. */
const shown = ({ config, used }: Stored): StorageConfig => ({
  id: config.id,
  name: config.name,
  provider_type: config.provider_type,
  bucket_name: config.bucket_name,
  default_folder: config.default_folder,
  is_public: config.is_public,
  is_default: config.is_default,
  total_storage_bytes: config.total_storage_bytes,
  used_bytes: used,
  created_at: iso(config.created_at),
  updated_at: iso(config.updated_at),
});
