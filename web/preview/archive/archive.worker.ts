import type { WorkerAnswer } from "../file/run-worker.ts";
import type { ArchiveList, ArchiveTask } from "./archive.ts";
import { TooLarge } from "./collect.ts";
import { isUnindexed, listUnindexed, NotUnpacked, takeFromUnindexed } from "./tar.ts";
import { listZip, takeFromZip } from "./zip.ts";

class Unreachable extends Error {}

async function work(task: ArchiveTask): Promise<ArchiveList | Blob> {
  const { address, packing, take } = task;
  if (!isUnindexed(packing)) return await (take ? takeFromZip(task) : listZip(task));
  const open = async (signal: AbortSignal) => {
    const answer = await fetch(address, { signal });
    if (!answer.ok || !answer.body) throw new Unreachable();
    return answer.body;
  };
  return await (take ? takeFromUnindexed(task, packing, open) : listUnindexed(task, packing, open));
}

function failureOf(error: unknown): { readonly failed: string } {
  if (error instanceof TooLarge) return { failed: "tooLarge" };
  if (error instanceof NotUnpacked) return { failed: "unsupported" };
  const said = error instanceof Error ? error.message : "";
  if (/password|encrypted/i.test(said)) return { failed: "encrypted" };
  if (error instanceof Unreachable || /range/i.test(said) || /HTTP error/i.test(said)) return { failed: "unreachable" };
  return { failed: "broken" };
}

addEventListener("message", async ({ data }: MessageEvent<ArchiveTask>) => {
  const answer: WorkerAnswer<ArchiveList | Blob> = await work(data).then((result) => ({ result }), failureOf);
  postMessage(answer);
});
