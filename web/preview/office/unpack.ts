import {
  BlobReader,
  configure,
  TextReader,
  Uint8ArrayReader,
  Uint8ArrayWriter,
  ZipReader,
  ZipWriter,
} from "@zip.js/zip.js";
import { MAX_UNPACKED_DOCUMENT } from "#contract/viewer-limits";
import { safeRelations } from "./relations.ts";

/** For workers only: they unpack office files before any library reads them, because those trust what a file says of its size. */
configure({ useWebWorkers: false });

/** Entries of an office file. */
const MAX_ENTRIES = 5000;
/** XML of one part, in characters, and its elements: a page can lay out no more without a pause that is felt. */
const MAX_XML = 16 * 1024 * 1024;
const MAX_ELEMENTS = 400_000;

/** Why an office file is not read. */
export class Unreadable extends Error {
  readonly code: "broken" | "encrypted" | "tooLarge";
  constructor(code: "broken" | "encrypted" | "tooLarge") {
    super(code);
    this.code = code;
  }
}

export const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;
/** A compound file: old office files, and new ones with a password. */
export const isCompound = (bytes: Uint8Array): boolean => bytes[0] === 0xd0 && bytes[1] === 0xcf;

/**
 * The same office file with nothing in it that leads elsewhere, and nothing larger than a page can bear: each part is unpacked here once,
 * whatever its header says. `xmlBounds` for files whose XML the page itself will read.
 */
export async function sanitized(bytes: Uint8Array<ArrayBuffer>, xmlBounds: boolean): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new ZipReader(new Uint8ArrayReader(bytes));
  const writer = new ZipWriter(new Uint8ArrayWriter(), { level: 0, extendedTimestamp: false, dataDescriptor: false });
  let left = MAX_UNPACKED_DOCUMENT;
  let count = 0;
  for await (const entry of reader.getEntriesGenerator()) {
    count += 1;
    if (count > MAX_ENTRIES) throw new Unreadable("tooLarge");
    if (entry.encrypted) throw new Unreadable("encrypted");
    if (entry.directory || /(^|\/)(embeddings|activeX|vbaProject|externalLinks)/.test(entry.filename)) continue;
    const part = await inflated(entry, left);
    left -= part.size;
    if (!/\.(xml|rels|vml)$/i.test(entry.filename)) await writer.add(entry.filename, new BlobReader(part));
    else await writer.add(entry.filename, new TextReader(checked(await part.text(), entry.filename, xmlBounds)));
  }
  return (await writer.close()) as Uint8Array<ArrayBuffer>;
}

type Entry = Awaited<ReturnType<ZipReader<unknown>["getEntries"]>>[number];

/** A part as it is unpacked; given up beyond so many bytes. */
async function inflated(entry: Entry, most: number): Promise<Blob> {
  if (entry.directory || entry.uncompressedSize > most) throw new Unreadable("tooLarge");
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const counted = new WritableStream<Uint8Array<ArrayBuffer>>({
    write(piece) {
      size += piece.length;
      if (size > most) throw new Unreadable("tooLarge");
      pieces.push(piece);
    },
  });
  await entry.getData(counted);
  return new Blob(pieces);
}

/** XML without a document type (entities that grow) and, among relations, without those to elsewhere but links. */
function checked(xml: string, name: string, bounds: boolean): string {
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw new Unreadable("broken");
  if (bounds && (xml.length > MAX_XML || xml.split("<").length > MAX_ELEMENTS)) throw new Unreadable("tooLarge");
  if (!/\.rels$/i.test(name)) return xml;
  const relations = safeRelations(xml);
  if (relations === undefined) throw new Unreadable("broken");
  return relations;
}

/** What went wrong, as a worker answers it. */
export function failureOf(error: unknown): { readonly failed: string } {
  if (error instanceof Unreadable) return { failed: error.code };
  const said = error instanceof Error ? error.message : "";
  return { failed: /password|encrypt/i.test(said) ? "encrypted" : "broken" };
}
