import { createHash } from "node:crypto";
import { MAX_OBJECT_BYTES } from "#contract/limits";
import { isUuid } from "#contract/paths";
import * as z from "#contract/schemas";
import { count, flag, instant, optional, whole } from "../fields.ts";

/** The rows of CloudPaste's tables, of all versions. What is not named here is not read. */

/** Characters of an id, and of a short text of which no rule of ours says how long it may be. */
const [ID, SHORT] = [128, 10_000];

const id = z.string().check(z.minLength(1), z.maxLength(ID));
const short = z.string().check(z.maxLength(SHORT));
const share = {
  id,
  slug: short,
  remark: optional(short),
  password: optional(short),
  expires_at: optional(instant),
  max_views: optional(whole),
  views: optional(count),
  created_by: optional(short),
  created_at: optional(instant),
  updated_at: optional(instant),
};

export const pasteRow = z.object({
  ...share,
  content: z.string(),
  title: optional(short),
  /** Versions before 1.4 have none: all texts were public. */
  is_public: z.optional(flag),
});

export const fileRow = z.object({
  ...share,
  filename: short,
  storage_config_id: optional(id),
  /** The name of the column before version 0.7. */
  s3_config_id: optional(id),
  storage_type: optional(short),
  storage_path: short,
  mimetype: optional(short),
  size: count.check(z.maximum(MAX_OBJECT_BYTES)),
  etag: optional(short),
  use_proxy: optional(flag),
});

/** Of a text or of a file. */
export const pastePasswordRow = z.object({ paste_id: id, plain_password: z.string().check(z.maxLength(SHORT)) });
export const filePasswordRow = z.object({ file_id: id, plain_password: z.string().check(z.maxLength(SHORT)) });

const storageFields = {
  provider_type: optional(short),
  endpoint_url: optional(short),
  bucket_name: optional(short),
  region: optional(short),
  path_style: flag,
  default_folder: optional(short),
  custom_host: optional(short),
  signature_expires_in: optional(whole),
  total_storage_bytes: optional(count),
  access_key_id: optional(short),
  secret_access_key: optional(short),
  /** What stands before every key; a mount shows no more than what is below. */
  root_prefix: optional(short),
};

const storage = {
  id,
  name: short,
  is_public: optional(flag),
  is_default: optional(flag),
  created_at: optional(instant),
  updated_at: optional(instant),
};

/** Of `storage_configs`; its fields are in `config_json`. */
export const storageRow = z.object({
  ...storage,
  storage_type: short,
  status: optional(short),
  config_json: z.union([z.string(), z.looseObject({})]),
});
export const storageConfig = z.object(storageFields);

/** The `config_json` of a storage of the type LOCAL: a folder of the machine that the server ran on. */
export const localConfig = z.object({
  root_path: z.string().check(z.minLength(1), z.maxLength(SHORT)),
  readonly: optional(flag),
  default_folder: optional(short),
  total_storage_bytes: optional(count),
  root_prefix: optional(short),
});

/** Of `s3_configs`, before version 0.8.5. */
export const s3ConfigRow = z.object({ ...storage, ...storageFields });

export const mountRow = z.object({
  id,
  name: short,
  storage_type: optional(short),
  storage_config_id: optional(id),
  mount_path: short,
  remark: optional(short),
  is_active: optional(flag),
  sort_order: optional(whole),
  cache_ttl: optional(whole),
  web_proxy: optional(flag),
  webdav_policy: optional(short),
  enable_sign: optional(flag),
  sign_expires: optional(whole),
  created_at: optional(instant),
  updated_at: optional(instant),
});

export const keyRow = z.object({
  id,
  name: short,
  key: short,
  permissions: optional(count),
  /** In place of permissions, before version 0.6. */
  text_permission: optional(flag),
  file_permission: optional(flag),
  mount_permission: optional(flag),
  role: optional(short),
  basic_path: optional(short),
  is_guest: optional(flag),
  /** Versions that have it let in only keys where it is set. */
  is_enable: z.optional(flag),
  expires_at: optional(z.union([z.literal("never"), instant])),
  last_used: optional(instant),
  created_at: optional(instant),
});

export const aclRow = z.object({ subject_type: short, subject_id: id });

export const settingRow = z.object({ key: short, value: z.union([short, z.number(), z.boolean()]) });

export type PasteRow = z.output<typeof pasteRow>;
export type FileRow = z.output<typeof fileRow>;
export type KeyRow = z.output<typeof keyRow>;
export type MountRow = z.output<typeof mountRow>;

/** The id that a row has here: its own where that is a UUID, else one that is made of it, so that another import finds it again. */
export function importedId(kind: string, own: string): string {
  if (isUuid(own)) return own.toLowerCase();
  const digits = createHash("sha256").update(`cloudpaste ${kind} ${own}`).digest("hex");
  // Version 8 is for UUIDs of one's own making (RFC 9562 section 5.8).
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5");
}

/** Secrets of storages are "encrypted:SIGNATURE:BASE64", which is signed and not encrypted; those of early versions are as they are. */
export function plainSecret(stored: string): string | undefined {
  if (!stored.startsWith("encrypted:")) return stored;
  const [, , encoded, ...rest] = stored.split(":");
  if (encoded === undefined || rest.length > 0) return undefined;
  try {
    return atob(encoded);
  } catch {
    return undefined;
  }
}
