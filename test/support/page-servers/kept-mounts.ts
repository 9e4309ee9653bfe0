import type { MountRecord } from "#contract/mounts";
import { answer, fakeServer, refusal } from "./fake-server.ts";
import { builtIn, cloud } from "./kept-storages.ts";

export const PATH = "/admin/mount-management";

/** The mount that every installation begins with. */
export const drive: MountRecord = {
  id: "drive",
  name: "Drive",
  storage_type: "S3",
  storage_config_id: builtIn.id,
  storage_config_name: builtIn.name,
  storage_provider_type: builtIn.provider_type,
  mount_path: "/drive",
  remark: null,
  is_active: 1,
  created_by: "system",
  sort_order: 0,
  cache_ttl: 300,
  web_proxy: 0,
  webdav_policy: "native_proxy",
  enable_sign: 0,
  sign_expires: null,
  readme: 1,
  trash: 1,
  is_public: 1,
  last_used: null,
  created_at: "2026-01-02T03:04:05.000Z",
  updated_at: "2026-01-02T03:04:05.000Z",
};

/** One that differs in everything. */
export const team: MountRecord = {
  ...drive,
  id: "team",
  name: "Team",
  storage_config_id: cloud.id,
  storage_config_name: cloud.name,
  storage_provider_type: cloud.provider_type,
  mount_path: "/team/照片",
  remark: "For everybody\nin the office",
  created_by: "apikey:k1",
  sort_order: 5,
  cache_ttl: 0,
  web_proxy: 1,
  webdav_policy: "302_redirect",
  enable_sign: 1,
  sign_expires: 3600,
  readme: 0,
  trash: 1,
  is_public: 0,
};

/** Several mounts with names and paths of their own. */
export const many = (count: number): MountRecord[] =>
  Array.from({ length: count }, (_, at) => ({ ...drive, id: `m${at}`, name: `Mount ${at}`, mount_path: `/m${at}` }));

type Routes = Parameters<typeof fakeServer>[0];

/** A server that keeps mounts on the built-in storage and one in the cloud. Its own routes come first. */
export function keeping(mounts: MountRecord[], routes: Routes = {}) {
  return fakeServer({
    "GET /s3-configs": () => answer({ data: [builtIn, cloud] }),
    "GET /admin/mounts": () => answer({ data: mounts }),
    "POST /admin/mounts": ({ body }) => {
      const { is_active, web_proxy, enable_sign, readme, ...fields } = body as Record<string, unknown>;
      const access = { web_proxy: Number(web_proxy), enable_sign: Number(enable_sign) };
      const flags = { is_active: Number(is_active), readme: Number(readme), ...access };
      const added = { ...drive, ...fields, ...flags, id: "new", created_by: "admin" };
      mounts.push(added);
      return answer({ data: added });
    },
    "PUT /admin/mounts/team": ({ body }) => {
      const at = mounts.findIndex(({ id }) => id === "team");
      const { is_active, ...fields } = body as { is_active?: boolean };
      const active = is_active === undefined ? {} : { is_active: Number(is_active) };
      mounts.splice(at, 1, { ...team, ...mounts[at], ...fields, ...active });
      return answer({ data: null });
    },
    "PUT /admin/mounts/drive": () => refusal("mount.missing", "This mount does not exist."),
    "DELETE /admin/mounts/team": () => {
      mounts.splice(0, mounts.length, ...mounts.filter(({ id }) => id !== "team"));
      return answer({ data: null });
    },
    ...routes,
  });
}

/** What was sent by one method to one path. */
export const sent = (api: ReturnType<typeof keeping>, line: string) =>
  api.seen.filter((one) => one.line === line).map(({ body }) => body);
