import type { Clock } from "../lib/clock.ts";
import type { ByteRange } from "../lib/range.ts";
import { createTurns } from "../lib/turns.ts";
import { checkKey } from "./s3-address.ts";
import { headIn } from "./s3-answers.ts";
import type { Retries } from "./s3-retries.ts";
import { isMissing, troubleOf, unreadable } from "./s3-trouble.ts";
import type { Watch } from "./s3-watch.ts";
import type { Wire } from "./s3-wire.ts";
import type { ObjectHead, StoredObject } from "./store.ts";

interface GetNeeds {
  readonly wire: Wire;
  readonly retries: Retries;
  readonly clock: Clock;
}

/** Up to this size an answer has its length, which Bun says of no stream. */
const BUFFERED = 4 * 1024 * 1024;
const BUFFERS = 16;
/** As many may wait for a buffer; everybody else gets a stream. */
const WAITING = 64;
/** How often an object may change between the question what it is and the one for its bytes. */
const TRIES = 3;

/** Reads objects: what is known of them, and their bytes. */
export function createGet({ wire, retries, clock }: GetNeeds) {
  const turns = createTurns(BUFFERS, WAITING);

  /** Whether anything ever said that the bucket is there. */
  let isBucketKnown = false;

  /** One request about an object without its bytes; undefined when there is none. */
  const ask = async (method: "GET" | "HEAD", key: string): Promise<ObjectHead | undefined> => {
    const watch = wire.watch();
    try {
      const found = headIn(key, await wire.send({ method, key, watch }), clock);
      isBucketKnown = true;
      return found;
    } catch (error) {
      if (!isMissing(error)) throw error;
      isBucketKnown ||= method === "GET";
      return undefined;
    } finally {
      if (method === "GET") watch.stop();
      watch.end();
    }
  };

  /** HeadObject. Its 404 does not tell whether the bucket is missing, which the error document of a GET does. */
  const head = async (key: string): Promise<ObjectHead | undefined> => {
    checkKey(key);
    const found = await retries.again(() => ask("HEAD", key));
    return found || isBucketKnown ? found : await retries.again(() => ask("GET", key));
  };

  /** GetObject: an answer of exactly the bytes that were asked for; undefined when the object is no longer what it was. */
  const open = async ({ found, range, length }: Wanted, watch: Watch): Promise<Response | undefined> => {
    const unsigned = range && { range: `bytes=${range.start}-${range.end}` };
    try {
      const response = await wire.send({ method: "GET", key: found.key, watch, ...(unsigned && { unsigned }) });
      const { size, etag } = headIn(found.key, response, clock);
      const sent = Number(response.headers.get("content-length"));
      if (etag === found.etag && size === found.size && sent === length && response.status === (range ? 206 : 200))
        return response;
      watch.stop();
      if (etag === found.etag) throw unreadable("wrong length");
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    return undefined;
  };

  const buffered = (wanted: Wanted): Promise<Blob | undefined> =>
    retries.again(async () => {
      const watch = wire.watch();
      try {
        const response = await open(wanted, watch);
        watch.wait(wire.patience.silence);
        const blob = await response?.blob();
        if (blob && blob.size !== wanted.length) throw unreadable("wrong length");
        return blob;
      } finally {
        watch.end();
      }
    });

  /** Nothing is fetched before somebody reads. */
  const streamed = (wanted: Wanted): ReadableStream<Uint8Array> => {
    const { answer, silence } = wire.patience;
    const watch = wire.watch();
    watch.end();
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    let left = wanted.length;
    const begin = async () => {
      watch.wait(answer);
      const response = await retries.again(() => open(wanted, watch));
      if (!response?.body) throw unreadable("the object changed");
      return response.body.getReader();
    };
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          try {
            reader ??= await begin();
            watch.wait(silence);
            const { done, value } = await reader.read();
            watch.pause();
            left -= value?.byteLength ?? 0;
            if (left < 0 || (done && left > 0)) throw unreadable("wrong length");
            if (!done) return controller.enqueue(value);
            watch.end();
            controller.close();
          } catch (error) {
            watch.stop();
            throw troubleOf(error).failure;
          }
        },
        cancel: () => watch.stop(),
      },
      { highWaterMark: 0 },
    );
  };

  /** False when the object is no longer what was found. */
  const getFound = async (found: ObjectHead, range: ByteRange | undefined): Promise<StoredObject | false> => {
    const length = range ? range.end - range.start + 1 : found.size;
    if (length === 0) return { head: found, body: new Blob() };
    const wanted = { found, range, length };
    const small = length <= BUFFERED ? await turns.run(() => buffered(wanted)) : undefined;
    if (!small) return { head: found, body: streamed(wanted) };
    return small.result ? { head: found, body: small.result } : false;
  };

  return {
    head,

    async get(key: string, range?: ByteRange, known?: ObjectHead): Promise<StoredObject | undefined> {
      if (known) return (await getFound(known, range)) || undefined;
      for (let tries = 0; tries < TRIES; tries++) {
        const found = await head(key);
        if (!found) return undefined;
        const got = await getFound(found, range);
        if (got !== false) return got;
      }
      throw unreadable("the object changes all the time");
    },
  };
}

interface Wanted {
  readonly found: ObjectHead;
  readonly range: ByteRange | undefined;
  /** Bytes. */
  readonly length: number;
}
