import type { FailureCode } from "#contract/failures";
import type { JobState } from "#contract/fs/jobs";
import type { Cluster } from "../cluster/cluster.ts";
import { joined, list, type Sql, sql } from "../database/sql.ts";
import type { BegunTask } from "./task.ts";
import { endState, type FailureRecord, insertFailure, insertTask, tasksTable } from "./tasks-table.ts";

export interface JobRow {
  readonly id: string;
  readonly owner: string;
  readonly state: JobState;
  readonly task_count: number;
  /** null until they are counted, and if they cannot be. */
  readonly total_files: number | null;
  readonly total_bytes: number | null;
  readonly done_files: number;
  readonly skipped_files: number;
  readonly failed_files: number;
  readonly done_bytes: number;
  /** Why it ended early: a code, or a name that an earlier or later version used, and its details as JSON. */
  readonly error: string | null;
  readonly error_details: string | null;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  /** A text that changes with the credential of who began it; null for jobs of an older version. */
  readonly credential: string | null;
  /** Since when its storage has not answered, and with which failure; null when it did last. */
  readonly away_since: number | null;
  readonly away_error: string | null;
  /** When a job that waits for its storage is tried again. */
  readonly resumes_at: number | null;
  /** The path that was worked on last, as far as it was written down. */
  readonly current: string | null;
}

/** A job as it stood at one moment. */
export interface ReadJobRow extends JobRow {
  /** 1 while some server works on it, 0 otherwise. */
  readonly held: number;
}

/** A page of the jobs of one owner, of all without one. */
interface JobPage {
  readonly owner: string | undefined;
  readonly state: JobState | undefined;
  readonly limit: number;
  readonly offset: number;
}

interface NewJobRow extends Pick<JobRow, "id" | "owner" | "created_at" | "credential"> {
  readonly tasks: readonly BegunTask[];
}

/** The limits of waiting and of kept jobs of one owner; `refusal` is thrown when too many wait. */
interface JobLimits {
  readonly waiting: number;
  readonly refusal: Error;
  readonly ended: number;
  /** Failures of one job that are kept. */
  readonly failures: number;
}

const sumOf = (tasks: readonly BegunTask[], field: "done" | "skipped" | "failed" | "bytes"): number =>
  tasks.reduce((sum, task) => sum + task[field], 0);

const columns = sql`id, owner, state, task_count, total_files, total_bytes, done_files, skipped_files, failed_files,
  done_bytes, error, error_details, created_at, started_at, finished_at, current, credential,
  away_since, away_error, resumes_at`;

const whereClause = ({ owner, state }: Pick<JobPage, "owner" | "state">) => {
  const conditions = [
    ...(owner === undefined ? [] : [sql`owner = ${owner}`]),
    ...(state === undefined ? [] : [sql`state = ${state}`]),
  ];
  return conditions.length === 0 ? sql`` : sql`where ${joined(conditions, " and ")}`;
};

/** Whether a job that waits is not one that waits for its storage a while longer. */
const isDue = (now: number): Sql => sql`coalesce(resumes_at, 0) <= ${now}`;

interface EndedJob {
  readonly now: number;
  /** That the job is still this server's. */
  readonly proof: readonly Sql[];
  readonly failure: FailureRecord | undefined;
  /** Statements for the case that it has failed, in whole or in part. */
  readonly told: (hasFailed: Sql) => readonly Sql[];
}

/** A job that waits for its storage. */
interface PausedJob extends Pick<EndedJob, "now" | "proof"> {
  readonly until: number;
  readonly code: FailureCode;
}

interface TakenJob extends Pick<EndedJob, "now"> {
  readonly gone: Error;
  readonly claim: readonly Sql[];
}

/** With its id, the lease of a job. */
export const LEASE = "job ";

