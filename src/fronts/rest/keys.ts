import { keys as api, type KeyRecord, NEVER, permissionSwitches } from "#contract/keys";
import { ALL_PERMISSIONS, permissionsOf } from "#contract/permissions";
import type { ApiKey } from "../../access/keys.ts";
import type { Caller } from "../../access/principal.ts";
import type { House } from "../../house.ts";
import { iso, isoOrNull } from "../../lib/clock.ts";
import type { Bind } from "./bind.ts";

/** API keys over REST. */
export function bindKeys(bind: Bind, { access: { keys } }: Pick<House, "access">): void {
  bind(api.list, async () => ({ data: (await keys.list()).map(shown) }));

  bind(api.create, async ({ body, touched }) => {
    const key = await keys.create(body);
    touched({ id: key.id, name: key.name });
    return { data: shown(key) };
  });

  bind(api.update, async ({ params: { id }, body, touched }) => {
    const { name } = await keys.update(id, body);
    touched({ id, name });
    return {};
  });

  bind(api.remove, async ({ params: { id }, touched }) => {
    const { name } = await keys.remove(id);
    touched({ id, name });
    return {};
  });

  bind(api.current, ({ principal }) => ({ data: rightsOf(principal) }));
}

const MASKED_AFTER = 6;

const shown = (row: ApiKey): KeyRecord => ({
  id: row.id,
  name: row.name,
  key: row.key,
  key_masked: `${row.key.slice(0, MASKED_AFTER)}...`,
  permissions: row.permissions,
  permission_names: permissionsOf(row.permissions),
  role: row.role,
  basic_path: row.basic_path,
  is_guest: row.is_guest,
  s3_access_key_id: row.s3_access_key_id,
  expires_at: row.expires_at === null ? NEVER : iso(row.expires_at),
  is_expired: row.expired,
  last_used: isoOrNull(row.last_used),
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
});

function rightsOf(caller: Caller) {
  if (caller.kind === "admin") {
    const administrator = { name: "Administrator", basic_path: "/" };
    const key_info = { id: "admin", ...administrator };
    return { ...administrator, permissions: permissionSwitches(ALL_PERMISSIONS), key_info, is_admin: true as const };
  }
  const { id, name, permissions, basePath: basic_path } = caller;
  return { name, basic_path, permissions: permissionSwitches(permissions), key_info: { id, name, basic_path } };
}
