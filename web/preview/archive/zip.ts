import { configure, HttpReader, ZipReader } from "@zip.js/zip.js";
import { MAX_ARCHIVE_ENTRIES } from "#contract/viewer-limits";
import type { ArchiveEntry, ArchiveList, ArchiveTask } from "./archive.ts";
import { createCollector } from "./collect.ts";

configure({ useWebWorkers: false });

/** The archive is read in ranges: its list at the end, and of its files only what is taken out. */
const open = (address: string) =>
  new ZipReader(new HttpReader(address, { useRangeHeader: true, preventHeadRequest: true }), {
    checkSignature: true,
    // Names are shown and nothing is unpacked to them: those that lead out of their folder are of interest, too.
    filenameValidation: "tolerant",
  });

export async function listZip({ address }: ArchiveTask): Promise<ArchiveList> {
  const reader = open(address);
  const entries: ArchiveEntry[] = [];
  for await (const entry of reader.getEntriesGenerator()) {
    if (entries.length === MAX_ARCHIVE_ENTRIES) return { entries, cut: "many" };
    entries.push({
      index: entries.length,
      rawName: entry.rawFilename,
      isUtf8: entry.filenameUTF8,
      isFolder: entry.directory,
      isLink: false,
      isEncrypted: entry.encrypted,
      size: entry.uncompressedSize,
    });
  }
  return { entries };
}

/** One file of the archive, whatever its header says of its size. Throws TooLarge. */
export async function takeFromZip({ address, take }: ArchiveTask): Promise<Blob> {
  const reader = open(address);
  let index = 0;
  for await (const entry of reader.getEntriesGenerator()) {
    if (index++ !== take?.index || entry.directory) continue;
    const collector = createCollector();
    await entry.getData(new WritableStream(collector), take.password === undefined ? {} : { password: take.password });
    return collector.blob();
  }
  throw new Error("There is no such file in the archive.");
}
