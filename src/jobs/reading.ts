import { Failure } from "#contract/failures";
import type { JobState } from "#contract/fs/jobs";
import { JOB_LINES } from "#contract/limits";
import { type Caller, ownerName } from "../access/principal.ts";
import { owns } from "../access/rights.ts";
import type { JobsInFlight } from "./in-flight.ts";
import type { JobRow, JobsTable, ReadJobRow } from "./jobs-table.ts";
import type { JobFailureRow, JobTaskRow } from "./tasks-table.ts";

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

/** Tasks and failures of a job in a list. */
const LISTED_LINES = 3;

/** Reads jobs as their owners see them. */
export function createReading(table: JobsTable, inFlight: Pick<JobsInFlight, "ids" | "current">) {
  const jobsHere = () => new Set(inFlight.ids());

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
      current: inFlight.current(row.id) ?? (held === 1 ? row.current : null),
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

  return {
    own,

    read,

    /** Newest first: all to the admin, its own to a key; with the first three tasks and failures of each. */
    async list(caller: Caller, { state, limit, offset }: JobsWanted): Promise<{ jobs: Job[]; total: number }> {
      const page = { owner: caller.kind === "admin" ? undefined : ownerName(caller), state, limit, offset };
      const here = jobsHere();
      const [rows, total] = await Promise.all([table.page(page), table.count(page)]);
      return { jobs: await withLines(here, rows, LISTED_LINES), total };
    },

    /** Those of these jobs that there are, as the list has them. */
    async listByIds(caller: Caller, ids: readonly string[]): Promise<Job[]> {
      const here = jobsHere();
      const rows = await Promise.all(ids.map(table.find));
      const found = rows.flatMap((row) => (row && owns(caller, row.owner) ? row : []));
      return await withLines(here, found, LISTED_LINES);
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
