import { unshared } from "./bytes.ts";
import { SealedFailure } from "./failures.ts";
import { payloadCipher } from "./payload.ts";
import { CHUNK, chunksOf, SEALED_CHUNK } from "./sizes.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Sealed bytes, wherever they are. */
export interface SealedSource {
  readonly size: number;
  /** What is answered is the caller's, and so is its memory: `spare` is some that may be used for it, and is then lost to the caller. */
  read(from: number, to: number, signal?: AbortSignal, spare?: Bytes): Promise<Uint8Array>;
}

/** What reads the content of one file. It is secret. */
export interface Opening {
  readonly fileKey: Uint8Array;
  readonly nonce: Uint8Array;
  readonly payloadStart: number;
  readonly sealedSize: number;
  /** Of the content. */
  readonly size: number;
}

/** Reads a range that a source must have. */
export async function readExactly(source: SealedSource, from: number, to: number, signal?: AbortSignal, spare?: Bytes) {
  const bytes = unshared(await source.read(from, to, signal, spare));
  if (bytes.length < to - from) throw new SealedFailure("truncated");
  if (bytes.length > to - from) throw new SealedFailure("damaged");
  return bytes;
}

/** So many chunks are on their way while another is taken: where workers open them, each has something to do. */
const CHUNKS_AHEAD = 4;

/** The content of a range, from `from` up to `to`. The stream ends with a SealedFailure where a chunk is not what was sealed. */
export function readOpened(
  source: SealedSource,
  opening: Opening,
  from: number,
  to: number,
  signal?: AbortSignal,
): ReadableStream<Bytes> {
  const ending = new AbortController();
  const ended = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
  const chunks = chunksIn(Math.max(0, from), Math.min(to, opening.size));
  const open = chunkOpener(source, opening, ended);
  const ahead: Promise<Bytes>[] = [];
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        while (ahead.length < CHUNKS_AHEAD) {
          const { value, done } = chunks.next();
          if (done) break;
          const chunk = open(value);
          // It is awaited in its turn, or never: nobody else is to be told of a failure.
          chunk.catch(() => undefined);
          ahead.push(chunk);
        }
        const first = ahead.shift();
        if (first === undefined) return controller.close();
        try {
          controller.enqueue(await first);
        } catch (error) {
          ending.abort();
          throw error;
        }
      },
      cancel: (reason) => ending.abort(reason),
    },
    { highWaterMark: 0 },
  );
}

/** A chunk, and which of its bytes are wanted. */
interface Wanted {
  readonly chunk: number;
  readonly begin: number;
  readonly end: number;
}

function* chunksIn(from: number, to: number): Generator<Wanted, undefined> {
  for (let chunk = Math.floor(from / CHUNK); chunk * CHUNK < to && from < to; chunk++) {
    const start = chunk * CHUNK;
    yield { chunk, begin: Math.max(0, from - start), end: Math.min(to - start, CHUNK) };
  }
}

/**
 * Reads and opens one chunk after another, each into the memory of an earlier one: browsers are slow to find memory for what is read, and slow to
 * give it back.
 */
function chunkOpener(
  source: SealedSource,
  { fileKey, nonce, payloadStart, sealedSize, size }: Opening,
  signal: AbortSignal,
) {
  const cipher = payloadCipher(fileKey, nonce);
  const spare: Bytes[] = [];
  return async ({ chunk, begin, end }: Wanted): Promise<Bytes> => {
    const { open } = await cipher;
    const start = payloadStart + chunk * SEALED_CHUNK;
    const bytes = await readExactly(source, start, Math.min(start + SEALED_CHUNK, sealedSize), signal, spare.pop());
    const plain = await open({ bytes, first: chunk, ends: chunk + 1 === chunksOf(size) });
    // What is a part of more may be its source's yet.
    if (bytes.length === SEALED_CHUNK && bytes.buffer.byteLength === SEALED_CHUNK) spare.push(bytes);
    return plain.subarray(begin, end);
  };
}
