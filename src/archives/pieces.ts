import type { Transform } from "node:stream";
import { pipeline, Readable } from "node:stream";
import { broken } from "#contract/archive/pieces";
import { Failure } from "#contract/failures";
import { MAX_UNPACKED_RATIO, MIN_UNPACKED_BYTES } from "#contract/limits";

/** Bytes as they are read from files of zip. */
export const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Passes bytes through a decompressor, which makes its next piece when the one before was taken. 400 archive.broken. */
export async function* decompressed(
  source: AsyncIterable<Uint8Array>,
  decompressor: Transform,
): AsyncGenerator<Uint8Array> {
  pipeline(Readable.from(source), decompressor, () => undefined);
  try {
    yield* decompressor;
  } catch (error) {
    // Its own errors have codes such as Z_DATA_ERROR.
    const isOfZlib = error instanceof Error && "code" in error && /^(Z|ZSTD)_/.test(`${error.code}`);
    throw isOfZlib || (error instanceof Error && /zstd/i.test(error.message)) ? broken() : error;
  } finally {
    decompressor.destroy();
  }
}

/** The most bytes that an archive of this size may unpack to. */
export const allowance = (size: number): number => MIN_UNPACKED_BYTES + MAX_UNPACKED_RATIO * size;

/** Passes on at most so many bytes. 413 archive.bomb. */
export async function* bounded(source: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let passed = 0;
  for await (const piece of source) {
    passed += piece.byteLength;
    if (passed > most) throw new Failure("archive.bomb");
    yield piece;
  }
}
