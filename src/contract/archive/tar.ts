import { Failure, type FailureCode } from "../failures.ts";
import { broken, createPieces, type Pieces } from "./pieces.ts";

/**
 * Reads tar from its beginning to its end (POSIX ustar and pax, GNU long names). The library that writes backups takes the sparse files
 * of GNU for plain ones, whose bytes would be others than those that were packed. The server unpacks by it, and pages list by it.
 */

const BLOCK = 512;
/** Bytes of a name or of attributes that stand before an entry; a path of the tree has 2,000 letters. */
const MOST_SAID = 64 * 1024;
/** Bytes of all that stands before one entry: they pack to next to nothing, and are read for nobody where no entry comes of them. */
const MOST_SAID_OF_ENTRY = 4 * MOST_SAID;
/** Blocks that list the holes of a sparse file. */
const MOST_HOLES = 100_000;

/** Types of headers that say something of the entry behind them. */
const SAYS = "xgLKX";

const PATH = "path=";
const SIZE = "size=";
const SPARSE = "GNU.sparse.";
const ZERO = 0x30;
const SPACE = 0x20;
const none = new Uint8Array();

/** A file or folder of a tar; its name is what somebody wrote there. */
export interface TarEntry {
  /** Its place in the archive, from 0 on. */
  readonly index: number;
  readonly name: string;
  /** A link may be a device too. */
  readonly kind: "file" | "folder" | "link";
  readonly size: number;
  /** Why its bytes cannot be had. */
  readonly problem: FailureCode | undefined;
  /** Its bytes, once, and before the next entry is asked for. 400 archive.broken. */
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

/** What is said of the next entry before its header. */
interface Said {
  path?: string | undefined;
  size?: number | undefined;
  sparse?: boolean | undefined;
}

/** Where a record of a pax header may have a key. */
interface Place {
  readonly key: string;
  readonly from: number;
  readonly end: number;
}

interface Header {
  readonly name: string;
  readonly size: number;
  readonly type: string;
  /** Whether more blocks about holes follow. */
  readonly more: boolean;
}

/**
 * Returns the entries of a tar. Each is passed over when the next one is asked for, however much of it was read. 400 archive.broken;
 * 413 archive.bomb.
 */
export async function* tarEntries(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const pieces = createPieces(source);
  const common: Said = {};
  let own: Said = {};
  try {
    for (let [index, before] = [0, 0]; ; ) {
      const header = headerOf(await pieces.take(BLOCK));
      if (!header) return;
      before += BLOCK;
      if (before > MOST_SAID_OF_ENTRY) throw new Failure("archive.bomb");
      if (SAYS.includes(header.type)) {
        const text = await saidIn(pieces, header);
        before += padded(text.byteLength);
        if (header.type === "g") Object.assign(common, attributesIn(text));
        else if (header.type === "x") own = { ...own, ...attributesIn(text) };
        else if (header.type === "L") own = { ...own, path: textIn(text) };
        continue;
      }
      await passHoles(pieces, header);
      const body = createBody(pieces, header, { ...common, ...own });
      if (header.type !== "V") {
        yield { index: index++, ...body.entry };
        before = 0;
      }
      own = {};
      await body.pass();
    }
  } finally {
    await pieces.close();
  }
}

/** A header whose sum is right; undefined for the mark of the end. */
function headerOf(block: Uint8Array): Header | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  if (sum !== numberIn(block.subarray(148, 156))) throw broken();
  const prefix = latin1(block.subarray(257, 263)) === "ustar\0" ? textIn(block.subarray(345, 500)) : "";
  const name = textIn(block.subarray(0, 100));
  const type = block[156] === 0 ? "0" : String.fromCharCode(block[156] ?? 0);
  const size = numberIn(block.subarray(124, 136));
  return { name: prefix === "" ? name : `${prefix}/${name}`, size, type, more: type === "S" && block[482] === 1 };
}

