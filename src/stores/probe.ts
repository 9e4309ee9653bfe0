import { Failure } from "#contract/failures";
import { sentence } from "#contract/messages/sentence";
import type { NewStorage } from "#contract/storage";
import { noLinkLocal, type Resolve, resolveByMachine } from "../lib/addresses.ts";
import type { Clock } from "../lib/clock.ts";
import { createPinnedFetch } from "../lib/pinned-fetch.ts";
import { newFields } from "./config-fields.ts";
import { SAMPLE, TYPE } from "./doctor/checks.ts";
import { createS3Store } from "./s3/store.ts";
import type { ObjectStore } from "./store.ts";

interface ProbeDeps {
  readonly clock: Clock;
  readonly resolve?: Resolve | undefined;
}

/**
 * Lists a bucket, writes a small file to it and removes the file, as the first storage has to. Throws an Error with a sentence for the
 * operator, which names no key and no secret.
 */
export async function probeBucket(request: NewStorage, deps: ProbeDeps): Promise<void> {
  try {
    await tryOut(request, deps);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const bucket = `The bucket ${request.bucket_name} at ${request.endpoint_url} cannot be the first storage`;
    throw new Error(`${bucket}: ${sentence(error, "en")} ${ADVICE}`);
  }
}

const ADVICE =
  "The database was not changed. Correct S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID or S3_SECRET_ACCESS_KEY; the key must be allowed to read, write, list and delete.";

async function tryOut(request: NewStorage, { clock, resolve = resolveByMachine }: ProbeDeps): Promise<void> {
  const fields = newFields(request);
  const store = createS3Store({
    endpoint: fields.endpoint_url,
    region: fields.region,
    bucket: fields.bucket_name,
    pathStyle: fields.path_style === 1,
    provider: fields.provider_type,
    accessKey: fields.access_key_id,
    secret: request.secret_access_key ?? "",
    clock,
    fetch: createPinnedFetch({ fetch, policy: noLinkLocal, resolve, clock }),
    sleep: Bun.sleep,
    random: Math.random,
  });
  await tryStore(store, fields.default_folder);
}

/** Lists a folder of a storage, which is empty or ends in a slash, writes a small file to it and removes the file. Throws Failure. */
export async function tryStore(store: ObjectStore, folder: string): Promise<void> {
  // Servers that try at once each have a file of their own.
  const key = `${folder}.satchel-test-${crypto.randomUUID()}`;
  await store.list({ prefix: folder, limit: 1 });
  await store.put(key, new Response(SAMPLE), { type: TYPE, length: SAMPLE.length });
  await store.remove([key]);
}
