import { createSemaphore } from "../../../lib/turns.ts";

/** Texts that are parsed at once, because each takes several times its length of memory. */
const AT_ONCE = 2;
const semaphore = createSemaphore(AT_ONCE, Number.POSITIVE_INFINITY);

/** As a text, because the executable holds no files of modules. Texts that are sent between threads are not copied. */
const program = `
  const parse = (text) => {
    try {
      return { value: JSON.parse(text) };
    } catch {
      return undefined;
    }
  };
  self.onmessage = ({ data }) => postMessage(parse(new TextDecoder().decode(data)));`;

interface Parsed {
  readonly value: unknown;
}

/**
 * Parses JSON in UTF-8 (RFC 8259) on a thread of its own, because JSON.parse is one call: 10 MB of line ends and quotes take 84 ms.
 * Takes the memory of the bytes away. Undefined for what is no JSON. Throws when there is no thread.
 */
export async function parseJsonInWorker(bytes: Uint8Array<ArrayBuffer>): Promise<Parsed | undefined> {
  const turn = await semaphore.run(() => parse(bytes));
  return turn?.result;
}

async function parse(bytes: Uint8Array<ArrayBuffer>): Promise<Parsed | undefined> {
  const url = URL.createObjectURL(new Blob([program], { type: "text/javascript" }));
  const thread = new Worker(url, { smol: true });
  try {
    return await new Promise<Parsed | undefined>((resolve, reject) => {
      thread.addEventListener("message", ({ data }: MessageEvent<Parsed | undefined>) => resolve(data));
      thread.addEventListener("error", ({ message }) => reject(new Error(message)));
      thread.postMessage(bytes, [bytes.buffer]);
    });
  } finally {
    thread.terminate();
    URL.revokeObjectURL(url);
  }
}
