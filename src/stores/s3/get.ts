import type { Clock } from "../../lib/clock.ts";
import type { ByteRange } from "../../lib/conditional.ts";
import { createSemaphore } from "../../lib/turns.ts";
import type { ObjectHead, ObjectStore, StoredObject } from "../store.ts";
import { createDownload } from "./download.ts";
import { invalidAnswer, isNotFound } from "./errors.ts";
import { parseHead, type Requests } from "./requests.ts";
import type { Streams } from "./streams.ts";
import { type Retries, type Timeout, timeoutFor } from "./timeouts.ts";

interface GetDeps {
  readonly requests: Requests;
  readonly retries: Retries;
  readonly clock: Clock;
  readonly streams: Streams;
  readonly head: ObjectStore["head"];
}

/** Bodies up to this size are read into memory: Bun sends a Content-Length for a Blob, not for a stream. */
const MAX_BUFFERED = 4 * 1024 * 1024;
const BUFFERS = 16;
/** So many requests may wait for a buffer; others get a stream. */
const WAITING = 64;
/** How often an object may change between HEAD and GET. */
const TRIES = 3;

/** Reads the bytes of objects. */
export function createGet({ requests, retries, clock, streams, head }: GetDeps) {
  const semaphore = createSemaphore(BUFFERS, WAITING);

  /** GetObject. Returns an answer with exactly the requested bytes; undefined when the object has changed. */
  const open = async ({ found, range, length }: GetRequest, timeout: Timeout): Promise<Response | undefined> => {
    const unsigned = range && { range: `bytes=${range.start}-${range.end}` };
    try {
      const response = await requests.send({ method: "GET", key: found.key, timeout, ...(unsigned && { unsigned }) });
      const { size, etag } = parseHead(found.key, response, clock);
      const sent = Number(response.headers.get("content-length"));
      if (etag === found.etag && size === found.size && sent === length && response.status === (range ? 206 : 200))
        return response;
      timeout.abort();
      if (etag === found.etag) throw invalidAnswer("wrong length");
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    return undefined;
  };

  const buffered = (wanted: GetRequest): Promise<Blob | undefined> =>
    retries.retry(async () => {
      const timeout = requests.timeout();
      try {
        const response = await open(wanted, timeout);
        timeout.restart(timeoutFor.body(requests.timeouts, wanted.length));
        const blob = await response?.blob();
        if (blob && blob.size !== wanted.length) throw invalidAnswer("wrong length");
        return blob;
      } finally {
        timeout.clear();
      }
    });

  const streamed = (wanted: GetRequest): ReadableStream<Uint8Array> => {
    const timeout = requests.timeout();
    const send = () => retries.retry(() => open(wanted, timeout));
    return createDownload({ length: wanted.length, timeout, timeouts: requests.timeouts, streams, send });
  };

  /** Returns false when the object has changed since it was found. */
  const getFound = async (found: ObjectHead, range: ByteRange | undefined): Promise<StoredObject | false> => {
    const length = range ? range.end - range.start + 1 : found.size;
    if (length === 0) return { head: found, body: new Blob() };
    const wanted = { found, range, length };
    const small = length <= MAX_BUFFERED ? await semaphore.run(() => buffered(wanted)) : undefined;
    if (!small) return { head: found, body: streamed(wanted) };
    return small.result ? { head: found, body: small.result } : false;
  };

  /** Reads an object or a range of it; undefined when there is none, or when it is not `known` any more. */
  return async (key: string, range?: ByteRange, known?: ObjectHead): Promise<StoredObject | undefined> => {
    if (known) return (await getFound(known, range)) || undefined;
    for (let tries = 0; tries < TRIES; tries++) {
      const found = await head(key);
      if (!found) return undefined;
      const got = await getFound(found, range);
      if (got !== false) return got;
    }
    throw invalidAnswer("the object changes all the time");
  };
}

interface GetRequest {
  readonly found: ObjectHead;
  readonly range: ByteRange | undefined;
  /** Bytes. */
  readonly length: number;
}
