import type { Recheck } from "../store.ts";
import type { BodyReader } from "./body-reader.ts";
import { invalidAnswer } from "./errors.ts";
import { parseEtag, type Requests } from "./requests.ts";
import { type Retries, timeoutFor } from "./timeouts.ts";

/** Bodies up to this size are read into memory, so they can be sent again. */
export const SMALL = 64 * 1024;
const SLICE = 256 * 1024;

/** A piece of a body: bytes in memory, or bytes still to be read. */
export interface Piece {
  readonly size: number;
  readonly from: Uint8Array<ArrayBuffer> | Streamed;
}

interface Streamed {
  readonly reader: BodyReader;
  /** Whether the body ends with it. */
  readonly last: boolean;
}

export interface Target {
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly part?: { readonly upload: string; readonly number: number };
  readonly signal: AbortSignal | undefined;
  /** Of a whole object in memory. A stream calls it itself, before its last piece. */
  readonly beforeCommit?: Recheck | undefined;
}

/** Writes the bytes of an object, or of a part, with one request. */
export function createSend(requests: Requests, retries: Retries) {
  /** Sends PutObject or UploadPart and returns the ETag. Retries only bytes in memory. */
  return ({ key, headers, part, signal, beforeCommit }: Target, { size, from }: Piece): Promise<string> =>
    (from instanceof Uint8Array ? retries.retry : retries.once)(async () => {
      if (from instanceof Uint8Array) await beforeCommit?.();
      signal?.throwIfAborted();
      const limit = timeoutFor.body(requests.timeouts, size);
      const timeout = requests.timeout(signal);
      if (from instanceof Uint8Array) timeout.restart(limit);
      const onPush = () => timeout.restart(limit);
      try {
        const response = await requests.send({
          method: "PUT",
          key,
          timeout,
          unsigned: { "content-length": String(size) },
          ...(headers && { headers }),
          ...(part && { query: { partNumber: String(part.number), uploadId: part.upload } }),
          body: bodyOf(from, { size, onPull: timeout.pause, onPush }),
        });
        const etag = parseEtag(response.headers.get("etag"));
        if (etag === undefined) throw invalidAnswer("no ETag");
        return etag;
      } finally {
        timeout.clear();
      }
    });
}

export type Send = ReturnType<typeof createSend>;

interface Progress {
  readonly size: number;
  readonly onPull: () => void;
  readonly onPush: () => void;
}

function bodyOf(from: Piece["from"], { size, onPull, onPush }: Progress) {
  if (from instanceof Uint8Array) return inSlices(from, onPush);
  return from.reader.stream(size, { last: from.last, onPull, onPush });
}

/** Few bytes as they are. Many as a stream, because the runtime would copy them. */
function inSlices(
  bytes: Uint8Array<ArrayBuffer>,
  onPush: () => void,
): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  if (bytes.byteLength <= SMALL) return bytes;
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (at >= bytes.byteLength) return controller.close();
        controller.enqueue(bytes.subarray(at, at + SLICE));
        at += SLICE;
        onPush();
      },
    },
    { highWaterMark: 0 },
  );
}
