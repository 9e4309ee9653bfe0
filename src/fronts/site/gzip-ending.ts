import { promisify } from "node:util";
import { constants, crc32, deflateRaw, deflateRawSync } from "node:zlib";

/** A long end of many texts, compressed once for all of them. */
export interface Ending {
  readonly plain: Buffer<ArrayBuffer>;
  readonly deflated: Buffer<ArrayBuffer>;
}

const deflate = promisify(deflateRaw);

/** The header of a file (RFC 1952): deflate, no name, no time, of no system in particular. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

export async function endingOf(text: string): Promise<Ending> {
  const plain = Buffer.from(text);
  return { plain, deflated: Buffer.from(await deflate(plain)) };
}

/**
 * A short beginning and an end as one gzip file. The blocks of deflate stand one behind the other (RFC 1951): those of the beginning end at
 * a byte and say that others follow, and those of the end refer to nothing before them. Streams of brotli cannot be joined so.
 */
export function joinedGzip(beginning: Buffer<ArrayBuffer>, { plain, deflated }: Ending): Blob {
  const first = Buffer.from(deflateRawSync(beginning, { finishFlush: constants.Z_SYNC_FLUSH }));
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(plain, crc32(beginning)), 0);
  trailer.writeUInt32LE((beginning.byteLength + plain.byteLength) % 2 ** 32, 4);
  return new Blob([HEADER, first, deflated, trailer]);
}
