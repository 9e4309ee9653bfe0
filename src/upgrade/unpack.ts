import { createReadStream, existsSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { TarHeader } from "modern-tar";
import { unpackTar } from "modern-tar/fs";
import type { Archive } from "./sums.ts";

/** Bytes of an executable at most. */
const MAX_EXECUTABLE = 1 << 29;

/** The file of an archive, and the system that it is for. */
interface Packed extends Archive {
  readonly system: string;
  readonly file: string;
}

/** Takes the executable out of the archive of a release and writes it to a file of this mode, to the disk. Throws a sentence when it is not there. */
export async function unpackExecutable(
  { name, version, system, file }: Packed,
  to: string,
  { mode, signal }: { readonly mode: number; readonly signal: AbortSignal },
): Promise<void> {
  const top = `satchel-${version}-${system}`;
  const isThere = name.endsWith(".zip")
    ? await fromZip(file, `${top}/satchel.exe`, to)
    : await fromTar(file, `${top}/satchel`, { to, signal });
  if (!isThere) throw new Error(`${name} has no executable.`);
  signal.throwIfAborted();
  const handle = await open(to, "r+");
  try {
    await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Not by streams of the web: with these, Bun 1.4.5 stops for ever within a large file. */
async function fromTar(
  file: string,
  wanted: string,
  { to, signal }: { readonly to: string; readonly signal: AbortSignal },
): Promise<boolean> {
  const folder = `${to}.unpacked`;
  const filter = ({ name, type, size }: TarHeader) => name === wanted && type === "file" && size <= MAX_EXECUTABLE;
  await pipeline(createReadStream(file), createGunzip(), unpackTar(folder, { filter }), { signal });
  const unpacked = join(folder, wanted);
  if (!existsSync(unpacked)) return false;
  await rename(unpacked, to);
  return true;
}

/** Only archives for Windows are a zip, so nobody else loads what reads it. */
async function fromZip(file: string, wanted: string, to: string): Promise<boolean> {
  const { BlobReader, ZipReader } = await import("@zip.js/zip.js");
  const reader = new ZipReader(new BlobReader(Bun.file(file)), { useWebWorkers: false, checkSignature: true });
  for await (const entry of reader.getEntriesGenerator()) {
    if (entry.filename !== wanted || entry.directory || entry.uncompressedSize > MAX_EXECUTABLE) continue;
    const out = Bun.file(to).writer();
    await entry.getData(
      new WritableStream<Uint8Array>({
        write: async (piece) => {
          out.write(piece);
          await out.flush();
        },
      }),
    );
    await out.end();
    return true;
  }
  return false;
}
