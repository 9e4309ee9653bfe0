import type { Cluster } from "../cluster/cluster.ts";
import type { JobRow } from "./jobs-table.ts";
import type { Running } from "./task-runner.ts";
import type { JobWatchers } from "./watchers.ts";

interface InFlight extends Running {
  readonly owner: string;
  readonly controller: AbortController;
}

/** What became of a job, as servers tell each other. */
type News = "new" | "changed" | "cancelled";

/** The jobs that this server works on, and who is told of their changes. */
export function createInFlight(cluster: Pick<Cluster, "publishLater">, watchers: JobWatchers) {
  const jobs = new Map<string, InFlight>();

  /** Tells those who watch here, and a moment later those at other servers. */
  const tell = ({ id, owner }: Pick<JobRow, "id" | "owner">, news: News = "changed"): void => {
    watchers.tell({ id, owner });
    cluster.publishLater("jobs", `${news} ${id} ${owner}`);
  };

  return {
    tell,

    changed: (id: string): void => tell({ id, owner: jobs.get(id)?.owner ?? "" }),

    /** Notes that a job runs here. `signal` aborts when its lease is lost. */
    begin(job: Pick<JobRow, "id" | "owner">, { signal, proof }: Pick<Running, "signal" | "proof">): Running {
      const controller = new AbortController();
      const running: InFlight = {
        owner: job.owner,
        controller,
        signal: AbortSignal.any([controller.signal, signal]),
        current: null,
        proof,
      };
      jobs.set(job.id, running);
      return running;
    },

    end: (id: string): void => void jobs.delete(id),

    abort: (id: string): void => jobs.get(id)?.controller.abort(),

    abortAll(): void {
      for (const { controller } of jobs.values()) controller.abort();
    },

    ids: (): Iterable<string> => jobs.keys(),

    /** The path that a job worked on last, if this server runs it. */
    current: (id: string): string | null | undefined => jobs.get(id)?.current,
  };
}

export type JobsInFlight = ReturnType<typeof createInFlight>;
