import { Failure } from "#contract/failures";

/** How many places one owner may watch from at once: each holds a connection for as long as its job lasts. */
const MOST_WATCHES = 50;

interface Watch {
  readonly job: string;
  readonly owner: string;
  readonly changed: () => void;
}

/** Tells whoever watches a job that it has changed. */
export function createJobWatchers() {
  const watches = new Set<Watch>();

  return {
    /** Calls `changed` after each change of the job until the answer is called. 503 server.busy when the owner watches too much. */
    watch(watch: Watch): () => void {
      const already = [...watches].filter(({ owner }) => owner === watch.owner).length;
      if (already >= MOST_WATCHES) throw new Failure("server.busy");
      watches.add(watch);
      return () => void watches.delete(watch);
    },

    tell(job: string): void {
      for (const watch of watches) if (watch.job === job) watch.changed();
    },

    tellAll(): void {
      for (const { changed } of watches) changed();
    },
  };
}
