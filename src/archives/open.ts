import { createGunzip, createZstdDecompress } from "node:zlib";
import { archiveFormat, archiveStem } from "#contract/archive/formats";
import { tarEntries } from "#contract/archive/tar";
import { Failure } from "#contract/failures";
import type { Archive, ArchiveSource } from "./archive.ts";
import { allowance, bounded, decompressed } from "./pieces.ts";
import { openZip } from "./zip.ts";

/** Opens an archive by the ending of its name. 415 archive.format; 400 archive.broken; 413 archive.tooMany, archive.bomb. */
export async function openArchive(source: ArchiveSource): Promise<Archive> {
  const format = archiveFormat(source.name);
  if (format === "zip") return await openZip(source);
  const most = allowance(source.size);
  const plain = () => {
    if (format === "tar") return source.read();
    const decompressor = format === "tar.zst" ? createZstdDecompress() : createGunzip();
    return bounded(decompressed(source.read(), decompressor), most);
  };
  const one = { index: 0, name: archiveStem(source.name), kind: "file", size: undefined, bytes: plain } as const;
  const entries = {
    tar: () => tarEntries(plain()),
    "tar.gz": () => tarEntries(plain()),
    "tar.zst": () => tarEntries(plain()),
    async *gz() {
      yield one;
    },
  };
  if (!format) throw new Failure("archive.format");
  return { width: 1, amount: undefined, entries: entries[format] };
}
