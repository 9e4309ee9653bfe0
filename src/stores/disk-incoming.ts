import { constants } from "node:fs";
import { copyFile, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "#contract/failures";
import type { Bounds } from "./bodies.ts";
import { isMissing } from "./disk-paths.ts";
import { asFailure, openToWrite, writeBody } from "./disk-write.ts";
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
        const size = await (isFramed(body, bounds) ? writeFramed : writeUnframed)(path, body, bounds);
        if (bounds.length !== undefined && size !== bounds.length) throw new Failure("upload.length");
        return path;
      } catch (error) {
        await rm(path, { force: true });
        throw await asFailure(error, folder, bounds.length);
      }
    },

    /**
     * Copies a file into one that nobody sees yet, which the system does by itself, flushes it and answers its path; undefined
     * when it has vanished. 507 storage.full; then nothing is left.
     */
    async copy(source: string, size: number): Promise<string | undefined> {
      const path = join(folder, Bun.randomUUIDv7());
      try {
        await copyFile(source, path, constants.COPYFILE_FICLONE);
        const file = await open(path, "r");
        await file.datasync().finally(() => file.close());
        return path;
      } catch (error) {
        await rm(path, { force: true });
        if (isMissing(error)) return undefined;
        throw await asFailure(error, folder, size);
      }
    },
  };
}

/** Whether HTTP itself holds the body to its bounds. */
const isFramed = ({ headers }: Incoming, { length }: Bounds): boolean =>
  length !== undefined && headers.get("content-length") === String(length);

const writeUnframed = (path: string, body: Incoming, bounds: Bounds) => writeBody(path, 0, body, bounds);

/**
 * Bun writes a whole request without its bytes passing through JavaScript, and an empty one leaves no file. It cannot be told
 * to stop, but it does as soon as the request is answered, which a failure here brings about.
 */
async function writeFramed(path: string, body: Incoming, { signal }: Bounds): Promise<number> {
  const writing = Bun.write(path, body);
  try {
    await Promise.race([writing, aborted(signal)]);
  } catch (error) {
    const forget = () => rm(path, { force: true });
    void writing.then(forget, forget);
    throw error;
  }
  const file = await openToWrite(path);
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
  return await writing;
}

const aborted = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
