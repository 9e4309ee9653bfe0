import { SealedFailure } from "./failures.ts";
import { headerEnd, MAX_HEADER_BYTES } from "./header.ts";
import type { Key } from "./locks.ts";
import { offThread } from "./off-thread.ts";
import { payloadCipher } from "./payload.ts";
import { type Opening, readExactly, type SealedSource } from "./read-opened.ts";
import { NONCE_BYTES, plainSizeOf, SEALED_CHUNK } from "./sizes.ts";
import { tasks } from "./tasks.ts";

export { type Opening, readOpened, type SealedSource } from "./read-opened.ts";

/** Most headers are shorter by far. */
const FIRST_READ = 2048;

/**
 * Opens the header of a file with a key, and its last chunk: a size that a server says is believed only when the end is the real one. Throws
 * a SealedFailure.
 */
export async function openHeader(source: SealedSource, key: Key, signal?: AbortSignal): Promise<Opening> {
  const { bytes, end } = await readHeader(source, signal);
  const payloadStart = end + NONCE_BYTES;
  if (source.size < payloadStart) throw new SealedFailure("truncated");
  const size = plainSizeOf(source.size - payloadStart);
  const header = bytes.slice(0, end);
  const [fileKey, nonce] = await Promise.all([
    (("password" in key && offThread) || tasks).fileKeyOf(header, key),
    bytes.length < payloadStart ? readExactly(source, end, payloadStart, signal) : bytes.slice(end, payloadStart),
  ]);
  signal?.throwIfAborted();
  const opening: Opening = { fileKey, nonce, payloadStart, sealedSize: source.size, size };
  await checkEnd(source, opening, signal);
  return opening;
}

async function readHeader(source: SealedSource, signal?: AbortSignal): Promise<{ bytes: Uint8Array; end: number }> {
  for (const most of [FIRST_READ, MAX_HEADER_BYTES]) {
    const bytes = await readExactly(source, 0, Math.min(most, source.size), signal);
    const end = headerEnd(bytes);
    if (end !== undefined) return { bytes, end };
    if (bytes.length === source.size) break;
  }
  throw new SealedFailure("truncated");
}

/** Opens the last chunk. */
async function checkEnd(source: SealedSource, opening: Opening, signal?: AbortSignal): Promise<void> {
  const { fileKey, nonce, payloadStart, sealedSize } = opening;
  const first = Math.ceil((sealedSize - payloadStart) / SEALED_CHUNK) - 1;
  const bytes = await readExactly(source, payloadStart + first * SEALED_CHUNK, sealedSize, signal);
  const { open } = await payloadCipher(fileKey, nonce);
  await open({ bytes, first, ends: true });
}
