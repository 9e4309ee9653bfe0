import { DEFAULT_SIGNATURE_SECONDS } from "#contract/limits";
import { BUILT_IN, endpointIn, FOLDER, isLocal, providerOf } from "#contract/providers";
import type { NewStorage, StorageConfig } from "#contract/storage";
import { bytesOf, type Capacity, capacityOf } from "./capacity.ts";

/** A storage as the fields of the form hold it. */
export interface StorageValues extends Capacity {
  readonly provider: string;
  readonly name: string;
  readonly bucket: string;
  readonly region: string;
  readonly endpoint: string;
  readonly pathStyle: boolean;
  /** Of a storage that is there, empty keeps the one that it has. */
  readonly accessKey: string;
  readonly secret: string;
  readonly folder: string;
  /** Whether keys and visitors may use it. */
  readonly forKeys: boolean;
  readonly isDefault: boolean;
  readonly customHost: string;
  readonly signature: string;
}

/** A new storage before anything was filled in. */
export const emptyStorage: StorageValues = {
  ...onProvider("Cloudflare R2"),
  provider: "Cloudflare R2",
  name: "",
  bucket: "",
  accessKey: "",
  secret: "",
  folder: "",
  forKeys: false,
  isDefault: false,
  customHost: "",
  signature: String(DEFAULT_SIGNATURE_SECONDS),
};

/** A storage that is there. */
export const storageValues = (storage: StorageConfig): StorageValues => ({
  provider: storage.provider_type,
  name: storage.name,
  bucket: storage.bucket_name,
  region: storage.region ?? "",
  endpoint: storage.endpoint_url ?? "",
  pathStyle: storage.path_style === 1,
  accessKey: "",
  secret: "",
  folder: storage.default_folder,
  forKeys: storage.is_public === 1,
  isDefault: storage.is_default === 1,
  customHost: storage.custom_host ?? "",
  signature: String(storage.signature_expires_in ?? DEFAULT_SIGNATURE_SECONDS),
  ...capacityOf(storage.limit_bytes),
});

function onProvider(provider: string) {
  const { region, pathStyle, capacity } = providerOf(provider);
  return { region, endpoint: endpointIn(provider, region), pathStyle, ...capacityOf(capacity) };
}

type Proposed = keyof ReturnType<typeof onProvider>;

/** Fields that change with the provider: all its proposals that the person has not changed since. */
export function withProvider(values: StorageValues, provider: string): Partial<StorageValues> {
  const before = { ...onProvider(values.provider), endpoint: endpointIn(values.provider, values.region) };
  const after = onProvider(provider);
  const kept = (field: Proposed) => values[field] !== before[field] && values[field] !== "";
  const untouched = (Object.keys(after) as Proposed[]).filter((field) => !kept(field));
  const proposed = Object.fromEntries(untouched.map((field) => [field, after[field]]));
  const region = kept("region") ? values.region : after.region;
  return { provider, ...proposed, ...(kept("endpoint") ? {} : { endpoint: endpointIn(provider, region) }) };
}

/** Fields that change with the region: the endpoint, if it still is the proposed one. */
export function withRegion({ provider, region: before, endpoint }: StorageValues, region: string) {
  const proposed = endpoint === endpointIn(provider, before);
  return { region, ...(proposed ? { endpoint: endpointIn(provider, region) } : {}) };
}

/** Returns the storage that the form describes; without the fields that a disk of the server does not use. */
export function newStorage(values: StorageValues): NewStorage {
  const { provider } = values;
  const elsewhere = !isLocal({ provider_type: provider });
  return {
    name: values.name.trim(),
    provider_type: provider,
    bucket_name: values.bucket.trim(),
    path_style: elsewhere && providerOf(provider).takesPathStyle && values.pathStyle,
    default_folder: values.folder.trim(),
    is_public: values.forKeys,
    is_default: values.isDefault,
    total_storage_bytes: bytesOf(values) ?? 0,
    signature_expires_in: elsewhere ? Number(values.signature) : DEFAULT_SIGNATURE_SECONDS,
    ...(elsewhere && {
      endpoint_url: values.endpoint.trim(),
      region: values.region.trim(),
      access_key_id: values.accessKey.trim(),
      secret_access_key: values.secret.trim(),
      custom_host: values.customHost.trim(),
    }),
  };
}

/** Reports whether the form is about the data folder of this server. */
const onBuiltIn = ({ provider }: StorageValues): boolean => provider === BUILT_IN;

/** Reports whether the form is about a folder of this machine. */
export const onFolder = ({ provider }: StorageValues): boolean => provider === FOLDER;

/** Reports whether the form is about a disk of this server. */
export const onServer = (values: StorageValues): boolean => onBuiltIn(values) || onFolder(values);
