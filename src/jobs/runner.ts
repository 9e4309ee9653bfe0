import { Failure, type FailureCode } from "#contract/failures";
import { MAX_JOB_TASKS } from "#contract/limits";
import type { Callers } from "../access/callers.ts";
import { LeaseLost } from "../cluster/held-leases.ts";
import type { Sql } from "../database/sql.ts";
import type { Clock } from "../lib/clock.ts";
import { createJobCount } from "./count.ts";
import type { JobRow } from "./jobs-table.ts";
import type { CountTask } from "./task.ts";
import {
  type Course,
  createTaskRunner,
  failureOf,
  isAway,
  type Running,
  StorageAway,
  type TaskRunnerDeps,
} from "./task-runner.ts";

interface JobWorkDeps extends TaskRunnerDeps {
  readonly clock: Clock;
  readonly count: CountTask;
  readonly callers: Pick<Callers, "ofLasting">;
  readonly waits: Waits;
  /** Statements for the transaction that ends a job, if this condition says there that it failed. */
  readonly failed?: Failed | undefined;
}

export type Failed = (
  job: { readonly id: string; readonly owner: string; readonly reason: FailureCode | null },
  when: Sql,
) => readonly Sql[];

/** How long a storage that is away is waited for, in milliseconds, before it counts as one that fails. */
const LONGEST_AWAY = 24 * 60 * 60_000;

/** Milliseconds before a storage that is away is asked again: first, and at most. Between them half of the time that it has been away. */
export interface Waits {
  readonly first: number;
  readonly most: number;
}

/** How many storage failures in a row end a job. */
const FAILURES_PER_JOB = 10;

/** Runs a job from where it stopped to its end, or until its storage is away, and records each file as it is done. Rejects only for bugs. */
export function createJobWork(deps: JobWorkDeps) {
  const { table, clock, log, count, callers, waits, failed } = deps;
  const startCount = createJobCount({ table, log, count });
  const performWhole = createTaskRunner(deps);

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
    } catch (error) {
      throw patient && error instanceof Failure && isAway(error) ? new StorageAway(error) : error;
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
      failure = failureOf(error, job.id, log);
    }
    // Who stopped it has said what becomes of it: cancelled, or left for the next start.
    if (running.signal.aborted) return "ended";
    const { id, owner } = job;
    const told = (when: Sql) => failed?.({ id, owner, reason: failure?.code ?? null }, when) ?? [];
    await table.end(id, { now: clock(), failure, proof: running.proof, told });
    return "ended";
  };
}
