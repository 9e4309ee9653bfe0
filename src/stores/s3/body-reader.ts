import { Failure } from "#contract/failures";
import { createDigests } from "../../lib/digests/digests.ts";
import { createTimer } from "../../lib/timer.ts";
import { type Bounds, checkSize, chunksOf, type Incoming, isCut } from "../store.ts";

/**
 * Reads the body of an upload in pieces of the sizes that a storage takes. Throws 400 upload.length when the body has another
 * length than stated, its connection breaks or its sender stops sending, 413 file.tooLarge, and the reason of an abort.
 */
export function createBodyReader(body: Incoming, bounds: ReaderBounds) {
  const { take, release, end, cancel } = createPieces(body, bounds);

  return {
    end,

    /** Fills a buffer with the next bytes. Returns the part of it that was filled, which is shorter at the end of the body. */
    async fill(buffer: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
      let filled = 0;
      while (filled < buffer.byteLength) {
        const piece = await take(buffer.byteLength - filled);
        if (!piece) break;
        buffer.set(piece, filled);
        filled += piece.byteLength;
        release();
      }
      return buffer.subarray(0, filled);
    },

    /**
     * Streams exactly the next so many bytes. Holds back the last piece of a body until it is certain to be the last, so that no
     * storage publishes a body that is too long.
     */
    stream(size: number, { last, onPull, onPush }: StreamOptions): ReadableStream<Uint8Array> {
      let left = size;
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            if (left === 0) return controller.close();
            onPull();
            const piece = await take(left);
            if (!piece) throw new Failure("upload.length");
            if (last && piece.byteLength === left) {
              await end();
              await bounds.beforeCommit?.();
            }
            left -= piece.byteLength;
            controller.enqueue(piece);
            onPush();
          },
        },
        { highWaterMark: 0 },
      );
    },

    cancel,
  };
}

/** Reads a body chunk by chunk, checks it, and cuts it into pieces of at most the size that is asked for. */
function createPieces(body: Incoming, { idleMs, ...bounds }: ReaderBounds) {
  const over = new AbortController();
  const { length, signal, digesting } = bounds;
  const digests = createDigests(digesting?.names ?? []);
  const stop = () => over.abort(new Failure("upload.length"));
  const timer = createTimer(stop);
  const chunks = chunksOf(body, signal ? AbortSignal.any([signal, over.signal]) : over.signal);
  let rest: Uint8Array | undefined;
  let chunk: Uint8Array | undefined;
  let total = 0;

  /** Reads the next piece; undefined at the end. */
  const next = async (): Promise<Uint8Array | undefined> => {
    const left = rest;
    rest = undefined;
    if (left) return left;
    const { done, value } = await read();
    if (done) {
      if (length !== undefined && total !== length) throw new Failure("upload.length");
      return undefined;
    }
    chunk = value;
    total += value.byteLength;
    checkSize(bounds, total);
    digests.update(value);
    return value.byteLength > 0 ? value : await next();
  };

  const read = async () => {
    timer.restart(idleMs);
    try {
      return await chunks.next();
    } catch (error) {
      throw isCut(error) && !signal?.aborted ? new Failure("upload.length") : error;
    } finally {
      timer.pause();
    }
  };

  /** Reads up to so many bytes of the next piece. */
  const take = async (most: number): Promise<Uint8Array | undefined> => {
    const piece = await next();
    if (!piece || piece.byteLength <= most) return piece;
    rest = piece.subarray(most);
    return piece.subarray(0, most);
  };

  /** Frees the memory of a chunk that was copied, because the collector does not see how much Bun (1.4.5) holds for it. */
  const release = (): void => {
    const { buffer, byteLength } = chunk ?? {};
    if (bounds.disposable && !rest && buffer instanceof ArrayBuffer && buffer.byteLength === byteLength)
      buffer.transfer(0);
  };

  /** Checks that the body ends here, was not aborted, and has the digests that it should have. To be called once. */
  const end = async (): Promise<void> => {
    if ((await next()) !== undefined) throw new Failure("upload.length");
    signal?.throwIfAborted();
    digesting?.check(digests.finish());
  };

  return {
    take,
    release,
    end,

    /** Stops reading, also in the middle of a read. */
    cancel(): void {
      timer.clear();
      stop();
    },
  };
}

interface StreamOptions {
  /** Whether the body ends with these bytes. */
  readonly last: boolean;
  /** Called before a piece is read from the sender. */
  readonly onPull: () => void;
  /** Called when a piece is handed to the storage. */
  readonly onPush: () => void;
}

interface ReaderBounds extends Bounds {
  /** The milliseconds that the sender may pause. */
  readonly idleMs: number;
}

export type BodyReader = ReturnType<typeof createBodyReader>;
