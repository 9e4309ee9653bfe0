import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";

/** Digests of bytes that S3 clients send beside them (S3 API, "Checking object integrity"). */
export const digestNames = ["md5", "sha1", "sha256", "crc32", "crc32c", "crc64nvme"] as const;

export type DigestName = (typeof digestNames)[number];

/** A digest that a client may have kept with an object. */
export type ChecksumName = Exclude<DigestName, "md5">;

export const checksumNames = digestNames.filter((name): name is ChecksumName => name !== "md5");

/** Checksums in base64, as S3 writes them. */
export type Checksums = Readonly<Partial<Record<ChecksumName, string>>>;

export type Digests = Readonly<Partial<Record<DigestName, Buffer>>>;

/** What is to be known of a body once all of it has arrived. */
export interface Digesting {
  readonly names: readonly DigestName[];
  /** Those of them that are kept with the object, where its storage can. */
  readonly kept?: readonly ChecksumName[];
  /** Throws for other bytes than were meant. */
  readonly check: (digests: Digests) => void;
}

/** Some of the digests, to be kept. */
export const checksumsOf = (digests: Digests, names: readonly ChecksumName[] = []): Checksums =>
  Object.fromEntries(names.flatMap((name) => (digests[name] ? [[name, digests[name].toString("base64")]] : [])));

/** Takes the SHA-256 of bytes as they come, beside what is taken of them anyway. */
export function withSha256(before?: Digesting) {
  let sha256: Buffer | undefined;
  const digesting: Digesting = {
    ...before,
    names: [...new Set([...(before?.names ?? []), "sha256" as const])],
    check(digests) {
      before?.check(digests);
      sha256 = digests.sha256;
    },
  };
  return { digesting, sha256: () => sha256 };
}

interface Digest {
  update(bytes: Uint8Array): unknown;
  digest(): Buffer;
}

/** Takes several digests of bytes as they come. */
export function createDigests(names: readonly DigestName[]) {
  const running = names.map((name) => [name, create[name]()] as const);
  return {
    update(bytes: Uint8Array): void {
      for (const [, digest] of running) digest.update(bytes);
    },
    finish: (): Digests => Object.fromEntries(running.map(([name, digest]) => [name, digest.digest()])),
  };
}

const create: Readonly<Record<DigestName, () => Digest>> = {
  md5: () => createHash("md5"),
  sha1: () => createHash("sha1"),
  sha256: () => createHash("sha256"),
  crc32: () => checksum32(crc32),
  crc32c: () => checksum32(crc32c),
  crc64nvme: createCrc64,
};

function checksum32(next: (bytes: Uint8Array, before: number) => number): Digest {
  let value = 0;
  return {
    update(bytes) {
      value = next(bytes, value);
    },
    digest() {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value >>> 0);
      return bytes;
    },
  };
}

/** Bytes that one step of the checksums below takes: each has a table of its own ("slicing by 8", Kounavis and Berry 2005). */
const SLICES = 8;

/** What each byte does to a remainder of 64 bits, at each of eight places; polynomials have their lowest power first. */
function tablesFor(highPolynomial: number, lowPolynomial: number): { high: Tables; low: Tables } {
  const tables = () => Array.from({ length: SLICES }, () => new Uint32Array(256)) as Tables;
  const [high, low] = [tables(), tables()];
  for (let index = 0; index < 256; index++) {
    let [upper, lower] = [0, index];
    for (let bit = 0; bit < 8; bit++) {
      const odd = lower & 1;
      lower = ((lower >>> 1) | (upper << 31)) ^ (odd ? lowPolynomial : 0);
      upper = (upper >>> 1) ^ (odd ? highPolynomial : 0);
    }
    high[0][index] = upper;
    low[0][index] = lower;
  }
  for (let place = 1; place < SLICES; place++) {
    const [highBefore, lowBefore] = [high[place - 1] ?? high[0], low[place - 1] ?? low[0]];
    for (let index = 0; index < 256; index++) {
      const [upper, lower] = [word(highBefore, index), word(lowBefore, index)];
      (high[place] ?? high[0])[index] = (upper >>> 8) ^ word(high[0], lower & 0xff);
      (low[place] ?? low[0])[index] = ((lower >>> 8) | (upper << 24)) ^ word(low[0], lower & 0xff);
    }
  }
  return { high, low };
}

