import { Failure, type FailureCode } from "#contract/failures";
import { JOB_LINES } from "#contract/limits";
import type { Caller } from "../access/principal.ts";
import { LeaseLost } from "../cluster/held-leases.ts";
import type { Sql } from "../database/sql.ts";
import { type Log, logUnhandled } from "../lib/log.ts";
import { taskOf } from "./count.ts";
import type { JobsTable } from "./jobs-table.ts";
import type { Intents, RunTask } from "./task.ts";
import type { JobTaskRow } from "./tasks-table.ts";

/** A job in flight. */
export interface Running {
  /** Ends the work behind the files that are under way. */
  readonly signal: AbortSignal;
  /** The path that was worked on last. */
  current: string | null;
  /** For every transaction of it: none is made once another server has gone on with the job. */
  readonly proof: readonly Sql[];
}

/** The state of a job in flight. */
export interface Course {
  readonly running: Running;
  readonly caller: () => Promise<Caller>;
  /** Storage failures in a row: a file with any other outcome resets them. */
  failures: Failure[];
  /** Whether a storage that is away is waited for. */
  readonly patient: boolean;
}

export interface TaskRunnerDeps {
  readonly table: JobsTable;
  readonly log: Log;
  readonly run: RunTask;
  /** Called after each change of a job. */
  readonly changed: (job: string) => void;
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
/** What a storage says that is away, or overloaded, and comes back by itself; a gateway in front of it answers 502 to 504. A database does so likewise. */
export const isAway = ({ code, details }: Failure): boolean =>
  code === "database.unavailable" ||
  code === "storage.unreachable" ||
  code === "storage.busy" ||
  (code === "storage.broken" && /^(HTTP 50[0234]|InternalError)$/.test(`${details.answer}`));

/** How many storage failures in a row end a task. */
const FAILURES_PER_TASK = 3;

/** The storage of a job or the database does not answer, so that the job waits. */
export class StorageAway extends Error {
  constructor(readonly failure: Failure) {
    super(failure.code);
  }
}

/** Returns the function that runs a task from where it stopped, and records each file as it is done. It throws what concerns the whole job. */
export function createTaskRunner({ table, log, run, changed }: TaskRunnerDeps) {
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

  return async (task: JobTaskRow, course: Course): Promise<void> => {
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
      const failure = failureOf(error, task.job, log);
      if (course.patient && isAway(failure)) throw new StorageAway(failure);
      note(course, failure);
      if (endsAll(failure)) throw failure;
      const step = { path: task.source, outcome: "failed", bytes: 0, failure } as const;
      await table.step(task, { step, limit: JOB_LINES, proof: running.proof });
    }
    // A task that stops may have been at its end; it finds out when it continues.
    if (!running.signal.aborted) await table.endTask(task, running.proof);
  };
}

/** The failure that the owner of a job is told of; any other error is logged. */
export function failureOf(error: unknown, job: string, log: Log): Failure {
  if (error instanceof Failure) return CLOSED.includes(error.code) ? new Failure("job.credential") : error;
  logUnhandled(log, error, { job });
  return new Failure("internal", { request: job });
}

function note(course: Course, failure: Failure | undefined): void {
  course.failures = failure && STORAGE_FAILURES.includes(failure.code) ? [...course.failures, failure] : [];
}

/** Reports whether the owner of a job lost the right it was started with, which ends the job. */
const endsAll = ({ code, status }: Failure): boolean =>
  status === 401 || code === "auth.forbidden" || code === "path.forbidden";
