import { chunksOf, type Incoming } from "../stores/store.ts";

/** A body that is read piece by piece. What came before it broke off counts. */
export interface BodyReader {
  /** The next bytes, at most so many; fewer when there are no more. */
  take(most: number): ReadableStream<Uint8Array>;
  /** Whether there is nothing more; waits for what may come. */
  isOver(): Promise<boolean>;
  /** Throws what the body has ended with, where it did not come whole. */
  check(): void;
}

/** Milliseconds in which what is on its way already is read after an abort: of a connection that broke, everything. */
const GRACE = 250;

/** Aborts a moment after another signal does. */
function later(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const abort = () => void setTimeout(() => controller.abort(signal.reason), GRACE).unref();
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return controller.signal;
}

/** Reads a body until it ends, breaks off or is aborted. */
export function readBody(body: Incoming, signal: AbortSignal): BodyReader {
  const chunks = chunksOf(body, later(signal));
  let rest: Uint8Array | undefined;
  let broken: { readonly error: unknown } | undefined;

  const next = async (): Promise<Uint8Array | undefined> => {
    if (broken) return undefined;
    try {
      return rest ?? (await chunks.next()).value ?? undefined;
    } catch (error) {
      broken = { error };
      return undefined;
    } finally {
      rest = undefined;
    }
  };

  return {
    take(most) {
      let left = most;
      return new ReadableStream(
        {
          async pull(controller) {
            const chunk = left > 0 ? await next() : undefined;
            if (!chunk) return controller.close();
            if (chunk.byteLength > left) rest = chunk.subarray(left);
            const piece = chunk.subarray(0, left);
            left -= piece.byteLength;
            controller.enqueue(piece);
          },
        },
        { highWaterMark: 0 },
      );
    },

    async isOver() {
      do rest = await next();
      while (rest?.byteLength === 0);
      return rest === undefined;
    },

    check() {
      if (broken) throw broken.error;
    },
  };
}
