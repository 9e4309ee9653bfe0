import { startWorkerSession } from "../file/worker-session.ts";
import workerAddress from "./music.worker.ts?worker";
import type { MusicTags } from "./tags.ts";

/** What the worker is asked: the tags of a recording, for its title in a list without the cover, which takes most. */
export interface MusicQuestion {
  readonly address: string;
  readonly withCover: boolean;
}

/** A worker that reads the tags of one recording after the other until it is ended. */
export const startMusic = () => startWorkerSession<MusicQuestion, MusicTags, never>(workerAddress, () => undefined);

/** Reads the tags of one recording. Throws a WorkerFailure. */
export async function readMusic(address: string, signal: AbortSignal): Promise<MusicTags> {
  const worker = startMusic();
  signal.addEventListener("abort", worker.end);
  try {
    return await worker.ask({ address, withCover: true });
  } finally {
    worker.end();
  }
}
