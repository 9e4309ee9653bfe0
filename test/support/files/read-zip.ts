import { crc32 } from "node:zlib";

/** An entry as a program reads it that goes by the directory at the end, and holds everything against what stands in front. */
export interface ReadEntry {
  readonly name: string;
  readonly content: Uint8Array<ArrayBuffer>;
  /** Epoch seconds; undefined when none is said. */
  readonly modified: number | undefined;
  /** Of Unix. */
  readonly mode: number;
}

interface Numbers {
  readonly count: number;
  readonly offset: number;
}

/** Reads an archive of stored files. Throws when anything in it is not as APPNOTE.TXT says, or bytes belong to nothing. */
export function readZip(archive: Uint8Array): ReadEntry[] {
  const bytes = Buffer.from(archive);
  const entries: ReadEntry[] = [];
  const { count, offset } = endOf(bytes);
  let [at, next] = [offset, 0];
  for (let index = 0; index < count; index++) {
    const record = recordAt(bytes, at);
    if (record.head !== next) throw new Error(`${record.name} does not begin where the entry before it ends.`);
    const { content, end } = contentOf(bytes, record);
    next = end;
    at += record.length;
    entries.push({ name: record.name, content, modified: record.modified, mode: record.mode });
  }
  if (next !== offset) throw new Error("There are bytes between the entries and the directory.");
  return entries;
}

export const namesIn = (archive: Uint8Array): string[] => readZip(archive).map(({ name }) => name);

export const textsIn = (archive: Uint8Array): Record<string, string> =>
  Object.fromEntries(readZip(archive).map(({ name, content }) => [name, new TextDecoder().decode(content)]));

function endOf(bytes: Buffer): Numbers {
  const end = bytes.byteLength - 22;
  expectSignature(bytes, end, 0x06054b50);
  const [count, offset] = [bytes.readUInt16LE(end + 10), bytes.readUInt32LE(end + 16)];
  if (count < 0xffff && offset < 0xffff_ffff) return { count, offset };
  expectSignature(bytes, end - 20, 0x07064b50);
  const big = Number(bytes.readBigUInt64LE(end - 12));
  expectSignature(bytes, big, 0x06064b50);
  return { count: Number(bytes.readBigUInt64LE(big + 32)), offset: Number(bytes.readBigUInt64LE(big + 48)) };
}

type Recorded = ReturnType<typeof recordAt>;

function recordAt(bytes: Buffer, at: number) {
  expectSignature(bytes, at, 0x02014b50);
  const [nameLength, extraLength] = [bytes.readUInt16LE(at + 28), bytes.readUInt16LE(at + 30)];
  const extra = bytes.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
  return {
    flags: bytes.readUInt16LE(at + 8),
    checksum: bytes.readUInt32LE(at + 16),
    size: bytes.readUInt32LE(at + 20),
    mode: bytes.readUInt16LE(at + 40),
    head: bytes.readUInt32LE(at + 42),
    name: utf8(bytes.subarray(at + 46, at + 46 + nameLength)),
    modified: timeIn(extra),
    length: 46 + nameLength + extraLength,
  };
}

function contentOf(bytes: Buffer, { head, name, size, checksum, flags }: Recorded) {
  expectSignature(bytes, head, 0x04034b50);
  const [nameLength, extraLength] = [bytes.readUInt16LE(head + 26), bytes.readUInt16LE(head + 28)];
  const begin = head + 30 + nameLength;
  if (utf8(bytes.subarray(head + 30, begin)) !== name) throw new Error(`${name} is called otherwise in front of it.`);
  if (bytes.readUInt16LE(head + 6) !== flags || (flags & 0x800) === 0) throw new Error(`${name} has other flags.`);
  const start = begin + extraLength;
  const end = start + size;
  const content = new Uint8Array(bytes.subarray(start, end));
  if (content.byteLength !== size || crc32(content) !== checksum) throw new Error(`${name} has another checksum.`);
  const trailed = (flags & 8) !== 0;
  const said = trailed ? end + 4 : head + 14;
  if (trailed) expectSignature(bytes, end, 0x08074b50);
  if (bytes.readUInt32LE(said) !== checksum || bytes.readUInt32LE(said + 4) !== size)
    throw new Error(`${name} has another checksum or size beside it.`);
  return { content, end: trailed ? end + 16 : end };
}

/** Of an extended timestamp. */
function timeIn(extra: Buffer): number | undefined {
  for (let at = 0; at < extra.byteLength; at += 4 + extra.readUInt16LE(at + 2))
    if (extra.readUInt16LE(at) === 0x5455) return extra.readInt32LE(at + 5);
  return undefined;
}

const utf8 = (bytes: Uint8Array): string => new TextDecoder("utf-8", { fatal: true }).decode(bytes);

function expectSignature(bytes: Buffer, at: number, signature: number): void {
  if (bytes.readUInt32LE(at) !== signature) throw new Error(`No ${signature.toString(16)} at ${at}.`);
}
