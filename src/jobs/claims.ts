import type { Cluster, Lease } from "../cluster/cluster.ts";
import type { Clock } from "../lib/clock.ts";
import { type JobRow, type JobsTable, LEASE } from "./jobs-table.ts";

interface ClaimsDeps {
  readonly table: Pick<JobsTable, "next" | "take">;
  readonly leases: Pick<Cluster["leases"], "taking">;
  readonly clock: Clock;
  /** The jobs that this server still works on: one of them that waits was lost to another server. */
  readonly here: () => Iterable<string>;
}

/** A job with the lease that makes it this server's. */
interface Claim {
  readonly job: JobRow;
  readonly lease: Lease;
}

/** Returns what takes the next job; it answers undefined when none waits. */
export function createClaims({ table, leases, clock, here }: ClaimsDeps) {
  const gone = new Error("The job does not wait any more.");

  return async (): Promise<Claim | undefined> => {
    for (;;) {
      const job = await table.next([...here()], clock());
      if (!job) return undefined;
      const taking = leases.taking(LEASE + job.id);
      try {
        await table.take(job.id, { now: clock(), gone, claim: taking.statements });
        return { job, lease: taking.taken() };
      } catch (error) {
        if (taking.isTaken(error)) return undefined;
        if (error !== gone) throw error;
      }
    }
  };
}
