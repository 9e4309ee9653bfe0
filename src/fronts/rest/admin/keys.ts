import { Failure } from "#contract/failures";
import { keys as api, type KeyRecord, NEVER, permissionSwitches } from "#contract/keys";
import { MIN_S3_SECRET_CHARACTERS } from "#contract/limits";
import { within } from "#contract/paths";
import { ALL_PERMISSIONS, permissionsOf } from "#contract/permissions";
import type { ApiKey } from "../../../access/keys.ts";
import type { Caller } from "../../../access/principal.ts";
import type { House } from "../../../house.ts";
import { iso, isoOrNull } from "../../../lib/clock.ts";
import type { View } from "../../../vfs/view.ts";
import { namedBuckets, S3_REGION } from "../../bucket-names.ts";
import { assistantTexts } from "../../connect/assistants.ts";
import { shareForm, sharingTexts } from "../../connect/shares.ts";
import { davAddress, protocolsOf, treeTexts } from "../../connect/tree.ts";
import type { Bind } from "../bind.ts";

/** API keys over REST. */
export function bindKeys(bind: Bind, { access: { keys }, vfs }: Pick<House, "access" | "vfs">): void {
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

  const namedAs = (id: string, key: Pick<ApiKey, "name"> | undefined) => key && { id, name: key.name };

  bind(api.suspend, async ({ params: { id }, touched }) => {
    touched(namedAs(id, await keys.suspend(id)));
    return {};
  });

  bind(api.resume, async ({ params: { id }, touched }) => {
    touched(namedAs(id, await keys.resume(id)));
    return {};
  });

  bind(api.remove, async ({ params: { id }, touched }) => {
    const { name } = await keys.remove(id);
    touched({ id, name });
    return {};
  });

  const connectionOf = async (id: string, server: string) => {
    const { key, name, permissions, basic_path: basePath, s3_access_key_id: accessKey } = await keys.read(id);
    const view = await vfs.as({ kind: "key", id, name, permissions, basePath, isVisitor: false }, "s3");
    const place = { key, accessKey, permissions, server, ...folderOf(basePath, view.mounts()) };
    return {
      server,
      dav_address: davAddress(place),
      s3_access_key_id: accessKey,
      s3_region: S3_REGION,
      may_sign: key.length >= MIN_S3_SECRET_CHARACTERS,
      protocols: protocolsOf(permissions),
      texts: [...sharingTexts(place), ...assistantTexts(place), ...treeTexts(place)],
      form: shareForm(place),
    };
  };

  bind(api.connect, async ({ params: { id }, context }) => ({ data: await connectionOf(id, context.base()) }));

  bind(api.ownConnection, async ({ principal, context }) => {
    // Visitors share a key that none of them is told.
    if (principal.kind !== "key" || principal.isVisitor) throw new Failure("key.missing");
    return { data: await connectionOf(principal.id, context.base()) };
  });

  bind(api.current, ({ principal }) => ({ data: rightsOf(principal) }));
}

/**
 * The folder with which a key begins: its base path, or the one mount that it sees. Of several it sees them all, and writes into the first
 * in their order, because nothing can lie beside them.
 */
function folderOf(base: string, mounts: ReturnType<View["mounts"]>) {
  const below = mounts.filter(({ path }) => within(base, path));
  const [first] = below;
  const around = mounts.filter(({ path }) => within(path, base)).sort((a, b) => b.path.length - a.path.length)[0];
  const only = below.length === 1 ? first?.path : undefined;
  const folder = around ? base : (only ?? (base === "/" ? "" : base));
  const target = around ? base : (first?.path ?? folder);
  const bucketOf = (path: string) => {
    const found = namedBuckets(mounts)
      .filter(({ mount }) => within(mount.path, path))
      .sort((a, b) => b.mount.path.length - a.mount.path.length)[0];
    const inner = found && path.slice(found.mount.path.length + 1);
    return found && { name: found.name, prefix: inner ? `${inner}/` : "" };
  };
  return { folder, bucket: bucketOf(folder), target, targetBucket: bucketOf(target) };
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
  suspended_at: isoOrNull(row.suspended_at),
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
