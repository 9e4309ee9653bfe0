import { Failure } from "#contract/failures";
import { storage as api, maskedKey, type OfferedStorage, type StorageConfig } from "#contract/storage";
import type { Caller } from "../../../access/principal.ts";
import { mayUse } from "../../../access/rights.ts";
import type { House } from "../../../house.ts";
import { iso, isoOrNull } from "../../../lib/clock.ts";
import type { RequestContext } from "../../context.ts";
import type { Bind } from "../bind.ts";
import { languageOf } from "../failures.ts";
import { storageReport } from "./storage-report.ts";

type Stored = Awaited<ReturnType<House["transfers"]["storages"]>>[number];

/** The storages, over REST. */
export function bindStorage(
  bind: Bind,
  { stores: { configs, doctor }, transfers }: Pick<House, "stores" | "transfers">,
): void {
  /** 404 storage.missing, also when the caller may not use it. */
  const find = async (caller: Caller, id: string): Promise<Stored> => {
    const found = (await transfers.storages()).find(({ config }) => config.id === id && mayUse(caller, config));
    if (!found) throw new Failure("storage.missing");
    return found;
  };

  bind(api.list, async ({ principal }) => {
    const all = await transfers.storages();
    return { data: all.filter(({ config }) => mayUse(principal, config)).map((one) => offered(principal, one)) };
  });

  bind(api.read, async ({ params: { id }, principal }) => ({ data: offered(principal, await find(principal, id)) }));

  bind(api.uses, async () => ({ data: await configs.uses() }));

  bind(api.folders, async () => ({ data: await configs.folders() }));

  bind(api.create, async ({ body, principal, touched }) => {
    const config = await configs.create(body);
    touched({ id: config.id, name: config.name });
    return { data: shownStorage(principal, await find(principal, config.id)) };
  });

  bind(api.update, async ({ params: { id }, body, touched }) => {
    const { name } = await configs.update(id, body);
    touched({ id, name });
    return {};
  });

  bind(api.remove, async ({ params: { id }, touched }) => {
    const { name } = await configs.remove(id);
    touched({ id, name });
    return {};
  });

  bind(api.setDefault, async ({ params: { id }, touched }) => {
    const { name } = await configs.setDefault(id);
    touched({ id, name });
    return {};
  });

  bind(api.test, async ({ params: { id }, request, context }) => {
    context.hold();
    const call = { origin: pageOf(request, context), language: languageOf(request.headers) };
    const report = await doctor.examine(id, call);
    return { message: report.message, data: storageReport(report) };
  });

  bind(api.setCors, async ({ params: { id }, body: { origins } }) => {
    await doctor.setCors(id, origins);
    return {};
  });
}

/** Visitors choose among storages but see neither where these keep files nor how much they hold. */
const offered = (caller: Caller, stored: Stored): OfferedStorage =>
  caller.kind === "key" && caller.isVisitor ? named(stored) : shownStorage(caller, stored);

const named = ({ config }: Stored) => ({
  id: config.id,
  name: config.name,
  provider_type: config.provider_type,
  is_public: config.is_public,
  is_default: config.is_default,
});

/** Each field by its name: what else a configuration holds is no caller's business. */
export const shownStorage = (caller: Caller, stored: Stored): StorageConfig => {
  const { config, used, free, capacity, readOnly } = stored;
  return {
    ...named(stored),
    bucket_name: config.bucket_name,
    default_folder: config.default_folder,
    total_storage_bytes: capacity,
    read_only: readOnly,
    limit_bytes: config.total_storage_bytes,
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
  access_key_id: maskedKey(config.access_key_id),
  custom_host: config.custom_host,
  signature_expires_in: config.signature_expires_in,
  last_used: isoOrNull(config.last_used),
  last_test: config.tested_at === null ? null : { at: iso(config.tested_at), passed: config.passed === 1 },
});

/**
 * Returns the origin of the page that sends the request, ours without one: a browser sends it with every POST (Fetch
 * Standard).
 */
function pageOf({ headers }: Request, context: RequestContext): string {
  const said = headers.get("origin") ?? "";
  const url = URL.parse(said);
  return url && /^https?:$/.test(url.protocol) && url.origin === said ? said : new URL(context.base()).origin;
}
