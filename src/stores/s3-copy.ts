import { MAX_PARTS } from "#contract/limits";
import { encodeKey } from "../lib/sigv4.ts";
import { checkKey } from "./s3-address.ts";
import { plainTag } from "./s3-answers.ts";
import type { Control } from "./s3-control.ts";
import type { S3Multiparts } from "./s3-multiparts.ts";
import type { Retries } from "./s3-retries.ts";
import { isMissing, unreadable } from "./s3-trouble.ts";
import type { MultipartName, ObjectHead, StoredPart } from "./store.ts";

interface CopyNeeds {
  readonly control: Control;
  readonly retries: Retries;
  readonly bucket: string;
  readonly multiparts: S3Multiparts;
  readonly head: (key: string) => Promise<ObjectHead | undefined>;
  /** Bytes that one request may copy. */
  readonly largest: number;
}

/** Bytes that are copied by one request where more than one is needed. */
const PART = 512 * 1024 * 1024;

/** Copies objects inside the storage; no byte of them comes here. */
export function createCopy({ control, retries, bucket, multiparts, head, largest }: CopyNeeds) {
  const sourceOf = (key: string) => `${encodeURIComponent(bucket)}/${encodeKey(key)}`;

  /** CopyObject; answers whether there was something to copy. */
  const copyWhole = (from: string, to: string): Promise<boolean> =>
    retries.again(async () => {
      const input = { Bucket: bucket, Key: to, CopySource: sourceOf(from) };
      try {
        await control.ask(({ sdk, client }) => client.send(new sdk.CopyObjectCommand(input), control.slow));
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    });

  /** UploadPartCopy. */
  const copyPart = async ({ key, upload }: MultipartName, source: ObjectHead, { number, start, end }: Stretch) => {
    const input = {
      Bucket: bucket,
      Key: key,
      UploadId: upload,
      PartNumber: number,
      CopySource: sourceOf(source.key),
      CopySourceRange: `bytes=${start}-${end - 1}`,
      CopySourceIfMatch: `"${source.etag}"`,
    };
    const answer = await retries.again(() =>
      control.ask(({ sdk, client }) => client.send(new sdk.UploadPartCopyCommand(input), control.slow)),
    );
    const etag = plainTag(answer.CopyPartResult?.ETag);
    if (etag === undefined) throw unreadable("no ETag");
    return { number, etag, size: end - start };
  };

  const copyInParts = async (source: ObjectHead, to: string): Promise<void> => {
    const name = { key: to, upload: await multiparts.create(to, source) };
    try {
      const parts: StoredPart[] = [];
      for (const stretch of stretchesOf(source.size, Math.min(PART, largest)))
        parts.push(await copyPart(name, source, stretch));
      await multiparts.complete(name, parts);
    } catch (error) {
      await multiparts.abort(name).catch(() => undefined);
      throw error;
    }
  };

  return async (from: string, to: string): Promise<ObjectHead | undefined> => {
    checkKey(to);
    const source = await head(from);
    if (!source || from === to) return source;
    if (source.size > largest) await copyInParts(source, to);
    else if (!(await copyWhole(from, to))) return undefined;
    return await head(to);
  };
}

interface Stretch {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

function* stretchesOf(size: number, least: number): Generator<Stretch> {
  const step = Math.max(least, Math.ceil(size / MAX_PARTS));
  for (let number = 1, start = 0; start < size; number += 1, start += step)
    yield { number, start, end: Math.min(start + step, size) };
}
