import { DEFAULT_STORAGE_BYTES, FREE_TIER_BYTES } from "#contract/limits";
import { BUILT_IN, providerTypes, type StorageConfig } from "#contract/storage";

/** What is mostly right for a storage of a provider, and what its form asks for. */
export interface Provider {
  /** Where the buckets of a region are reached; what stands in angle brackets everybody has to put in. */
  readonly endpoint: (region: string) => string;
  readonly region: string;
  /** An example of one. */
  readonly regionLike: string;
  readonly pathStyle: boolean;
  /** Whether it takes the bucket in the path of an address at all. */
  readonly takesPathStyle: boolean;
  /** Bytes; null is unlimited. */
  readonly capacity: number | null;
}

const other: Provider = {
  endpoint: () => "",
  region: "",
  regionLike: "us-east-1",
  pathStyle: true,
  takesPathStyle: true,
  capacity: DEFAULT_STORAGE_BYTES,
};

const known: Readonly<Record<string, Provider>> = {
  [BUILT_IN]: { ...other, capacity: null },
  "Cloudflare R2": {
    ...other,
    endpoint: () => "https://<accountid>.r2.cloudflarestorage.com",
    region: "auto",
    regionLike: "auto",
    pathStyle: false,
    capacity: FREE_TIER_BYTES,
  },
  "Backblaze B2": {
    ...other,
    endpoint: (region) => `https://s3.${region}.backblazeb2.com`,
    regionLike: "us-west-004",
    pathStyle: false,
    capacity: FREE_TIER_BYTES,
  },
  "AWS S3": {
    ...other,
    endpoint: (region) => `https://s3.${region}.amazonaws.com`,
    pathStyle: false,
  },
  "Aliyun OSS": {
    ...other,
    endpoint: (region) => `https://oss-${region.replace(/^oss-/, "")}.aliyuncs.com`,
    regionLike: "cn-hangzhou",
    pathStyle: false,
    takesPathStyle: false,
  },
  MinIO: { ...other, endpoint: () => "http://<host>:9000" },
};

/** What is known of a provider; of one that nobody knows, what is mostly right for S3. */
export const providerOf = (name: string): Provider => known[name] ?? other;

/** The endpoint that a provider's form begins with in a region, with a gap where that is still missing. */
export const endpointIn = (provider: string, region: string): string =>
  providerOf(provider).endpoint(region.trim() || "<region>");

/** Whether the endpoint of a provider names the region. */
export const namesRegion = (provider: string): boolean => endpointIn(provider, "a") !== endpointIn(provider, "b");

/** What the form offers for a storage that was `before`; only a new one can be the built-in disk. */
export function choicesOf(before: string | undefined): readonly string[] {
  if (before === undefined) return providerTypes;
  const elsewhere = providerTypes.filter((name) => name !== BUILT_IN);
  return elsewhere.some((name) => name === before) ? elsewhere : [...elsewhere, before];
}

export const isBuiltIn = ({ provider_type }: Pick<StorageConfig, "provider_type">): boolean =>
  provider_type === BUILT_IN;

/** Where the files of a built-in storage are, from the data folder on. */
export const folderInData = (bucket: string): string => `objects/${bucket}`;
