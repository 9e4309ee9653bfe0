import { readyForm, readyText } from "./connect.ts";
import { endpoint } from "./endpoint.ts";
import { done, instantField, keyRoles, looseSwitch, nameField } from "./fields.ts";
import { MAX_KEY_CHARACTERS, MAX_KEY_NAME_CHARACTERS, MIN_KEY_CHARACTERS } from "./limits.ts";
import { ALL_PERMISSIONS, allows, bitsOf, type Permission, permissions } from "./permissions.ts";
import * as z from "./schemas.ts";

/** API keys: the administrator creates, lists and changes them; a key can read itself. */

/** The wire value of the expiry of a key that never expires. */
export const NEVER = "9999-12-31T23:59:59.000Z";

const idParam = z.object({ id: z.string() });

/** The rights as existing clients write them out; `file` is the right to share files. */
const switches = z.object({
  text: z.boolean(),
  file: z.boolean(),
  mount_view: z.boolean(),
  mount_upload: z.boolean(),
  mount_copy: z.boolean(),
  mount_rename: z.boolean(),
  mount_delete: z.boolean(),
  webdav_read: z.boolean(),
  webdav_manage: z.boolean(),
});

const looseSwitches = z.strictObject({
  ...z.partial(switches).shape,
  file_share: z.optional(z.boolean()),
});

/** Rights as bits, or written out. */
const permissionsField = z.pipe(
  z.union([
    z
      .int()
      .check(z.minimum(0), z.maximum(ALL_PERMISSIONS))
      .check(z.refine((bits) => (bits & ~ALL_PERMISSIONS) === 0)),
    looseSwitches,
  ]),
  z.transform((given) => (typeof given === "number" ? given : bitsOf(switchedOn(given)))),
);

const switchedOn = (given: z.output<typeof looseSwitches>): Permission[] =>
  permissions.filter((one) => given[one === "file_share" ? "file" : one] || (one === "file_share" && given.file_share));

/** Rights as separate fields, for clients that name them. */
export function permissionSwitches(bits: number): z.output<typeof switches> {
  const { file_share: file, ...rest } = Object.fromEntries(
    permissions.map((one) => [one, allows(bits, one)]),
  ) as Record<Permission, boolean>;
  return { ...rest, file };
}

/** An instant; null or "never" is never. A blank field says nothing, and above all not that a key lives for ever. */
const expiresAt = z.optional(
  z.pipe(
    z.transform((value: unknown) => (value === "never" ? null : value === "" ? undefined : value)),
    z.optional(z.nullable(instantField)),
  ),
);

const fields = {
  name: nameField(MAX_KEY_NAME_CHARACTERS),
  permissions: permissionsField,
  role: z.enum(keyRoles),
  basic_path: z.string(),
  is_guest: looseSwitch,
};

export const newKey = z.object({
  name: fields.name,
  permissions: z._default(fields.permissions, 0),
  role: z._default(fields.role, "GENERAL"),
  /** Without one the server makes one up. */
  custom_key: z.nullish(z.string()),
  basic_path: z._default(fields.basic_path, "/"),
  /** Whether visitors act with it; one key at most, an expired one gives way. */
  is_guest: z._default(fields.is_guest, false),
  /** A day from now when it is absent or empty. */
  expires_at: expiresAt,
});

const keyChange = z.object({
  name: z.optional(fields.name),
  permissions: z.optional(fields.permissions),
  role: z.optional(fields.role),
  basic_path: z.optional(fields.basic_path),
  is_guest: z.optional(fields.is_guest),
  expires_at: expiresAt,
});

const keyRecord = z.object({
  id: z.string(),
  name: z.string(),
  /** The key itself, for the administrator to copy. */
  key: z.string(),
  key_masked: z.string(),
  permissions: z.int(),
  permission_names: z.array(z.enum(permissions)),
  role: z.enum(keyRoles),
  basic_path: z.string(),
  is_guest: z.int(),
  /** The name under which the key signs S3 requests. */
  s3_access_key_id: z.string(),
  /** The last day of the year 9999 for a key that never expires. */
  expires_at: z.string(),
  is_expired: z.boolean(),
  /** Since when it is suspended; null for one that works. */
  suspended_at: z.nullable(z.string()),
  /** To the minute. */
  last_used: z.nullable(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
});

const connection = z.object({
  /** Scheme and host of this server, without a slash at the end: the endpoint of S3, too. */
  server: z.string(),
  dav_address: z.string(),
  s3_access_key_id: z.string(),
  s3_region: z.string(),
  /** Whether the key is long enough to sign S3 requests. */
  may_sign: z.boolean(),
  /** WebDAV and S3 as the key's rights open them. */
  protocols: z.array(z.enum(["webdav", "s3"])),
  texts: z.array(readyText),
  /** null where the key may share no files. */
  form: z.nullable(readyForm),
});

export const keys = {
  list: endpoint({
    method: "GET",
    path: "/admin/api-keys",
    access: "admin",
    summary: "API keys, newest first, expired ones too",
    response: z.object({ data: z.array(keyRecord) }),
  }),
  create: endpoint({
    method: "POST",
    path: "/admin/api-keys",
    access: "admin",
    audit: "key.create",
    summary: `Make an API key, made up by the server or chosen (${MIN_KEY_CHARACTERS} to ${MAX_KEY_CHARACTERS} letters, digits, underscores and hyphens)`,
    body: newKey,
    status: 201,
    response: z.object({ data: keyRecord }),
  }),
  update: endpoint({
    method: "PUT",
    path: "/admin/api-keys/:id",
    access: "admin",
    audit: "key.update",
    summary: "Change an API key; what is not sent stays as it is, and the key itself always does",
    params: idParam,
    body: keyChange,
    response: done,
  }),
  suspend: endpoint({
    method: "POST",
    path: "/admin/api-keys/:id/suspend",
    access: "admin",
    audit: "key.suspend",
    summary:
      "Suspend an API key: it admits nobody until it is resumed, and links made with it are closed as long; what it shared stays",
    params: idParam,
    response: done,
  }),
  resume: endpoint({
    method: "POST",
    path: "/admin/api-keys/:id/resume",
    access: "admin",
    audit: "key.resume",
    summary: "Have a suspended API key work again",
    params: idParam,
    response: done,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/admin/api-keys/:id",
    access: "admin",
    audit: "key.delete",
    summary: "Delete an API key, which stops at once; what it shared stays",
    params: idParam,
    response: done,
  }),
  connect: endpoint({
    method: "GET",
    path: "/admin/api-keys/:id/connect",
    access: "admin",
    summary:
      "What programs are told to use a key, ready to be pasted or saved, with this server's address and the key in full",
    params: idParam,
    response: z.object({ data: connection }),
  }),
  ownConnection: endpoint({
    method: "GET",
    path: "/test/api-key/connect",
    access: "caller",
    summary: "What programs are told to use the key of this request; the administrator, who has none, gets 404",
    response: z.object({ data: connection }),
  }),
  current: endpoint({
    method: "GET",
    path: "/test/api-key",
    access: "caller",
    summary: "What the credential of this request may do",
    response: z.object({
      data: z.object({
        name: z.string(),
        basic_path: z.string(),
        permissions: switches,
        key_info: z.object({ id: z.string(), name: z.string(), basic_path: z.string() }),
        is_admin: z.optional(z.literal(true)),
      }),
    }),
  }),
};

export type NewKey = z.output<typeof newKey>;
export type KeyChange = z.output<typeof keyChange>;
export type KeyRecord = z.output<typeof keyRecord>;
export type KeyConnection = z.output<typeof connection>;
