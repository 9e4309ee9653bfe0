import { SealedFailure } from "./failures.ts";

/** age seals content in pieces of this size, each with a tag of its own behind it. */
export const CHUNK = 64 * 1024;
const TAG = 16;
export const SEALED_CHUNK = CHUNK + TAG;
/** Between header and content. */
export const NONCE_BYTES = 16;

/** How many chunks hold so many bytes: at least one, so that an end is sealed too. */
export const chunksOf = (size: number): number => Math.max(1, Math.ceil(size / CHUNK));

/** The sealed size of content, without header and nonce. */
export const sealedSizeOf = (size: number): number => size + chunksOf(size) * TAG;

/** The size of content whose sealed form, without header and nonce, has this size. */
export function plainSizeOf(sealed: number): number {
  const rest = sealed % SEALED_CHUNK;
  if (sealed < TAG || (rest > 0 && rest < TAG)) throw new SealedFailure("truncated");
  // A last chunk holds something, unless it is the only one.
  if (rest === TAG && sealed > TAG) throw new SealedFailure("damaged");
  return sealed - Math.ceil(sealed / SEALED_CHUNK) * TAG;
}

/** The nonce of a chunk: its number, and whether it is the last. */
export function nonceOf(chunk: number, isLast: boolean): Uint8Array<ArrayBuffer> {
  const nonce = new Uint8Array(12);
  // Eleven bytes of number, of which no file that exists needs more than the last six.
  const view = new DataView(nonce.buffer);
  view.setUint16(5, Math.floor(chunk / 2 ** 32));
  view.setUint32(7, chunk % 2 ** 32);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}
