import { MAX_PARTS, PART_SIZE } from "#contract/limits";
import { checkKey } from "./s3-address.ts";
import { plainTag } from "./s3-answers.ts";
import type { S3Multiparts } from "./s3-multiparts.ts";
import type { Retries } from "./s3-retries.ts";
import { createSource, type Source } from "./s3-source.ts";
import { unreadable } from "./s3-trouble.ts";
import type { Wire } from "./s3-wire.ts";
import type { Incoming, MultipartName, ObjectHead, PartOptions, PutOptions, StoredPart } from "./store.ts";

interface PutNeeds {
  readonly wire: Wire;
  readonly retries: Retries;
  readonly multiparts: S3Multiparts;
  readonly head: (key: string) => Promise<ObjectHead | undefined>;
  /** Bytes that one request may carry. */
  readonly largest: number;
}

/** Bodies up to this size wait in memory, and may be sent again. */
const SMALL = 64 * 1024;
const SLICE = 256 * 1024;
/** Bytes of a part whose upload is longer than one request may carry. */
const STREAMED_PART = 64 * 1024 * 1024;
/** Parts of one size: ten doublings of the smallest reach the largest object before there are too many. */
const PARTS_OF_A_SIZE = 900;

/** A stretch of a body, in memory or on its way. */
interface Piece {
  readonly size: number;
  readonly from: Uint8Array<ArrayBuffer> | Passing;
}

/** A stretch that passes through, and ends the body when `last` says so. */
interface Passing {
  readonly source: Source;
  readonly last: boolean;
}

interface Target {
  readonly key: string;
  readonly type?: string;
  readonly part?: { readonly upload: string; readonly number: number };
  readonly signal: AbortSignal | undefined;
}

/** Brings bodies into the storage: whole objects and parts. */
export function createPut({ wire, retries, multiparts, head, largest }: PutNeeds) {
  /** PutObject or UploadPart; answers the ETag. Only what is in memory is sent again. */
  const send = ({ key, type, part, signal }: Target, { size, from }: Piece): Promise<string> =>
    (from instanceof Uint8Array ? retries.again : retries.once)(async () => {
      signal?.throwIfAborted();
      const { silence } = wire.patience;
      const watch = wire.watch(signal);
      if (from instanceof Uint8Array) watch.wait(silence);
      const given = () => watch.wait(silence);
      try {
        const response = await wire.send({
          method: "PUT",
          key,
          watch,
          unsigned: { "content-length": String(size) },
          ...(type !== undefined && { headers: { "content-type": type } }),
          ...(part && { query: { partNumber: String(part.number), uploadId: part.upload } }),
          body: bodyOf(from, { size, asked: watch.pause, given }),
        });
        const etag = plainTag(response.headers.get("etag"));
        if (etag === undefined) throw unreadable("no ETag");
        return etag;
      } finally {
        watch.end();
      }
    });

  /** What the storage says of an object that was just written. */
  const written = async (stated: Pick<ObjectHead, "key" | "etag" | "size">): Promise<ObjectHead> => {
    const found = await head(stated.key);
    if (!found) throw unreadable("what was written is not there");
    // Somebody else may have written it again meanwhile.
    if (found.etag === stated.etag && found.size !== stated.size) throw unreadable("wrong length");
    return found;
  };

  const putWhole = async (target: Target & { readonly type: string }, piece: Piece): Promise<ObjectHead> => {
    const etag = await send(target, piece);
    return await written({ key: target.key, size: piece.size, etag });
  };

  /** Whatever goes wrong, nothing is left of the upload. */
  const putInParts = async (key: string, { type, signal }: PutOptions, pieces: AsyncIterable<Piece>) => {
    const name: MultipartName = { key, upload: await multiparts.create(key, { type }) };
    const parts: StoredPart[] = [];
    try {
      for await (const piece of pieces) {
        const part = { upload: name.upload, number: parts.length + 1 };
        parts.push({ number: part.number, size: piece.size, etag: await send({ key, part, signal }, piece) });
      }
      signal?.throwIfAborted();
      return await multiparts.complete(name, parts);
    } catch (error) {
      // What cannot be given up now may be later; what went wrong first is what counts.
      await multiparts.abort(name).catch(() => undefined);
      throw error;
    }
  };

  const putAll = async (key: string, source: Source, options: PutOptions): Promise<ObjectHead> => {
    const { type, length, limit, signal } = options;
    const target = { key, type, signal };
    if (length !== undefined && length > largest)
      return await putInParts(key, options, streamedParts(source, length, Math.min(STREAMED_PART, largest)));
    if (length !== undefined && length > SMALL)
      return await putWhole(target, { size: length, from: { source, last: true } });
    const first = await source.fill(new Uint8Array(length ?? PART_SIZE));
    if (length !== undefined || first.byteLength < PART_SIZE) {
      await source.end();
      return await putWhole(target, { size: first.byteLength, from: first });
    }
    return await putInParts(key, options, bufferedParts(source, first, limit));
  };

  return {
    async put(key: string, body: Incoming, options: PutOptions): Promise<ObjectHead> {
      checkKey(key);
      options.signal?.throwIfAborted();
      const source = createSource(body, { ...options, patience: wire.patience.silence });
      try {
        return await putAll(key, source, options);
      } finally {
        source.cancel();
      }
    },

    /** UploadPart. */
    async putPart(
      { key, upload }: MultipartName,
      number: number,
      body: Incoming,
      options: PartOptions,
    ): Promise<StoredPart> {
      checkKey(key);
      const { length: size, signal } = options;
      const source = createSource(body, { ...options, patience: wire.patience.silence });
      try {
        signal?.throwIfAborted();
        const from = size > SMALL ? { source, last: true } : await source.fill(new Uint8Array(size));
        if (from instanceof Uint8Array) await source.end();
        const etag = await send({ key, part: { upload, number }, signal }, { size, from });
        return { number, etag, size };
      } finally {
        source.cancel();
      }
    },
  };
}

