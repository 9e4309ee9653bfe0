import { Failure } from "../failures.ts";

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
    async take(bytes: number): Promise<Uint8Array> {
      const taken = new Uint8Array(bytes);
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
