import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "#contract/failures";
import { asFailure, type Bounds, openToWrite, writeBody } from "./disk-write.ts";
import type { Incoming } from "./store.ts";

/** The place where bodies wait until they are whole; on the same file system as the objects, so that a rename publishes them. */
export function createIncoming(folder: string) {
  return {
    /**
     * Writes a body into a file that nobody sees yet, flushes it and answers its path. 400 upload.length,
     * 413 file.tooLarge, 507 storage.full; then nothing is left.
     */
    async receive(body: Incoming, bounds: Bounds): Promise<string> {
      const path = join(folder, Bun.randomUUIDv7());
      try {
        const size = isFramed(body, bounds) ? await writeFramed(path, body) : await writeBody(path, 0, body, bounds);
        if (bounds.length !== undefined && size !== bounds.length) throw new Failure("upload.length");
        return path;
      } catch (error) {
        await rm(path, { force: true });
        throw await asFailure(error, folder, bounds.length);
      }
    },
  };
}

/** Whether HTTP itself holds the body to its bounds. */
const isFramed = ({ headers }: Incoming, { length }: Bounds): boolean =>
  length !== undefined && headers.get("content-length") === String(length);

/** Bun writes a whole request without its bytes passing through JavaScript; an empty one leaves no file. */
async function writeFramed(path: string, body: Incoming): Promise<number> {
  const size = await Bun.write(path, body);
  const file = await openToWrite(path);
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
  return size;
}
