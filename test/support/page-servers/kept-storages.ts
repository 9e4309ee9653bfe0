import { BUILT_IN } from "#contract/providers";
import type { StorageConfig } from "#contract/storage";
import { answer, fakeServer, refusal } from "./fake-server.ts";

export const PATH = "/admin/storage-config";

const GB = 1024 ** 3;
const made = "2026-01-02T03:04:05.000Z";

/** The disk that every installation begins with. */
export const builtIn: StorageConfig = {
  id: "disk",
  name: "Attic",
  provider_type: BUILT_IN,
  bucket_name: "drive",
  default_folder: "shares/",
  is_public: 1,
  is_default: 1,
  total_storage_bytes: 100 * GB,
  read_only: false,
  limit_bytes: null,
  used_bytes: 3 * GB,
  free_bytes: 40 * GB,
  created_at: made,
  updated_at: made,
  endpoint_url: "",
  region: "",
  path_style: 0,
  access_key_id: "",
  custom_host: null,
  signature_expires_in: 3600,
  last_used: null,
};

/** A storage elsewhere. */
export const cloud: StorageConfig = {
  ...builtIn,
  id: "cloud",
  name: "Cloud",
  provider_type: "MinIO",
  bucket_name: "files",
  default_folder: "",
  is_public: 0,
  is_default: 0,
  total_storage_bytes: 5 * GB,
  limit_bytes: 5 * GB,
  used_bytes: GB,
  free_bytes: 4 * GB,
  endpoint_url: "http://minio.lan:9000",
  region: "eu-1",
  path_style: 1,
  access_key_id: "AKIA...",
  last_used: made,
};

type Routes = Parameters<typeof fakeServer>[0];

/** A server that keeps storages: enough of it for the page. Its own routes come first. */
export function keeping(storages: StorageConfig[], routes: Routes = {}) {
  const change = (id: string, fields: object) => {
    const at = storages.findIndex((one) => one.id === id);
    storages.splice(at, 1, { ...builtIn, ...storages[at], ...fields });
  };
  return fakeServer({
    "GET /s3-configs": () => answer({ data: storages }),
    "POST /s3-configs": ({ body }) => {
      const { is_default: _, is_public, path_style, ...fields } = body as Record<string, unknown>;
      const added = { ...cloud, ...fields, id: "new", path_style: Number(path_style), is_public: Number(is_public) };
      storages.push(added);
      return answer({ data: added });
    },
    "PUT /s3-configs/cloud": ({ body }) => {
      const { total_storage_bytes: bytes } = body as { total_storage_bytes?: number };
      // As the server has it, 0 is sent for no limit and null is shown.
      change("cloud", { ...(body as object), ...(bytes !== undefined && { limit_bytes: bytes === 0 ? null : bytes }) });
      return answer({ data: null });
    },
    "PUT /s3-configs/cloud/set-default": () => {
      for (const { id } of [...storages]) change(id, { is_default: Number(id === "cloud") });
      return answer({ data: null });
    },
    "DELETE /s3-configs/cloud": () => {
      storages.splice(0, storages.length, ...storages.filter(({ id }) => id !== "cloud"));
      return answer({ data: null });
    },
    "DELETE /s3-configs/disk": () => refusal("storage.inUse", "This storage is in use: 3 file shares, 1 mounts."),
    ...routes,
  });
}

/** What was sent by one method to one path. */
export const sent = (api: ReturnType<typeof keeping>, line: string) =>
  api.seen.filter((one) => one.line === line).map(({ body }) => body);
