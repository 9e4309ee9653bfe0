import { Failure } from "#contract/failures";
import { DEFAULT_SIGNATURE_SECONDS, MAX_BUILT_IN_CHARACTERS, MIN_BUILT_IN_CHARACTERS } from "#contract/limits";
import { folderSegments, isTooDeep } from "#contract/paths";
import { BUILT_IN, FOLDER, isLocal, providerOf } from "#contract/providers";
import { maskedKey, type NewStorage, type StorageChange } from "#contract/storage";
import { noLinkLocal } from "../lib/addresses.ts";
import { FOLDER_ID } from "../lib/named-folders.ts";
import type { StorageRow } from "./configs-table.ts";
import { readAddress } from "./s3/address.ts";

/** The fields of a storage that an administrator sets, except its secret. */
type StorageFields = Omit<
  StorageRow,
  "id" | "sealed_secret" | "is_default" | "last_used" | "tested_at" | "passed" | "created_at" | "updated_at"
>;

const bit = (on: boolean): number => Number(on);

/** Empty or ending in a slash. 400 path.invalid, path.tooDeep. */
function folderOf(path: string | null | undefined): string {
  const segments = folderSegments(path ?? "");
  if (!segments) throw new Failure("path.invalid");
  const folder = segments.map((segment) => `${segment}/`).join("");
  if (isTooDeep(folder)) throw new Failure("path.tooDeep");
  return folder;
}

/** Refuses addresses that lead to the machine itself. Names are checked with each connection. 400 storage.linkLocal. */
function requireOrdinary(hostname: string): void {
  if (noLinkLocal.forbids(hostname)) throw new Failure("storage.linkLocal");
}

/** Without a slash at the end; null when there is none. 400 storage.customHost, storage.linkLocal. */
function customHostOf(text: string | null | undefined): string | null {
  if (!text) return null;
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || url.username || url.password || url.search || url.hash || url.hostname === "")
    throw new Failure("storage.customHost");
  requireOrdinary(url.hostname);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

const BUILT_IN_BUCKET = /^[a-z0-9][a-z0-9-]*[a-z0-9]$/;
const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

const ruleOf = (provider: string): RegExp => (provider === FOLDER ? FOLDER_ID : BUCKET);

/** 400 storage.bucket. */
function bucketOf(name: string, provider: string): string {
  const fits = name.length >= MIN_BUILT_IN_CHARACTERS && name.length <= MAX_BUILT_IN_CHARACTERS;
  if (provider === BUILT_IN ? fits && BUILT_IN_BUCKET.test(name) : ruleOf(provider).test(name)) return name;
  throw new Failure("storage.bucket");
}

/** Null is unlimited. */
const bytesOf = (wanted: number | null | undefined, provider: string): number | null =>
  wanted == null ? providerOf(provider).capacity : wanted || null;

/** The fields of a new storage. 400 body.invalid, storage.bucket, storage.customHost, storage.endpoint, storage.linkLocal, path.invalid. */
export function newFields(request: NewStorage): StorageFields {
  const { provider_type } = request;
  if (!isLocal(request)) {
    for (const field of ["endpoint_url", "access_key_id", "secret_access_key"] as const)
      if (!request[field]) throw new Failure("body.invalid", { field });
  }
  return checked({
    name: request.name,
    provider_type,
    endpoint_url: request.endpoint_url ?? "",
    bucket_name: request.bucket_name,
    region: request.region ?? "",
    path_style: bit(request.path_style),
    access_key_id: request.access_key_id ?? "",
    default_folder: folderOf(request.default_folder),
    is_public: bit(request.is_public),
    total_storage_bytes: bytesOf(request.total_storage_bytes, provider_type),
    custom_host: customHostOf(request.custom_host),
    signature_expires_in: request.signature_expires_in,
  });
}

/** A storage after a change. 400 storage.nothingToChange, storage.fixed and as for a new one. */
export function changedFields(before: StorageRow, change: StorageChange): StorageRow {
  const { default_folder, custom_host, path_style, is_public, secret_access_key: _secret, region, ...others } = change;
  const { total_storage_bytes: bytes, ...rest } = others;
  if (Object.values(change).every((value) => value === undefined)) throw new Failure("storage.nothingToChange");
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  // A form may send back the shown values: the first letters of a key, and null for no limit.
  if (change.access_key_id === maskedKey(before.access_key_id)) delete given.access_key_id;
  const after = {
    ...before,
    ...given,
    ...(region !== undefined && { region: region ?? "" }),
    ...(path_style !== undefined && { path_style: bit(path_style) }),
    ...(is_public !== undefined && { is_public: bit(is_public) }),
    ...(default_folder !== undefined && { default_folder: folderOf(default_folder) }),
    ...(custom_host !== undefined && { custom_host: customHostOf(custom_host) }),
    ...(bytes !== undefined &&
      (bytes ?? before.total_storage_bytes) !== null && {
        total_storage_bytes: bytesOf(bytes, change.provider_type ?? before.provider_type),
      }),
  };
  const moves = after.provider_type !== before.provider_type || after.bucket_name !== before.bucket_name;
  if (moves && (isLocal(before) || isLocal(after))) throw new Failure("storage.fixed");
  return checked(after);
}

/** 400 storage.bucket, storage.endpoint, storage.linkLocal. */
function checked<Row extends StorageFields>(row: Row): Row {
  const { provider_type: provider, endpoint_url: endpoint, region, path_style } = row;
  const bucket = bucketOf(row.bucket_name, provider);
  if (isLocal(row)) return { ...row, endpoint_url: "", access_key_id: "", region: "", custom_host: null };
  const address = readAddress({ endpoint, region, bucket, pathStyle: path_style === 1, provider });
  for (const url of [address.endpoint, address.urlOf("")]) requireOrdinary(new URL(url).hostname);
  return row;
}

/** The storage that every installation begins with. */
export const firstStorage = (now: number): StorageRow => ({
  id: Bun.randomUUIDv7(),
  name: "Built-in storage",
  provider_type: BUILT_IN,
  endpoint_url: "",
  bucket_name: "drive",
  region: "",
  path_style: 0,
  access_key_id: "",
  sealed_secret: "",
  default_folder: "shares/",
  is_public: 1,
  is_default: 1,
  total_storage_bytes: null,
  custom_host: null,
  signature_expires_in: DEFAULT_SIGNATURE_SECONDS,
  last_used: null,
  tested_at: null,
  passed: null,
  created_at: now,
  updated_at: now,
});
