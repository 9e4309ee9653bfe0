import { type BigIntStats, close, closeSync, fstatSync, read } from "node:fs";
import { promisify } from "node:util";
import { Failure } from "#contract/failures";
import type { ByteRange } from "../../lib/conditional.ts";
import { stampOf } from "../disk/attributes.ts";

const readAt = promisify(read);
const closed = promisify(close);

/** Bytes that are read at once. */
const CHUNK = 256 * 1024;

/**
 * The bytes of a file that others may change meanwhile, or a range of them. It is opened when they are first read, and must still be the
 * file of this stat. What is appended later is left out; a file that has been cut or written anew ends the stream with an error.
 */
export function readOpened(
  open: () => number,
  stat: BigIntStats,
  range: ByteRange | undefined,
): ReadableStream<Uint8Array> {
  const end = range ? range.end + 1 : Number(stat.size);
  let at = range?.start ?? 0;
  let file: number | undefined;

  const finish = async (): Promise<void> => {
    const opened = file;
    file = undefined;
    if (opened !== undefined) await closed(opened);
  };

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          file ??= openSame(open, stat);
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
    // Nothing is opened before somebody reads.
    { highWaterMark: 0 },
  );
}

const changed = (): Failure => new Failure("storage.broken", { answer: "the file changed while it was read" });

/** Opens the file if it still is the one of this stat. */
function openSame(open: () => number, stat: BigIntStats): number {
  const file = open();
  const now = fstatSync(file, { bigint: true });
  if (now.isFile() && stampOf(now) === stampOf(stat) && now.size === stat.size) return file;
  closeSync(file);
  throw changed();
}

/** What has grown may have been appended to, as logs are; of the same size it was written over, and shorter it was cut. */
function requireSame(file: number, stat: BigIntStats): void {
  const now = fstatSync(file, { bigint: true });
  if (now.size < stat.size || (now.size === stat.size && now.mtimeNs !== stat.mtimeNs)) throw changed();
}
