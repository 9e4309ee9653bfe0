import { Failure, type FailureCode } from "#contract/failures";
import { JOB_LINES, MAX_JOB_TASKS } from "#contract/limits";
import type { Callers } from "../access/callers.ts";
import type { Caller } from "../access/principal.ts";
import { LeaseLost } from "../cluster/held-leases.ts";
import type { Sql } from "../database/sql.ts";
import type { Clock } from "../lib/clock.ts";
import { type Log, logUnhandled } from "../lib/log.ts";
import { createJobCount, taskOf } from "./count.ts";
import type { JobRow, JobsTable, JobTaskRow } from "./jobs-table.ts";
import type { CountTask, Intents, RunTask } from "./task.ts";

/** A job in flight. */
export interface Running {
  /** Ends the work behind the files that are under way. */
  readonly signal: AbortSignal;
  /** The path that was worked on last. */
  current: string | null;
  /** For every transaction of it: none is made once another server has gone on with the job. */
  readonly proof: readonly Sql[];
}

interface JobWorkDeps {
  readonly table: JobsTable;
  readonly clock: Clock;
  readonly log: Log;
  readonly run: RunTask;
  readonly count: CountTask;
  readonly callers: Pick<Callers, "ofLasting">;
  /** Called after each change of a job. */
  readonly changed: (job: string) => void;
  readonly waits: Waits;
}

/** The state of a job in flight. */
interface Course {
  readonly running: Running;
  readonly caller: () => Promise<Caller>;
  /** Storage failures in a row: a file with any other outcome resets them. */
  failures: Failure[];
  /** Whether a storage that is away is waited for. */
  readonly patient: boolean;
}

/** Intents of one statement after the other, which take a few milliseconds. */
const RECORDED_AT_ONCE = 250;

/** Failures that the next file of the storage would most likely meet too, after retries of its own. */
const STORAGE_FAILURES: readonly FailureCode[] = [
  "storage.unreachable",
  "storage.refused",
  "storage.bucketMissing",
  "storage.full",
];
/** What the administrator hears whose password is another by now, and a visitor who may not come in, or may no longer do this. */
const CLOSED: readonly FailureCode[] = ["login.wrong", "auth.required"];
/** What a storage says that is away, or overloaded, and comes back by itself; a gateway in front of it answers 502 to 504. */
const isAway = ({ code, details }: Failure): boolean =>
  code === "storage.unreachable" ||
  code === "storage.busy" ||
  (code === "storage.broken" && /^(HTTP 50[0234]|InternalError)$/.test(`${details.answer}`));
/** How long such a storage is waited for, in milliseconds, before it counts as one that fails. */
const LONGEST_AWAY = 24 * 60 * 60_000;

/** Milliseconds before a storage that is away is asked again: first, and at most. Between them half of the time that it has been away. */
export interface Waits {
  readonly first: number;
  readonly most: number;
}

/** The storage of a job does not answer, so that the job waits. */
class StorageAway extends Error {
  constructor(readonly failure: Failure) {
    super(failure.code);
  }
}

/** How many of these in a row end a task, or the whole job. */
const FAILURES_PER_TASK = 3;
const FAILURES_PER_JOB = 10;

