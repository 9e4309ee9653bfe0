import { Failure } from "#contract/failures";
import { MAX_PARTS } from "#contract/limits";
import {
  type ClaimedPart,
  type CompleteOptions,
  type Described,
  type MultipartName,
  type ObjectHead,
  type ObjectStore,
  type Recheck,
  type StoredPart,
  tagOfParts,
} from "../store.ts";
import { checkKey } from "./address.ts";
import { type Bucket, describedInput } from "./client.ts";
import { commitTurn } from "./commit-turn.ts";
import { invalidAnswer, S3Error } from "./errors.ts";
import { parseEtag } from "./requests.ts";
import { timeoutFor } from "./timeouts.ts";

/** The milliseconds that a storage may take to join one part. */
const SLOWEST_PART = 250;

interface PartsPage {
  readonly Parts?: readonly { readonly PartNumber?: number; readonly ETag?: string; readonly Size?: number }[];
  readonly IsTruncated?: boolean;
  readonly NextPartNumberMarker?: string;
}

/** The parts of all pages of a ListParts. */
async function partsOf(pageAfter: (marker: string | undefined) => Promise<PartsPage>): Promise<StoredPart[]> {
  const parts: StoredPart[] = [];
  for (let marker: string | undefined; ; ) {
    const answer = await pageAfter(marker);
    const before = parts.length;
    for (const { PartNumber: number, ETag, Size: size } of answer.Parts ?? []) {
      const etag = parseEtag(ETag);
      if (number === undefined || size === undefined || etag === undefined) throw invalidAnswer("no part");
      parts.push({ number, etag, size });
    }
    if (!answer.IsTruncated) return parts;
    const next = answer.NextPartNumberMarker;
    const movesOn = Number(next) > Number(marker ?? 0) && parts.length > before;
    if (!movesOn || parts.length > MAX_PARTS) throw invalidAnswer("endless list");
    marker = next;
  }
}

/** Begins, lists, completes and aborts multipart uploads. put.ts and copy.ts write the parts. */
export function createS3Multiparts({ client, retries, bucket }: Bucket, head: ObjectStore["head"]) {
  const named = ({ key, upload }: MultipartName) => ({ Bucket: bucket, Key: key, UploadId: upload });

  const listFrom = ({ key, upload }: MultipartName, marker: string | undefined) =>
    retries.retry(() =>
      client.run(({ sdk, s3 }) =>
        s3.send(new sdk.ListPartsCommand({ ...named({ key, upload }), PartNumberMarker: marker })),
      ),
    );

  /** The object if it consists of these parts. */
  const completed = async ({ key }: MultipartName, parts: readonly ClaimedPart[]) => {
    const found = await head(key);
    return found?.etag === tagOfParts(parts) ? found : undefined;
  };

  /**
   * CompleteMultipartUpload. When the answer to an earlier attempt was lost, the upload is gone and the object exists. Ceph
   * answers 500 for an upload that is gone.
   */
  const complete = (name: MultipartName, parts: readonly ClaimedPart[], beforeCommit: Recheck) =>
    retries.retry(async () => {
      await beforeCommit();
      const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: `"${etag}"` }));
      const input = { ...named(name), MultipartUpload: { Parts } };
      const limit = { requestTimeout: timeoutFor.many(client.timeouts, parts.length, SLOWEST_PART) };
      try {
        await client.run(({ sdk, s3 }) => s3.send(new sdk.CompleteMultipartUploadCommand(input), limit));
      } catch (error) {
        if (!(error instanceof S3Error)) throw error;
        if (error.code !== "NoSuchUpload" && error.status !== 500) throw error;
        if (await completed(name, parts)) return;
        if (error.status === 500) await listFrom(name, undefined);
        throw error;
      }
    });

  /** AbortMultipartUpload. A missing upload is no failure. */
  const abort = async (name: MultipartName): Promise<void> => {
    try {
      await retries.retry(() => client.run(({ sdk, s3 }) => s3.send(new sdk.AbortMultipartUploadCommand(named(name)))));
    } catch (error) {
      if (!(error instanceof Failure && error.code === "upload.missing")) throw error;
    }
  };

  return {
    /** CreateMultipartUpload. Not retried: after a lost answer, the first upload would be orphaned. */
    async create(key: string, described: Described): Promise<string> {
      checkKey(key);
      const input = { Bucket: bucket, Key: key, ...describedInput(described) };
      const { UploadId } = await retries.once(() =>
        client.run(({ sdk, s3 }) => s3.send(new sdk.CreateMultipartUploadCommand(input))),
      );
      if (!UploadId) throw invalidAnswer("no upload id");
      return UploadId;
    },

    /** Lists all parts (ListParts). */
    list: (name: MultipartName): Promise<StoredPart[]> => partsOf((marker) => listFrom(name, marker)),

    /** Joins the parts and heads the object, because not every storage answers with its ETag. */
    async complete(
      name: MultipartName,
      parts: readonly ClaimedPart[],
      conditions: CompleteOptions = {},
    ): Promise<ObjectHead> {
      const ordered = parts.every(({ number }, index) => index === 0 || (parts[index - 1]?.number ?? 0) < number);
      if (!ordered) throw new Failure("upload.parts");
      // S3 would call an empty list malformed. A missing upload is reported first.
      if (parts.length === 0) await listFrom(name, undefined);
      if (parts.length === 0) throw new Failure("upload.parts");
      using now = commitTurn(conditions);
      await complete(name, parts, now.beforeCommit);
      const made = await head(name.key);
      if (!made) throw invalidAnswer("a completed upload left nothing");
      return made;
    },

    completed,

    abort,

    /** Aborts the uploads of one key (ListMultipartUploads, AbortMultipartUpload). */
    async abortAll(key: string): Promise<void> {
      checkKey(key);
      const answer = await retries.retry(() =>
        client.run(({ sdk, s3 }) => s3.send(new sdk.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: key }))),
      );
      // Sorted by key: the uploads of this key come before those of keys that begin with it.
      for (const { Key, UploadId } of answer.Uploads ?? []) {
        if (Key === key && UploadId) await abort({ key, upload: UploadId });
      }
    },
  };
}

export type S3Multiparts = ReturnType<typeof createS3Multiparts>;
