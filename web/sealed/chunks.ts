import { chacha20poly1305 } from "@noble/ciphers/chacha.js";
import { unshared } from "./bytes.ts";
import { SealedFailure } from "./failures.ts";
import { CHUNK, nonceOf, SEALED_CHUNK } from "./sizes.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Chunks of one file that follow each other. */
export interface Run {
  readonly bytes: Bytes;
  /** The number of the first of them. */
  readonly first: number;
  /** Whether the last of them is the file's last. */
  readonly ends: boolean;
}

/** Seals and opens runs of chunks of one file. */
export interface ChunkCipher {
  seal(run: Run): Promise<Bytes>;
  /** Throws a SealedFailure. */
  open(run: Run): Promise<Bytes>;
}

/** What seals or opens one chunk. */
type One = (nonce: Bytes, bytes: Bytes) => Bytes | Promise<Bytes>;

/** Does the same with each chunk of a run, all of them at once where that is elsewhere, and puts the outcomes beside each other. */
async function each({ bytes, first, ends }: Run, from: number, to: number, one: One): Promise<Bytes> {
  const count = Math.max(1, Math.ceil(bytes.length / from));
  if (count === 1) return await one(nonceOf(first, ends), bytes);
  const done = new Uint8Array(bytes.length + count * (to - from));
  await Promise.all(
    Array.from({ length: count }, async (_, place) => {
      const nonce = nonceOf(first + place, ends && place === count - 1);
      done.set(await one(nonce, bytes.subarray(place * from, (place + 1) * from)), place * to);
    }),
  );
  return done;
}

async function openEach(run: Run, one: One): Promise<Bytes> {
  return each(run, SEALED_CHUNK, CHUNK, async (nonce, bytes) => {
    try {
      return await one(nonce, bytes);
    } catch {
      throw new SealedFailure(nonce[11] === 1 && (await goesOn(nonce, bytes, one)) ? "truncated" : "damaged");
    }
  });
}

/** Reports whether what should be the last chunk was written as one before others. */
async function goesOn(nonce: Bytes, bytes: Bytes, one: One): Promise<boolean> {
  const before = nonce.slice();
  before[11] = 0;
  try {
    await one(before, bytes);
    return true;
  } catch {
    return false;
  }
}

/** Chunks by the ChaCha20-Poly1305 of the browser, which works beside the page. */
export const nativeCipher = (key: CryptoKey): ChunkCipher => ({
  seal: (run) =>
    each(run, CHUNK, SEALED_CHUNK, async (iv, bytes) => {
      return new Uint8Array(await crypto.subtle.encrypt({ name: key.algorithm.name, iv }, key, bytes));
    }),
  open: (run) =>
    openEach(run, async (iv, bytes) => {
      return new Uint8Array(await crypto.subtle.decrypt({ name: key.algorithm.name, iv }, key, bytes));
    }),
});

/** The same by a script, a hundred times the work: `off-thread.ts` keeps it away from pages. */
export const scriptCipher = (key: Uint8Array): ChunkCipher => ({
  seal: (run) =>
    each(run, CHUNK, SEALED_CHUNK, (nonce, bytes) => unshared(chacha20poly1305(key, nonce).encrypt(bytes))),
  open: (run) => openEach(run, (nonce, bytes) => unshared(chacha20poly1305(key, nonce).decrypt(bytes))),
});
