import type { FailureCode } from "#contract/failures";
import type { ConflictChoice, JobState } from "#contract/fs/jobs";
import type { Database } from "../database/database.ts";
import { list, type Sql, sql } from "../database/sql.ts";
import type { BegunTask, Intent, Step } from "./task.ts";

export interface JobTaskRow {
  readonly job: string;
  /** From 0 on. */
  readonly position: number;
  readonly state: JobState;
  readonly done: number;
  readonly skipped: number;
  readonly failed: number;
  readonly kind: BegunTask["task"]["kind"];
  readonly skip_existing: number;
  /** Of an archive to unpack. */
  readonly on_conflict: ConflictChoice | null;
  readonly source: string;
  readonly target: string | null;
  /** Of the last step that was done. */
  readonly cursor: string | null;
}

export interface JobFailureRow {
  readonly job: string;
  readonly position: number;
  readonly path: string;
  /** A code, or a name that an earlier or later version used. */
  readonly error: string;
  /** Written as JSON. */
  readonly error_details: string;
}

type TaskName = Pick<JobTaskRow, "job" | "position">;

/** One that unpacks is a copy of nothing to servers of the version before, which refuse it and harm nothing. */
export const insertTask = (job: string, position: number, { task, cursor, done, skipped, failed }: BegunTask) => {
  const [kind, source, archive, onConflict] =
    task.kind === "unpack" ? ["copy", "", task.source, task.onConflict] : [task.kind, task.source, null, null];
  return sql`
  insert into job_tasks (job, position, state, kind, skip_existing, source, archive, on_conflict, target, cursor,
    done, skipped, failed)
  values (${job}, ${position}, 'pending', ${kind}, ${"skipExisting" in task && task.skipExisting ? 1 : 0}, ${source},
    ${archive}, ${onConflict}, ${task.kind === "delete" ? null : task.target}, ${cursor ?? null},
    ${done}, ${skipped}, ${failed})`;
};

/** Inserts nothing when the job is gone, or has as many failures as are shown. */
export const insertFailure = (job: string, path: string, { code, details }: FailureRecord, limit: number) => sql`
  insert into job_failures (job, position, path, error, error_details)
  select id, (select count(*) from job_failures where job = ${job}), ${path}, ${code}, ${JSON.stringify(details)}
  from jobs where id = ${job} and (select count(*) from job_failures where job = ${job}) < ${limit}`;

/** The final state of a task or job, from its counts. */
export const endState = (failed: Sql, others: Sql) => sql`
  case when ${failed} = 0 then 'completed' when ${others} = 0 then 'failed' else 'partial_complete' end`;

const insertIntent = ({ job, position }: TaskName, { path, target, files, bytes, whole }: Intent) => sql`
  insert into job_intents (job, position, path, target, files, bytes, whole)
  values (${job}, ${position}, ${path}, ${target}, ${files}, ${bytes}, ${whole ? 1 : 0})
  on conflict (job, position, path) do update set
    target = excluded.target, files = excluded.files, bytes = excluded.bytes, whole = excluded.whole`;

const deleteIntent = ({ job, position }: TaskName, path: string) => sql`
  delete from job_intents where job = ${job} and position = ${position} and path = ${path}`;

/** The stored part of a failure. */
export interface FailureRecord {
  readonly code: FailureCode;
  readonly details: object;
}

/** A step that was done, and proof that the job is still this server's. */
interface StepDone {
  readonly step: Step;
  /** Failures that are kept. */
  readonly limit: number;
  readonly proof: readonly Sql[];
}

/** The tasks of jobs, what is about to be changed for them, and their failures. */
export const tasksTable = (db: Database) => ({
  /** The first tasks of each of these jobs. */
  tasks: (ids: readonly string[], limit: number) =>
    db.all<JobTaskRow>(sql`
    select job, position, state, done, skipped, failed, skip_existing, on_conflict, target, cursor,
      case when archive is null then kind else 'unpack' end as kind, coalesce(archive, source) as source
    from job_tasks
    where job in (${list(ids)}) and position < ${limit} order by job, position`),
  /** The first failures of each of these jobs. */
  failures: (ids: readonly string[], limit: number) =>
    db.all<JobFailureRow>(sql`
    select job, position, path, error, error_details from job_failures
    where job in (${list(ids)}) and position < ${limit} order by job, position`),

  beginTask: ({ job, position }: TaskName, proof: readonly Sql[]) =>
    db.batch([
      sql`update job_tasks set state = 'running' where job = ${job} and position = ${position} and state = 'pending'`,
      ...proof,
    ]),
  /** Returns the intents of a task that was interrupted. */
  async intents({ job, position }: TaskName): Promise<Intent[]> {
    const rows = await db.all<Omit<Intent, "whole"> & { readonly whole: number }>(sql`
    select path, target, files, bytes, whole from job_intents where job = ${job} and position = ${position}`);
    return rows.map((row) => ({ ...row, whole: row.whole === 1 }));
  },
  recordIntents: (task: TaskName, intents: readonly Intent[], proof: readonly Sql[]) =>
    db.batch([...intents.map((intent) => insertIntent(task, intent)), ...proof]),
  withdrawIntent: (task: TaskName, path: string) => db.run(deleteIntent(task, path)),

  /** Counts a step and where to go on behind it, and forgets its intent; keeps its failure when fewer than `limit` are kept. */
  step({ job, position }: TaskName, { step, limit, proof }: StepDone) {
    const { path, outcome, bytes, files = 1, failure, cursor } = step;
    const [done, skipped, failed] = (["done", "skipped", "failed"] as const).map((one) =>
      one === outcome ? files : 0,
    );
    return db.batch([
      sql`update job_tasks set cursor = coalesce(${cursor ?? null}, cursor), done = done + ${done ?? 0},
        skipped = skipped + ${skipped ?? 0}, failed = failed + ${failed ?? 0}
      where job = ${job} and position = ${position}`,
      sql`update jobs set done_files = done_files + ${done ?? 0}, skipped_files = skipped_files + ${skipped ?? 0},
        failed_files = failed_files + ${failed ?? 0}, done_bytes = done_bytes + ${done ? bytes : 0},
        current = ${path}, away_since = null, away_error = null
      where id = ${job}`,
      deleteIntent({ job, position }, path),
      ...(failure ? [insertFailure(job, path, failure, limit)] : []),
      ...proof,
    ]);
  },
  endTask: ({ job, position }: TaskName, proof: readonly Sql[]) =>
    db.batch([
      sql`update job_tasks set state = ${endState(sql`failed`, sql`done + skipped`)}
      where job = ${job} and position = ${position} and state = 'running'`,
      sql`delete from job_intents where job = ${job} and position = ${position}`,
      ...proof,
    ]),
});
