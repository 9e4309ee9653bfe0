import { Failure } from "#contract/failures";
import type { Clock } from "../lib/clock.ts";
import type { Fetch } from "../lib/pinned-fetch.ts";
import type { StorageRow } from "./configs-table.ts";
import { createPartBuffers } from "./s3/part-buffers.ts";
import type { S3StoreOptions } from "./s3/store.ts";
import { createStreams } from "./s3/streams.ts";

/** Told of each request that a storage elsewhere did not answer, or answered with a fault of its own. */
export type Failed = (kind: "unreachable" | "fault") => void;

interface ConnectionsDeps {
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly failed: Failed | undefined;
  readonly secretOf: (config: StorageRow) => string;
}

/** Makes the options of stores elsewhere, which share buffers and streams. */
export function createConnections({ clock, fetch, failed, secretOf }: ConnectionsDeps) {
  const buffers = createPartBuffers();
  const streams = createStreams();
  const watched = failed ? watchedFetch(fetch, failed) : fetch;

  return (config: StorageRow): S3StoreOptions => ({
    endpoint: config.endpoint_url,
    region: config.region,
    bucket: config.bucket_name,
    pathStyle: config.path_style === 1,
    provider: config.provider_type,
    accessKey: config.access_key_id,
    secret: secretOf(config),
    clock,
    fetch: watched,
    buffers: buffers.ofAnother(),
    streams,
    sleep: Bun.sleep,
    random: Math.random,
  });
}

/** The same fetch, which tells what failed; a request that its sender gave up did not. */
const watchedFetch =
  (fetch: Fetch, failed: Failed): Fetch =>
  async (url, init) => {
    try {
      const response = await fetch(url, init);
      if (response.status >= 500) failed("fault");
      return response;
    } catch (error) {
      const { aborted, reason } = init?.signal ?? {};
      if (!aborted || reason instanceof Failure) failed("unreachable");
      throw error;
    }
  };
