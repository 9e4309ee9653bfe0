import type { Key, Lock } from "../../../web/sealed/locks.ts";
import { openHeader, readOpened, type SealedSource } from "../../../web/sealed/open.ts";
import { type Plain, sealFile } from "../../../web/sealed/seal.ts";

/** All bytes of a sealed file. */
export async function sealedBytes(plain: Plain, lock: Lock): Promise<Uint8Array<ArrayBuffer>> {
  const sealed = await sealFile(plain, lock);
  return (await sealed.slice(0, sealed.size)).bytes();
}

/** These bytes as a server hands them out. */
export const sourceOf = (bytes: Uint8Array): SealedSource => ({
  size: bytes.length,
  read: async (from, to) => bytes.subarray(from, to),
});

/** The content of a sealed file, or of a range of it. */
export async function opened(source: SealedSource, key: Key, from = 0, to = Number.MAX_SAFE_INTEGER) {
  const opening = await openHeader(source, key);
  return new Response(readOpened(source, opening, from, to)).bytes();
}

/** Bytes that look like chance and are always the same. */
export function bytesFrom(seed: number, length: number): Uint8Array<ArrayBuffer> {
  const next = numbersFrom(seed);
  return Uint8Array.from({ length }, () => next(256));
}

/** Numbers below a limit that look like chance and are always the same (mulberry32). */
export function numbersFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}
