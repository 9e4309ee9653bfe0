import { endpoint } from "./endpoint.ts";
import { done, looseNumber, looseSwitch, nameField, remarkField } from "./fields.ts";
import {
  DEFAULT_CACHE_TTL,
  MAX_CACHE_TTL,
  MAX_MOUNT_NAME_CHARACTERS,
  MAX_PATH_CHARACTERS,
  MAX_SIGN_EXPIRES,
  MAX_SORT_ORDER,
} from "./limits.ts";
import * as z from "./schemas.ts";

/** Mounts: storages at their places in the tree that the explorer, WebDAV and the S3 endpoint show. */

/** How WebDAV hands out a file: by an address of the storage, or through this server. */
const webdavPolicies = ["302_redirect", "native_proxy"] as const;

const idParam = z.object({ id: z.string() });

const fields = {
  name: nameField(MAX_MOUNT_NAME_CHARACTERS),
  /** Every storage speaks S3 to us; its provider type names the service. */
  storage_type: z.literal("S3"),
  storage_config_id: z.string().check(z.minLength(1), z.maxLength(64)),
  mount_path: z.string().check(z.maxLength(MAX_PATH_CHARACTERS)),
  remark: remarkField,
  is_active: looseSwitch,
  sort_order: looseNumber(-MAX_SORT_ORDER, MAX_SORT_ORDER),
  cache_ttl: looseNumber(0, MAX_CACHE_TTL),
  web_proxy: looseSwitch,
  webdav_policy: z.enum(webdavPolicies),
  enable_sign: looseSwitch,
  readme: looseSwitch,
  /** null or empty is the setting for all mounts, 0 is for ever. */
  sign_expires: z.pipe(
    z.transform((value: unknown) => (value === "" ? null : value)),
    z.nullable(looseNumber(0, MAX_SIGN_EXPIRES)),
  ),
  trash: looseSwitch,
};

export const newMount = z.object({
  name: fields.name,
  storage_type: fields.storage_type,
  storage_config_id: fields.storage_config_id,
  /** From the root, such as /team/photos. */
  mount_path: fields.mount_path,
  remark: fields.remark,
  is_active: z._default(fields.is_active, true),
  sort_order: z._default(fields.sort_order, 0),
  /** Seconds that a listing may be kept. */
  cache_ttl: z._default(fields.cache_ttl, DEFAULT_CACHE_TTL),
  /** Whether its files have public addresses on this server. */
  web_proxy: z._default(fields.web_proxy, false),
  webdav_policy: z._default(fields.webdav_policy, "native_proxy"),
  /** Whether those addresses must be signed. */
  enable_sign: z._default(fields.enable_sign, false),
  /** Seconds. */
  sign_expires: z._default(fields.sign_expires, null),
  /** Whether a README of a folder is shown below its list. */
  readme: z._default(fields.readme, true),
  /** Whether what is deleted here waits in the trash of its storage first. */
  trash: z._default(fields.trash, true),
});

const mountChange = z.object({
  name: z.optional(fields.name),
  storage_type: z.optional(fields.storage_type),
  storage_config_id: z.optional(fields.storage_config_id),
  mount_path: z.optional(fields.mount_path),
  remark: fields.remark,
  is_active: z.optional(fields.is_active),
  sort_order: z.optional(fields.sort_order),
  cache_ttl: z.optional(fields.cache_ttl),
  web_proxy: z.optional(fields.web_proxy),
  webdav_policy: z.optional(fields.webdav_policy),
  enable_sign: z.optional(fields.enable_sign),
  sign_expires: z.optional(fields.sign_expires),
  readme: z.optional(fields.readme),
  trash: z.optional(fields.trash),
});

const mountRecord = z.object({
  id: z.string(),
  name: z.string(),
  storage_type: z.literal("S3"),
  storage_config_id: z.string(),
  storage_config_name: z.string(),
  storage_provider_type: z.string(),
  mount_path: z.string(),
  remark: z.nullable(z.string()),
  is_active: z.int(),
  /** `system` for the one that every installation begins with. */
  created_by: z.string(),
  sort_order: z.int(),
  cache_ttl: z.int(),
  web_proxy: z.int(),
  webdav_policy: z.enum(webdavPolicies),
  enable_sign: z.int(),
  sign_expires: z.nullable(z.int()),
  readme: z.int(),
  /** Whether what is deleted here waits in the trash of its storage first. */
  trash: z.int(),
  /** Whether keys may use its storage. */
  is_public: z.int(),
  last_used: z.nullable(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
  /** Names that were read of its storage so far; only while this server builds its index, and for the administrator alone. */
  indexing: z.optional(z.int()),
});

/** A mount as everybody but the administrator sees it; visitors see neither its owner nor its remark. */
const visibleMount = z.extend(mountRecord, {
  remark: z.optional(z.nullable(z.string())),
  created_by: z.optional(z.string()),
});

const one = z.object({ data: mountRecord });
const many = z.object({ data: z.array(mountRecord) });

export const mounts = {
  list: endpoint({
    method: "GET",
    path: "/admin/mounts",
    access: "admin",
    summary: "Every mount, inactive ones too, by sort order and name",
    response: many,
  }),
  read: endpoint({
    method: "GET",
    path: "/admin/mounts/:id",
    access: "admin",
    summary: "One mount",
    params: idParam,
    response: one,
  }),
  create: endpoint({
    method: "POST",
    path: "/admin/mounts",
    access: "admin",
    audit: "mount.create",
    summary: "Mount a storage at a path of letters, digits, underscores, hyphens and slashes",
    body: newMount,
    status: 201,
    response: one,
  }),
  update: endpoint({
    method: "PUT",
    path: "/admin/mounts/:id",
    access: "admin",
    audit: "mount.update",
    summary: "Change a mount; what is not sent stays as it is",
    params: idParam,
    body: mountChange,
    response: done,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/admin/mounts/:id",
    access: "admin",
    audit: "mount.delete",
    summary: "Take a mount out of the tree; its files stay in their storage",
    params: idParam,
    response: done,
  }),
  visible: endpoint({
    method: "GET",
    path: "/user/mounts",
    access: "mount_view",
    visitors: true,
    summary: "The active mounts that the caller's base path reaches, by sort order and name",
    response: z.object({ data: z.array(visibleMount) }),
  }),
  readVisible: endpoint({
    method: "GET",
    path: "/user/mounts/:id",
    access: "mount_view",
    visitors: true,
    summary: "One of the mounts that the caller sees",
    params: idParam,
    response: z.object({ data: visibleMount }),
  }),
};

export type NewMount = z.output<typeof newMount>;
export type MountChange = z.output<typeof mountChange>;
export type MountRecord = z.output<typeof mountRecord>;
export type VisibleMount = z.output<typeof visibleMount>;
export type WebdavPolicy = (typeof webdavPolicies)[number];
