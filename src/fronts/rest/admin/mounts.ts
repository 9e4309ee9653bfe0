import { mounts as api, type MountRecord, type VisibleMount } from "#contract/mounts";
import type { Caller } from "../../../access/principal.ts";
import type { House } from "../../../house.ts";
import { iso, isoOrNull } from "../../../lib/clock.ts";
import type { Bind } from "../bind.ts";

type Mount = Awaited<ReturnType<House["vfs"]["mounts"]["get"]>>;

/** The mounts over REST. */
export function bindMounts(bind: Bind, { vfs: { mounts, search } }: Pick<House, "vfs">): void {
  const shownToAdmin = (mount: Mount, uses: ReadonlyMap<string, number | null>): MountRecord => {
    const indexing = search.progress(mount.storage);
    const last_used = isoOrNull(uses.get(mount.id) ?? null);
    return { ...shown(mount), last_used, ...(indexing !== undefined && { indexing }) };
  };

  bind(api.list, async () => {
    const uses = await mounts.lastUses();
    return { data: (await mounts.list()).map((mount) => shownToAdmin(mount, uses)) };
  });

  bind(api.read, async ({ params: { id } }) => ({
    data: shownToAdmin(await mounts.get(id), await mounts.lastUses()),
  }));

  bind(api.create, async ({ body, principal, touched }) => {
    const mount = await mounts.create(principal, body);
    touched({ id: mount.id, name: mount.name });
    return { data: shown(mount) };
  });

  bind(api.update, async ({ params: { id }, body, touched }) => {
    const { name } = await mounts.update(id, body);
    touched({ id, name });
    return {};
  });

  bind(api.remove, async ({ params: { id }, touched }) => {
    const { name } = await mounts.remove(id);
    touched({ id, name });
    return {};
  });

  bind(api.visible, async ({ principal }) => ({
    data: (await mounts.visible(principal)).map((mount) => visible(principal, mount)),
  }));

  bind(api.readVisible, async ({ params: { id }, principal }) => ({
    data: visible(principal, await mounts.getVisible(principal, id)),
  }));
}

/** Visitors see neither the owner of a mount nor its remark. */
function visible(caller: Caller, mount: Mount): VisibleMount {
  const { remark, created_by, ...rest } = shown(mount);
  return caller.kind === "key" && caller.isVisitor ? rest : { ...rest, remark, created_by };
}

const shown = (mount: Mount): MountRecord => ({
  id: mount.id,
  name: mount.name,
  storage_type: "S3",
  storage_config_id: mount.storage,
  storage_config_name: mount.storage_name,
  storage_provider_type: mount.provider_type,
  mount_path: mount.path,
  remark: mount.remark,
  is_active: mount.is_active,
  created_by: mount.created_by,
  sort_order: mount.sort_order,
  cache_ttl: mount.cache_ttl,
  web_proxy: mount.web_proxy,
  webdav_policy: mount.webdav_policy,
  enable_sign: mount.enable_sign,
  sign_expires: mount.sign_expires,
  readme: mount.readme,
  trash: mount.trash,
  is_public: mount.is_public,
  last_used: isoOrNull(mount.last_used),
  created_at: iso(mount.created_at),
  updated_at: iso(mount.updated_at),
});
