import type { Clock } from "../../lib/clock.ts";
import type { ByteRange } from "../../lib/conditional.ts";
import { createSemaphore } from "../../lib/turns.ts";
import type { ObjectHead, StoredObject } from "../store.ts";
import { checkKey } from "./address.ts";
import { classify, invalidAnswer, isNotFound } from "./errors.ts";
import { parseHead, type Requests } from "./requests.ts";
import type { Streams } from "./streams.ts";
import { type Retries, type Timeout, timeoutFor } from "./timeouts.ts";

interface GetDeps {
  readonly requests: Requests;
  readonly retries: Retries;
  readonly clock: Clock;
  readonly streams: Streams;
}

/** Bodies up to this size are read into memory: Bun sends a Content-Length for a Blob, not for a stream. */
const MAX_BUFFERED = 4 * 1024 * 1024;
const BUFFERS = 16;
/** So many requests may wait for a buffer; others get a stream. */
const WAITING = 64;
/** How often an object may change between HEAD and GET. */
const TRIES = 3;

/** Reads objects: their properties and their bytes. */
export function createGet({ requests, retries, clock, streams }: GetDeps) {
  const semaphore = createSemaphore(BUFFERS, WAITING);

  /** Whether an answer has shown that the bucket exists. */
  let isBucketKnown = false;

  /** Asks for the properties of an object; undefined when there is none. */
  const properties = async (method: "GET" | "HEAD", key: string): Promise<ObjectHead | undefined> => {
    const timeout = requests.guardedTimeout();
    try {
      const found = parseHead(key, await requests.send({ method, key, timeout }), clock);
      isBucketKnown = true;
      return found;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      isBucketKnown ||= method === "GET";
      return undefined;
    } finally {
      if (method === "GET") timeout.abort();
      timeout.clear();
    }
  };

  /** HeadObject. Its 404 has no error code, so a GET distinguishes a missing object from a missing bucket. */
  const head = async (key: string): Promise<ObjectHead | undefined> => {
    checkKey(key);
    const found = await retries.retry(() => properties("HEAD", key));
    return found || isBucketKnown ? found : await retries.retry(() => properties("GET", key));
  };

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

  /** Sends the request with the first read. */
  const streamed = (wanted: GetRequest): ReadableStream<Uint8Array> => {
    const { answer, idle } = requests.timeouts;
    const timeout = requests.timeout();
    timeout.clear();
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    let left = wanted.length;
    let leave: () => void = () => undefined;
    const begin = async () => {
      timeout.restart(idle);
      leave = await streams.enter(timeout.signal);
      timeout.restart(answer);
      const response = await retries.retry(() => open(wanted, timeout));
      if (!response?.body) throw invalidAnswer("the object changed");
      return response.body.getReader();
    };
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          try {
            reader ??= await begin();
            timeout.restart(idle);
            const { done, value } = await reader.read();
            timeout.pause();
            left -= value?.byteLength ?? 0;
            if (left < 0 || (done && left > 0)) throw invalidAnswer("wrong length");
            if (!done) return controller.enqueue(value);
            timeout.clear();
            leave();
            controller.close();
          } catch (error) {
            timeout.abort();
            leave();
            throw classify(error).failure;
          }
        },
        cancel() {
          timeout.abort();
          leave();
        },
      },
      { highWaterMark: 0 },
    );
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

  return {
    head,

    /** Reads an object or a range of it; undefined when there is none, or when it is not `known` any more. */
    async get(key: string, range?: ByteRange, known?: ObjectHead): Promise<StoredObject | undefined> {
      if (known) return (await getFound(known, range)) || undefined;
      for (let tries = 0; tries < TRIES; tries++) {
        const found = await head(key);
        if (!found) return undefined;
        const got = await getFound(found, range);
        if (got !== false) return got;
      }
      throw invalidAnswer("the object changes all the time");
    },
  };
}

interface GetRequest {
  readonly found: ObjectHead;
  readonly range: ByteRange | undefined;
  /** Bytes. */
  readonly length: number;
}
