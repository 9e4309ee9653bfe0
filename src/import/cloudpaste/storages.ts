import { Failure } from "#contract/failures";
import { isName } from "#contract/fields";
import {
  DEFAULT_SIGNATURE_SECONDS,
  MAX_SIGNATURE_SECONDS,
  MAX_STORAGE_NAME_CHARACTERS,
  MIN_SIGNATURE_SECONDS,
} from "#contract/limits";
import { BUILT_IN, FOLDER, isFolderStorage } from "#contract/providers";
import type * as z from "#contract/schemas";
import { type NewStorage, newStorage } from "#contract/storage";
import { parseJson } from "../../lib/json.ts";
import type { StorageRow } from "../../stores/configs-table.ts";
import { pastInstant } from "../context.ts";
import type { Tally } from "../report.ts";
import type { Note } from "../words.ts";
import { type CloudPasteContext, readRecords } from "./context.ts";
import { importedId, localConfig, plainSecret, s3ConfigRow, storageConfig, storageRow } from "./rows.ts";

interface Found {
  readonly isDisabled: boolean;
}
type FoundBucket = z.output<typeof s3ConfigRow> & Found;
/** A folder of the other machine, and what the operator of this one calls the folder at the same path. */
type FoundFolder = Omit<z.output<typeof storageRow> & z.output<typeof localConfig>, "config_json"> &
  Found & { readonly folder: string };
/** A storage of either generation. */
type FoundStorage = FoundBucket | FoundFolder;

/** Imports storages, which later steps refer to. One that is configured here already, by its id or by bucket and key, is that one. */
export async function importStorages(context: CloudPasteContext): Promise<void> {
  const { rooms, report, isApplied, now, storages } = context;
  const tally = report.tally("storages");
  const here = await rooms.configs.list();
  const added: StorageRow[] = [];
  for (const found of await foundStorages(context, tally)) {
    const id = importedId("storage", found.id);
    if (storages.has(found.id) || added.some((one) => one.id === id)) {
      tally.left("row.repeated", found.name);
      continue;
    }
    const prefix = prefixOf(found.root_prefix);
    const same = here.find((row) => row.id === id || isSamePlace(row, found));
    if (same) {
      storages.set(found.id, { id: same.id, prefix });
      tally.present();
      continue;
    }
    const notes = new Set<Note>();
    const origin = { id, createdAt: pastInstant(found.created_at, now) };
    const row = newRow((request) => rooms.configs.rowOf(request, origin), found, notes);
    if (!row) {
      tally.left("storage.refused", found.name);
      continue;
    }
    storages.set(found.id, { id, prefix });
    added.push(row);
    tally.added(found.name, notes);
  }
  if (isApplied && added.length > 0) await rooms.configs.insertAll(added);
  await context.passed("storages", tally.counts.rows);
}

async function foundStorages({ backup, rooms }: CloudPasteContext, tally: Tally): Promise<FoundStorage[]> {
  const older = await readRecords(backup, "s3_configs", s3ConfigRow, tally);
  const found: FoundStorage[] = older.map((row) => ({ ...row, isDisabled: false }));
  for (const row of await readRecords(backup, "storage_configs", storageRow, tally)) {
    const one = foundStorage(row, rooms.configs.folderAt);
    if (typeof one === "string") tally.left(one, row.name);
    else found.push(one);
  }
  return found;
}

/** A storage with what its configuration says, or why it is left out. */
function foundStorage(
  row: z.output<typeof storageRow>,
  folderAt: (path: string) => string | undefined,
): FoundStorage | "row.unreadable" | "storage.kind" | "storage.local" {
  const type = row.storage_type.toUpperCase();
  if (type !== "S3" && type !== "LOCAL") return "storage.kind";
  const isDisabled = (row.status ?? "ENABLED") !== "ENABLED";
  const json = row.config_json;
  const config = (type === "S3" ? storageConfig : localConfig).safeParse(
    typeof json === "string" ? parseJson(json) : json,
  );
  if (!config.success) return type === "S3" ? "row.unreadable" : "storage.local";
  if (!("root_path" in config.data)) return { ...row, ...config.data, isDisabled };
  const folder = folderAt(config.data.root_path);
  return folder === undefined ? "storage.local" : { ...row, ...config.data, isDisabled, folder };
}

