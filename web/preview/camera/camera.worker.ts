import type { WorkerAnswer } from "../file/run-worker.ts";
import { type CameraFacts, factsOf } from "./facts.ts";

/** Reads what a camera has written into a picture. What is no picture has no facts. */
addEventListener("message", ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => {
  let facts: CameraFacts = {};
  try {
    facts = factsOf(data.buffer);
  } catch {
    // ExifReader throws for what it does not know, and for most that is damaged.
  }
  postMessage({ result: facts } satisfies WorkerAnswer<CameraFacts>);
});