/** Runs a job from where it stopped to its end, or until its storage is away, and records each file as it is done. Rejects only for bugs. */
export function createJobWork({ table, clock, log, run, count, callers, changed, waits }: JobWorkDeps) {
  const startCount = createJobCount({ table, log, count });

  const failureOf = (error: unknown, job: string): Failure => {
    if (error instanceof Failure) return CLOSED.includes(error.code) ? new Failure("job.credential") : error;
    logUnhandled(log, error, { job });
    return new Failure("internal", { request: job });
  };

  const intentsOf = async (task: JobTaskRow, { proof }: Running): Promise<Intents> => {
    const left = task.state === "running" ? await table.intents(task) : [];
    return {
      before: new Map(left.map((intent) => [intent.path, intent])),
      async record(intents) {
        for (let from = 0; from < intents.length; from += RECORDED_AT_ONCE)
          await table.recordIntents(task, intents.slice(from, from + RECORDED_AT_ONCE), proof);
      },
      withdraw: async (path) => void (await table.withdrawIntent(task, path)),
    };
  };

  const perform = async (task: JobTaskRow, course: Course): Promise<void> => {
    const { running, caller } = course;
    const stop = new AbortController();
    const signal = AbortSignal.any([running.signal, stop.signal]);
    const intents = await intentsOf(task, running);
    const how = {
      caller,
      protocol: "mount",
      after: task.cursor ?? undefined,
      again: task.state === "running",
    } as const;
    let away: Failure | undefined;
    for await (const step of run(taskOf(task), { ...how, intents, signal })) {
      // Neither that file nor those that were under way beside it are recorded: their intents tell when it goes on what was done.
      if (course.patient && step.failure && isAway(step.failure)) away ??= step.failure;
      if (away) {
        stop.abort(away);
        continue;
      }
      await table.step(task, { step, limit: JOB_LINES, proof: running.proof });
      running.current = step.path;
      changed(task.job);
      note(course, step.failure);
      if (course.failures.length >= FAILURES_PER_TASK) stop.abort(step.failure);
    }
    if (away) throw away;
    // A file that is a whole task is reported already.
    if (stop.signal.aborted && running.current !== task.source) throw stop.signal.reason;
  };

  /** Throws what concerns the whole job. */
  const performWhole = async (task: JobTaskRow, course: Course): Promise<void> => {
    const { running } = course;
    await table.beginTask(task, running.proof);
    running.current = task.source;
    changed(task.job);
    try {
      await perform(task, course);
    } catch (error) {
      // What broke because the job stops is tried again when the job continues.
      if (running.signal.aborted) return;
      if (error instanceof LeaseLost) throw error;
      const failure = failureOf(error, task.job);
      if (course.patient && isAway(failure)) throw new StorageAway(failure);
      note(course, failure);
      if (endsAll(failure)) throw failure;
      const step = { path: task.source, outcome: "failed", bytes: 0, failure } as const;
      await table.step(task, { step, limit: JOB_LINES, proof: running.proof });
    }
    // A task that stops may have been at its end; it finds out when it continues.
    if (!running.signal.aborted) await table.endTask(task, running.proof);
  };

  const performAll = async (job: JobRow, running: Running): Promise<void> => {
    const caller = () => callers.ofLasting(job);
    const tasks = await table.tasks([job.id], MAX_JOB_TASKS);
    const counting = startCount(job, tasks, caller);
    const patient = job.away_since === null || clock() - job.away_since < LONGEST_AWAY;
    const course: Course = { running, caller, failures: [], patient };
    try {
      for (const task of tasks) {
        if (task.state !== "pending" && task.state !== "running") continue;
        await counting.before(task);
        if (running.signal.aborted) return;
        await caller();
        await performWhole(task, course);
        if (course.failures.length >= FAILURES_PER_JOB) throw course.failures[0];
      }
    } finally {
      await counting.stop();
    }
  };

  const pause = async ({ id, away_since }: JobRow, { failure }: StorageAway, { signal, proof }: Running) => {
    if (signal.aborted) return "ended";
    const now = clock();
    const wait = Math.min(waits.most, Math.max(waits.first, (now - (away_since ?? now)) / 2));
    await table.pause(id, { now, until: now + Math.ceil(wait), code: failure.code, proof });
    return "paused";
  };

  return async (job: JobRow, running: Running): Promise<"ended" | "paused"> => {
    let failure: Failure | undefined;
    try {
      await performAll(job, running);
    } catch (error) {
      // Another server has gone on with it.
      if (error instanceof LeaseLost) return "ended";
      if (error instanceof StorageAway) return await pause(job, error, running);
      failure = failureOf(error, job.id);
    }
    // Who stopped it has said what becomes of it: cancelled, or left for the next start.
    if (!running.signal.aborted) await table.end(job.id, { now: clock(), failure, proof: running.proof });
    return "ended";
  };
}

function note(course: Course, failure: Failure | undefined): void {
  course.failures = failure && STORAGE_FAILURES.includes(failure.code) ? [...course.failures, failure] : [];
}

/** Reports whether the owner of a job lost the right it was started with, which ends the job. */
const endsAll = ({ code, status }: Failure): boolean =>
  status === 401 || code === "auth.forbidden" || code === "path.forbidden";
