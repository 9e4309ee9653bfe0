import { endpoint } from "./endpoint.ts";
import { done, looseNumber, looseSwitch, nameField } from "./fields.ts";
import {
  DEFAULT_SIGNATURE_SECONDS,
  MAX_ACCESS_KEY_CHARACTERS,
  MAX_BUCKET_CHARACTERS,
  MAX_ENDPOINT_CHARACTERS,
  MAX_FOLDER_CHARACTERS,
  MAX_REGION_CHARACTERS,
  MAX_SECRET_CHARACTERS,
  MAX_SIGNATURE_SECONDS,
  MAX_STORAGE_NAME_CHARACTERS,
  MIN_SIGNATURE_SECONDS,
} from "./limits.ts";
import * as z from "./schemas.ts";
import { storageReport } from "./storage-report.ts";

/** Where files can be kept. Secrets never leave the server. */

/** The visible part of an access key: enough to tell it from others. */
export const maskedKey = (key: string): string => (key === "" ? "" : `${key.slice(0, 4)}...`);

const idParam = z.object({ id: z.string() });

/** An empty text counts as not given. */
const text = (most: number) =>
  z.optional(
    z.pipe(
      z.transform((value: unknown) => (value === "" || value === null ? undefined : value)),
      z.optional(z.string().check(z.trim(), z.maxLength(most))),
    ),
  );

const fields = {
  name: nameField(MAX_STORAGE_NAME_CHARACTERS),
  /** One of the providers that are known by name, or any other that is compatible with S3. */
  provider_type: nameField(50),
  /** Scheme, host and port, such as https://s3.example.com; none for the built-in disk. */
  endpoint_url: text(MAX_ENDPOINT_CHARACTERS),
  bucket_name: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_BUCKET_CHARACTERS)),
  region: z.nullish(z.string().check(z.trim(), z.maxLength(MAX_REGION_CHARACTERS))),
  /** Empty keeps the stored value. */
  access_key_id: text(MAX_ACCESS_KEY_CHARACTERS),
  /** Empty keeps the stored value. */
  secret_access_key: text(MAX_SECRET_CHARACTERS),
  /** Whether the bucket is in the path instead of the host name. */
  path_style: looseSwitch,
  /** Where shares put their files. */
  default_folder: z.nullish(z.string().check(z.maxLength(MAX_FOLDER_CHARACTERS))),
  /** Whether API keys and visitors may use it. */
  is_public: looseSwitch,
  is_default: looseSwitch,
  /**
   * Bytes; 0 is unlimited. Null or an empty text is the capacity of the provider's row in providers.ts.
   * Of a storage that is unlimited, null and the capacity that was shown (to one hundredth, as forms round) change nothing.
   */
  total_storage_bytes: z.pipe(
    z.transform((value: unknown) => (value === "" ? null : value)),
    z.nullable(looseNumber(0, Number.MAX_SAFE_INTEGER)),
  ),
  /** Scheme and host under which the storage hands out files to everybody. */
  custom_host: z.nullish(z.string().check(z.trim(), z.maxLength(MAX_ENDPOINT_CHARACTERS))),
  /** Seconds that an address of the storage holds. */
  signature_expires_in: looseNumber(MIN_SIGNATURE_SECONDS, MAX_SIGNATURE_SECONDS),
};

export const newStorage = z.object({
  name: fields.name,
  provider_type: fields.provider_type,
  endpoint_url: fields.endpoint_url,
  bucket_name: fields.bucket_name,
  region: fields.region,
  access_key_id: fields.access_key_id,
  secret_access_key: fields.secret_access_key,
  path_style: z._default(fields.path_style, false),
  default_folder: fields.default_folder,
  is_public: z._default(fields.is_public, false),
  is_default: z._default(fields.is_default, false),
  total_storage_bytes: z.optional(fields.total_storage_bytes),
  custom_host: fields.custom_host,
  signature_expires_in: z._default(fields.signature_expires_in, DEFAULT_SIGNATURE_SECONDS),
});

const storageChange = z.object({
  name: z.optional(fields.name),
  provider_type: z.optional(fields.provider_type),
  endpoint_url: fields.endpoint_url,
  bucket_name: z.optional(fields.bucket_name),
  region: fields.region,
  access_key_id: fields.access_key_id,
  secret_access_key: fields.secret_access_key,
  path_style: z.optional(fields.path_style),
  default_folder: fields.default_folder,
  is_public: z.optional(fields.is_public),
  total_storage_bytes: z.optional(fields.total_storage_bytes),
  custom_host: fields.custom_host,
  signature_expires_in: z.optional(fields.signature_expires_in),
});

/** What visitors need to choose one. */
const forVisitors = {
  id: z.string(),
  name: z.string(),
  provider_type: z.string(),
  /** 0 or 1, as existing clients expect it: whether keys may use it. */
  is_public: z.int(),
  is_default: z.int(),
};

