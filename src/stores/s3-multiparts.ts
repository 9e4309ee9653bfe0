import { hash } from "node:crypto";
import { Failure } from "#contract/failures";
import { MAX_PARTS } from "#contract/limits";
import { checkKey } from "./s3-address.ts";
import { plainTag } from "./s3-answers.ts";
import type { Control } from "./s3-control.ts";
import type { Retries } from "./s3-retries.ts";
import { Refusal, unreadable } from "./s3-trouble.ts";
import type { ClaimedPart, MultipartName, ObjectHead, StoredPart } from "./store.ts";

interface MultipartNeeds {
  readonly control: Control;
  readonly retries: Retries;
  readonly bucket: string;
  readonly head: (key: string) => Promise<ObjectHead | undefined>;
}

/** Uploads in parts, all but the parts' bytes. */
export function createS3Multiparts({ control, retries, bucket, head }: MultipartNeeds) {
  const named = ({ key, upload }: MultipartName) => ({ Bucket: bucket, Key: key, UploadId: upload });

  const listFrom = ({ key, upload }: MultipartName, marker: string | undefined) =>
    retries.again(() =>
      control.ask(({ sdk, client }) =>
        client.send(new sdk.ListPartsCommand({ ...named({ key, upload }), PartNumberMarker: marker })),
      ),
    );

  /** Whether the object is what these parts make. */
  const isMade = async ({ key }: MultipartName, parts: readonly ClaimedPart[]): Promise<boolean> =>
    (await head(key))?.etag === tagOf(parts);

  /**
   * An answer to an earlier try may have been lost: then the upload is gone and the object there. Ceph has the answer 500 for
   * an upload that is gone.
   */
  const complete = (name: MultipartName, parts: readonly ClaimedPart[]) =>
    retries.again(async () => {
      const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: `"${etag}"` }));
      const input = { ...named(name), MultipartUpload: { Parts } };
      try {
        await control.ask(({ sdk, client }) =>
          client.send(new sdk.CompleteMultipartUploadCommand(input), control.slow),
        );
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (error.code !== "NoSuchUpload" && error.status !== 500) throw error;
        if (await isMade(name, parts)) return;
        if (error.status === 500) await listFrom(name, undefined);
        throw error;
      }
    });

  /** AbortMultipartUpload. */
  const abort = async (name: MultipartName): Promise<void> => {
    try {
      await retries.again(() =>
        control.ask(({ sdk, client }) => client.send(new sdk.AbortMultipartUploadCommand(named(name)))),
      );
    } catch (error) {
      if (!(error instanceof Failure && error.code === "upload.missing")) throw error;
    }
  };

  return {
    /** CreateMultipartUpload. Not repeated: an answer that was lost would leave an upload that nobody knows. */
    async create(key: string, { type }: { readonly type: string }): Promise<string> {
      checkKey(key);
      const input = { Bucket: bucket, Key: key, ContentType: type };
      const { UploadId } = await retries.once(() =>
        control.ask(({ sdk, client }) => client.send(new sdk.CreateMultipartUploadCommand(input))),
      );
      if (!UploadId) throw unreadable("no upload id");
      return UploadId;
    },

    /** ListParts, all of them. */
    async list(name: MultipartName): Promise<StoredPart[]> {
      const parts: StoredPart[] = [];
      for (let marker: string | undefined; ; ) {
        const answer = await listFrom(name, marker);
        for (const { PartNumber: number, ETag, Size: size } of answer.Parts ?? []) {
          const etag = plainTag(ETag);
          if (number === undefined || size === undefined || etag === undefined) throw unreadable("no part");
          parts.push({ number, etag, size });
        }
        if (!answer.IsTruncated) return parts;
        const next = answer.NextPartNumberMarker;
        if (!(Number(next) > Number(marker ?? 0)) || parts.length > MAX_PARTS) throw unreadable("endless list");
        marker = next;
      }
    },

    /** CompleteMultipartUpload. What it made is asked for, because not every storage's answer has its ETag. */
    async complete(name: MultipartName, parts: readonly ClaimedPart[]): Promise<ObjectHead> {
      const ordered = parts.every(({ number }, index) => index === 0 || (parts[index - 1]?.number ?? 0) < number);
      if (!ordered) throw new Failure("upload.parts");
      // S3 answers no parts as a document that is none; an upload that is missing is still that first.
      if (parts.length === 0) await listFrom(name, undefined);
      if (parts.length === 0) throw new Failure("upload.parts");
      await complete(name, parts);
      const made = await head(name.key);
      if (!made) throw unreadable("a completed upload left nothing");
      return made;
    },

    abort,

    /** ListMultipartUploads and AbortMultipartUpload, as often as there are such of the key. */
    async abortAll(key: string): Promise<void> {
      checkKey(key);
      const answer = await retries.again(() =>
        control.ask(({ sdk, client }) =>
          client.send(new sdk.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: key })),
        ),
      );
      // Keys come in order, so those of the key itself stand before all that begin with it.
      for (const { Key, UploadId } of answer.Uploads ?? []) {
        if (Key === key && UploadId) await abort({ key, upload: UploadId });
      }
    },
  };
}

export type S3Multiparts = ReturnType<typeof createS3Multiparts>;

/** The ETag of an object of these parts, where ETags are MD5s: the MD5 of theirs, and how many they are. */
const tagOf = (parts: readonly ClaimedPart[]): string =>
  `${hash("md5", Buffer.concat(parts.map(({ etag }) => Buffer.from(etag, "hex"))), "hex")}-${parts.length}`;
