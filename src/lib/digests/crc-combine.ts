import { createYielder } from "../turns.ts";
import type { ChecksumName, Checksums } from "./digests.ts";

/** Bytes in a row, of which a checksum is known. */
interface Piece {
  readonly crc: Uint8Array;
  /** Bytes. */
  readonly size: number;
}

/** A part whose sender had its checksums checked. */
export interface CheckedPart {
  /** Bytes. */
  readonly size: number;
  readonly checksums?: Checksums | undefined;
}

/** Polynomials with their lowest power in the highest bit, by width. */
const kinds = {
  crc32: { width: 32n, polynomial: 0xedb88320n },
  crc32c: { width: 32n, polynomial: 0x82f63b78n },
  crc64nvme: { width: 64n, polynomial: 0x9a6c9329ac4bc9b5n },
} as const;

type CrcName = keyof typeof kinds;

const isCrc = (name: string): name is CrcName => Object.hasOwn(kinds, name);

/** Different sizes of pieces that are remembered. */
const MOST_SHIFTS = 100;

/**
 * The checksum of pieces in a row, of theirs alone: what comes before moves up by as many bytes as follow, which is a multiplication
 * by a power of x (zlib, crc32_combine).
 */
async function combineCrcs(name: CrcName, pieces: readonly Piece[]): Promise<Buffer> {
  const { width, polynomial } = kinds[name];
  const one = 1n << (width - 1n);

  /** The product of two polynomials, modulo that of the checksum. */
  const multiplied = (first: bigint, second: bigint): bigint => {
    let product = 0n;
    let moved = second;
    for (let bit = one; bit > 0n; bit >>= 1n) {
      if ((first & bit) !== 0n) product ^= moved;
      moved = (moved & 1n) === 0n ? moved >> 1n : (moved >> 1n) ^ polynomial;
    }
    return product;
  };

  /** x to the power of the bits of so many bytes. */
  const shiftOf = (size: number): bigint => {
    let [power, result] = [one >> 1n, one];
    for (let left = 8n * BigInt(size); left > 0n; left >>= 1n) {
      if ((left & 1n) === 1n) result = multiplied(power, result);
      power = multiplied(power, power);
    }
    return result;
  };

  const yielder = createYielder();
  // Mostly all pieces but the last have one size.
  const shifts = new Map<number, bigint>();
  let all = 0n;
  for (const { crc, size } of pieces) {
    const shift = shifts.get(size) ?? shiftOf(size);
    if (shifts.size < MOST_SHIFTS) shifts.set(size, shift);
    all = multiplied(shift, all) ^ BigInt(`0x${Buffer.from(crc).toString("hex")}`);
    await yielder.yieldIfDue();
  }
  return Buffer.from(all.toString(16).padStart(Number(width) / 4, "0"), "hex");
}

/** The checksums of parts in a row as one, as far as each part has them and they can be made of those. */
export async function combinedChecksums(parts: readonly CheckedPart[]): Promise<Checksums> {
  const all: Partial<Record<ChecksumName, string>> = {};
  for (const name of Object.keys(parts[0]?.checksums ?? {}).filter(isCrc)) {
    const pieces = parts.flatMap(({ size, checksums }) => {
      const crc = checksums?.[name];
      return crc === undefined ? [] : [{ crc: Buffer.from(crc, "base64"), size }];
    });
    if (pieces.length === parts.length) all[name] = (await combineCrcs(name, pieces)).toString("base64");
  }
  return all;
}
