import { Failure } from "#contract/failures";
import { storage as api, type StorageConfig } from "#contract/storage";
import type { Caller } from "../../access/principal.ts";
import type { House } from "../../house.ts";
import { iso, isoOrNull } from "../../lib/clock.ts";
import { mayUse } from "../../transfers/storage-access.ts";
import type { Bind } from "./route.ts";

type Stored = Awaited<ReturnType<House["transfers"]["storages"]>>[number];

/** The storages, over REST. */
export function bindStorage(bind: Bind, { stores: { configs }, transfers }: Pick<House, "stores" | "transfers">): void {
  /** 404 storage.missing, also when the caller may not use it. */
  const find = async (caller: Caller, id: string): Promise<Stored> => {
    const found = (await transfers.storages()).find(({ config }) => config.id === id && mayUse(caller, config));
    if (!found) throw new Failure("storage.missing");
    return found;
  };

  bind(api.list, async ({ principal }) => {
    const all = await transfers.storages();
    return { data: all.filter(({ config }) => mayUse(principal, config)).map((one) => shown(principal, one)) };
  });

  bind(api.read, async ({ params: { id }, principal }) => ({ data: shown(principal, await find(principal, id)) }));

  bind(api.create, async ({ body, principal, touched }) => {
    const config = await configs.create(body);
    touched(config);
    return { data: shown(principal, await find(principal, config.id)) };
  });

  bind(api.update, async ({ params: { id }, body, touched }) => {
    touched(await configs.update(id, body));
    return {};
  });

  bind(api.remove, async ({ params: { id }, touched }) => {
    touched(await configs.remove(id));
    return {};
  });

  bind(api.setDefault, async ({ params: { id }, touched }) => {
    touched(await configs.setDefault(id));
    return {};
  });
}

const MASKED_AFTER = 4;

/** Each field by its name: what else a configuration holds is no caller's business. */
const shown = (caller: Caller, stored: Stored): StorageConfig => {
  const { config, used, free } = stored;
  return {
    id: config.id,
    name: config.name,
    provider_type: config.provider_type,
    bucket_name: config.bucket_name,
    default_folder: config.default_folder,
    is_public: config.is_public,
    is_default: config.is_default,
    total_storage_bytes: config.total_storage_bytes,
    used_bytes: used,
    free_bytes: free,
    created_at: iso(config.created_at),
    updated_at: iso(config.updated_at),
    ...(caller.kind === "admin" && forAdmin(config)),
  };
};

const forAdmin = (config: Stored["config"]): Partial<StorageConfig> => ({
  endpoint_url: config.endpoint_url,
  region: config.region,
  path_style: config.path_style,
  access_key_id: config.access_key_id && `${config.access_key_id.slice(0, MASKED_AFTER)}...`,
  custom_host: config.custom_host,
  signature_expires_in: config.signature_expires_in,
  last_used: isoOrNull(config.last_used),
});
