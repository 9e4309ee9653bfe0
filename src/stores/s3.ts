import { TRANSFER_PATIENCE } from "#contract/limits";
import type { Clock } from "../lib/clock.ts";
import { type AddressWish, readAddress } from "./s3-address.ts";
import { createControl } from "./s3-control.ts";
import { createCopy } from "./s3-copy.ts";
import { createGet } from "./s3-get.ts";
import { createList } from "./s3-list.ts";
import { createS3Multiparts } from "./s3-multiparts.ts";
import { createPut } from "./s3-put.ts";
import { createRemove } from "./s3-remove.ts";
import { createRetries, type RetryNeeds } from "./s3-retries.ts";
import type { Patience } from "./s3-watch.ts";
import { createWire, type Fetch } from "./s3-wire.ts";
import type { ObjectStore } from "./store.ts";

export interface S3StoreNeeds extends AddressWish, RetryNeeds {
  readonly accessKey: string;
  readonly secret: string;
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly patience?: Patience;
  /** Bytes that one request may write or copy. */
  readonly largest?: number;
}

/** Milliseconds. */
const PATIENCE: Patience = { answer: 30_000, silence: TRANSFER_PATIENCE };
/** What every provider takes; S3's own limit is a little higher. */
const LARGEST = 5_000_000_000;

/**
 * Objects in a bucket of AWS S3 or whatever speaks its language: Cloudflare R2, Backblaze B2, MinIO, Aliyun OSS, Ceph. No object
 * is ever whole in memory but the small ones. 400 storage.endpoint.
 */
export function createS3Store(needs: S3StoreNeeds): ObjectStore {
  const { bucket, clock, fetch, patience = PATIENCE, largest = LARGEST } = needs;
  const credentials = { accessKey: needs.accessKey.trim(), secret: needs.secret.trim() };
  const connection = { address: readAddress(needs), credentials, clock, fetch, patience };
  const wire = createWire(connection);
  const control = createControl(connection);
  const retries = createRetries(needs);
  const { head, get } = createGet({ wire, retries, clock });
  const multiparts = createS3Multiparts({ control, retries, bucket, head });
  const { put, putPart } = createPut({ wire, retries, multiparts, head, largest });

  return {
    head,
    get,
    put,
    remove: createRemove({ control, retries, bucket }),
    copy: createCopy({ control, retries, bucket, multiparts, head, largest }),
    list: createList({ control, retries, bucket }),
    free: async () => undefined,
    presign: wire.presign,
    createMultipart: multiparts.create,
    putPart,
    listParts: multiparts.list,
    completeMultipart: multiparts.complete,
    abortMultipart: multiparts.abort,
    abortMultiparts: multiparts.abortAll,
  };
}
