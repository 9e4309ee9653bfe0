import { Failure } from "#contract/failures";
import { DEFAULT_CACHE_TTL } from "#contract/limits";
import type { MountChange, NewMount } from "#contract/mounts";
import { mountPathProblem } from "#contract/paths";
import type { MountRow, MountUpdate, SaidMount } from "./mounts-table.ts";

/** As everything compares it: in Unicode NFC. 400 mount.pathInvalid, mount.pathReserved. */
function checkedPath(sent: string): string {
  const path = sent.normalize("NFC");
  const problem = mountPathProblem(path);
  if (problem) throw new Failure(problem);
  return path;
}

const bit = (on: boolean): number => Number(on);

/** The fields of a new mount. 400 mount.pathInvalid, mount.pathReserved. */
export const newFields = (request: NewMount): SaidMount => ({
  name: request.name,
  path: checkedPath(request.mount_path),
  storage: request.storage_config_id,
  remark: request.remark || null,
  is_active: bit(request.is_active),
  sort_order: request.sort_order,
  cache_ttl: request.cache_ttl,
  web_proxy: bit(request.web_proxy),
  webdav_policy: request.webdav_policy,
  enable_sign: bit(request.enable_sign),
  sign_expires: request.sign_expires,
  readme: bit(request.readme),
  trash: bit(request.trash),
});

/** The fields that a change names. 400 mount.nothingToChange, mount.pathInvalid, mount.pathReserved. */
export function changedFields(change: MountChange): MountUpdate {
  const { mount_path, storage_config_id: storage, remark, is_active, web_proxy, enable_sign } = change;
  const { name, sort_order, cache_ttl, webdav_policy, sign_expires, readme, trash } = change;
  const changes = {
    name,
    path: mount_path === undefined ? undefined : checkedPath(mount_path),
    storage,
    remark: remark === undefined ? undefined : remark || null,
    is_active: is_active === undefined ? undefined : bit(is_active),
    sort_order,
    cache_ttl,
    web_proxy: web_proxy === undefined ? undefined : bit(web_proxy),
    webdav_policy,
    enable_sign: enable_sign === undefined ? undefined : bit(enable_sign),
    sign_expires,
    readme: readme === undefined ? undefined : bit(readme),
    trash: trash === undefined ? undefined : bit(trash),
  };
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  if (given.length === 0) throw new Failure("mount.nothingToChange");
  return Object.fromEntries(given);
}

/** The times of a mount that nobody has used yet. */
export const unused = (now: number) => ({ last_used: null, created_at: now, updated_at: now });

/** The mount that every installation begins with. */
export const firstMount = (storage: string, now: number): MountRow => ({
  id: Bun.randomUUIDv7(),
  name: "Drive",
  path: "/drive",
  storage,
  remark: null,
  is_active: 1,
  sort_order: 0,
  cache_ttl: DEFAULT_CACHE_TTL,
  web_proxy: 0,
  webdav_policy: "native_proxy",
  enable_sign: 0,
  sign_expires: null,
  readme: 1,
  trash: 1,
  created_by: "system",
  ...unused(now),
});
