import { Failure } from "#contract/failures";
import type { JobState } from "#contract/fs-jobs";
import { JOB_KEPT, JOB_LINES, JOBS_AT_ONCE, MAX_JOBS_KEPT, MAX_WAITING_JOBS } from "#contract/limits";
import { treePath } from "#contract/paths";
import type { Callers } from "../access/callers.ts";
import { type Caller, ownerName } from "../access/principal.ts";
import { owns } from "../access/rights.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Clock } from "../lib/clock.ts";
import { settleWithin } from "../lib/closing.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import { createSemaphore, removeInSlices } from "../lib/turns.ts";
import { createClaims } from "./claims.ts";
import { jobCounts } from "./counts-table.ts";
import { type JobFailureRow, type JobRow, type JobTaskRow, jobsTable, type ReadJobRow } from "./jobs-table.ts";
import { createJobWork, type Running, type Waits } from "./runner.ts";
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
}

/** A job as its owner sees it: its first tasks and failures. */
export interface Job extends JobRow {
  readonly tasks: readonly JobTaskRow[];
  readonly failures: readonly JobFailureRow[];
  /** Whether nothing of it is under way: one that was cancelled has files that are. */
  readonly settled: boolean;
}

interface JobsWanted {
  readonly state?: JobState | undefined;
  readonly limit: number;
  readonly offset: number;
}

interface InFlight extends Running {
  readonly owner: string;
  readonly controller: AbortController;
}

/** Tasks and failures of a job in a list. */
const LISTED_LINES = 3;
const SWEPT_AT_ONCE = 10;
const USUAL_PAUSE = 10_000;
const USUAL_WAITS: Waits = { first: 5000, most: 120_000 };

/** What became of a job, as servers tell each other. */
type News = "new" | "changed" | "cancelled";

/**
 * Copies, moves and removals in the background that continue after a restart: two jobs at once on each server, the others in
 * order. A server holds a lease of each job that it runs; when that ends, because the server has died, another goes on.
 */