interface Movement {
  readonly size: number;
  readonly asked: () => void;
  readonly given: () => void;
}

function bodyOf(from: Piece["from"], { size, asked, given }: Movement) {
  if (from instanceof Uint8Array) return inSlices(from, given);
  return from.source.stream(size, { last: from.last, asked, given });
}

/** Bytes as they are while they are few; of many the runtime would make a copy. */
function inSlices(
  bytes: Uint8Array<ArrayBuffer>,
  given: () => void,
): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  if (bytes.byteLength <= SMALL) return bytes;
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (at >= bytes.byteLength) return controller.close();
        controller.enqueue(bytes.subarray(at, at + SLICE));
        at += SLICE;
        given();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Parts of a body whose length is known, which pass through. */
async function* streamedParts(source: Source, length: number, least: number): AsyncGenerator<Piece> {
  const step = Math.max(least, Math.ceil(length / MAX_PARTS));
  for (let at = 0; at < length; at += step) {
    const size = Math.min(step, length - at);
    yield { size, from: { source, last: at + size === length } };
  }
}

/** Parts of a body that may end anywhere: S3 wants to know a part's length before its bytes, so each waits in memory. */
async function* bufferedParts(
  source: Source,
  first: Uint8Array<ArrayBuffer>,
  limit: number | undefined,
): AsyncGenerator<Piece> {
  let [buffer, bytes] = [first, first];
  for (let number = 1; bytes.byteLength > 0; number += 1) {
    yield { size: bytes.byteLength, from: bytes };
    const size = sizeOfPart(number + 1, limit);
    if (size !== buffer.byteLength) buffer = new Uint8Array(size);
    bytes = await source.fill(buffer);
  }
}

/** Small as long as ten thousand of them suffice; else they grow with the upload. */
export const sizeOfPart = (number: number, limit = Number.POSITIVE_INFINITY): number =>
  limit <= PART_SIZE * MAX_PARTS ? PART_SIZE : PART_SIZE * 2 ** Math.floor((number - 1) / PARTS_OF_A_SIZE);
