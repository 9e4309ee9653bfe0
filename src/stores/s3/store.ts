import { STORAGE_PATIENCE, TRANSFER_PATIENCE } from "#contract/limits";
import type { Clock } from "../../lib/clock.ts";
import type { Fetch } from "../../lib/pinned-fetch.ts";
import type { ObjectStore } from "../store.ts";
import { type BucketConfig, checkKey, readAddress } from "./address.ts";
import { type Client, createClient } from "./client.ts";
import { createCopy } from "./copy.ts";
import { isNotFound, S3Error } from "./errors.ts";
import { createGet } from "./get.ts";
import { createList } from "./list.ts";
import { createS3Multiparts } from "./multipart.ts";
import { createPartBuffers, type PartBuffers } from "./part-buffers.ts";
import { createPut } from "./put.ts";
import { createRequests } from "./requests.ts";
import { createBreaker, createRetries, type Retries, type RetryNeeds, type Timeouts, timeoutFor } from "./timeouts.ts";

export interface S3StoreNeeds extends BucketConfig, RetryNeeds {
  readonly accessKey: string;
  readonly secret: string;
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly timeouts?: Timeouts;
  /** The bytes that one request may write or copy. */
  readonly largest?: number;
  /** Shared with other storages. */
  readonly buffers?: PartBuffers;
}

/** Milliseconds. */
const TIMEOUTS: Timeouts = { answer: STORAGE_PATIENCE, idle: TRANSFER_PATIENCE };
/** The limit of all providers; that of S3 is a little higher. */
const LARGEST = 5_000_000_000;

/** The keys of one DeleteObjects. */
const BATCH = 1000;
/** The milliseconds that a storage may take to remove one key. */
const SLOWEST_KEY = 20;

/**
 * Opens a bucket of AWS S3 or a compatible storage: Cloudflare R2, Backblaze B2, MinIO, Aliyun OSS, Ceph. Only small objects are
 * held in memory as a whole. 400 storage.endpoint.
 */
export function createS3Store(needs: S3StoreNeeds): ObjectStore {
  const { bucket, clock, fetch, timeouts = TIMEOUTS, largest = LARGEST, buffers = createPartBuffers() } = needs;
  const credentials = { accessKey: needs.accessKey.trim(), secret: needs.secret.trim() };
  const breaker = createBreaker();
  const guarded: Fetch = async (url, init) => {
    breaker.assertClosed();
    const response = await fetch(url, init);
    breaker.onAnswer();
    return response;
  };
  const connection = {
    address: readAddress(needs),
    credentials,
    clock,
    fetch: guarded,
    timeouts,
    onTimeout: breaker.onTimeout,
  };
  const requests = createRequests(connection);
  const client = createClient(connection);
  const retries = createRetries(needs);
  const { head, get } = createGet({ requests, retries, clock });
  const multiparts = createS3Multiparts({ client, retries, bucket, head });
  const { put, putPart } = createPut({ requests, retries, multiparts, head, largest, buffers });

  return {
    head,
    get,
    put,
    remove: createRemove({ client, retries, bucket }),
    copy: createCopy({ client, retries, bucket, multiparts, head, largest }),
    list: createList({ client, retries, bucket }),
    free: async () => undefined,
    capacity: async () => undefined,
    presign: requests.presign,
    createMultipart: multiparts.create,
    putPart,
    listParts: multiparts.list,
    completeMultipart: multiparts.complete,
    abortMultipart: multiparts.abort,
    abortMultiparts: multiparts.abortAll,
  };
}

interface RemoveNeeds {
  readonly client: Client;
  readonly retries: Retries;
  readonly bucket: string;
}

/** Removes objects. A failure does not stop the removal of others, and is thrown in the end. */
function createRemove({ client, retries, bucket }: RemoveNeeds) {
  /** DeleteObject, which every storage has. */
  const removeOne = async (key: string): Promise<void> => {
    await client
      .run(({ sdk, s3 }) => s3.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key })))
      .catch((error) => {
        if (!isNotFound(error)) throw error;
      });
  };

  /** DeleteObjects. Returns the keys that it failed for, with their errors. */
  const removeMany = async (keys: readonly string[]): Promise<Map<string, S3Error>> => {
    const input = { Bucket: bucket, Delete: { Quiet: true, Objects: keys.map((Key) => ({ Key })) } };
    const limit = { requestTimeout: timeoutFor.many(client.timeouts, keys.length, SLOWEST_KEY) };
    const { Errors = [] } = await client.run(({ sdk, s3 }) => s3.send(new sdk.DeleteObjectsCommand(input), limit));
    const failed = Errors.map(({ Key = "", Code = "" }) => [Key, new S3Error(200, Code)] as const);
    return new Map(failed.filter(([, error]) => !isNotFound(error)));
  };

  const removeBatch = (keys: readonly string[]): Promise<void> => {
    let left = keys;
    return retries.retry(async () => {
      if (left.length === 1) return await removeOne(left[0] ?? "");
      const failed = await removeMany(left);
      left = [...failed.keys()];
      for (const error of failed.values()) throw error;
    });
  };

  return async (keys: readonly string[]): Promise<void> => {
    keys.forEach(checkKey);
    const failures: unknown[] = [];
    for (let at = 0; at < keys.length; at += BATCH) {
      await removeBatch(keys.slice(at, at + BATCH)).catch((error) => failures.push(error));
    }
    for (const failure of failures) throw failure;
  };
}
