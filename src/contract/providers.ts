import { DEFAULT_STORAGE_BYTES, FREE_TIER_BYTES } from "./limits.ts";

/** What differs from one storage provider to the next. A new provider is one row of `rows`, with a hint in the dictionaries. */

/** Keeps its files in the data folder of this server. */
export const BUILT_IN = "Built-in disk";

/** Keeps its files in a folder of this machine that the operator named. */
export const FOLDER = "Folder on this machine";

/** What holds for a provider unless its row says otherwise. */
const usual = {
  /** The address of the S3 API. Text in angle brackets is for the administrator to replace; `<region>` follows the region. */
  endpoint: "",
  /** Stands before the region in the endpoint; a region may be written with it or without. */
  regionPrefix: "",
  /** The region that the form proposes and that a storage without one uses; empty proposes none and means us-east-1. */
  region: "",
  /** An example of a region. */
  regionExample: "us-east-1",
  /** Whether the form proposes path style: the bucket in the path of an address, not in the host name. */
  pathStyle: true,
  /** Whether the provider accepts path style. */
  takesPathStyle: true,
  /** The capacity of a new storage when none is given, in bytes; null is unlimited. */
  capacity: DEFAULT_STORAGE_BYTES as number | null,
  /** Headers that a browser sends with a direct PUT to the storage, beside the content type. */
  uploadHeaders: {} as Readonly<Record<string, string>>,
};

interface Row extends Readonly<Partial<typeof usual>> {
  /** Where to find the endpoint: a sentence of the dictionaries, `storage.hint.*`. */
  readonly hint: string;
  /** The name in the person's language, `file.provider.*` of the dictionaries; without it the provider has one name everywhere. */
  readonly word?: string;
}

/** The providers in the order of the form, by the name that is kept with a storage. */
const rows = {
  [BUILT_IN]: { hint: "other", word: "builtIn", capacity: null },
  [FOLDER]: { hint: "other", word: "folder", capacity: null },
  "Cloudflare R2": {
    hint: "r2",
    endpoint: "https://<accountid>.r2.cloudflarestorage.com",
    region: "auto",
    regionExample: "auto",
    pathStyle: false,
    capacity: FREE_TIER_BYTES,
  },
  "Backblaze B2": {
    hint: "b2",
    endpoint: "https://s3.<region>.backblazeb2.com",
    regionExample: "us-west-004",
    pathStyle: false,
    capacity: FREE_TIER_BYTES,
    uploadHeaders: { "x-bz-content-sha1": "do_not_verify", "x-requested-with": "XMLHttpRequest" },
  },
  "AWS S3": { hint: "aws", endpoint: "https://s3.<region>.amazonaws.com", pathStyle: false },
  "Aliyun OSS": {
    hint: "oss",
    endpoint: "https://oss-<region>.aliyuncs.com",
    regionPrefix: "oss-",
    regionExample: "cn-hangzhou",
    pathStyle: false,
    takesPathStyle: false,
  },
  MinIO: { hint: "minio", endpoint: "http://<host>:9000" },
  Other: { hint: "other", word: "other" },
} as const satisfies Readonly<Record<string, Row>>;

type Name = keyof typeof rows;
type Known = (typeof rows)[Name];

type Provider = Readonly<typeof usual> & {
  readonly hint: Known["hint"];
  readonly word?: Extract<Known, { word: string }>["word"];
};

/** The providers that the form offers. A storage may name any other: it is taken for S3-compatible. */
export const providerNames = Object.keys(rows) as readonly Name[];

/** The row of a provider, with the usual values; that of `Other` for a provider without a row. */
export function providerOf(name: string): Provider {
  const { word: _, ...other } = rows.Other;
  return { ...usual, ...(Object.hasOwn(rows, name) ? rows[name as Name] : other) };
}

/** Where a bucket is whose endpoint nobody names. */
export const AWS = "AWS S3" satisfies Name;

/** The provider whose endpoints end as this one does; `Other` where none is known by its host. */
export function providerAt(endpoint: string): Name {
  const host = URL.parse(endpoint)?.hostname ?? "";
  const isAt = (name: Name): boolean => {
    const [, domain] = providerOf(name).endpoint.match(/>(\.[a-z.]+)$/) ?? [];
    return domain !== undefined && host.endsWith(domain);
  };
  return providerNames.find(isAt) ?? "Other";
}

const GAP = "<region>";

/** Reports whether the endpoint of a provider contains the region. */
export const namesRegion = (name: string): boolean => providerOf(name).endpoint.includes(GAP);

/** The endpoint of a provider in a region; an empty region leaves the gap. */
export function endpointIn(name: string, region: string): string {
  const { endpoint, regionPrefix } = providerOf(name);
  const [, short = ""] = region.trim().match(`^(?:${regionPrefix})?(.*)$`) ?? [];
  return endpoint.replace(GAP, () => short || GAP);
}

/** Reports whether a storage keeps its files in the data folder of this server. */
export const isBuiltIn = ({ provider_type }: { readonly provider_type: string }): boolean => provider_type === BUILT_IN;

/** Reports whether a storage is a folder of this machine. */
export const isFolderStorage = ({ provider_type }: { readonly provider_type: string }): boolean =>
  provider_type === FOLDER;

/** Reports whether a storage is on a disk of this server; every other one is reached over the network. */
export const isLocal = (storage: { readonly provider_type: string }): boolean =>
  isBuiltIn(storage) || isFolderStorage(storage);
