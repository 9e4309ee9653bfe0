import { configure, HttpReader, ZipReader } from "@zip.js/zip.js";
import { MAX_ARCHIVE_ENTRIES, MAX_EXTRACTED } from "#contract/viewer-limits";
import type { WorkerAnswer } from "../file/run-worker.ts";
import type { ArchiveEntry, ArchiveList, ArchiveTask } from "./archive.ts";

configure({ useWebWorkers: false });

class TooLarge extends Error {}

/** The archive is read in ranges: its list at the end, and of its files only what is taken out. */
const open = (address: string) =>
  new ZipReader(new HttpReader(address, { useRangeHeader: true, preventHeadRequest: true }), {
    checkSignature: true,
    // Names are shown and nothing is unpacked to them: those that lead out of their folder are of interest, too.
    filenameValidation: "tolerant",
  });

async function list(address: string): Promise<ArchiveList> {
  const reader = open(address);
  const entries: ArchiveEntry[] = [];
  for await (const entry of reader.getEntriesGenerator()) {
    if (entries.length === MAX_ARCHIVE_ENTRIES) return { entries, cut: true };
    entries.push({
      index: entries.length,
      rawName: entry.rawFilename,
      isUtf8: entry.filenameUTF8,
      isFolder: entry.directory,
      isEncrypted: entry.encrypted,
      size: entry.uncompressedSize,
      packedSize: entry.compressedSize,
      modified: entry.lastModDate?.getTime() ?? 0,
    });
  }
  return { entries, cut: false };
}

/** One file of the archive, whatever its header says of its size at most MAX_EXTRACTED bytes. */
async function take({ address, take: wanted }: ArchiveTask): Promise<Blob> {
  const reader = open(address);
  let index = 0;
  for await (const entry of reader.getEntriesGenerator()) {
    if (index++ !== wanted?.index || entry.directory) continue;
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    let size = 0;
    const counted = new WritableStream<Uint8Array<ArrayBuffer>>({
      write(piece) {
        size += piece.length;
        if (size > MAX_EXTRACTED) throw new TooLarge();
        pieces.push(piece);
      },
    });
    await entry.getData(counted, wanted.password === undefined ? {} : { password: wanted.password });
    // A type that no browser adds an ending for.
    return new Blob(pieces, { type: "application/octet-stream" });
  }
  throw new Error("There is no such file in the archive.");
}

function failureOf(error: unknown): { readonly failed: string } {
  if (error instanceof TooLarge) return { failed: "tooLarge" };
  const said = error instanceof Error ? error.message : "";
  if (/password|encrypted/i.test(said)) return { failed: "encrypted" };
  if (/range/i.test(said) || /HTTP error/i.test(said)) return { failed: "unreachable" };
  return { failed: "broken" };
}

addEventListener("message", async ({ data }: MessageEvent<ArchiveTask>) => {
  const work: Promise<ArchiveList | Blob> = data.take ? take(data) : list(data.address);
  const answer: WorkerAnswer<ArchiveList | Blob> = await work.then((result) => ({ result }), failureOf);
  postMessage(answer);
});