/** What stands before each key, without a slash at its beginning and with one at its end, as CloudPaste reads it. */
const prefixOf = (prefix: string | null): string => {
  const clean = (prefix ?? "")
    .trim()
    .replace(/[\\/]+/g, "/")
    .replace(/^\/|\/$/g, "");
  return clean === "" ? "" : `${clean}/`;
};

const withoutSlash = (address: string | null): string => (address ?? "").trim().replace(/\/+$/, "");

function isSamePlace(row: StorageRow, found: FoundStorage): boolean {
  if ("folder" in found) return isFolderStorage(row) && row.bucket_name === found.folder;
  return (
    row.endpoint_url !== "" &&
    withoutSlash(row.endpoint_url) === withoutSlash(found.endpoint_url) &&
    row.bucket_name === found.bucket_name &&
    row.access_key_id === plainSecret(found.access_key_id ?? "")
  );
}

/** The row of a storage; undefined where it cannot be used here. */
function newRow(
  rowOf: (request: NewStorage) => StorageRow,
  found: FoundStorage,
  notes: Set<Note>,
): StorageRow | undefined {
  const read = newStorage.safeParse(requestOf(found, notes));
  if (!read.success) return undefined;
  const tried = (request: NewStorage): StorageRow | undefined => {
    try {
      return rowOf(request);
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  };
  const row = tried(read.data);
  if (row || !read.data.custom_host) return row;
  // Files are reached without it, too.
  const withoutHost = tried({ ...read.data, custom_host: null });
  if (withoutHost) notes.add("storage.host");
  return withoutHost;
}

function requestOf(found: FoundStorage, notes: Set<Note>) {
  if (found.is_default) notes.add("storage.default");
  if (found.isDisabled) notes.add("storage.disabled");
  const common = {
    name: nameOf(found.name, notes),
    default_folder: found.default_folder,
    is_public: found.is_public === true && !found.isDisabled,
    is_default: false,
    // None is no limit there.
    total_storage_bytes: found.total_storage_bytes ?? 0,
  };
  if ("folder" in found) {
    if (found.readonly) notes.add("storage.readOnly");
    return { ...common, provider_type: FOLDER, bucket_name: found.folder };
  }
  return {
    ...common,
    provider_type: providerOf(found.provider_type, notes),
    endpoint_url: found.endpoint_url,
    bucket_name: found.bucket_name,
    region: found.region,
    access_key_id: plainSecret(found.access_key_id ?? ""),
    secret_access_key: plainSecret(found.secret_access_key ?? ""),
    path_style: found.path_style,
    custom_host: found.custom_host,
    signature_expires_in: secondsOf(found.signature_expires_in, notes),
  };
}

function nameOf(name: string, notes: Set<Note>): string {
  if (isName(name) && name.length <= MAX_STORAGE_NAME_CHARACTERS) return name;
  notes.add("storage.name");
  return "CloudPaste";
}

/** A bucket of a backup is no storage on the disk of this server. */
function providerOf(provider: string | null, notes: Set<Note>): string {
  if (provider !== null && provider !== BUILT_IN && provider !== FOLDER && isName(provider) && provider.length <= 50) {
    return provider === "Other S3 Compatible" ? "Other" : provider;
  }
  notes.add("storage.provider");
  return "Other";
}

function secondsOf(seconds: number | null, notes: Set<Note>): number {
  const wanted = seconds ?? DEFAULT_SIGNATURE_SECONDS;
  const within = Math.min(MAX_SIGNATURE_SECONDS, Math.max(MIN_SIGNATURE_SECONDS, wanted));
  if (within !== wanted) notes.add("storage.seconds");
  return within;
}