export function createJobs(deps: JobsDeps) {
  const { cluster, clock, log, run, count, check, callers, pause = USUAL_PAUSE, waits = USUAL_WAITS } = deps;
  const table = jobsTable(cluster);
  const watchers = createJobWatchers();
  const changed = (id: string): void => tell({ id, owner: inFlight.get(id)?.owner ?? "" });
  const work = createJobWork({ table, clock, log, run, count, callers, changed, waits });
  const inFlight = new Map<string, InFlight>();
  const claim = createClaims({ table, leases: cluster.leases, clock, here: () => inFlight.keys() });
  const semaphore = createSemaphore(JOBS_AT_ONCE, Number.POSITIVE_INFINITY);
  const open = new Set<Promise<unknown>>();
  const jobsHere = () => new Set(inFlight.keys());
  let closing = false;
  /** When the next job that waits for its storage goes on. */
  let alarm: Timer | undefined;

  /** Tells those who watch here, and a moment later those at other servers. */
  const tell = ({ id, owner }: Pick<JobRow, "id" | "owner">, news: News = "changed"): void => {
    watchers.tell({ id, owner });
    cluster.publishLater("jobs", `${news} ${id} ${owner}`);
  };

  const runNext = async (): Promise<void> => {
    const claimed = closing ? undefined : await claim();
    if (!claimed) return;
    const { job, lease } = claimed;
    // Jobs taken while the server began to stop are left for its next start, or for another server.
    if (closing) return await lease.release();
    const controller = new AbortController();
    const signal = AbortSignal.any([controller.signal, lease.signal]);
    const running: InFlight = { owner: job.owner, controller, signal, current: null, proof: lease.proof };
    inFlight.set(job.id, running);
    tell(job);
    let isPaused = false;
    try {
      isPaused = (await work(job, running)) === "paused";
    } catch (error) {
      log.error("job broken off", { job: job.id, ...unforeseen(error) });
      later(() => requeue(job));
    } finally {
      await lease.release();
      inFlight.delete(job.id);
      tell(job, closing ? "new" : "changed");
      if (isPaused) later(wake, 0);
    }
  };

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
    tell(job, "new");
  };

  /** Goes on with what other servers have left, and with what waits. */
  const look = async (): Promise<void> => {
    if (closing) return;
    await table.requeueLeft();
    await wake();
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

  const learn = (subject: string): void => {
    const [news, id = "", owner = ""] = subject.split(" ");
    watchers.tell({ id, owner });
    if (news === "cancelled") inFlight.get(id)?.controller.abort();
    if (news === "new" && open.size < JOBS_AT_ONCE) queue();
  };
  cluster.regularly(table.areOpen, look);
  cluster.follow("jobs", (subjects) => (subjects ? subjects.forEach(learn) : watchers.tellAll()));

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

  /** `here` are the jobs that this server worked on before the rows were read. */
  const withLines = async (here: ReadonlySet<string>, rows: readonly ReadJobRow[], limit: number): Promise<Job[]> => {
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const tasks = Map.groupBy(await table.tasks(ids, limit), ({ job }) => job);
    const failures = Map.groupBy(await table.failures(ids, limit), ({ job }) => job);
    return rows.map(({ held, ...row }) => ({
      ...row,
      ...totalsOf(row),
      tasks: tasks.get(row.id) ?? [],
      failures: failures.get(row.id) ?? [],
      current: inFlight.get(row.id)?.current ?? (held === 1 ? row.current : null),
      settled: !here.has(row.id) && held === 0,
    }));
  };

  /** 404 job.missing, also for a job of another owner. */
  const own = async (caller: Caller, id: string): Promise<ReadJobRow> => {
    const row = await table.find(id);
    if (!row || !owns(caller, row.owner)) throw new Failure("job.missing");
    return row;
  };

  /** 404 job.missing. */
  const read = async (caller: Caller, id: string): Promise<Job> => {
    const [job] = await withLines(jobsHere(), [await own(caller, id)], JOB_LINES);
    if (!job) throw new Failure("job.missing");
    return job;
  };

  const insert = async (caller: Caller, tasks: readonly BegunTask[]): Promise<string> => {
    const id = Bun.randomUUIDv7();
    const refusal = new Failure("job.tooMany", { limit: MAX_WAITING_JOBS });
    const limits = { waiting: MAX_WAITING_JOBS, refusal, ended: MAX_JOBS_KEPT, failures: JOB_LINES };
    const owner = ownerName(caller);
    const credential = (await callers.lasting(caller)) ?? null;
    // Behind that: one that was changed since this call began has ended its session.
    await callers.now(caller);
    await table.insert({ id, owner, created_at: clock(), credential, tasks }, limits);
    queue();
    tell({ id, owner }, "new");
    return id;
  };

  return {
    read,

    /** Starts a job, now or in its turn. 400 path.invalid, 429 job.tooMany, and the failures of `check` for each task. */
    async create(caller: Caller, requested: readonly Task[]): Promise<Job> {
      const tasks = requested.map(cleaned);
      for (const task of tasks) await check(caller, task);
      return await read(caller, await insert(caller, tasks.map(fromTheStart)));
    },

    /** Creates a job that continues tasks where their caller left them, and returns its id. 429 job.tooMany. */
    goOn: (caller: Caller, tasks: readonly BegunTask[]): Promise<string> => insert(caller, tasks),

    /** Newest first: all to the admin, its own to a key; with the first three tasks and failures of each. */
    async list(caller: Caller, { state, limit, offset }: JobsWanted): Promise<{ jobs: Job[]; total: number }> {
      const page = { owner: caller.kind === "admin" ? undefined : ownerName(caller), state, limit, offset };
      const here = jobsHere();
      const [rows, total] = await Promise.all([table.page(page), table.count(page)]);
      return { jobs: await withLines(here, rows, LISTED_LINES), total };
    },

    /** Of everybody. */
    counts: jobCounts(cluster.db),

    /**
     * Cancels a job that has not ended, which is so at once and stays so after a crash; the files under way are still done.
     * Forgets one that has ended. 404 job.missing.
     */
    async cancel(caller: Caller, id: string): Promise<void> {
      const job = await own(caller, id);
      const isCancelled = await table.cancel(id, clock());
      if (isCancelled) inFlight.get(id)?.controller.abort();
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

    /** Those of these jobs that there are, as the list has them. */
    async some(caller: Caller, ids: readonly string[]): Promise<Job[]> {
      const here = jobsHere();
      const rows = await Promise.all(ids.map(table.find));
      const found = rows.flatMap((row) => (row && owns(caller, row.owner) ? row : []));
      return await withLines(here, found, LISTED_LINES);
    },

    /** Continues the jobs that no server runs. Call it once, before any request is answered. */
    async start(): Promise<void> {
      await table.requeueLeft();
      const { waiting, resumes } = await table.waiting(clock());
      for (let left = waiting; left > 0; left -= 1) queue();
      setAlarm(resumes);
    },

    /** Forgets jobs that ended a week ago; returns how many. */
    sweep: (): Promise<number> =>
      removeInSlices((limit) => table.removeEndedBefore(clock() - JOB_KEPT, limit), SWEPT_AT_ONCE),

    /** Reports whether no job is begun any more, because the server stops. */
    closing: () => closing,

    /** Stops after the files in flight; the next start continues there. */
    async close(): Promise<void> {
      closing = true;
      clearTimeout(alarm);
      for (const { controller } of inFlight.values()) controller.abort();
      watchers.tellAll();
      await settleWithin(Promise.all(open));
    },
  };
}

/** A count is an estimate if files come and go in the meantime, and never less than the files seen. */
function totalsOf(row: JobRow): Pick<JobRow, "total_files" | "total_bytes"> {
  const met = row.done_files + row.skipped_files + row.failed_files;
  return {
    total_files: row.total_files === null ? null : Math.max(row.total_files, met),
    total_bytes: row.total_bytes === null ? null : Math.max(row.total_bytes, row.done_bytes),
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