export const storageRecord = z.object({
  ...forVisitors,
  bucket_name: z.string(),
  default_folder: z.string(),
  /** Bytes: its limit, or without one those of its volume (1 PiB elsewhere), as old forms make a limit of null. */
  total_storage_bytes: z.int(),
  /** Whether nothing can be written to it, as its operator said. */
  read_only: z.boolean(),
  /** Bytes that it may hold; null is unlimited. */
  limit_bytes: z.nullable(z.int()),
  /** Bytes, unfinished uploads included. */
  used_bytes: z.int(),
  /** Free bytes; null if unknown. */
  free_bytes: z.nullable(z.int()),
  created_at: z.string(),
  updated_at: z.string(),
  /** What follows is for the administrator only. */
  endpoint_url: z.optional(z.string()),
  region: z.optional(z.string()),
  path_style: z.optional(z.int()),
  /** Its first letters. */
  access_key_id: z.optional(z.string()),
  custom_host: z.optional(z.nullable(z.string())),
  signature_expires_in: z.optional(z.int()),
  /** To the minute. */
  last_used: z.optional(z.nullable(z.string())),
  /** When it was tested last, and whether that passed; null when it was not since it was changed. */
  last_test: z.optional(z.nullable(z.object({ at: z.string(), passed: z.boolean() }))),
});

const storageUses = z.object({
  id: z.string(),
  /** How many file shares are kept in it. */
  files: z.int(),
  /** Inactive ones too, by path. */
  mounts: z.array(z.object({ id: z.string(), name: z.string(), path: z.string() })),
});

/** Whole for callers with a credential; visitors see only what they need to choose one. */
const offeredStorage = z.extend(z.partial(storageRecord), forVisitors);

const namedFolder = z.object({
  /** What a storage has for a bucket name. */
  id: z.string(),
  read_only: z.boolean(),
  /** Whether a storage has it already. */
  used: z.boolean(),
});

const asAdmin = { access: "admin", params: idParam } as const;

export const storage = {
  list: endpoint({
    method: "GET",
    path: "/s3-configs",
    access: "file_share",
    visitors: true,
    summary: "Storages that the caller may use, the default one first",
    response: z.object({ data: z.array(offeredStorage) }),
  }),
  read: endpoint({
    method: "GET",
    path: "/s3-configs/:id",
    access: "file_share",
    visitors: true,
    summary: "One storage that the caller may use",
    params: idParam,
    response: z.object({ data: offeredStorage }),
  }),
  uses: endpoint({
    method: "GET",
    path: "/s3-configs/uses",
    access: "admin",
    summary: "What uses each storage: as long as something does, it cannot be removed",
    response: z.object({ data: z.array(storageUses) }),
  }),
  folders: endpoint({
    method: "GET",
    path: "/s3-configs/folders",
    access: "admin",
    summary: "Folders of this server that its operator lets storages use",
    response: z.object({ data: z.array(namedFolder) }),
  }),
  create: endpoint({
    method: "POST",
    path: "/s3-configs",
    access: "admin",
    audit: "storage.create",
    summary: "Add a storage; its secret is kept encrypted and never shown again",
    body: newStorage,
    status: 201,
    response: z.object({ data: storageRecord }),
  }),
  update: endpoint({
    ...asAdmin,
    method: "PUT",
    path: "/s3-configs/:id",
    audit: "storage.update",
    summary: "Change a storage; what is not sent, and keys that are empty, stay as they are",
    body: storageChange,
    response: done,
  }),
  remove: endpoint({
    ...asAdmin,
    method: "DELETE",
    path: "/s3-configs/:id",
    audit: "storage.delete",
    summary: "Forget a storage that no share, upload or mount uses; no object is touched",
    response: done,
  }),
  setDefault: endpoint({
    ...asAdmin,
    method: "PUT",
    path: "/s3-configs/:id/set-default",
    audit: "storage.default",
    summary: "Make a storage the one that uploads go to when they name none",
    response: done,
  }),
  test: endpoint({
    ...asAdmin,
    method: "POST",
    path: "/s3-configs/:id/test",
    audit: "storage.test",
    summary: "Try everything that is done with a storage, on a small file of its own that is removed again",
    body: z._default(z.object({}), {}),
    response: z.object({ message: z.string(), data: storageReport }),
  }),
  setCors: endpoint({
    ...asAdmin,
    method: "POST",
    path: "/s3-configs/:id/cors",
    audit: "storage.cors",
    summary: "Let pages of these origins upload to the bucket and read from it; takes the place of the bucket's rules",
    body: z.object({
      origins: z.array(z.string().check(z.maxLength(300))).check(z.minLength(1), z.maxLength(20)),
    }),
    response: done,
  }),
};

export type NewStorage = z.output<typeof newStorage>;
export type StorageChange = z.output<typeof storageChange>;
export type StorageConfig = z.output<typeof storageRecord>;
export type OfferedStorage = z.output<typeof offeredStorage>;
export type StorageUses = z.output<typeof storageUses>;
