import { noLinkLocal, resolveByMachine } from "../lib/addresses.ts";
import { systemClock } from "../lib/clock.ts";
import { createPinnedFetch } from "../lib/pinned-fetch.ts";
import { createS3Store } from "../stores/s3/store.ts";
import type { ObjectStore } from "../stores/store.ts";

interface Access {
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly accessKey: string | undefined;
  readonly secret: string | undefined;
}

/** Opens the bucket of `s3://bucket/path` as the variables of AWS say. Throws a sentence for an address that is none. */
export function openBucket(
  address: string,
  { endpoint, region, accessKey = "", secret = "" }: Access,
): { readonly store: ObjectStore; readonly prefix: string; readonly place: string } {
  const [, bucket, prefix = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(address) ?? [];
  if (bucket === undefined) throw new Error(`${address} is not an address of a bucket, as in s3://bucket/prefix.`);
  const clock = systemClock;
  const store = createS3Store({
    endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
    region,
    bucket,
    pathStyle: endpoint !== undefined,
    provider: endpoint === undefined ? "AWS S3" : "Other",
    accessKey,
    secret,
    clock,
    fetch: createPinnedFetch({ fetch, policy: noLinkLocal, resolve: resolveByMachine, clock }),
    sleep: Bun.sleep,
    random: Math.random,
  });
  return { store, prefix, place: `s3://${bucket}` };
}