/** An octal number, or the bytes of one whose first bit is set. */
function numberIn(field: Uint8Array): number {
  const isBinary = ((field[0] ?? 0) & 0x80) !== 0;
  const text = latin1(field)
    .replace(/[\0 ]+$/, "")
    .trimStart();
  if (!isBinary && !/^[0-7]*$/.test(text)) throw broken();
  const number = isBinary
    ? field.reduce((value, byte, at) => value * 256 + (at === 0 ? byte & 0x7f : byte), 0)
    : Number.parseInt(text || "0", 8);
  if (!Number.isSafeInteger(number)) throw broken();
  return number;
}

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

const textIn = (field: Uint8Array): string => {
  const end = field.indexOf(0);
  return decoded(end === -1 ? field : field.subarray(0, end));
};

const decoded = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

const padded = (size: number): number => Math.ceil(size / BLOCK) * BLOCK;

async function saidIn(pieces: Pieces, { size }: Header): Promise<Uint8Array> {
  if (size > MOST_SAID) throw broken();
  return (await pieces.take(padded(size))).subarray(0, size);
}

/** The records of a pax header: their length, a space, `key=value` and the end of a line. There may be many: few are decoded. */
function attributesIn(bytes: Uint8Array): Said {
  const said: Said = {};
  let [path, size]: [Uint8Array, Uint8Array] = [none, none];
  for (let at = 0; at < bytes.byteLength; ) {
    let [key, length] = [at, 0];
    // A length has few digits: what is longer is none.
    for (let digit = bytes[key] ?? 0; isDigit(digit) && key < at + 10; digit = bytes[key] ?? 0) {
      length = length * 10 + digit - ZERO;
      key += 1;
    }
    const end = at + length;
    if (bytes[key] !== SPACE || end > bytes.byteLength || length < 5) throw broken();
    path = valueIn(bytes, { key: PATH, from: key + 1, end }) ?? path;
    size = valueIn(bytes, { key: SIZE, from: key + 1, end }) ?? size;
    if (valueIn(bytes, { key: SPARSE, from: key + 1, end })) said.sparse = true;
    at = end;
  }
  if (path !== none) said.path = decoded(path);
  if (size !== none) said.size = /^\d{1,15}$/.test(latin1(size.subarray(0, 16))) ? Number(latin1(size)) : Number.NaN;
  if (Number.isNaN(said.size)) throw broken();
  return said;
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= ZERO + 9;

/** What follows a key up to the end of its line; undefined where another key is there. */
function valueIn(bytes: Uint8Array, { key, from, end }: Place): Uint8Array | undefined {
  for (let at = 0; at < key.length; at++) if (bytes[from + at] !== key.charCodeAt(at)) return undefined;
  return from + key.length < end ? bytes.subarray(from + key.length, end - 1) : undefined;
}

async function passHoles(pieces: Pieces, { more }: Header): Promise<void> {
  let left = MOST_HOLES;
  for (let isNext = more; isNext; left -= 1) {
    if (left === 0) throw broken();
    isNext = (await pieces.take(BLOCK))[504] === 1;
  }
}

const LINKS = "12346";
const FOLDERS = "5D";

function createBody(pieces: Pieces, header: Header, { path, size: said, sparse = header.type === "S" }: Said) {
  const name = path ?? header.name;
  const isLink = LINKS.includes(header.type);
  const isFolder = FOLDERS.includes(header.type) || (!isLink && name.endsWith("/"));
  // Some write a size for what has no bytes; only the lists of folders that GNU makes for backups have some.
  const size = isLink || header.type === "5" ? 0 : (said ?? header.size);
  let left = size;
  const next = async (): Promise<Uint8Array> => {
    const piece = await pieces.some(left);
    left -= piece.byteLength;
    return piece;
  };
  const kind = isLink ? "link" : isFolder ? "folder" : "file";
  const problem: FailureCode | undefined = sparse ? "archive.method" : undefined;
  return {
    entry: {
      name,
      kind,
      size,
      problem,
      async *bytes() {
        while (left > 0) yield await next();
      },
    } as const,
    /** Passes over what nobody has read of it. */
    async pass(): Promise<void> {
      while (left > 0) await next();
      for (let rest = padded(size) - size; rest > 0; ) rest -= (await pieces.some(rest)).byteLength;
    },
  };
}
