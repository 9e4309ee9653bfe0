import { mkdir, rm, stat } from "node:fs/promises";
import { createIncoming } from "./disk-incoming.ts";
import type { Incoming } from "./store.ts";

/** A body that is kept aside, on the disk of this server; it goes when it is disposed of, or with the next start. */
export interface Spooled extends AsyncDisposable {
  /** Bytes. */
  readonly size: number;
  /** The whole of it, to be read once. */
  readonly body: Response;
}

/** Keeps bodies in a folder where nobody looks, for those who are to know what is in them before they are told where it goes. */
export const createSpool =
  (folder: string) =>
  /** `limit` in bytes. 413 file.tooLarge, 507 storage.full; then nothing is left. */
  async (body: Incoming, limit: number): Promise<Spooled> => {
    await mkdir(folder, { recursive: true });
    const path = await createIncoming(folder).receive(body, { limit });
    const { size } = await stat(path);
    return { size, body: new Response(Bun.file(path)), [Symbol.asyncDispose]: () => rm(path, { force: true }) };
  };