const byte = (bytes: Uint8Array, at: number): number => bytes[at] as number;
const word = (table: Table, at: number): number => table[at] as number;

type Table = Uint32Array;
type Tables = [Table, Table, Table, Table, Table, Table, Table, Table];

/** The tables of a polynomial, made by the first checksum that needs them: they would take some milliseconds of each start. */
function tablesWhenNeeded(highPolynomial: number, lowPolynomial: number): () => ReturnType<typeof tablesFor> {
  let made: ReturnType<typeof tablesFor> | undefined;
  return () => (made ??= tablesFor(highPolynomial, lowPolynomial));
}

/** CRC-32C (RFC 3720 section 12.1). */
const castagnoli = tablesWhenNeeded(0, 0x82f63b78);

function crc32c(bytes: Uint8Array, before: number): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = castagnoli().low;
  const { length } = bytes;
  let crc = ~before;
  let at = 0;
  for (; at + SLICES <= length; at += SLICES) {
    crc ^= byte(bytes, at) | (byte(bytes, at + 1) << 8) | (byte(bytes, at + 2) << 16) | (byte(bytes, at + 3) << 24);
    crc =
      word(t7, crc & 0xff) ^
      word(t6, (crc >>> 8) & 0xff) ^
      word(t5, (crc >>> 16) & 0xff) ^
      word(t4, crc >>> 24) ^
      word(t3, byte(bytes, at + 4)) ^
      word(t2, byte(bytes, at + 5)) ^
      word(t1, byte(bytes, at + 6)) ^
      word(t0, byte(bytes, at + 7));
  }
  for (; at < length; at++) crc = (crc >>> 8) ^ word(t0, (crc ^ byte(bytes, at)) & 0xff);
  return ~crc;
}

/** CRC-64/NVME (NVM Express, NVM Command Set section 5.2.1.3.4). */
const nvmeTables = tablesWhenNeeded(0x9a6c9329, 0xac4bc9b5);

function createCrc64(): Digest {
  const nvme = nvmeTables();
  let [high, low] = [-1, -1];
  const step = (index: number): void => {
    const [nextLow, nextHigh] = [(low >>> 8) | (high << 24), high >>> 8];
    low = nextLow ^ word(nvme.low[0], index);
    high = nextHigh ^ word(nvme.high[0], index);
  };
  const sliced = (tables: Tables, a: number, b: number): number =>
    word(tables[7], a & 0xff) ^
    word(tables[6], (a >>> 8) & 0xff) ^
    word(tables[5], (a >>> 16) & 0xff) ^
    word(tables[4], a >>> 24) ^
    word(tables[3], b & 0xff) ^
    word(tables[2], (b >>> 8) & 0xff) ^
    word(tables[1], (b >>> 16) & 0xff) ^
    word(tables[0], b >>> 24);
  return {
    update(bytes) {
      const { length } = bytes;
      let at = 0;
      for (; at + SLICES <= length; at += SLICES) {
        const a =
          low ^
          (byte(bytes, at) | (byte(bytes, at + 1) << 8) | (byte(bytes, at + 2) << 16) | (byte(bytes, at + 3) << 24));
        const b =
          high ^
          (byte(bytes, at + 4) |
            (byte(bytes, at + 5) << 8) |
            (byte(bytes, at + 6) << 16) |
            (byte(bytes, at + 7) << 24));
        low = sliced(nvme.low, a, b);
        high = sliced(nvme.high, a, b);
      }
      for (; at < length; at++) step((low ^ byte(bytes, at)) & 0xff);
    },
    digest() {
      const bytes = Buffer.alloc(8);
      bytes.writeUInt32BE(~high >>> 0, 0);
      bytes.writeUInt32BE(~low >>> 0, 4);
      return bytes;
    },
  };
}
