import { MAX_PARTS, PART_SIZE } from "#contract/limits";
import type { Incoming, MultipartName, ObjectHead, PartOptions, PutOptions, StoredPart } from "../store.ts";
import { checkKey } from "./address.ts";
import { type BodyReader, createBodyReader } from "./body-reader.ts";
import { commitTurn } from "./commit-turn.ts";
import { invalidAnswer } from "./errors.ts";
import type { S3Multiparts } from "./multipart.ts";
import type { PartBuffers } from "./part-buffers.ts";
import type { Requests } from "./requests.ts";
import { createSend, type Piece, type Send, SMALL, type Target } from "./send.ts";
import type { Retries } from "./timeouts.ts";

interface PutDeps {
  readonly requests: Requests;
  readonly retries: Retries;
  readonly multiparts: S3Multiparts;
  readonly head: (key: string) => Promise<ObjectHead | undefined>;
  /** The bytes that one request may carry. */
  readonly largest: number;
  readonly buffers: PartBuffers;
}

/** The part size of a body that is longer than one request may carry. */
const STREAMED_PART = 64 * 1024 * 1024;
/** Part sizes double after so many parts: 10,000 parts then hold the largest object. */
const PARTS_OF_A_SIZE = 900;

/** Writes objects and parts of multipart uploads. */
export function createPut({ requests, retries, multiparts, head, largest, buffers }: PutDeps) {
  const send = createSend(requests, retries);

  const putWhole = async (target: Target, piece: Piece): Promise<ObjectHead> => {
    const etag = await send(target, piece);
    return await verified(head, { key: target.key, size: piece.size, etag });
  };

  /** Writes a body that is longer than one request may carry. */
  const putLong = async (key: string, reader: BodyReader, options: PutOptions, length: number): Promise<ObjectHead> => {
    const upload = await startParts({ multiparts, send }, key, options);
    for (const piece of streamedParts(reader, length, Math.min(STREAMED_PART, largest))) await upload.send(piece);
    return await upload.complete();
  };

  const putFilled = async (target: Target, reader: BodyReader, bytes: Uint8Array<ArrayBuffer>) => {
    await reader.end();
    return await putWhole(target, { size: bytes.byteLength, from: bytes });
  };

  /** Writes a body of unknown length, or one that is to go in parts. S3 needs the length of a part before its bytes, so each part is read into a buffer. */
  const putUnknown = async (target: Target, reader: BodyReader, options: PutOptions): Promise<ObjectHead> => {
    const first = await buffers.use(PART_SIZE, reader.fill, async (bytes) => {
      if (bytes.byteLength < PART_SIZE) return { whole: await putFilled(target, reader, bytes) };
      const upload = await startParts({ multiparts, send }, target.key, options);
      await upload.send({ size: bytes.byteLength, from: bytes });
      return { upload };
    });
    if (!first.upload) return first.whole;
    const { upload } = first;
    const fill = (buffer: Uint8Array<ArrayBuffer>) => upload.orAbort(() => reader.fill(buffer));
    for (let number = 2, more = true; more; number += 1) {
      more = await buffers.use(sizeOfPart(number, options.limit), fill, async (bytes) => {
        if (bytes.byteLength > 0) await upload.send({ size: bytes.byteLength, from: bytes });
        return bytes.byteLength > 0;
      });
    }
    await upload.orAbort(reader.end);
    return await upload.complete();
  };

  const putAll = async (key: string, reader: BodyReader, options: PutOptions): Promise<ObjectHead> => {
    const { type, length, signal, beforeCommit, inParts = false } = options;
    const target = { key, headers: { "content-type": type, ...options.headers }, signal, beforeCommit };
    if (length === undefined || (inParts && length > PART_SIZE)) return await putUnknown(target, reader, options);
    if (length > largest) return await putLong(key, reader, options, length);
    if (length > SMALL) return await putWhole(target, { size: length, from: { reader, last: true } });
    return await putFilled(target, reader, await reader.fill(new Uint8Array(length)));
  };

  return {
    /** Writes an object, in parts when it is long or its length is unknown. */
    async put(key: string, body: Incoming, given: PutOptions): Promise<ObjectHead> {
      checkKey(key);
      given.signal?.throwIfAborted();
      using conditions = commitTurn(given);
      const options = { ...given, beforeCommit: conditions.beforeCommit };
      const reader = createBodyReader(body, { ...options, idleMs: requests.timeouts.idle });
      try {
        return await putAll(key, reader, options);
      } finally {
        reader.cancel();
      }
    },

    /** Writes one part (UploadPart). */
    async putPart(
      { key, upload }: MultipartName,
      number: number,
      body: Incoming,
      options: PartOptions,
    ): Promise<StoredPart> {
      checkKey(key);
      const { length: size, signal } = options;
      const reader = createBodyReader(body, { ...options, idleMs: requests.timeouts.idle });
      try {
        signal?.throwIfAborted();
        const from = size > SMALL ? { reader, last: true } : await reader.fill(new Uint8Array(size));
        if (from instanceof Uint8Array) await reader.end();
        const etag = await send({ key, part: { upload, number }, signal }, { size, from });
        return { number, etag, size };
      } finally {
        reader.cancel();
      }
    },
  };
}

/** Asks for the object that was just written and checks its size. */
async function verified(head: PutDeps["head"], stated: Pick<ObjectHead, "key" | "etag" | "size">): Promise<ObjectHead> {
  const found = await head(stated.key);
  if (!found) throw invalidAnswer("what was written is not there");
  // Another ETag means that the object was overwritten in the meantime.
  if (found.etag === stated.etag && found.size !== stated.size) throw invalidAnswer("wrong length");
  return found;
}

/** Begins a multipart upload, which is aborted when a step of it fails. */
async function startParts(
  { multiparts, send }: { readonly multiparts: S3Multiparts; readonly send: Send },
  key: string,
  { type, headers, signal, beforeCommit }: PutOptions,
) {
  const name: MultipartName = { key, upload: await multiparts.create(key, { type, headers }) };
  const parts: StoredPart[] = [];
  const orAbort = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      // The first error is the one to report. An upload that cannot be aborted now may be later.
      await multiparts.abort(name).catch(() => undefined);
      throw error;
    }
  };
  return {
    orAbort,
    /** Sends the next part. */
    send: (piece: Piece): Promise<void> =>
      orAbort(async () => {
        const part = { upload: name.upload, number: parts.length + 1 };
        parts.push({ number: part.number, size: piece.size, etag: await send({ key, part, signal }, piece) });
      }),
    complete: (): Promise<ObjectHead> =>
      orAbort(async () => {
        signal?.throwIfAborted();
        return await multiparts.complete(name, parts, { beforeCommit });
      }),
  };
}

/** Cuts a body of known length into parts that are streamed. */
function* streamedParts(reader: BodyReader, length: number, least: number): Generator<Piece> {
  const step = Math.max(least, Math.ceil(length / MAX_PARTS));
  for (let at = 0; at < length; at += step) {
    const size = Math.min(step, length - at);
    yield { size, from: { reader, last: at + size === length } };
  }
}

/** The size of a part of a body of unknown length: the smallest when 10,000 of these reach the limit, else growing. */
export const sizeOfPart = (number: number, limit = Number.POSITIVE_INFINITY): number =>
  limit <= PART_SIZE * MAX_PARTS ? PART_SIZE : PART_SIZE * 2 ** Math.floor((number - 1) / PARTS_OF_A_SIZE);
