import { crc32 } from "node:zlib";

/** An entry of an archive. */
export interface ZipEntry {
  /** Relative, its segments divided by slashes; that of a folder ends in one. */
  readonly name: string;
  /** Epoch milliseconds. */
  readonly modified: number;
  readonly content: Uint8Array | ZipPieces;
}

/** A file that is too large to be held in memory. */
export interface ZipPieces {
  /** Bytes that the pieces have together. */
  readonly size: number;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** An entry as far as it is written. */
interface Written {
  readonly name: Buffer;
  readonly modified: number;
  readonly size: number;
  /** Where it begins. */
  readonly offset: number;
  /** Whether size and checksum follow it, because they were unknown before. */
  readonly trailed: boolean;
}

const MOST = 0xffff_ffff;
const MAX_ENTRIES = 0xffff;
const UTF8 = 0x0800;
const TRAILED = 0x0008;
/** The format version that a reader must support: 4.5 has zip64. */
const [PLAIN, ZIP64] = [20, 45];
const UNIX = 3 << 8;
const [FILE_MODE, FOLDER_MODE] = [0o100644, 0o040755];
const FOLDER_BIT = 0x10;
/** Bytes of the directory that become one buffer. */
const PAGE = 64 * 1024;
/** Bytes that the directory may have: 600,000 files whose paths have 50 letters. */
const MOST_DIRECTORY = 64 * 1024 * 1024;

/** Is awaited before so many bytes more are kept until the end of an archive. */
type Keep = (bytes: number) => Promise<void>;

const keepFreely: Keep = async () => undefined;

/**
 * Writes a zip archive piece by piece: stored without compression, names in UTF-8, of any size (APPNOTE 6.3.10, with
 * zip64). Keeps only the directory in memory, as `keep` lets it. Throws if a file has another number of bytes than declared, and when
 * there are too many.
 */
export async function* zipOf(entries: AsyncIterable<ZipEntry>, keep = keepFreely): AsyncGenerator<Uint8Array> {
  const directory = createDirectory();
  let offset = 0;
  for await (const { name, modified, content } of entries) {
    const whole = content instanceof Uint8Array;
    const size = whole ? content.byteLength : content.size;
    const written = { name: Buffer.from(name), modified, size, offset, trailed: !whole };
    const { checksum, around } = yield* whole ? atOnce(written, content) : piecewise(written, content);
    await directory.add(written, checksum, keep);
    offset += size + around;
  }
  yield* directory.end(offset);
}

/** The directory's fields of an entry, and the size of its own headers. */
interface Passed {
  readonly checksum: number;
  readonly around: number;
}

function* atOnce(written: Written, content: Uint8Array): Generator<Uint8Array, Passed> {
  const checksum = crc32(content);
  const head = headOf(written, checksum);
  yield head;
  yield content;
  return { checksum, around: head.byteLength };
}

async function* piecewise(written: Written, content: ZipPieces): AsyncGenerator<Uint8Array, Passed> {
  const head = headOf(written, 0);
  yield head;
  const checksum = yield* counted(content);
  const trail = trailOf(written, checksum);
  yield trail;
  return { checksum, around: head.byteLength + trail.byteLength };
}

/** Passes the pieces on and returns their checksum. */
async function* counted({ size, pieces }: ZipPieces): AsyncGenerator<Uint8Array, number> {
  let [checksum, left] = [0, size];
  for await (const piece of pieces) {
    left -= piece.byteLength;
    if (left < 0) break;
    checksum = crc32(piece, checksum);
    yield piece;
  }
  if (left !== 0) throw new Error("A file has not as many bytes as was said.");
  return checksum;
}

const isBig = (size: number): boolean => size >= MOST;
const short = (size: number): number => Math.min(size, MOST);

/** Local file header (4.3.7). */
function headOf({ name, modified, size, trailed }: Written, checksum: number): Buffer {
  const big = isBig(size);
  const known = trailed ? 0 : size;
  const extra = Buffer.concat([big ? bigNumbers(known, known) : none, unixTime(modified)]);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(big ? ZIP64 : PLAIN, 4);
  head.writeUInt16LE(UTF8 | (trailed ? TRAILED : 0), 6);
  head.writeUInt32LE(dosTime(modified), 10);
  head.writeUInt32LE(checksum, 14);
  head.writeUInt32LE(big ? MOST : known, 18);
  head.writeUInt32LE(big ? MOST : known, 22);
  head.writeUInt16LE(name.byteLength, 26);
  head.writeUInt16LE(extra.byteLength, 28);
  return Buffer.concat([head, name, extra]);
}

/** Data descriptor (4.3.9). */
function trailOf({ size }: Written, checksum: number): Buffer {
  const big = isBig(size);
  const trail = Buffer.alloc(big ? 24 : 16);
  trail.writeUInt32LE(0x08074b50, 0);
  trail.writeUInt32LE(checksum, 4);
  if (big) for (const at of [8, 16]) trail.writeBigUInt64LE(BigInt(size), at);
  else for (const at of [8, 12]) trail.writeUInt32LE(size, at);
  return trail;
}

/** Central directory header (4.3.12). */
function recordOf({ name, modified, size, offset, trailed }: Written, checksum: number): Buffer {
  const far = [...(isBig(size) ? [size, size] : []), ...(isBig(offset) ? [offset] : [])];
  const extra = Buffer.concat([far.length > 0 ? bigNumbers(...far) : none, unixTime(modified)]);
  const folder = name.at(-1) === "/".charCodeAt(0);
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(UNIX | ZIP64, 4);
  record.writeUInt16LE(far.length > 0 ? ZIP64 : PLAIN, 6);
  record.writeUInt16LE(UTF8 | (trailed ? TRAILED : 0), 8);
  record.writeUInt32LE(dosTime(modified), 12);
  record.writeUInt32LE(checksum, 16);
  record.writeUInt32LE(short(size), 20);
  record.writeUInt32LE(short(size), 24);
  record.writeUInt16LE(name.byteLength, 28);
  record.writeUInt16LE(extra.byteLength, 30);
  record.writeUInt16LE(folder ? FOLDER_BIT : 0, 38);
  record.writeUInt16LE(folder ? FOLDER_MODE : FILE_MODE, 40);
  record.writeUInt32LE(short(offset), 42);
  return Buffer.concat([record, name, extra]);
}

/** The directory at the end of an archive. */
function createDirectory() {
  const pages: Buffer[] = [];
  let page: Buffer[] = [];
  let [count, size, onPage] = [0, 0, 0];

  return {
    async add(written: Written, checksum: number, keep: Keep): Promise<void> {
      const record = recordOf(written, checksum);
      count += 1;
      size += record.byteLength;
      onPage += record.byteLength;
      page.push(record);
      if (onPage < PAGE) return;
      if (size > MOST_DIRECTORY) throw new Error("There are too many files for one archive.");
      await keep(onPage);
      pages.push(Buffer.concat(page));
      page = [];
      onPage = 0;
    },

    /** What follows the last entry, which ends at `offset` (4.3.14 to 4.3.16). */
    *end(offset: number): Generator<Buffer> {
      yield* pages;
      yield Buffer.concat(page);
      if (count >= MAX_ENTRIES || isBig(size) || isBig(offset)) yield bigEnd({ count, size, offset });
      const end = Buffer.alloc(22);
      end.writeUInt32LE(0x06054b50, 0);
      for (const at of [8, 10]) end.writeUInt16LE(Math.min(count, MAX_ENTRIES), at);
      end.writeUInt32LE(short(size), 12);
      end.writeUInt32LE(short(offset), 16);
      yield end;
    },
  };
}

/** Zip64 end of central directory, and where that is. */
function bigEnd({ count, size, offset }: Readonly<Record<"count" | "size" | "offset", number>>): Buffer {
  const end = Buffer.alloc(76);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(UNIX | ZIP64, 12);
  end.writeUInt16LE(ZIP64, 14);
  for (const at of [24, 32]) end.writeBigUInt64LE(BigInt(count), at);
  end.writeBigUInt64LE(BigInt(size), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(offset + size), 64);
  end.writeUInt32LE(1, 72);
  return end;
}

const none = Buffer.alloc(0);

/** Zip64 extended information (4.5.3). */
function bigNumbers(...numbers: number[]): Buffer {
  const extra = Buffer.alloc(4 + 8 * numbers.length);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8 * numbers.length, 2);
  for (const [index, one] of numbers.entries()) extra.writeBigUInt64LE(BigInt(one), 4 + 8 * index);
  return extra;
}

/** Extended timestamp of Info-ZIP: an instant independent of the reader's time zone; the other field has no zone. */
function unixTime(modified: number): Buffer {
  const seconds = Math.floor(modified / 1000);
  if (seconds < 0 || seconds > 0x7fff_ffff) return none;
  const extra = Buffer.alloc(9);
  extra.writeUInt16LE(0x5455, 0);
  extra.writeUInt16LE(5, 2);
  extra.writeUInt8(1, 4);
  extra.writeInt32LE(seconds, 5);
  return extra;
}

/** Date and time as 4.4.6 has them: local, in steps of two seconds, from 1980 to 2107. */
function dosTime(modified: number): number {
  const at = new Date(modified);
  const year = at.getFullYear();
  if (!(year >= 1980)) return dosDate(1980, 1, 1);
  if (year > 2107) return dosDate(2107, 12, 31);
  const time = (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1);
  return dosDate(year, at.getMonth() + 1, at.getDate()) + time;
}

const dosDate = (year: number, month: number, day: number): number =>
  (((year - 1980) << 9) | (month << 5) | day) * 0x1_0000;
