import { constants } from "node:fs";
import { type FileHandle, open, statfs } from "node:fs/promises";
import { Failure } from "#contract/failures";
import { sizeText } from "../lib/sizes.ts";
import { type Bounds, checkSize, chunksOf, isCut } from "./bodies.ts";
import { isFull } from "./disk-paths.ts";
import type { Incoming } from "./store.ts";

/** Opens a file to write anywhere in it, and makes it when it is missing. */
export const openToWrite = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDWR | constants.O_CREAT, 0o600);

/** Writes a body into a file from an offset on and flushes it; answers its bytes. 400 upload.length, 413 file.tooLarge. */
export async function writeBody(path: string, start: number, body: Incoming, bounds: Bounds): Promise<number> {
  const file = await openToWrite(path);
  try {
    let size = 0;
    for await (const chunk of chunksOf(body, bounds.signal)) {
      checkSize(bounds, size + chunk.byteLength);
      await writeAll(file, chunk, start + size);
      size += chunk.byteLength;
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

const COPIED_AT_ONCE = 1024 * 1024;

/** A stretch of a file. */
export interface Stretch {
  readonly path: string;
  readonly start: number;
  readonly size: number;
}

/** Copies a stretch of one file to an offset of another. */
export async function copyInto(target: FileHandle, at: number, { path, start, size }: Stretch): Promise<void> {
  const source = await open(path, "r");
  try {
    const buffer = Buffer.allocUnsafe(Math.min(COPIED_AT_ONCE, size));
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

/** What went wrong while a body was written: no room, or a connection that broke. Anything else stays as it is. */
export async function asFailure(error: unknown, folder: string, size: number | undefined): Promise<unknown> {
  if (error instanceof Failure) return error;
  if (isFull(error)) {
    const { bavail, bsize } = await statfs(folder);
    const free = sizeText(bavail * bsize);
    return new Failure("storage.full", { size: size === undefined ? "?" : sizeText(size), free });
  }
  return isCut(error) ? new Failure("upload.length") : error;
}