export const jobsTable = ({ db, leases }: Pick<Cluster, "db" | "leases">) => {
  const isHeld = () => leases.isHeld(sql`${LEASE} || jobs.id`);
  const asRead = () => sql`${columns}, case when ${isHeld()} then 1 else 0 end as held`;

  return {
    ...tasksTable(db),

    /** Forgets the owner's oldest ended jobs where there are too many; keeps at most so many failures. */
    insert: (
      { id, owner, created_at, credential, tasks }: NewJobRow,
      { waiting, refusal, ended, failures }: JobLimits,
    ) =>
      db.batch([
        sql`insert into jobs (id, owner, credential, state, task_count, created_at, done_files, skipped_files, failed_files,
          done_bytes)
        select ${id}, ${owner}, ${credential}, 'pending', ${tasks.length}, ${created_at}, ${sumOf(tasks, "done")},
          ${sumOf(tasks, "skipped")}, ${sumOf(tasks, "failed")}, ${sumOf(tasks, "bytes")}
        where (select count(*) from jobs where state = 'pending' and owner = ${owner}) < ${waiting}`.expect(1, refusal),
        ...tasks.map((task, position) => insertTask(id, position, task)),
        ...tasks
          .flatMap((task) => task.failures)
          .map(({ path, failure }) => insertFailure(id, path, failure, failures)),
        sql`delete from jobs where id in (select id from jobs where owner = ${owner} and finished_at is not null
        order by created_at desc, id desc limit 100 offset ${ended})`,
      ]),

    find: (id: string) => db.first<ReadJobRow>(sql`select ${asRead()} from jobs where id = ${id}`),
    /** Newest first. */
    page: (page: JobPage) =>
      db.all<ReadJobRow>(sql`
      select ${asRead()} from jobs ${whereClause(page)}
      order by created_at desc, id desc limit ${page.limit} offset ${page.offset}`),
    count: async (page: Pick<JobPage, "owner" | "state">) =>
      (await db.first<{ total: number }>(sql`select count(*) as total from jobs ${whereClause(page)}`))?.total ?? 0,
    /** A condition: some jobs run or wait. */
    areOpen: sql`exists (select 1 from jobs where state in ('running', 'pending'))`,
    /** Queues the jobs that no server runs any more. One server alone calls it before it runs any. */
    requeueLeft: () => db.run(sql`update jobs set state = 'pending' where state = 'running' and not ${isHeld()}`),
    /** How many jobs wait for a turn, and when the next one resumes. */
    async waiting(now: number): Promise<{ readonly waiting: number; readonly resumes: number | null }> {
      const row = await db.first<{ waiting: number; resumes: number | null }>(sql`
      select count(case when ${isDue(now)} then 1 end) as waiting, min(case when ${isDue(now)} then null else resumes_at end) as resumes
      from jobs where state = 'pending'`);
      return row ?? { waiting: 0, resumes: null };
    },
    /** Has a running job wait for its storage; it goes on with the task where it is. */
    pause: (id: string, { now, until, code, proof }: PausedJob) =>
      db.batch([
        sql`update jobs set state = 'pending', resumes_at = ${until}, away_since = coalesce(away_since, ${now}), away_error = ${code}
        where id = ${id} and state = 'running'`,
        ...proof,
      ]),
    /** Queues a job that broke off; reports whether it ran, and nobody has gone on with it. */
    requeue: async (id: string) =>
      (await db.run(sql`
        update jobs set state = 'pending' where id = ${id} and state = 'running' and not ${isHeld()}`)) === 1,
    /**
     * The next job but these: one that was started before, else the oldest of the owner whose last start is longest ago, so that
     * owners take turns.
     */
    next: (except: readonly string[], now: number) =>
      db.first<JobRow>(sql`
      select ${columns} from jobs waiting where state = 'pending' and ${isDue(now)} ${except.length === 0 ? sql`` : sql`and id not in (${list(except)})`}
      order by started_at is null, (select max(jobs.started_at) from jobs where jobs.owner = waiting.owner) nulls first,
        created_at, id limit 1`),
    /** Starts a waiting job in one transaction with what claims it, and throws `gone` when it does not wait any more. */
    take: (id: string, { now, gone, claim }: TakenJob) =>
      db.batch([
        sql`update jobs set state = 'running', resumes_at = null, started_at = coalesce(started_at, ${now})
        where id = ${id} and state = 'pending' and ${isDue(now)}`
          .byRow()
          .expect(1, gone),
        ...claim,
      ]),
    setTotals: (id: string, files: number, bytes: number) =>
      db.run(sql`update jobs set total_files = ${files}, total_bytes = ${bytes} where id = ${id}`),
    /** Ends a running job, early with a failure; tasks that had not begun are cancelled. */
    end: (id: string, { now, failure, proof, told }: EndedJob) =>
      db.batch([
        sql`update job_tasks set state = case state when 'running' then 'failed' else 'cancelled' end
        where job = ${id} and state in ('pending', 'running')
          and exists (select 1 from jobs where jobs.id = ${id} and jobs.state = 'running')`,
        sql`update jobs set finished_at = ${now}, error = ${failure?.code ?? null},
          error_details = ${failure ? JSON.stringify(failure.details) : null},
          state = ${failure ? sql`'failed'` : endState(sql`failed_files`, sql`done_files + skipped_files`)}
        where id = ${id} and state = 'running'`,
        ...told(
          sql`exists (select 1 from jobs where jobs.id = ${id} and jobs.state in ('failed', 'partial_complete'))`,
        ),
        ...proof,
      ]),
    /** Reports whether the job had not ended. */
    async cancel(id: string, now: number): Promise<boolean> {
      const [cancelled] = await db.batch([
        sql`update jobs set state = 'cancelled', finished_at = ${now} where id = ${id} and state in ('pending', 'running')`,
        sql`update job_tasks set state = 'cancelled' where job = ${id} and state in ('pending', 'running')`,
      ]);
      return cancelled === 1;
    },
    removeEnded: (id: string) => db.run(sql`delete from jobs where id = ${id} and finished_at is not null`),
    /** Removes at most `limit` jobs that ended at an instant or before. */
    removeEndedBefore: (instant: number, limit: number) =>
      db.run(sql`delete from jobs where id in (select id from jobs where finished_at <= ${instant} limit ${limit})`),
  };
};

export type JobsTable = ReturnType<typeof jobsTable>;
