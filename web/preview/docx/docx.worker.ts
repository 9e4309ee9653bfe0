import type { WorkerAnswer } from "../file/run-worker.ts";
import { failureOf, isCompound, isZip, sanitized, Unreadable } from "../office/unpack.ts";

/** Looks through a document before the page lays it out. */
async function checked(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (isCompound(bytes)) throw new Unreadable("encrypted");
  if (!isZip(bytes)) throw new Unreadable("broken");
  return await sanitized(bytes, true);
}

addEventListener("message", async ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => {
  const answer: WorkerAnswer<Uint8Array<ArrayBuffer>> = await checked(data).then((result) => ({ result }), failureOf);
  postMessage(answer);
});
