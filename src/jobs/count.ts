import { Failure } from "#contract/failures";
import type { Caller } from "../access/principal.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import type { JobRow, JobsTable } from "./jobs-table.ts";
import type { Amount, CountTask, Task } from "./task.ts";
import type { JobTaskRow } from "./tasks-table.ts";

interface JobCountDeps {
  readonly table: Pick<JobsTable, "setTotals">;
  readonly log: Log;
  readonly count: CountTask;
}

/** One count of all tasks of a job. */
interface JobCount {
  /** Returns when the task has been counted, or will not be: moving and deleting leave nothing to count. */
  before(task: JobTaskRow): Promise<void>;
  /** Ends the counting, and returns when it has. */
  stop(): Promise<void>;
}

const nothingToWaitFor: JobCount = { before: async () => undefined, stop: async () => undefined };

/**
 * Counts the tasks of a job ahead of its work, so that work waits for the count of its own task only. Jobs that were begun
 * before, and those with a task that is too large or cannot be counted, have no total.
 */
export function createJobCount({ table, log, count }: JobCountDeps) {
  /** Returns undefined if the task cannot be counted; running it will show the reason. */
  const amountOf = async (task: Task, caller: () => Promise<Caller>): Promise<Amount | undefined> => {
    try {
      const amount = await count(task, await caller());
      return amount.exact ? amount : undefined;
    } catch (error) {
      if (!(error instanceof Failure)) log.error("job not counted", unforeseen(error));
      return undefined;
    }
  };

  return (job: JobRow, tasks: readonly JobTaskRow[], caller: () => Promise<Caller>): JobCount => {
    if (job.total_files !== null || tasks.some(({ state }) => state !== "pending")) return nothingToWaitFor;
    let futile = false;
    let files = 0;
    let bytes = 0;

    const add = async (task: JobTaskRow): Promise<void> => {
      const amount = futile ? undefined : await amountOf(taskOf(task), caller);
      if (!amount) futile = true;
      files += amount?.files ?? 0;
      bytes += amount?.bytes ?? 0;
    };

    const write = async (): Promise<void> => {
      if (futile) return;
      try {
        await table.setTotals(job.id, files, bytes);
      } catch (error) {
        log.error("count of a job not written", unforeseen(error));
      }
    };

    let last = Promise.resolve();
    const counts = tasks.map((task) => {
      last = last.then(() => add(task));
      return last;
    });
    const written = last.then(write);

    return {
      before: async ({ position }) => await (position === tasks.length - 1 ? written : counts[position]),
      async stop() {
        futile = true;
        await written;
      },
    };
  };
}

/** The task that a row remembers. */
export function taskOf({ kind, source, target: to, skip_existing, on_conflict }: JobTaskRow): Task {
  const target = to ?? "";
  if (kind === "delete") return { kind, source };
  if (kind === "unpack") return { kind, source, target, onConflict: on_conflict ?? "skip" };
  return { kind, source, target, skipExisting: skip_existing === 1 };
}
