import { mkdir, open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "#contract/failures";
import { chunksOf, type Incoming } from "../store.ts";
import { aborted, asFailure, watchGrowth } from "./files.ts";
import { isFull } from "./paths.ts";
import type { ArrivingSpace, DiskSpace } from "./space.ts";

/** A file that only this process knows. It is removed when this is disposed of, or at the next start. */
interface TemporaryFile extends AsyncDisposable {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

interface TemporaryBounds {
  /** Bytes that HTTP holds the body to; undefined when nobody said. */
  readonly length: number | undefined;
  /** Bytes at most. */
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

/** Writes what is too large to be held in memory to files of a folder, which are never flushed: nobody looks for them after a crash. */
export const createTemporary =
  (folder: string, space: DiskSpace) =>
  /** 413 body.tooLarge, 507 storage.full. Throws what the body throws, and what the signal is aborted with. */
  async (body: Incoming, bounds: TemporaryBounds): Promise<TemporaryFile> => {
    await mkdir(folder, { recursive: true });
    const path = join(folder, Bun.randomUUIDv7());
    using held = bounds.length === undefined ? space.growing() : space.arriving(bounds.length);
    // Bun writes a framed body without showing it to JavaScript, and without waiting in memory for a slow disk.
    const writing = bounds.length === undefined ? writeChunks(path, body, bounds, held) : Bun.write(path, body);
    using growth = watchGrowth(path, held);
    const forget = remover(path);
    try {
      await Promise.race([writing, aborted(bounds.signal), growth.refused]);
      const { size } = await stat(path);
      return { path, size, [Symbol.asyncDispose]: forget };
    } catch (error) {
      void writing.then(forget, forget);
      throw isFull(error) ? await asFailure(error, folder, bounds.length) : error;
    }
  };

/** A function of its own: what an async function makes holds all that is around it, the body too. */
const remover = (path: string) => () => rm(path, { force: true });

async function writeChunks(
  path: string,
  body: Incoming,
  { limit, signal }: TemporaryBounds,
  space: ArrivingSpace,
): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    let size = 0;
    for await (const chunk of chunksOf(body, signal)) {
      size += chunk.byteLength;
      if (size > limit) throw new Failure("body.tooLarge", { limit });
      space.reached(size);
      await file.appendFile(chunk);
    }
  } finally {
    await file.close();
  }
}
