import { broken, createPieces } from "#contract/archive/pieces";
import { Failure } from "#contract/failures";
import { MAX_UNPACKED_ENTRIES, MAX_ZIP_LIST_BYTES } from "#contract/limits";
import { inSlices } from "../lib/turns.ts";
import type { ArchiveSource } from "./archive.ts";
import { allowance, asBuffer } from "./pieces.ts";

/** The list at the end of a zip, which says what is in it and where (APPNOTE 6.3.10, sections 4.3.12 to 4.3.16). */

const [ENTRY, END, END64, LOCATOR64] = [0x02014b50, 0x06054b50, 0x06064b50, 0x07064b50];
const [END_BYTES, END64_BYTES, LOCATOR64_BYTES] = [22, 56, 20];
/** Bytes of a local header before its name. */
export const LOCAL_BYTES = 30;
const MOST_COMMENT = 0xffff;
const BIG = 0xffff_ffff;

/** What the list says of one file or folder. */
export interface ZipRecord {
  readonly index: number;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  /** Bytes of it in the archive, and once it is unpacked. */
  readonly packed: number;
  readonly size: number;
  /** Where its local header begins. */
  readonly offset: number;
  readonly name: Buffer;
  readonly extra: Buffer;
  /** Its type and rights on Unix; 0 when it was packed elsewhere. */
  readonly mode: number;
}

export interface ZipList {
  readonly files: number;
  /** Bytes once it is unpacked, as the list says. */
  readonly bytes: number;
  /** Read one after the other from the bytes of the list. */
  records(): Generator<ZipRecord>;
  /** Where the next entry, or the list, begins behind an offset. */
  after(offset: number): number;
}

/** Where the list is. */
interface ListPlace {
  readonly start: number;
  readonly bytes: number;
  readonly count: number;
  /** What stands before the archive, as before those that unpack themselves: offsets do not count it. */
  readonly before: number;
}

/** Reads and checks the list. 400 archive.broken; 413 archive.tooMany, archive.bomb where entries overlap or are too large together. */
export async function readZipList(source: ArchiveSource): Promise<ZipList> {
  const place = await findList(source);
  if (place.count > MAX_UNPACKED_ENTRIES || place.bytes > MAX_ZIP_LIST_BYTES)
    throw new Failure("archive.tooMany", { limit: MAX_UNPACKED_ENTRIES });
  const list = await bytesAt(source, place.start, place.bytes);
  const records = () => recordsIn(list, place);
  const [starts, ends] = [new Float64Array(place.count), new Float64Array(place.count)];
  let [files, bytes] = [0, 0];
  for await (const some of inSlices(records()))
    for (const { index, offset, packed, size, name } of some) {
      starts[index] = offset;
      ends[index] = offset + LOCAL_BYTES + name.byteLength + packed;
      files += name.at(-1) === SLASH ? 0 : 1;
      bytes += size;
    }
  const sorted = starts.toSorted();
  const after = (offset: number): number => sorted[firstAbove(sorted, offset)] ?? place.start;
  const isTwice = sorted.some((start, index) => index > 0 && start === sorted[index - 1]);
  // What stands once in the archive would be unpacked many times.
  const reaches = (end: number, index: number): boolean => end > after(starts[index] ?? 0);
  if (bytes > allowance(source.size) || isTwice || ends.some(reaches)) throw new Failure("archive.bomb");
  return { files, bytes, records, after };
}

const SLASH = 0x2f;

async function bytesAt({ size, read }: ArchiveSource, start: number, bytes: number): Promise<Buffer> {
  if (start < 0 || start + bytes > size) throw broken();
  if (bytes === 0) return Buffer.alloc(0);
  const pieces = createPieces(read({ start, end: start + bytes - 1 }));
  try {
    return asBuffer(await pieces.take(bytes));
  } finally {
    await pieces.close();
  }
}

async function findList(source: ArchiveSource): Promise<ListPlace> {
  const length = Math.min(source.size, LOCATOR64_BYTES + END_BYTES + MOST_COMMENT);
  const from = source.size - length;
  const tail = await bytesAt(source, from, length);
  for (let at = length - END_BYTES; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== END || at + END_BYTES + tail.readUInt16LE(at + 20) > length) continue;
    const locator = at - LOCATOR64_BYTES;
    if (locator >= 0 && tail.readUInt32LE(locator) === LOCATOR64) return await list64(source, tail.subarray(locator));
    return placeOf({
      end: from + at,
      count: tail.readUInt16LE(at + 10),
      bytes: tail.readUInt32LE(at + 12),
      offset: tail.readUInt32LE(at + 16),
    });
  }
  throw broken();
}

async function list64(source: ArchiveSource, locator: Buffer): Promise<ListPlace> {
  const end = bigIn(locator, 8);
  const record = await bytesAt(source, end, END64_BYTES);
  if (record.readUInt32LE(0) !== END64) throw broken();
  return placeOf({ end, count: bigIn(record, 32), bytes: bigIn(record, 40), offset: bigIn(record, 48) });
}

/** The list ends where the record of the end begins. */
function placeOf({ end, count, bytes, offset }: { end: number; count: number; bytes: number; offset: number }) {
  const start = end - bytes;
  if (start < offset) throw broken();
  return { start, bytes, count, before: start - offset };
}

function bigIn(bytes: Buffer, at: number): number {
  if (at + 8 > bytes.byteLength) throw broken();
  const number = Number(bytes.readBigUInt64LE(at));
  if (!Number.isSafeInteger(number)) throw broken();
  return number;
}

const FIXED = 46;

function* recordsIn(list: Buffer, { count, before }: ListPlace): Generator<ZipRecord> {
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + FIXED > list.byteLength || list.readUInt32LE(at) !== ENTRY) throw broken();
    const name = at + FIXED;
    const extra = name + list.readUInt16LE(at + 28);
    const comment = extra + list.readUInt16LE(at + 30);
    if (comment > list.byteLength) throw broken();
    const [packed, size, offset] = [20, 24, 42].map((field) => list.readUInt32LE(at + field));
    const isUnix = list[at + 5] === 3;
    const record = {
      index,
      flags: list.readUInt16LE(at + 8),
      method: list.readUInt16LE(at + 10),
      crc: list.readUInt32LE(at + 16),
      name: list.subarray(name, extra),
      extra: list.subarray(extra, comment),
      mode: isUnix ? list.readUInt16LE(at + 40) : 0,
    };
    const sizes = sizesOf(record.extra, { packed, size, offset });
    yield { ...record, ...sizes, offset: sizes.offset + before };
    at = comment + list.readUInt16LE(at + 32);
  }
}

interface Sizes {
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

/** Those that are too long for their fields stand in the extra field, in this order (4.5.3). */
function sizesOf(extra: Buffer, { packed = 0, size = 0, offset = 0 }: Partial<Sizes>): Sizes {
  if (packed !== BIG && size !== BIG && offset !== BIG) return { packed, size, offset };
  const big = extraField(extra, 0x0001);
  let at = -8;
  const long = (short: number): number => {
    if (short !== BIG) return short;
    if (!big) throw broken();
    at += 8;
    return bigIn(big, at);
  };
  return { size: long(size), packed: long(packed), offset: long(offset) };
}

/** The data of an extra field; undefined when it is not there. */
export function extraField(extra: Buffer, id: number): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.byteLength; ) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === id && end <= extra.byteLength) return extra.subarray(at + 4, end);
    at = end;
  }
  return undefined;
}

/** The index of the first of these numbers, which are sorted, that is above another one. */
function firstAbove(sorted: Float64Array, than: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) <= than) low = middle + 1;
    else high = middle;
  }
  return low;
}
