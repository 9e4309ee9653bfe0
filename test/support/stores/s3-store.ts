import * as sdk from "@aws-sdk/client-s3";
import { createS3Store, type S3StoreOptions } from "../../../src/stores/s3/store.ts";
import type { ObjectStore } from "../../../src/stores/store.ts";
import { type S3Server, s3Server } from "./ceph/gateway.ts";

/** Waited for before any test begins, so that none has to hurry for it. */
const server = await s3Server();

/** A bucket of its own on a real S3 server, seen by our store and by the SDK alone, which knows nothing of ours. */
export interface OpenedS3Store extends AsyncDisposable {
  readonly store: ObjectStore;
  readonly bucket: string;
  readonly server: S3Server;
  /** The same bucket through another store. */
  another(options: Partial<S3StoreOptions>): ObjectStore;
  /** Keys of what is there. */
  keys(): Promise<string[]>;
  /** Keys of uploads in parts that were neither completed nor aborted. */
  unfinished(): Promise<string[]>;
}

/** Opens a store on a new bucket, which goes with everything in it. */
export async function openS3Store(options: Partial<S3StoreOptions> = {}): Promise<OpenedS3Store> {
  const bucket = `test-${Bun.randomUUIDv7()}`;
  const client = new sdk.S3Client({
    endpoint: server.endpoint,
    region: "us-east-1",
    forcePathStyle: true,
    credentials: { accessKeyId: server.accessKey, secretAccessKey: server.secret },
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  await client.send(new sdk.CreateBucketCommand({ Bucket: bucket }));

  const another = (other: Partial<S3StoreOptions>) =>
    createS3Store({
      ...server,
      region: "",
      bucket,
      pathStyle: true,
      provider: "Other",
      clock: Date.now,
      fetch,
      random: () => 0,
      sleep: async () => undefined,
      ...other,
    });
  const uploads = async () =>
    (await client.send(new sdk.ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads ?? [];
  const keys = async () => {
    const { Contents = [] } = await client.send(new sdk.ListObjectsV2Command({ Bucket: bucket }));
    return Contents.flatMap(({ Key }) => Key ?? []);
  };

  return {
    store: another(options),
    bucket,
    server,
    another,
    keys,
    unfinished: async () => (await uploads()).flatMap(({ Key }) => Key ?? []),
    async [Symbol.asyncDispose]() {
      for (const { Key, UploadId } of await uploads())
        await client.send(new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }));
      // A list has a thousand at most.
      for (let left = await keys(); left.length > 0; left = await keys())
        for (const Key of left) await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key }));
      await client.send(new sdk.DeleteBucketCommand({ Bucket: bucket }));
      client.destroy();
    },
  };
}
