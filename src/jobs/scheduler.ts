import { JOBS_AT_ONCE } from "#contract/limits";
import type { Cluster } from "../cluster/cluster.ts";
import type { Clock } from "../lib/clock.ts";
import { settleWithin } from "../lib/closing.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import { createSemaphore } from "../lib/turns.ts";
import { createClaims } from "./claims.ts";
import type { JobsInFlight } from "./in-flight.ts";
import type { JobRow, JobsTable } from "./jobs-table.ts";
import type { Running } from "./task-runner.ts";

interface SchedulerDeps {
  readonly cluster: Pick<Cluster, "leases">;
  readonly table: JobsTable;
  readonly inFlight: JobsInFlight;
  readonly clock: Clock;
  readonly log: Log;
  /** Runs a job to its end, or until its storage is away. Rejects only for bugs. */
  readonly work: (job: JobRow, running: Running) => Promise<"ended" | "paused">;
  /** Milliseconds before a write that the database refused is repeated. */
  readonly pause: number;
}

interface TurnDeps extends Pick<SchedulerDeps, "cluster" | "table" | "inFlight" | "clock" | "log" | "work"> {
  readonly isClosing: () => boolean;
  /** Called with a job whose work failed for a bug, or because the database refused to write. */
  readonly brokenOff: (job: JobRow) => void;
  /** Called when a job has begun to wait for its storage. */
  readonly paused: () => void;
}

/** Returns the function that takes the next job, if one waits, and works on it. */
function createTurn({ cluster, table, inFlight, clock, log, work, isClosing, brokenOff, paused }: TurnDeps) {
  const claim = createClaims({ table, leases: cluster.leases, clock, here: inFlight.ids });

  return async (): Promise<void> => {
    const claimed = isClosing() ? undefined : await claim();
    if (!claimed) return;
    const { job, lease } = claimed;
    // Jobs taken while the server began to stop are left for its next start, or for another server.
    if (isClosing()) return await lease.release();
    const running = inFlight.begin(job, lease);
    inFlight.tell(job);
    let isPaused = false;
    try {
      isPaused = (await work(job, running)) === "paused";
    } catch (error) {
      log.error("job broken off", { job: job.id, ...unforeseen(error) });
      brokenOff(job);
    } finally {
      await lease.release();
      inFlight.end(job.id);
      inFlight.tell(job, isClosing() ? "new" : "changed");
      if (isPaused) paused();
    }
  };
}

/** Gives each waiting job its turn, so many at once, and goes on with those whose storage was away. */
export function createScheduler(deps: SchedulerDeps) {
  const { table, inFlight, clock, log, pause } = deps;
  const semaphore = createSemaphore(JOBS_AT_ONCE, Number.POSITIVE_INFINITY);
  const open = new Set<Promise<unknown>>();
  let closing = false;
  /** When the next job that waits for its storage goes on. */
  let alarm: Timer | undefined;
  const isClosing = () => closing;
  const brokenOff = (job: JobRow) => later(() => requeue(job));
  const runNext = createTurn({ ...deps, isClosing, brokenOff, paused: () => later(wake, 0) });

  /** Tries something again until the database takes it: a full disk ends no job, and keeps none from its turn. */
  const later = (task: () => Promise<void> | void, wait = pause): void => {
    const timer = setTimeout(async () => {
      try {
        if (!closing) await task();
      } catch (error) {
        log.warn("jobs wait for the database", unforeseen(error));
        later(task);
      }
    }, wait);
    timer.unref();
  };

  const requeue = async (job: Pick<JobRow, "id" | "owner">): Promise<void> => {
    if (await table.requeue(job.id)) queue();
    inFlight.tell(job, "new");
  };

  /** Goes on with what waits and is due. */
  const wake = async (): Promise<void> => {
    const { waiting, resumes } = await table.waiting(clock());
    for (let one = open.size; one < Math.min(JOBS_AT_ONCE, open.size + waiting); one += 1) queue();
    setAlarm(resumes);
  };

  const setAlarm = (resumes: number | null): void => {
    clearTimeout(alarm);
    if (resumes === null || closing) return;
    alarm = setTimeout(() => later(wake, 0), Math.max(1, resumes - clock()));
    alarm.unref();
  };

  /** One turn for each waiting job; which job it takes is decided when the turn comes. */
  const queue = (): void => {
    const turn: Promise<unknown> = semaphore
      .run(runNext)
      .catch((error: unknown) => {
        log.error("job not begun", unforeseen(error));
        later(queue);
      })
      .finally(() => open.delete(turn));
    open.add(turn);
  };

  return {
    queue,

    /** Takes a job that another server has queued, unless as many run here as may. */
    queueIfFree(): void {
      if (open.size < JOBS_AT_ONCE) queue();
    },

    /** Goes on with what other servers have left, and with what waits. */
    async look(): Promise<void> {
      if (closing) return;
      await table.requeueLeft();
      await wake();
    },

    /** Gives turns to all that wait when the server starts. */
    async start(): Promise<void> {
      await table.requeueLeft();
      const { waiting, resumes } = await table.waiting(clock());
      for (let left = waiting; left > 0; left -= 1) queue();
      setAlarm(resumes);
    },

    isClosing,

    /** Begins no job any more, and stops those that run after the files in flight. */
    stop(): void {
      closing = true;
      clearTimeout(alarm);
      inFlight.abortAll();
    },

    /** Returns when no job runs any more. */
    ended: () => settleWithin(Promise.all(open)),
  };
}
