import { classify, invalidAnswer } from "./errors.ts";
import type { Streams } from "./streams.ts";
import type { Timeout, Timeouts } from "./timeouts.ts";

interface Download {
  /** Bytes that the answer must have. */
  readonly length: number;
  readonly timeout: Timeout;
  readonly timeouts: Timeouts;
  readonly streams: Streams;
  /** Sends the request, which `timeout` limits; undefined when the object has changed. */
  readonly send: () => Promise<Response | undefined>;
}

/** The bytes of an object as a stream. Sends the request with the first read. */
export function createDownload({ length, timeout, timeouts, streams, send }: Download): ReadableStream<Uint8Array> {
  timeout.clear();
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let left = length;
  let leave: () => void = () => undefined;
  const begin = async () => {
    timeout.restart(timeouts.idle);
    leave = await streams.enter(timeout.signal);
    timeout.restart(timeouts.answer);
    const response = await send();
    if (!response?.body) throw invalidAnswer("the object changed");
    return response.body.getReader();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          reader ??= await begin();
          timeout.restart(timeouts.idle);
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
}
