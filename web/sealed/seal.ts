import { SealedFailure } from "./failures.ts";
import type { Lock } from "./locks.ts";
import { offThread } from "./off-thread.ts";
import { payloadCipher } from "./payload.ts";
import { CHUNK, chunksOf, NONCE_BYTES, SEALED_CHUNK, sealedSizeOf } from "./sizes.ts";
import { tasks } from "./tasks.ts";

/** What is sealed. A File is one. */
export interface Plain {
  readonly size: number;
  slice(from: number, to: number): Blob | Promise<Blob>;
}

/** What must be kept to go on sealing the same content. It is secret: with it the file can be opened. */
export interface SealState {
  readonly header: Uint8Array;
  readonly fileKey: Uint8Array;
  readonly nonce: Uint8Array;
}

/** A file as it looks when it is sealed. */
export interface Sealed {
  readonly size: number;
  readonly state: SealState;
  /** The bytes of a range, as often and in whatever order they are asked for: they are always the same. */
  slice(from: number, to: number): Promise<Blob>;
}

/** Seals a file: nothing of its content is read before a range is asked for. */
export async function sealFile(plain: Plain, lock: Lock): Promise<Sealed> {
  const { header, fileKey } = await (("password" in lock && offThread) || tasks).newHeader(lock);
  return sealAgain(plain, { header, fileKey, nonce: crypto.getRandomValues(new Uint8Array(NONCE_BYTES)) });
}

/** Reports whether a password opens what such a state seals. Throws what is no wrong password. */
export async function isSealedWith({ header, fileKey }: SealState, password: string): Promise<boolean> {
  try {
    const opened = await (offThread || tasks).fileKeyOf(header, { password });
    return opened.toHex() === fileKey.toHex();
  } catch (error) {
    if (error instanceof SealedFailure && error.code === "wrongKey") return false;
    throw error;
  }
}

/**
 * Goes on sealing what was begun before the page was loaded anew.
 *
 * A state seals one content for ever. Under the same file key and nonce a second content would be sealed with the same key stream: who has
 * both sealed forms learns where they differ, and can then write chunks that open as genuine. Whoever calls this has made sure that the content is
 * the same (its size, when it was changed, a digest of its first and last bytes); if it may be another, seal it anew with `sealFile`.
 */
export function sealAgain(plain: Plain, state: SealState): Sealed {
  const { header, fileKey, nonce } = state;
  const front = new Uint8Array([...header, ...nonce]);
  const size = front.length + sealedSizeOf(plain.size);
  const isSame = createSealedOnce(plain.size);
  let cipher: ReturnType<typeof payloadCipher> | undefined;
  return {
    size,
    state,
    async slice(from, to) {
      const [begin, end] = [Math.min(Math.max(0, from), size), Math.min(Math.max(0, to), size)];
      if (begin >= end) return new Blob([]);
      const parts: BlobPart[] = [front.subarray(begin, end)];
      cipher ??= payloadCipher(fileKey, nonce);
      const { seal } = await cipher;
      const [low, high] = [Math.max(0, begin - front.length), end - front.length];
      parts.push(...(high <= 0 ? [] : await sealedRange({ plain, isSame, seal }, low, high)));
      return new Blob(parts);
    },
  };
}

/** So many chunks are sealed together: two MiB of plain text. */
const RUN = 32;
/** So many runs are worked on at once. */
const RUNS_AT_ONCE = 2;

type Seal = Awaited<ReturnType<typeof payloadCipher>>["seal"];

/**
 * Tells of each chunk whether it is sealed for the first time or as before. Not every browser refuses to read a file that has changed since it
 * was chosen, and what is sent again must be what was sent: of each chunk a part of its tag is known again.
 */
function createSealedOnce(size: number): (chunk: number, sealed: Uint8Array) => boolean {
  let known: Uint32Array | undefined;
  return (chunk, sealed) => {
    known ??= new Uint32Array(chunksOf(size));
    const mark = new DataView(sealed.buffer, sealed.byteOffset, sealed.length).getUint32(sealed.length - 4) || 1;
    const before = known[chunk];
    known[chunk] = before || mark;
    return !before || before === mark;
  };
}

interface Sealing {
  readonly plain: Plain;
  readonly isSame: ReturnType<typeof createSealedOnce>;
  readonly seal: Seal;
}

/** A range of the sealed content, not empty. Each run becomes a Blob at once, which browsers need not hold in the page's memory. */
async function sealedRange({ plain, isSame, seal }: Sealing, from: number, to: number): Promise<Blob[]> {
  const [first, last] = [Math.floor(from / SEALED_CHUNK), Math.ceil(to / SEALED_CHUNK)];
  const count = chunksOf(plain.size);
  const starts = Array.from({ length: Math.ceil((last - first) / RUN) }, (_, place) => first + place * RUN);
  const done: Blob[] = [];
  const sealRun = async (place: number, start: number) => {
    const end = Math.min(start + RUN, last);
    const content = await plain.slice(start * CHUNK, Math.min(end * CHUNK, plain.size));
    const bytes = new Uint8Array(await content.arrayBuffer());
    if (bytes.length !== Math.min(end * CHUNK, plain.size) - start * CHUNK) throw new Error("The file has changed.");
    const sealed = await seal({ bytes, first: start, ends: end === count });
    for (let chunk = start; chunk < end; chunk++) {
      const at = (chunk - start) * SEALED_CHUNK;
      if (!isSame(chunk, sealed.subarray(at, at + SEALED_CHUNK))) throw new Error("The file has changed.");
    }
    const offset = start * SEALED_CHUNK;
    done[place] = new Blob([sealed.subarray(Math.max(0, from - offset), to - offset)]);
  };
  const waiting = starts.entries();
  await Promise.all(
    Array.from({ length: RUNS_AT_ONCE }, async () => {
      for (const [place, start] of waiting) await sealRun(place, start);
    }),
  );
  return done;
}
