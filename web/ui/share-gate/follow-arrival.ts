import { type FileProgress, files } from "#contract/files";
import { address } from "../../api/call.ts";
import { isFailure } from "../../api/failure.ts";
import { events } from "../../api/transport/event-stream.ts";
import { followEvents } from "../../api/transport/follow-events.ts";
import { sleep } from "../../lib/sleep.ts";

interface Following {
  readonly onProgress: (progress: FileProgress) => void;
  readonly signal: AbortSignal;
}

/** Follows the file of a share until it is there or has failed. */
export const followArrival = (slug: string, { onProgress, signal }: Following): Promise<void> =>
  followEvents({ events, sleep }, () => address(files.events.path, { params: { slug } }), {
    signal,
    onData(data) {
      const progress = JSON.parse(data) as FileProgress;
      onProgress(progress);
      return isOver(progress);
    },
    onBroken(error) {
      if (!isFailure(error)) throw error;
      // The share was deleted, or has expired.
      const isGone = [404, 410].includes(error.status);
      if (isGone) onProgress({ state: "failed", size: null });
      return isGone;
    },
  });

const isOver = ({ state }: FileProgress): boolean => state === "ready" || state === "failed";
