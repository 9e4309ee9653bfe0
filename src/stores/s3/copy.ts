import { MAX_PARTS } from "#contract/limits";
import { encodeKey } from "../../lib/signatures/sigv4.ts";
import type { CopyOptions, MultipartName, ObjectHead, StoredPart } from "../store.ts";
import { checkKey } from "./address.ts";
import { type Bucket, describedInput } from "./client.ts";
import { invalidAnswer, isNotFound, isOtherVersion } from "./errors.ts";
import type { S3Multiparts } from "./multipart.ts";
import { parseEtag } from "./requests.ts";
import { timeoutFor } from "./timeouts.ts";

interface CopyDeps extends Bucket {
  readonly multiparts: S3Multiparts;
  readonly head: (key: string) => Promise<ObjectHead | undefined>;
  /** The bytes that one request may copy. */
  readonly largest: number;
}

/** The part size of a copy that takes more than one request. */
const PART_BYTES = 512 * 1024 * 1024;

/** Copies objects inside the storage. */
export function createCopy({ client, retries, bucket, multiparts, head, largest }: CopyDeps) {
  const sourceOf = (key: string) => `${encodeURIComponent(bucket)}/${encodeKey(key)}`;

  /** CopyObject. Returns false when the source does not exist, or is not the version that is wanted. */
  const copyWhole = (
    { key: from, size }: ObjectHead,
    to: string,
    { beforeCommit, described, ifMatch }: CopyOptions,
  ): Promise<boolean> =>
    retries.retry(async () => {
      await beforeCommit?.();
      const replaced = described && ({ ...describedInput(described), MetadataDirective: "REPLACE" } as const);
      const version = ifMatch !== undefined && { CopySourceIfMatch: `"${ifMatch}"` };
      const input = { Bucket: bucket, Key: to, CopySource: sourceOf(from), ...version, ...replaced };
      const limit = { requestTimeout: timeoutFor.copy(client.timeouts, size) };
      try {
        await client.run(({ sdk, s3 }) => s3.send(new sdk.CopyObjectCommand(input), limit));
        return true;
      } catch (error) {
        if (isNotFound(error) || isOtherVersion(error)) return false;
        throw error;
      }
    });

  /** UploadPartCopy. Undefined when the source has changed. */
  const copyPart = async (
    { key, upload }: MultipartName,
    source: ObjectHead,
    { number, start, end }: PartRange,
  ): Promise<StoredPart | undefined> => {
    const input = {
      Bucket: bucket,
      Key: key,
      UploadId: upload,
      PartNumber: number,
      CopySource: sourceOf(source.key),
      CopySourceRange: `bytes=${start}-${end - 1}`,
      CopySourceIfMatch: `"${source.etag}"`,
    };
    const limit = { requestTimeout: client.timeouts.idle };
    const answer = await retries.retry(() =>
      client.run(({ sdk, s3 }) => s3.send(new sdk.UploadPartCopyCommand(input), limit)).catch(unlessChanged),
    );
    if (!answer) return undefined;
    const etag = parseEtag(answer.CopyPartResult?.ETag);
    if (etag === undefined) throw invalidAnswer("no ETag");
    return { number, etag, size: end - start };
  };

  /** Returns as `copyWhole`. */
  const copyInParts = async (
    source: ObjectHead,
    to: string,
    { beforeCommit, described }: CopyOptions,
  ): Promise<boolean> => {
    const name = { key: to, upload: await multiparts.create(to, described ?? source) };
    try {
      const parts: StoredPart[] = [];
      for (const range of partRanges(source.size, Math.min(PART_BYTES, largest))) {
        const part = await copyPart(name, source, range);
        if (!part) {
          await multiparts.abort(name);
          return false;
        }
        parts.push(part);
      }
      await multiparts.complete(name, parts, { beforeCommit });
      return true;
    } catch (error) {
      await multiparts.abort(name).catch(() => undefined);
      throw error;
    }
  };

  return async (from: string, to: string, options: CopyOptions = {}): Promise<ObjectHead | undefined> => {
    checkKey(to);
    const { found, described, ifMatch } = options;
    // A list has no content types, and a copy in parts must state one.
    const source = found && found.size <= largest ? found : await head(from);
    if (!source || (from === to && !described)) return source;
    if (ifMatch !== undefined && ifMatch !== source.etag) return undefined;
    const copy = source.size > largest ? copyInParts : copyWhole;
    return (await copy(source, to, options)) ? await head(to) : undefined;
  };
}

function unlessChanged(error: unknown): undefined {
  if (!isOtherVersion(error)) throw error;
}

interface PartRange {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

function* partRanges(size: number, least: number): Generator<PartRange> {
  const step = Math.max(least, Math.ceil(size / MAX_PARTS));
  for (let number = 1, start = 0; start < size; number += 1, start += step)
    yield { number, start, end: Math.min(start + step, size) };
}
