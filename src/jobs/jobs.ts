import { Failure } from "#contract/failures";
import { JOB_KEPT, JOB_LINES, MAX_JOBS_KEPT, MAX_WAITING_JOBS } from "#contract/limits";
import { treePath } from "#contract/paths";
import type { Callers } from "../access/callers.ts";
import { type Caller, ownerName } from "../access/principal.ts";
import { owns } from "../access/rights.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { removeInSlices } from "../lib/turns.ts";
import { jobCounts } from "./counts-table.ts";
import { createInFlight } from "./in-flight.ts";
import { jobsTable } from "./jobs-table.ts";
import { createReading, type Job } from "./reading.ts";
import { createJobWork, type Failed, type Waits } from "./runner.ts";
import { createScheduler } from "./scheduler.ts";
import type { BegunTask, CountTask, RunTask, Task } from "./task.ts";
import { createJobWatchers } from "./watchers.ts";

interface JobsDeps {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly log: Log;
  readonly run: RunTask;
  readonly count: CountTask;
  /** Throws if the caller may not do this task, or if it is impossible. */
  readonly check: (caller: Caller, task: Task) => Promise<void> | void;
  readonly callers: Pick<Callers, "now" | "lasting" | "ofLasting">;
  /** Milliseconds before a write that the database refused is repeated. */
  readonly pause?: number | undefined;
  /** How long a storage that does not answer is waited for at a time. */
  readonly waits?: Waits | undefined;
  readonly failed?: Failed | undefined;
}

const SWEPT_AT_ONCE = 10;
const USUAL_PAUSE = 10_000;
const USUAL_WAITS: Waits = { first: 5000, most: 120_000 };

/**
 * Copies, moves and removals in the background that continue after a restart: two jobs at once on each server, the others in
 * order. A server holds a lease of each job that it runs; when that ends, because the server has died, another goes on.
 */
export function createJobs(deps: JobsDeps) {
  const { cluster, clock, log, run, count, check, callers, pause = USUAL_PAUSE, waits = USUAL_WAITS, failed } = deps;
  const table = jobsTable(cluster);
  const watchers = createJobWatchers();
  const inFlight = createInFlight(cluster, watchers);
  const { tell, changed } = inFlight;
  const work = createJobWork({ table, clock, log, run, count, callers, changed, waits, failed });
  const scheduler = createScheduler({ cluster, table, inFlight, clock, log, work, pause });
  const { own, read, list, listByIds } = createReading(table, inFlight);

  const learn = (subject: string): void => {
    const [news, id = "", owner = ""] = subject.split(" ");
    watchers.tell({ id, owner });
    if (news === "cancelled") inFlight.abort(id);
    if (news === "new") scheduler.queueIfFree();
  };
  cluster.regularly(table.areOpen, scheduler.look);
  cluster.follow("jobs", (subjects) => (subjects ? subjects.forEach(learn) : watchers.tellAll()));

  const insert = async (caller: Caller, tasks: readonly BegunTask[]): Promise<string> => {
    const id = Bun.randomUUIDv7();
    const refusal = new Failure("job.tooMany", { limit: MAX_WAITING_JOBS });
    const limits = { waiting: MAX_WAITING_JOBS, refusal, ended: MAX_JOBS_KEPT, failures: JOB_LINES };
    const owner = ownerName(caller);
    const credential = (await callers.lasting(caller)) ?? null;
    // Behind that: one that was changed since this call began has ended its session.
    await callers.now(caller);
    await table.insert({ id, owner, created_at: clock(), credential, tasks }, limits);
    scheduler.queue();
    tell({ id, owner }, "new");
    return id;
  };

  return {
    read,
    list,
    listByIds,

    /** Starts a job, now or in its turn. 400 path.invalid, 429 job.tooMany, and the failures of `check` for each task. */
    async create(caller: Caller, requested: readonly Task[]): Promise<Job> {
      const tasks = requested.map(cleaned);
      for (const task of tasks) await check(caller, task);
      return await read(caller, await insert(caller, tasks.map(fromTheStart)));
    },

    /** Creates a job that continues tasks where their caller left them, and returns its id. 429 job.tooMany. */
    createBegun: (caller: Caller, tasks: readonly BegunTask[]): Promise<string> => insert(caller, tasks),

    /** Of everybody. */
    counts: jobCounts(cluster.db),

    /**
     * Cancels a job that has not ended, which is so at once and stays so after a crash; the files under way are still done.
     * Forgets one that has ended. 404 job.missing.
     */
    async cancel(caller: Caller, id: string): Promise<void> {
      const job = await own(caller, id);
      const isCancelled = await table.cancel(id, clock());
      if (isCancelled) inFlight.abort(id);
      else await table.removeEnded(id);
      tell(job, isCancelled ? "cancelled" : "changed");
    },

    /** Calls `changed` after each change of a job until the answer is called. 404 job.missing, 503 server.busy. */
    async watch(caller: Caller, id: string, changed: () => void): Promise<() => void> {
      await own(caller, id);
      return watchers.watch({ concerns: (job) => job.id === id, owner: ownerName(caller), changed });
    },

    /** Calls `changed` with the id after each change of a job that the caller's list has, until the answer is called. 503 server.busy. */
    watchAll(caller: Caller, changed: (id?: string) => void): () => void {
      return watchers.watch({ concerns: (job) => owns(caller, job.owner), owner: ownerName(caller), changed });
    },

    /** Continues the jobs that no server runs. Call it once, before any request is answered. */
    start: scheduler.start,

    /** Forgets jobs that ended a week ago; returns how many. */
    sweep: (): Promise<number> =>
      removeInSlices((limit) => table.removeEndedBefore(clock() - JOB_KEPT, limit), SWEPT_AT_ONCE),

    /** Reports whether no job is begun any more, because the server stops. */
    isClosing: scheduler.isClosing,

    /** Stops after the files in flight; the next start continues there. */
    async close(): Promise<void> {
      scheduler.stop();
      watchers.tellAll();
      await scheduler.ended();
    },
  };
}

const fromTheStart = (task: Task): BegunTask => ({ task, done: 0, skipped: 0, failed: 0, bytes: 0, failures: [] });

/** The task with its paths as the tree writes them. 400 path.invalid. */
function cleaned(task: Task): Task {
  const path = (text: string): string => {
    const clean = treePath(text);
    if (clean === undefined) throw new Failure("path.invalid");
    return clean;
  };
  const source = path(task.source);
  return task.kind === "delete" ? { ...task, source } : { ...task, source, target: path(task.target) };
}
