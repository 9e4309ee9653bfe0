import { type FileProgress, files } from "#contract/files";
import { events } from "../../api/event-stream.ts";
import { isFailure } from "../../api/failure.ts";
import { sleep } from "../../lib/sleep.ts";

/** Pauses before a broken stream is opened again, in milliseconds. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;

interface Following {
  readonly onProgress: (progress: FileProgress) => void;
  readonly signal: AbortSignal;
}

/** Follows the file of a share until it is there or has failed. A stream that breaks is opened again, less and less often. */
export async function followArrival(slug: string, { onProgress, signal }: Following): Promise<void> {
  const path = files.events.path.replace(":slug", encodeURIComponent(slug));
  for (let pause = FIRST_PAUSE; !signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    try {
      for await (const data of events(path, signal)) {
        pause = FIRST_PAUSE;
        const progress = JSON.parse(data) as FileProgress;
        onProgress(progress);
        if (isOver(progress)) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      // The share was deleted, or has expired.
      if (isFailure(error) && [404, 410].includes(error.status)) return onProgress({ state: "failed", size: null });
      if (!isFailure(error)) throw error;
    }
    await sleep(pause, signal);
  }
}

const isOver = ({ state }: FileProgress): boolean => state === "ready" || state === "failed";
