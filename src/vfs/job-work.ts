import { Failure } from "#contract/failures";
import { JOB_LINES, MAX_JOB_TASKS } from "#contract/limits";
import type { Caller } from "../access/principal.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { unforeseen } from "../lib/unforeseen.ts";
import { createJobCount, taskOf } from "./job-count.ts";
import type { JobRow, JobsTable, JobTaskRow } from "./jobs-table.ts";
import type { CountTask, RunTask } from "./work.ts";

/** Answers the owner of a record as they are now; undefined when they may no longer act. */
export type CallerOf = (owner: string) => Promise<Caller | undefined>;

/** A job that is under way. */
export interface Running {
  /** Ends the work behind the files that are under way. */
  readonly signal: AbortSignal;
  /** The path that was worked on last. */
  current: string | null;
}

interface JobWorkNeeds {
  readonly table: JobsTable;
  readonly clock: Clock;
  readonly log: Log;
  readonly run: RunTask;
  readonly count: CountTask;
  readonly callerOf: CallerOf;
  /** Told after each change of a job. */
  readonly changed: (job: string) => void;
}

/** Does a job from where it was left to its end, file by file, and writes down each as it is done. Rejects for nothing but bugs. */
export function createJobWork({ table, clock, log, run, count, callerOf, changed }: JobWorkNeeds) {
  const startCount = createJobCount({ table, log, count });

  const failureOf = (error: unknown, job: string): Failure => {
    if (error instanceof Failure) return error;
    log.error("bug", { job, ...unforeseen(error) });
    return new Failure("internal", { request: job });
  };

  const perform = async (task: JobTaskRow, running: Running, caller: () => Promise<Caller>): Promise<void> => {
    const { signal } = running;
    for await (const step of run(taskOf(task), { caller, door: "mount", after: task.cursor ?? undefined, signal })) {
      await table.step(task, step, JOB_LINES);
      running.current = step.path;
      changed(task.job);
    }
  };

  /** Throws what concerns the whole job. */
  const performWhole = async (task: JobTaskRow, running: Running, caller: () => Promise<Caller>): Promise<void> => {
    await table.beginTask(task);
    running.current = task.source;
    changed(task.job);
    try {
      await perform(task, running, caller);
    } catch (error) {
      // Whatever broke because it was told to stop is tried again by whoever goes on.
      if (running.signal.aborted) return;
      const failure = failureOf(error, task.job);
      if (endsAll(failure)) throw failure;
      if (!hadDone(task, failure))
        await table.step(task, { path: task.source, outcome: "failed", bytes: 0, failure }, JOB_LINES);
    }
    // A task that was told to stop may have been at its end, and finds that out when it goes on.
    if (!running.signal.aborted) await table.endTask(task);
  };

  const performAll = async (job: JobRow, running: Running): Promise<void> => {
    const caller = async (): Promise<Caller> => {
      const found = await callerOf(job.owner);
      if (!found) throw new Failure("key.invalid");
      return found;
    };
    const tasks = await table.tasks([job.id], MAX_JOB_TASKS);
    const counting = startCount(job, tasks, caller);
    try {
      for (const task of tasks) {
        if (task.state !== "pending" && task.state !== "running") continue;
        await counting.before(task);
        if (running.signal.aborted) return;
        await caller();
        await performWhole(task, running, caller);
      }
    } finally {
      await counting.stop();
    }
  };

  return async (job: JobRow, running: Running): Promise<void> => {
    let failure: Failure | undefined;
    try {
      await performAll(job, running);
    } catch (error) {
      failure = failureOf(error, job.id);
    }
    // Who stopped it has said what becomes of it: cancelled, or left for the next start.
    if (!running.signal.aborted) await table.end(job.id, clock(), failure);
  };
}

/**
 * Whether a task that somebody broke off had been done by then: what it was to move or to delete is gone, and nobody had
 * written that down yet.
 */
const hadDone = ({ state, kind }: JobTaskRow, { code }: Failure): boolean =>
  state === "running" && kind !== "copy" && code === "path.missing";

/** Whether the owner of a job lost what it was begun with: then nothing of it is theirs to do. */
const endsAll = ({ code, status }: Failure): boolean =>
  status === 401 || code === "auth.forbidden" || code === "path.forbidden";
