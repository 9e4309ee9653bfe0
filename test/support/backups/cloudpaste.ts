import { createHash } from "node:crypto";
import { join } from "node:path";

/** Backups as CloudPaste writes them, made by code: of version 1.9 with schema 34, and of 0.7, which says no schema. */

export type Row = Readonly<Record<string, unknown>>;
export type Tables = Readonly<Record<string, readonly unknown[]>>;

const sortedKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) copy[key] = sortedKeys((value as Row)[key]);
  return copy;
};

/** The checksum of a backup's data, by the rule of CloudPaste. */
export const checksumOf = (data: Tables): string =>
  createHash("sha256")
    .update(JSON.stringify(sortedKeys(data)))
    .digest("hex")
    .slice(0, 16);

/** Of schema 34 unless said; null is the version before. */
export function backupOf(data: Tables, schema: string | null = "34"): { metadata: Row; data: Tables } {
  const tables = Object.fromEntries(Object.entries(data).map(([name, rows]) => [name, rows.length]));
  return {
    metadata: {
      version: "1.0",
      timestamp: "2026-05-04T03:02:01.000Z",
      backup_type: "full",
      ...(schema !== null && { schema_version: schema }),
      selected_modules: null,
      included_modules: null,
      tables,
      total_records: Object.values(tables).reduce((sum, count) => sum + count, 0),
      checksum: checksumOf(data),
    },
    data,
  };
}

/** Writes a backup, as the other server lets it be downloaded. */
export async function writeBackup(folder: string, backup: unknown, space?: number): Promise<string> {
  const path = join(folder, `${Bun.randomUUIDv7()}.json`);
  await Bun.write(path, typeof backup === "string" ? backup : JSON.stringify(backup, null, space));
  return path;
}

const ADMIN = "0b9a4d5e-7c1f-4d0e-8a52-6f0a1d2c3b4a";
const times = { created_at: "2025-01-02 03:04:05", updated_at: "2025-02-03T04:05:06.000Z" };

export const hashOf = (password: string): string => createHash("sha256").update(password).digest("hex");

/** A secret as they keep it: signed with their key, and not encrypted. */
export const signed = (value: string): string => `encrypted:${btoa("any signature")}:${btoa(value)}`;

export const id = (): string => crypto.randomUUID();

export const paste = (row: Row = {}): Row => ({
  id: id(),
  slug: `text-${id().slice(0, 8)}`,
  content: "# hello",
  title: null,
  remark: null,
  password: null,
  expires_at: null,
  max_views: null,
  views: 3,
  is_public: 1,
  created_by: ADMIN,
  ...times,
  ...row,
});

export const file = (row: Row = {}): Row => ({
  id: id(),
  slug: `file-${id().slice(0, 8)}`,
  filename: "notes.txt",
  storage_config_id: "",
  storage_type: "S3",
  storage_path: "shared/notes.txt",
  file_path: null,
  mimetype: "text/plain",
  size: 5,
  etag: '"5d41402abc4b2a76b9719d911017c592"',
  remark: null,
  password: null,
  expires_at: null,
  max_views: null,
  views: 0,
  use_proxy: 1,
  created_by: ADMIN,
  ...times,
  ...row,
});

export const key = (row: Row = {}): Row => ({
  id: id(),
  name: `Key ${id().slice(0, 8)}`,
  key: `k-${id().slice(0, 12)}`,
  permissions: 1 | 2 | 4 | 8 | 256,
  role: "GENERAL",
  basic_path: "/",
  is_enable: 1,
  last_used: "2025-03-04 05:06:07",
  created_at: times.created_at,
  expires_at: "9999-12-31T23:59:59.000Z",
  ...row,
});

const s3Fields = {
  provider_type: "Other S3 Compatible",
  endpoint_url: "https://s3.example.com",
  bucket_name: "pictures",
  region: "us-east-1",
  path_style: 1,
  default_folder: "shared",
  custom_host: null,
  signature_expires_in: 3600,
  total_storage_bytes: 10_737_418_240,
  access_key_id: signed("an-access-id"),
  secret_access_key: signed("an-access-text"),
};

/** A row of `storage_configs`; `config` goes into its JSON. */
export const storage = ({ config, ...row }: Row & { readonly config?: Row } = {}): Row => ({
  id: id(),
  name: "Bucket",
  storage_type: "S3",
  admin_id: ADMIN,
  is_public: 1,
  is_default: 0,
  remark: null,
  url_proxy: null,
  status: "ENABLED",
  config_json: JSON.stringify({ ...s3Fields, ...config }),
  ...times,
  last_used: null,
  ...row,
});

/** A row of `s3_configs`, before version 0.8.5. */
export const s3Config = (row: Row = {}): Row => ({
  id: id(),
  name: "Bucket",
  ...s3Fields,
  is_public: 1,
  is_default: 0,
  admin_id: ADMIN,
  ...times,
  last_used: null,
  ...row,
});

export const mount = (row: Row = {}): Row => ({
  id: id(),
  name: "Pictures",
  storage_type: "S3",
  storage_config_id: "",
  mount_path: "/pictures",
  remark: null,
  is_active: 1,
  created_by: ADMIN,
  sort_order: 0,
  cache_ttl: 300,
  web_proxy: 0,
  webdav_policy: "302_redirect",
  enable_sign: 0,
  sign_expires: null,
  enable_folder_summary_compute: 0,
  ...times,
  last_used: null,
  ...row,
});

export const setting = (name: string, value: string): Row => ({
  key: name,
  value,
  description: "",
  type: "string",
  group_id: 1,
  options: null,
  sort_order: 0,
  flags: 0,
  ...times,
});

export const pastePassword = (paste: Row, plain_password: string): Row => ({
  paste_id: paste.id,
  plain_password,
  ...times,
});
export const filePassword = (file: Row, plain_password: string): Row => ({
  file_id: file.id,
  plain_password,
  ...times,
});
