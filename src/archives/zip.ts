import { crc32, createInflateRaw } from "node:zlib";
import { broken, createPieces } from "#contract/archive/pieces";
import type { FailureCode } from "#contract/failures";
import type { Archive, ArchiveEntry, ArchiveSource } from "./archive.ts";
import { namesOf } from "./names.ts";
import { asBuffer, decompressed } from "./pieces.ts";
import { LOCAL_BYTES, readZipList, type ZipList, type ZipRecord } from "./zip-list.ts";

const LOCAL = 0x04034b50;
const ENCRYPTED = 0x0001;
const [STORED, DEFLATED] = [0, 8];
/** Of a mode on Unix: the type of a file, and those that are no links and devices. */
const TYPE = 0xf000;
const [NO_TYPE, FILE, FOLDER] = [0, 0x8000, 0x4000];
/** Entries that are read at the same time: a storage elsewhere takes its time for each. */
const WIDTH = 4;
const CHUNK = 64 * 1024;

/** Opens a zip: its list is read and held, its files are read one by one. 400 archive.broken; 413 archive.tooMany, archive.bomb. */
export async function openZip(source: ArchiveSource): Promise<Archive> {
  const list = await readZipList(source);
  const nameOf = await namesOf(list.records());
  return {
    width: WIDTH,
    amount: { files: list.files, bytes: list.bytes },
    async *entries() {
      for (const record of list.records()) yield entryOf({ source, list, record, name: nameOf(record) });
    },
  };
}

interface Packed {
  readonly source: ArchiveSource;
  readonly list: ZipList;
  readonly record: ZipRecord;
}

function entryOf({ name, ...packed }: Packed & { readonly name: string }): ArchiveEntry {
  const { index, size, flags, method, mode } = packed.record;
  const type = mode & TYPE;
  const isFolder = name.endsWith("/") || type === FOLDER;
  const isLink = !isFolder && type !== NO_TYPE && type !== FILE;
  const unread: FailureCode | undefined = method === STORED || method === DEFLATED ? undefined : "archive.method";
  const problem = (flags & ENCRYPTED) === 0 ? unread : "archive.encrypted";
  const kind = isFolder ? "folder" : isLink ? "link" : "file";
  return { index, name, kind, size, problem, bytes: () => bytesOf(packed) };
}

/** The bytes of a file, if they are as many as the list says and have its checksum. */
async function* bytesOf({ source, list, record }: Packed): AsyncGenerator<Uint8Array> {
  const { offset, packed, method, size, crc } = record;
  const pieces = createPieces(source.read({ start: offset, end: list.after(offset) - 1 }));
  try {
    const head = asBuffer(await pieces.take(LOCAL_BYTES));
    if (head.readUInt32LE(0) !== LOCAL) throw broken();
    await pieces.take(head.readUInt16LE(26) + head.readUInt16LE(28));
    const stored = pieces.pass(packed);
    const plain = method === STORED ? stored : decompressed(stored, createInflateRaw({ chunkSize: CHUNK }));
    let [left, checksum] = [size, 0];
    for await (const piece of plain) {
      left -= piece.byteLength;
      if (left < 0) throw broken();
      checksum = crc32(piece, checksum);
      yield piece;
    }
    if (left !== 0 || checksum !== crc) throw broken();
  } finally {
    await pieces.close();
  }
}
