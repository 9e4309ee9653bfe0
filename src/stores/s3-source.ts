import { Failure } from "#contract/failures";
import { type Bounds, checkSize, chunksOf, isCut } from "./bodies.ts";
import { createLimit } from "./s3-watch.ts";
import type { Incoming } from "./store.ts";

/**
 * The body of an upload, taken in pieces that a storage wants. Failures: 400 upload.length when it is not as long as it must be,
 * its connection breaks or its sender falls silent, 413 file.tooLarge, and the reason of an abort.
 */
export function createSource(body: Incoming, { patience, ...bounds }: SourceBounds) {
  const over = new AbortController();
  const { length, signal } = bounds;
  const stop = () => over.abort(new Failure("upload.length"));
  const limit = createLimit(stop);
  const chunks = chunksOf(body, signal ? AbortSignal.any([signal, over.signal]) : over.signal);
  let rest: Uint8Array | undefined;
  let total = 0;

  /** The next piece, undefined at the end. */
  const next = async (): Promise<Uint8Array | undefined> => {
    const left = rest;
    rest = undefined;
    if (left) return left;
    const { done, value } = await read();
    if (done) {
      if (length !== undefined && total !== length) throw new Failure("upload.length");
      return undefined;
    }
    total += value.byteLength;
    checkSize(bounds, total);
    return value.byteLength > 0 ? value : await next();
  };

  const read = async () => {
    limit.wait(patience);
    try {
      return await chunks.next();
    } catch (error) {
      throw isCut(error) && !signal?.aborted ? new Failure("upload.length") : error;
    } finally {
      limit.pause();
    }
  };

  /** Up to so many bytes of the next piece. */
  const take = async (most: number): Promise<Uint8Array | undefined> => {
    const piece = await next();
    if (!piece || piece.byteLength <= most) return piece;
    rest = piece.subarray(most);
    return piece.subarray(0, most);
  };

  /** Makes sure that nothing comes any more, and that it was not aborted. */
  const end = async (): Promise<void> => {
    if ((await next()) !== undefined) throw new Failure("upload.length");
    signal?.throwIfAborted();
  };

  return {
    end,

    /** Fills a buffer with the next bytes; answers as much of it as there was at the end of the body. */
    async fill(buffer: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
      let filled = 0;
      while (filled < buffer.byteLength) {
        const piece = await take(buffer.byteLength - filled);
        if (!piece) break;
        buffer.set(piece, filled);
        filled += piece.byteLength;
      }
      return buffer.subarray(0, filled);
    },

    /**
     * Exactly the next so many bytes. The last piece of a body goes out once it is sure to be the last, so that a storage has
     * no chance to publish what is longer than it should be.
     */
    stream(size: number, { last, asked, given }: StreamOptions): ReadableStream<Uint8Array> {
      let left = size;
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            if (left === 0) return controller.close();
            asked();
            const piece = await take(left);
            if (!piece) throw new Failure("upload.length");
            if (last && piece.byteLength === left) await end();
            left -= piece.byteLength;
            controller.enqueue(piece);
            given();
          },
        },
        { highWaterMark: 0 },
      );
    },

    /** Reads no more of it, also when it is being waited for. */
    cancel(): void {
      limit.end();
      stop();
    },
  };
}

interface StreamOptions {
  /** Whether the body ends with these bytes. */
  readonly last: boolean;
  /** Called when a piece is asked of the sender, and when it is given to the storage. */
  readonly asked: () => void;
  readonly given: () => void;
}

interface SourceBounds extends Bounds {
  /** How long the sender may be silent, in milliseconds. */
  readonly patience: number;
}

export type Source = ReturnType<typeof createSource>;
