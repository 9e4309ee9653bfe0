/** Answers that go by way of a file, from which the system sends them however slow their readers are. */

import { sized } from "../../lib/counting.ts";
import { type Coding, packedAs, packedStream } from "../../lib/packing.ts";
import type { Transfers } from "../../transfers/transfers.ts";

/** How long the file of an answer keeps its name, in milliseconds: it is opened as soon as the answer is sent. */
const NAMED_FOR = 10_000;

/** Characters of a text that are encoded at once. */
const PIECE = 128 * 1024;

interface Packing {
  readonly coding: Coding | undefined;
  /** Bytes of the file at most. */
  readonly limit: number;
}

/** A text in UTF-8, as it is read. */
export function inPieces(text: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let at = 0;
  return new ReadableStream(
    {
      pull(controller) {
        const last = text.charCodeAt(at + PIECE - 1);
        const isPair = last >= 0xd800 && last < 0xdc00;
        const end = at + PIECE + Number(isPair);
        controller.enqueue(encoder.encode(text.slice(at, end)));
        at = end;
        if (at >= text.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** A function of its own: what an async function makes holds all that is around it, the text too. */
const removeLater = (file: AsyncDisposable): void => {
  setTimeout(() => void file[Symbol.asyncDispose](), NAMED_FOR).unref();
};

/** Makes what puts the body of an answer into a file, which goes once it is being sent. */
export function createAnswerFiles(temporary: Transfers["temporary"]) {
  const filed = async (body: ReadableStream<Uint8Array>, { status, headers }: Response, limit: number) => {
    const file = await temporary(new Response(body), { length: undefined, limit });
    removeLater(file);
    // Else Bun names the file.
    if (!headers.has("content-disposition")) headers.set("content-disposition", "inline");
    return sized(new Response(Bun.file(file.path), { status, headers }), file.size);
  };

  /** The answer with another body by way of a file, compressed where there is a coding. 413 body.tooLarge, 507 storage.full. */
  return async (body: ReadableStream<Uint8Array>, response: Response, { coding, limit }: Packing): Promise<Response> =>
    coding === undefined
      ? await filed(body, response, limit)
      : packedAs(coding, await filed(packedStream(body, coding), response, limit));
}
