import { mkdir, open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "#contract/failures";
import { chunksOf, type Incoming } from "../store.ts";
import { aborted, asFailure } from "./files.ts";
import { isFull } from "./paths.ts";
import type { DiskSpace, HeldSpace } from "./space.ts";

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
    using held = space.hold(path, bounds.length ?? 0);
    // Bun writes a framed body without showing it to JavaScript, and without waiting in memory for a slow disk.
    const writing = bounds.length === undefined ? writeChunks(path, body, bounds, held) : Bun.write(path, body);
    const forget = remover(path);
    try {
      await Promise.race([writing, aborted(bounds.signal)]);
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
  held: HeldSpace,
): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    let [size, taken] = [0, 0];
    for await (const chunk of chunksOf(body, signal)) {
      size += chunk.byteLength;
      if (size > limit) throw new Failure("body.tooLarge", { limit });
      if (size > taken) taken = held.grow(size);
      await file.appendFile(chunk);
    }
  } finally {
    await file.close();
  }
}
