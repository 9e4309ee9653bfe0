import { createYielder } from "./turns.ts";

/** Characters that are sent at once. */
const PIECE = 64 * 1024;

/**
 * A text as long as it may be, which is written while it is sent: it is never in memory as a whole, and makes way for others every few
 * milliseconds. What breaks it off, `broken` learns, and the answer ends as an error.
 */
export function streamedText(
  pieces: AsyncGenerator<string>,
  init: ResponseInit,
  broken: (error: unknown) => void,
): Response {
  const encoder = new TextEncoder();
  const yielder = createYielder();
  let text = "";
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        while (text.length < PIECE) {
          const next = await pieces.next();
          if (next.done) {
            if (text !== "") controller.enqueue(encoder.encode(text));
            return controller.close();
          }
          text += next.value;
          await yielder.yieldIfDue();
        }
        controller.enqueue(encoder.encode(text));
        text = "";
      } catch (error) {
        broken(error);
        throw error;
      }
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
  return new Response(stream, init);
}
