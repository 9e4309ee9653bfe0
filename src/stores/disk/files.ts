import { constants } from "node:fs";
import { copyFile, type FileHandle, mkdir, open, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "#contract/failures";
import { sizeText } from "#contract/limits";
import type { FollowFile } from "../../lib/digests/digest-thread.ts";
import type { Digests } from "../../lib/digests/digests.ts";
import { type Bounds, checkSize, chunksOf, type Incoming, isCut } from "../store.ts";
import type { Area } from "./bucket.ts";
import { createHashing, HASHED_HERE, type Hashing } from "./hashing.ts";
import { isDenied, isFull, isMissing } from "./paths.ts";
import type { ArrivingSpace, DiskSpace } from "./space.ts";

/** Bytes of the buffer with which one file is copied into another. */
const COPY_BUFFER = 1024 * 1024;

/** How often the size of a file is asked for that the system writes, in milliseconds: seldom while nothing comes of it. */
const [LOOK_EVERY, LOOK_SELDOM] = [10, 160];

/** A whole body in a file that nobody sees yet. */
interface ReceivedFile {
  readonly path: string;
  /** Of its bytes, those that were wanted. */
  readonly digests: Digests;
}

/** Writes files that nobody sees yet to a folder on the file system of the objects, so that a rename publishes them. */
export function createIncoming(areaOf: (key: string) => Pick<Area, "incoming" | "space">, follow: FollowFile) {
  /** Makes a file for a key that is said to need so many bytes; removes it when that fails. */
  const make = async <Result>(
    key: string,
    bytes: number | undefined,
    write: (path: string, space: DiskSpace) => Promise<Result>,
  ): Promise<{ path: string; result: Result }> => {
    const { incoming: folder, space } = areaOf(key);
    const path = join(folder, Bun.randomUUIDv7());
    try {
      return { path, result: await write(path, space) };
    } catch (error) {
      await rm(path, { force: true });
      throw await asFailure(error, folder, bytes);
    }
  };

  return {
    /** Writes a body for a key to a new file and flushes it. 400 upload.length, 413 file.tooLarge, 507 storage.full. */
    async receive(key: string, body: Incoming, bounds: Bounds): Promise<ReceivedFile> {
      const { path, result } = await make(key, bounds.length, async (path, space) => {
        using held = bounds.length === undefined ? space.growing() : space.arriving(bounds.length);
        bounds.begun?.({ path, length: bounds.length });
        using hashing = createHashing(follow, bounds.digesting, { path, start: 0, length: bounds.length });
        const size =
          isFramed(body, bounds) && (!hashing.wantsBytes || (bounds.length ?? 0) <= HASHED_HERE)
            ? await writeFramed(path, body, bounds, { hashing, space: held })
            : await writeBody({ path, start: 0 }, body, bounds, { hashing, space: held });
        if (bounds.length !== undefined && size !== bounds.length) throw new Failure("upload.length");
        return await hashing.finish(size);
      });
      return { path, digests: result };
    },

    /** Copies a file of so many bytes, flushes the copy and answers its path; undefined when the file is gone. 507 storage.full. */
    async copy(key: string, source: string, size: number): Promise<string | undefined> {
      try {
        const { path } = await make(key, size, async (path, space) => {
          using _held = space.hold(path, size);
          await copyFile(source, path, constants.COPYFILE_FICLONE);
          // It may have come with the permission to read alone.
          await flush(open(path, "r"));
        });
        return path;
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
  };
}

/** Files that nobody sees yet. */
export type IncomingFiles = ReturnType<typeof createIncoming>;

/** Who hears of the bytes of a body as they are written. */
interface Heard {
  readonly hashing: Hashing;
  readonly space: ArrivingSpace;
}

/** Reports whether HTTP itself holds the body to its length. */
const isFramed = ({ headers }: Incoming, { length }: Bounds): boolean =>
  length !== undefined && headers.get("content-length") === String(length);

/**
 * Writes a whole request, whose bytes Bun does not pass through JavaScript; an empty one makes no file. Bun's write
 * cannot be aborted, but it stops when the request is answered, which a failure here causes.
 */
async function writeFramed(path: string, body: Incoming, { signal, length }: Bounds, heard: Heard): Promise<number> {
  const { hashing, space } = heard;
  const writing = Bun.write(path, hashing.wantsBytes ? await shown(body, hashing) : body);
  using growth = watchGrowth(path, space, { hashing, length });
  try {
    await Promise.race([writing, aborted(signal), growth.refused]);
  } catch (error) {
    const forget = () => rm(path, { force: true });
    void writing.then(forget, forget);
    throw error;
  }
  const size = await writing;
  // The thread goes on while the disk is flushed.
  hashing.reached(size);
  await flush(openToWrite(path));
  return size;
}

/** A short body, once its bytes were shown. */
async function shown(body: Incoming, hashing: Hashing): Promise<Response> {
  const bytes = await body.bytes();
  hashing.wrote(bytes, bytes.byteLength);
  return new Response(bytes);
}

interface Growth extends Disposable {
  /** Rejects when the disk has no room for what has come. */
  readonly refused: Promise<never>;
}

interface Watched {
  readonly hashing: Hashing;
  /** Bytes that the file will have. */
  readonly length: number | undefined;
}

/** Says again and again how large a file has become that the system writes. */
export function watchGrowth(path: string, space: ArrivingSpace, { hashing, length }: Partial<Watched> = {}): Growth {
  const { promise: refused, reject } = Promise.withResolvers<never>();
  let [last, pause, isOver] = [0, LOOK_EVERY, hashing?.wantsBytes !== false && space.isWhole];
  let timer: Timer | undefined;
  const look = async (): Promise<void> => {
    // It may not be there yet, or no more.
    const size = (await stat(path).catch(() => undefined))?.size ?? 0;
    if (!mayBeEmpty({ size, length })) hashing?.reached(size);
    space.reached(size);
    pause = size > last ? LOOK_EVERY : Math.min(2 * pause, LOOK_SELDOM);
    last = size;
    wait();
  };
  const wait = (): void => {
    if (!isOver) timer = setTimeout(() => void look().catch(reject), pause);
  };
  wait();
  return {
    refused,
    [Symbol.dispose]() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/**
 * Reports whether the size of a file that is being written says nothing of its bytes: a body that Bun has in memory as a whole gets its length
 * before the first byte is written, and is full of zeros until then (fallocate).
 */
export const mayBeEmpty = ({ size, length }: { readonly size: number; readonly length: number | undefined }): boolean =>
  size === length;

/** Rejects when a signal is aborted, with its reason. */
export const aborted = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

/** Opens a file to write anywhere in it. Makes it when it is missing. */
export const openToWrite = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDWR | constants.O_CREAT, 0o600);

/** Opens a file in which bytes arrive, to read them; undefined when it is not there yet, or no more. */
export async function openGrowing(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function flush(opened: Promise<FileHandle>): Promise<void> {
  const file = await opened;
  await file.datasync().finally(() => file.close());
}

/** Writes a body to a file from an offset on, flushes it and answers its bytes. 400 upload.length, 413 file.tooLarge, 507 storage.full. */
export async function writeBody(
  { path, start }: { readonly path: string; readonly start: number },
  body: Incoming,
  bounds: Bounds,
  { hashing, space }: Heard,
): Promise<number> {
  const file = await openToWrite(path);
  try {
    let size = 0;
    for await (const chunk of chunksOf(body, bounds.signal)) {
      checkSize(bounds, size + chunk.byteLength);
      space.reached(size + chunk.byteLength);
      await writeAll(file, chunk, start + size);
      size += chunk.byteLength;
      hashing.wrote(chunk, size);
    }
    await file.datasync();
    return size;
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.byteLength) {
    const { bytesWritten } = await file.write(bytes, written, bytes.byteLength - written, position + written);
    written += bytesWritten;
  }
}

/** A range of a file, in bytes. */
interface FileRange {
  readonly path: string;
  readonly start: number;
  readonly size: number;
}

/** Copies a range of one file to an offset of another. */
export async function copyInto(target: FileHandle, at: number, { path, start, size }: FileRange): Promise<void> {
  const source = await open(path, "r");
  try {
    const buffer = Buffer.allocUnsafe(Math.min(COPY_BUFFER, size));
    for (let done = 0; done < size; ) {
      const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.length, size - done), start + done);
      if (bytesRead === 0) throw new Error("A part is shorter than it was.");
      await writeAll(target, buffer.subarray(0, bytesRead), at + done);
      done += bytesRead;
    }
  } finally {
    await source.close();
  }
}

/**
 * The failure for an error while a body of `size` bytes was written: 507 storage.full, 502 storage.denied, or 400 upload.length for a
 * broken connection. Any other error stays as it is.
 */
export async function asFailure(error: unknown, folder: string, size: number | undefined): Promise<unknown> {
  if (error instanceof Failure) return error;
  if (isFull(error)) {
    if (size === undefined) return new Failure("storage.full", { bound: "diskFull" });
    const { bavail, bsize } = await statfs(folder);
    return new Failure("storage.full", { size: sizeText(size), free: sizeText(bavail * bsize), bound: "disk" });
  }
  if (isDenied(error)) return new Failure("storage.denied");
  return isCut(error) ? new Failure("upload.length") : error;
}

/** A body in a temporary file of this server, which is removed when this is disposed of, or at the next start. */
export interface Spooled extends AsyncDisposable {
  /** Bytes. */
  readonly size: number;
  /** The whole body, to be read once. */
  readonly body: SpooledBody;
}

/** A whole body in a file. A disk store on the same file system renames that file instead of writing it again. */
export class SpooledBody extends Response {
  constructor(readonly path: string) {
    super(Bun.file(path));
  }
}

/** Keeps bodies in temporary files, for callers that read them before they say where they go. */
export const createSpool =
  (folder: string, space: DiskSpace, follow: FollowFile) =>
  /** `limit` in bytes. 413 file.tooLarge, 507 storage.full. */
  async (body: Incoming, limit: number): Promise<Spooled> => {
    await mkdir(folder, { recursive: true });
    const { path } = await createIncoming(() => ({ incoming: folder, space }), follow).receive("", body, { limit });
    const { size } = await stat(path);
    return { size, body: new SpooledBody(path), [Symbol.asyncDispose]: () => rm(path, { force: true }) };
  };
