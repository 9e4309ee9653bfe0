import type { Transform } from "node:stream";
import { pipeline, Readable } from "node:stream";
import { Failure } from "#contract/failures";
import { MAX_UNPACKED_RATIO, MIN_UNPACKED_BYTES } from "#contract/limits";

const none = new Uint8Array();

export const broken = () => new Failure("archive.broken");

/** Reads bytes as they are asked for, and holds no more than one piece of them. 400 archive.broken where they end too soon. */
export function createPieces(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]();
  let held: Uint8Array = none;

  /** The next bytes, at least one and at most so many. */
  const some = async (most: number): Promise<Uint8Array> => {
    while (held.byteLength === 0) {
      const { done, value } = await iterator.next();
      if (done) throw broken();
      held = value;
    }
    const piece = held.subarray(0, most);
    held = held.subarray(piece.byteLength);
    return piece;
  };

  return {
    some,

    /** Exactly so many bytes, which are held in memory. */
    async take(bytes: number): Promise<Buffer> {
      const taken = Buffer.alloc(bytes);
      for (let at = 0; at < bytes; ) {
        const piece = await some(bytes - at);
        taken.set(piece, at);
        at += piece.byteLength;
      }
      return taken;
    },

    async *pass(bytes: number): AsyncGenerator<Uint8Array> {
      for (let left = bytes; left > 0; ) {
        const piece = await some(left);
        left -= piece.byteLength;
        yield piece;
      }
    },

    /** Ends what the bytes come from. */
    close: async (): Promise<void> => void (await iterator.return?.()),
  };
}

export type Pieces = ReturnType<typeof createPieces>;

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
