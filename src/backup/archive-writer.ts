import { CryptoHasher } from "bun";
import { createTarPacker, type TarHeader } from "modern-tar";
import { checksumsEntry, LISTED } from "./format.ts";

/** A tar that is written entry by entry, with a list of checksums behind every thousand. */
export interface ArchiveWriter {
  /** Adds an entry of this text or these bytes. */
  add(name: string, content: string | Uint8Array): Promise<void>;
  /** Adds a file of so many bytes. Throws when there are more or fewer. */
  addFile(file: TarFile, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  addFolder(name: string): Promise<void>;
  /** What was written so far, behind a list of the last checksums. */
  summary(): Promise<ArchiveSummary>;
  /** Adds the last entry, of which no list has a checksum, and ends the tar. */
  end(name: string, content: string): Promise<void>;
}

interface TarFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Epoch milliseconds, with fractions. */
  readonly modified: number;
  /** What else is said of it, in the extended header of POSIX (pax). */
  readonly described?: Readonly<Record<string, string>> | undefined;
}

interface ArchiveSummary {
  readonly entries: number;
  readonly bytes: number;
  readonly lists: Readonly<Record<string, string>>;
}

/** Begins a tar. Whoever reads `stream` takes the bytes; when that breaks off, every call rejects with its reason. */
export function writeArchive(now: number): {
  readonly archive: ArchiveWriter;
  readonly stream: ReadableStream<Uint8Array>;
  /** Breaks the tar off, so that whoever reads it gets this error. */
  readonly fail: (error: unknown) => void;
} {
  const { readable, controller } = createTarPacker();
  const lists: Record<string, string> = {};
  let pending: string[] = [];
  let [entries, bytes] = [0, 0];

  const write = async (
    header: TarHeader,
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<string> => {
    const writer = controller.add(header).getWriter();
    // What breaks the whole off is told by the call that waits for it.
    writer.closed.catch(() => undefined);
    const hasher = new CryptoHasher("sha256");
    for await (const chunk of chunks) {
      hasher.update(chunk);
      await writer.write(chunk);
    }
    await writer.close();
    [entries, bytes] = [entries + 1, bytes + (header.size ?? 0)];
    return hasher.digest("hex");
  };

  const addWhole = (name: string, content: string | Uint8Array): Promise<string> => {
    const whole = typeof content === "string" ? new TextEncoder().encode(content) : content;
    return write(headerOf({ name, size: whole.byteLength, modified: now }), whole.byteLength > 0 ? [whole] : []);
  };

  const list = async (): Promise<void> => {
    if (pending.length === 0) return;
    const name = checksumsEntry(Object.keys(lists).length + 1);
    const text = pending.join("");
    pending = [];
    lists[name] = await addWhole(name, text);
  };

  const note = async (name: string, sha256: string): Promise<void> => {
    pending.push(`${sha256}  ${name}\n`);
    if (pending.length >= LISTED) await list();
  };

  const archive: ArchiveWriter = {
    add: async (name, content) => await note(name, await addWhole(name, content)),
    addFile: async (file, chunks) => await note(file.name, await write(headerOf(file), chunks)),
    async addFolder(name) {
      await write({ name, type: "directory", size: 0, mode: 0o700, mtime: new Date(now) }, []);
    },
    async summary() {
      await list();
      return { entries, bytes, lists };
    },
    async end(name, content) {
      await addWhole(name, content);
      controller.finalize();
    },
  };
  return { archive, stream: readable, fail: (error) => controller.error(error) };
}

/** The time has its fractions in an extended header (POSIX pax, "mtime"), which every tar reads. */
const headerOf = ({ name, size, modified, described }: TarFile): TarHeader => ({
  name,
  size,
  type: "file",
  mode: 0o600,
  mtime: new Date(modified),
  pax: { ...(modified % 1000 !== 0 && { mtime: (modified / 1000).toFixed(6) }), ...described },
});
