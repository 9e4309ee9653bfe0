import { type TarEntry, tarEntries } from "#contract/archive/tar";
import { LISTING_PATIENCE, MAX_ARCHIVE_ENTRIES, MAX_LISTED_PACKED, MAX_LISTED_PLAIN } from "#contract/viewer-limits";
import type { ArchiveEntry, ArchiveList, ArchiveTask, Packing } from "./archive.ts";
import { createCollector } from "./collect.ts";

/** Archives without an index: what is in them is known once they were read, from the beginning on. */

/** The browser does not unpack what is packed in this way. */
export class NotUnpacked extends Error {}
/** As much of an archive was read as is allowed. */
class Enough extends Error {}

type Bytes = Uint8Array<ArrayBuffer>;
/** Answers the bytes of an archive, which end when the signal says so. */
type OpenBytes = (signal: AbortSignal) => Promise<ReadableStream<Bytes>>;

/** How browsers call what these are packed by; what they unpack in one go, in bytes; and whether they are tars. */
const packings = {
  tar: { format: undefined, bite: 0, isTar: true },
  "tar.gz": { format: "gzip", bite: 4096, isTar: true },
  // Four bytes of it may stand for 128 KiB.
  "tar.zst": { format: "zstd", bite: 512, isTar: true },
  gz: { format: "gzip", bite: 4096, isTar: false },
} satisfies Partial<Record<Packing, { format: string | undefined; bite: number; isTar: boolean }>>;

/** Those that are read from the beginning on. */
export type Unindexed = keyof typeof packings;

export const isUnindexed = (packing: Packing): packing is Unindexed => packing in packings;

/** Lists the files of such an archive, as far as it may be read. Rejects when it is none. */
export async function listUnindexed(task: ArchiveTask, packing: Unindexed, open: OpenBytes): Promise<ArchiveList> {
  const left = new AbortController();
  const entries: ArchiveEntry[] = [];
  const until = performance.now() + LISTING_PATIENCE;
  const timer = setTimeout(() => left.abort(new Enough()), LISTING_PATIENCE);
  try {
    const bytes = bounded(await open(left.signal), MAX_LISTED_PACKED);
    if (!packings[packing].isTar) return await listPacked(task.stem, unpacked(packing, bytes));
    for await (const entry of tarEntries(bounded(unpacked(packing, bytes), MAX_LISTED_PLAIN))) {
      if (entries.length === MAX_ARCHIVE_ENTRIES) return { entries, cut: "many" };
      entries.push(listed(entry));
      if (performance.now() > until) return { entries, cut: "long" };
    }
    return { entries };
  } catch (error) {
    if (error instanceof Enough || left.signal.aborted) return { entries, cut: "long" };
    if (entries.length === 0) throw error;
    return { entries, cut: "unread" };
  } finally {
    clearTimeout(timer);
    left.abort();
  }
}

/** One file of such an archive. Throws TooLarge. */
export async function takeFromUnindexed({ take }: ArchiveTask, packing: Unindexed, open: OpenBytes): Promise<Blob> {
  const left = new AbortController();
  try {
    const bytes = bounded(await open(left.signal), Number.POSITIVE_INFINITY);
    const plain = unpacked(packing, bytes);
    if (!packings[packing].isTar) return await collected(plain);
    for await (const { index, kind, problem, bytes: body } of tarEntries(plain))
      if (index === take?.index && kind === "file" && !problem) return await collected(body());
  } finally {
    left.abort();
  }
  throw new Error("There is no such file in the archive.");
}

/** A file that is packed alone; how large it is its end would tell. */
async function listPacked(name: string, plain: AsyncIterable<Uint8Array>): Promise<ArchiveList> {
  // What is not packed so is found out by its beginning.
  for await (const _ of plain) break;
  return { entries: [listed({ index: 0, name, kind: "file", size: undefined })] };
}

async function collected(bytes: AsyncIterable<Uint8Array>): Promise<Blob> {
  const collector = createCollector();
  for await (const piece of bytes) collector.write(new Uint8Array(piece));
  return collector.blob();
}

/** The bytes of a stream, `most` at most; not all browsers have streams that can be walked through. */
async function* bounded(stream: ReadableStream<Bytes> | AsyncIterable<Uint8Array>, most: number) {
  let passed = 0;
  for await (const piece of stream instanceof ReadableStream ? walk(stream) : stream) {
    passed += piece.length;
    if (passed > most) throw new Enough();
    yield piece;
  }
}

async function* walk(stream: ReadableStream<Bytes>): AsyncGenerator<Bytes> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // A stream that has failed is not cancelled, and has said why.
    reader.cancel().catch(() => undefined);
  }
}

/** Unpacks bytes bite by bite, the next when what the one before became was taken: a few bytes may become gigabytes. */
async function* unpacked(packing: Unindexed, bytes: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { format, bite } = packings[packing];
  if (!format) return yield* bytes;
  const bites = biteByBite(bytes, bite);
  const source = new ReadableStream<Bytes>(
    {
      async pull(controller) {
        const { done, value } = await bites.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await bites.return(undefined)),
    },
    { highWaterMark: 0 },
  );
  yield* walk(source.pipeThrough(decompressor(format)));
}

function decompressor(format: string): TransformStream<Bytes, Bytes> {
  try {
    // Not all browsers know zstd, and no types of them do.
    return new DecompressionStream(format as CompressionFormat) as TransformStream<Bytes, Bytes>;
  } catch (error) {
    throw error instanceof TypeError ? new NotUnpacked() : error;
  }
}

async function* biteByBite(bytes: AsyncIterable<Uint8Array>, bite: number): AsyncGenerator<Bytes> {
  for await (const piece of bytes)
    for (let at = 0; at < piece.length; at += bite) yield new Uint8Array(piece.subarray(at, at + bite));
}

type Listed = Pick<TarEntry, "index" | "name" | "kind"> & {
  readonly size: number | undefined;
  readonly problem?: unknown;
};

const listed = ({ index, name, kind, size, problem }: Listed): ArchiveEntry => ({
  index,
  rawName: new TextEncoder().encode(name),
  isUtf8: true,
  isFolder: kind === "folder",
  isLink: kind === "link" || problem !== undefined,
  isEncrypted: false,
  size: kind === "folder" ? 0 : size,
});
