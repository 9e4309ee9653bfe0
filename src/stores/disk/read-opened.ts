import { type BigIntStats, close, closeSync, constants, fstatSync, read, readSync } from "node:fs";
import { promisify } from "node:util";
import { Failure } from "#contract/failures";
import type { ByteRange } from "../../lib/conditional.ts";
import { type FilePart, type Held, OpenFile } from "../../lib/open-file.ts";

const readAt = promisify(read);
const closed = promisify(close);

/** Bytes that are read at once. */
const CHUNK = 256 * 1024;
/** Bytes that are read in one go and held. More would cost the collector what it saves. */
const SMALL = 8 * 1024;
/** Where they are read to. */
const scratch = new Uint8Array(SMALL);

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/** How a file is opened to be read. A pipe that took the place of a file must not be waited for. */
export const READING = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;

/** A file as it was found. */
export interface FoundFile {
  readonly path: string;
  readonly stat: BigIntStats;
}

/**
 * The bytes of a file that others replace and nobody changes, or a range of them; undefined where another one is there by now. What comes to
 * its path later is not read. The system can send it.
 */
export function readFound(
  open: () => number,
  { path, stat }: FoundFile,
  range: ByteRange | undefined,
): Blob | OpenFile | undefined {
  const file = openSame(open, stat);
  if (file === undefined) return undefined;
  const part = partOf(stat, range);
  if (part.end - part.start <= SMALL) return readSmall(file, part);
  return new OpenFile(file, { ...part, path, read: (held) => streamOf(held, closedAlready, { stat, ...part }) });
}

/**
 * The bytes of a file that others may change meanwhile, or a range of them. It is opened when they are first read, and must still be the
 * file of this stat. What is appended later is left out; a file that has been cut or written anew ends the stream with an error.
 */
export function readOpened(
  open: () => number,
  stat: BigIntStats,
  range: ByteRange | undefined,
): ReadableStream<Uint8Array> {
  const openStill = (): number => {
    const file = openSame(open, stat);
    if (file === undefined) throw changed();
    return file;
  };
  return streamOf({ file: undefined }, openStill, { stat, ...partOf(stat, range) });
}

const partOf = ({ size }: BigIntStats, range: ByteRange | undefined): FilePart =>
  range ? { start: range.start, end: range.end + 1 } : { start: 0, end: Number(size) };

function streamOf(
  held: Held,
  open: () => number,
  { stat, start, end }: FilePart & { readonly stat: BigIntStats },
): ReadableStream<Uint8Array> {
  let at = start;

  const finish = async (): Promise<void> => {
    const { file } = held;
    held.file = undefined;
    if (file !== undefined) await closed(file);
  };

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          held.file ??= open();
          const { file } = held;
          const bytes = new Uint8Array(Math.min(CHUNK, end - at));
          const { bytesRead } = bytes.length > 0 ? await readAt(file, bytes, 0, bytes.length, at) : { bytesRead: 0 };
          if (bytesRead === 0 && at < end) throw changed();
          at += bytesRead;
          if (at >= end) requireSame(file, stat);
          if (bytesRead > 0) controller.enqueue(bytes.subarray(0, bytesRead));
          if (at < end) return;
          await finish();
          controller.close();
        } catch (error) {
          await finish();
          throw error;
        }
      },
      cancel: finish,
    },
    // Nothing is read before somebody asks.
    { highWaterMark: 0 },
  );
}

/** Reads a few bytes of an open file and closes it; undefined where it has fewer. */
function readSmall(file: number, { start, end }: FilePart): Blob | undefined {
  try {
    const size = end - start;
    for (let done = 0; done < size; ) {
      const read = readSync(file, scratch, done, size - done, start + done);
      if (read === 0) return undefined;
      done += read;
    }
    return new Blob([scratch.subarray(0, size)]);
  } finally {
    closeSync(file);
  }
}

const changed = (): Failure => new Failure("storage.broken", { answer: "the file changed while it was read" });

const closedAlready = (): never => {
  throw new Error("A file is read once.");
};

/** What tells a file from every other, as the stamp of its attributes does, and its size. */
const SAME = ["ino", "mtimeNs", "size"] as const;

/** Opens the file if it still is the one of this stat; undefined where it is not. */
function openSame(open: () => number, stat: BigIntStats): number | undefined {
  const file = open();
  const now = fstatSync(file, { bigint: true });
  if (now.isFile() && SAME.every((field) => now[field] === stat[field])) return file;
  closeSync(file);
  return undefined;
}

/** What has grown may have been appended to, as logs are; of the same size it was written over, and shorter it was cut. */
function requireSame(file: number, stat: BigIntStats): void {
  const now = fstatSync(file, { bigint: true });
  if (now.size < stat.size || (now.size === stat.size && now.mtimeNs !== stat.mtimeNs)) throw changed();
}
