import { Failure, type FailureCode } from "#contract/failures";
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

/** How a job goes. */
interface Course {
  readonly running: Running;
  readonly caller: () => Promise<Caller>;
  /** What a storage in trouble made fail, since something else last came of a file. */
  troubles: Failure[];
}

/** What the next file of a storage would most likely meet too, each after tries of its own. */
const TROUBLES: readonly FailureCode[] = [
  "storage.unreachable",
  "storage.refused",
  "storage.bucketMissing",
  "storage.full",
];
/** How many of these in a row end a task, or all of a job. */
const TROUBLES_OF_TASK = 3;
const TROUBLES_OF_JOB = 10;

/** Does a job from where it was left to its end, file by file, and writes down each as it is done. Rejects for nothing but bugs. */
export function createJobWork({ table, clock, log, run, count, callerOf, changed }: JobWorkNeeds) {
  const startCount = createJobCount({ table, log, count });

  const failureOf = (error: unknown, job: string): Failure => {
    if (error instanceof Failure) return error;
    log.error("bug", { job, ...unforeseen(error) });
    return new Failure("internal", { request: job });
  };

  const perform = async (task: JobTaskRow, course: Course): Promise<void> => {
    const { running, caller } = course;
    const stop = new AbortController();
    const signal = AbortSignal.any([running.signal, stop.signal]);
    const how = { caller, door: "mount", after: task.cursor ?? undefined, again: task.state === "running" } as const;
    for await (const step of run(taskOf(task), { ...how, signal })) {
      await table.step(task, step, JOB_LINES);
      running.current = step.path;
      changed(task.job);
      note(course, step.failure);
      if (course.troubles.length >= TROUBLES_OF_TASK) stop.abort(step.failure);
    }
    // A file that is a whole task has been told of.
    if (stop.signal.aborted && running.current !== task.source) throw stop.signal.reason;
  };

  /** Throws what concerns the whole job. */
  const performWhole = async (task: JobTaskRow, course: Course): Promise<void> => {
    const { running } = course;
    await table.beginTask(task);
    running.current = task.source;
    changed(task.job);
    try {
      await perform(task, course);
    } catch (error) {
      // Whatever broke because it was told to stop is tried again by whoever goes on.
      if (running.signal.aborted) return;
      const failure = failureOf(error, task.job);
      note(course, failure);
      if (endsAll(failure)) throw failure;
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
    const course: Course = { running, caller, troubles: [] };
    try {
      for (const task of tasks) {
        if (task.state !== "pending" && task.state !== "running") continue;
        await counting.before(task);
        if (running.signal.aborted) return;
        await caller();
        await performWhole(task, course);
        if (course.troubles.length >= TROUBLES_OF_JOB) throw course.troubles[0];
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

function note(course: Course, failure: Failure | undefined): void {
  course.troubles = failure && TROUBLES.includes(failure.code) ? [...course.troubles, failure] : [];
}

/** Whether the owner of a job lost what it was begun with: then nothing of it is theirs to do. */
const endsAll = ({ code, status }: Failure): boolean =>
  status === 401 || code === "auth.forbidden" || code === "path.forbidden";
