import { AWS, endpointIn, isLocal } from "#contract/providers";
import type { Row } from "../database/snapshot.ts";
import { noLinkLocal, resolveByMachine } from "../lib/addresses.ts";
import { systemClock } from "../lib/clock.ts";
import { createPinnedFetch } from "../lib/pinned-fetch.ts";
import { createSeals } from "../lib/secret.ts";
import { sealPurpose } from "../stores/configs.ts";
import { createS3Store } from "../stores/s3/store.ts";
import type { ObjectStore } from "../stores/store.ts";

interface Access {
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly accessKey: string | undefined;
  readonly secret: string | undefined;
  /** Whether the bucket is in the path of an address; so it is at an endpoint of its own, unless said. */
  readonly pathStyle?: boolean;
  readonly provider?: string;
}

/** A storage on S3. */
export interface RemoteStorage {
  readonly id: string;
  readonly bucket: string;
  readonly store: ObjectStore;
}

interface Bucket {
  readonly store: ObjectStore;
  readonly prefix: string;
  /** In a sentence for the operator. */
  readonly place: string;
}

const parse = (address: string): { readonly bucket: string; readonly prefix: string } => {
  const [, bucket, prefix = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(address) ?? [];
  if (bucket === undefined) throw new Error(`${address} is not an address of a bucket, as in s3://bucket/prefix.`);
  return { bucket, prefix };
};

/**
 * The access to the bucket of an address: that of the variables of AWS, or of the storage that has this bucket. Throws a sentence when neither is there, or the
 * secret key does not open what the storage has sealed.
 */
export function accessTo(address: string, given: Access, storages: readonly Row[], secretKey: () => string): Access {
  if (given.accessKey !== undefined && given.secret !== undefined) return given;
  const { bucket } = parse(address);
  const row = storages.find(
    (one) => !isLocal({ provider_type: String(one.provider_type) }) && one.bucket_name === bucket,
  );
  if (!row)
    throw new Error(
      `No storage has the bucket ${bucket}, and AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set.`,
    );
  return accessOf(row, secretKey());
}

function accessOf(row: Row, secretKey: string): Access {
  const secret = createSeals(secretKey).open(String(row.sealed_secret), sealPurpose(String(row.id)));
  if (secret === undefined)
    throw new Error(`The secret of the storage with the bucket ${row.bucket_name} cannot be opened.`);
  return {
    ...{ endpoint: String(row.endpoint_url), region: String(row.region), accessKey: String(row.access_key_id), secret },
    ...{ pathStyle: row.path_style === 1, provider: String(row.provider_type) },
  };
}

/** Opens all storages that are not built in. Throws as `openStorage`. */
export const remoteOf = (rows: readonly Row[], secretKey: string): RemoteStorage[] =>
  rows
    .filter((one) => !isLocal({ provider_type: String(one.provider_type) }))
    .map((one) => openStorage(one, secretKey));

/** Opens the storage of a row. Throws a sentence when the secret key does not open what it has sealed. */
export function openStorage(row: Row, secretKey: string): RemoteStorage {
  const bucket = String(row.bucket_name);
  return { id: String(row.id), bucket, store: storeAt(bucket, accessOf(row, secretKey)) };
}

/** Opens the bucket of `s3://bucket/path`. Throws a sentence for an address that is none, and without a key for it. */
export function openBucket(address: string, access: Access): Bucket {
  const { bucket, prefix } = parse(address);
  if (access.accessKey === undefined || access.secret === undefined)
    throw new Error(`AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set for ${address}.`);
  return { store: storeAt(bucket, access), prefix, place: `s3://${bucket}` };
}

function storeAt(bucket: string, access: Access): ObjectStore {
  const { endpoint, region, accessKey = "", secret = "", pathStyle = endpoint !== undefined } = access;
  const clock = systemClock;
  return createS3Store({
    endpoint: endpoint ?? endpointIn(AWS, region),
    region,
    bucket,
    pathStyle,
    provider: access.provider ?? (endpoint === undefined ? AWS : "Other"),
    accessKey,
    secret,
    clock,
    fetch: createPinnedFetch({ fetch, policy: noLinkLocal, resolve: resolveByMachine, clock }),
    sleep: Bun.sleep,
    random: Math.random,
  });
}
