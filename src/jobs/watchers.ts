import { Failure } from "#contract/failures";
import type { JobRow } from "./jobs-table.ts";

/** The watchers of one owner at most: each holds a connection as long as its job lasts. */
const MAX_WATCHES = 50;

type WatchedJob = Pick<JobRow, "id" | "owner">;

interface Watch {
  readonly concerns: (job: WatchedJob) => boolean;
  /** Who watches. */
  readonly owner: string;
  /** Called without an id when the server stops. */
  readonly changed: (id?: string) => void;
}

/** Notifies the watchers of jobs of their changes. */
export function createJobWatchers() {
  const watches = new Set<Watch>();

  return {
    /** Calls `changed` after each change of its jobs until the answer is called. 503 server.busy when the owner watches too much. */
    watch(watch: Watch): () => void {
      const already = [...watches].filter(({ owner }) => owner === watch.owner).length;
      if (already >= MAX_WATCHES) throw new Failure("server.busy");
      watches.add(watch);
      return () => void watches.delete(watch);
    },

    tell(job: WatchedJob): void {
      for (const watch of watches) if (watch.concerns(job)) watch.changed(job.id);
    },

    tellAll(): void {
      for (const { changed } of watches) changed();
    },
  };
}

export type JobWatchers = ReturnType<typeof createJobWatchers>;
