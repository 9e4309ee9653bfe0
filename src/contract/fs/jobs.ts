import { endpoint } from "../endpoint.ts";
import { done, pathField, queryNumber } from "../fields.ts";
import { JOB_PAGE, LARGE_JSON_BYTES, MAX_JOB_TASKS, MAX_PAGE } from "../limits.ts";
import * as z from "../schemas.ts";

/** Jobs: copies, moves, removals and archives to unpack, which the server continues in the background. */

/** The last four are ends. `partial_complete` has done or skipped some files and failed at others. */
const jobStates = ["pending", "running", "completed", "failed", "cancelled", "partial_complete"] as const;

const idParam = z.object({ id: z.string() });

const skipExisting = z._default(z.boolean(), true);

const newTask = z.discriminatedUnion("kind", [
  /** The target is the path of the copy itself, not of its parent folder. */
  z.object({ kind: z.literal("copy"), source: pathField, target: pathField, skipExisting }),
  z.object({ kind: z.literal("move"), source: pathField, target: pathField, skipExisting }),
  z.object({ kind: z.literal("delete"), source: pathField }),
]);

const newJob = z.object({ tasks: z.array(newTask).check(z.minLength(1), z.maxLength(MAX_JOB_TASKS)) });

/** What is done about a name that is taken; `rename` unpacks beside it, as `name(1).txt`. */
const conflictChoices = ["skip", "rename", "overwrite"] as const;

const taskRecord = z.object({
  kind: z.enum(["copy", "move", "delete", "unpack"]),
  source: z.string(),
  target: z.nullable(z.string()),
  /** `cancelled` also covers tasks that had not begun when their job ended early. */
  state: z.enum(jobStates),
  /** Files. */
  done: z.int(),
  skipped: z.int(),
  failed: z.int(),
});

const failureRecord = z.object({
  path: z.string(),
  /** A stable code, as failures of calls have it. */
  error: z.string(),
  message: z.string(),
});

const jobRecord = z.object({
  id: z.string(),
  state: z.enum(jobStates),
  task_count: z.int(),
  /** The first hundred; in a list the first three. */
  tasks: z.array(taskRecord),
  /** null until it is counted, and for tasks too large to count beforehand. */
  total_files: z.nullable(z.int()),
  total_bytes: z.nullable(z.int()),
  done_files: z.int(),
  skipped_files: z.int(),
  failed_files: z.int(),
  /** Of the files that were done. */
  done_bytes: z.int(),
  /** The path that was worked on last; null when the job does not run. */
  current: z.nullable(z.string()),
  /** Why a job that has begun waits: its storage does not answer. It goes on by itself, at the next try or a later one. */
  waiting: z.nullable(z.object({ error: z.string(), message: z.string(), since: z.string(), until: z.string() })),
  /** The first hundred; in a list the first three. */
  failures: z.array(failureRecord),
  /** Why all of it ended early, as code and as sentence; null when it did not. */
  error: z.nullable(z.string()),
  message: z.nullable(z.string()),
  created_by: z.string(),
  created_at: z.string(),
  started_at: z.nullable(z.string()),
  finished_at: z.nullable(z.string()),
});

const one = z.object({ data: jobRecord });

export const fsJobs = {
  create: endpoint({
    method: "POST",
    path: "/fs/jobs",
    access: "caller",
    summary:
      "Have the server copy, move or delete files and folders by itself; the caller needs the rights of each task, now and while it runs",
    bodyLimit: LARGE_JSON_BYTES,
    body: newJob,
    status: 201,
    response: one,
  }),
  unpack: endpoint({
    method: "POST",
    path: "/fs/unpack",
    access: "caller",
    summary:
      "Have the server unpack an archive (.zip, .tar, .tar.gz, .tgz, .tar.zst, .gz) into a folder by itself; without `target` into a new one beside it. The caller needs mount_view for the archive and mount_upload for the folder, now and while it runs",
    body: z.object({
      path: pathField,
      target: z.optional(pathField),
      onConflict: z._default(z.enum(conflictChoices), "skip"),
    }),
    status: 202,
    response: one,
  }),
  list: endpoint({
    method: "GET",
    path: "/fs/jobs",
    packable: true,
    access: "caller",
    summary: "Jobs of the last seven days, newest first: all for the admin, its own for a key",
    query: z.object({
      limit: z._default(queryNumber(1, MAX_PAGE), JOB_PAGE),
      offset: z._default(queryNumber(0, 100_000_000), 0),
      state: z.optional(z.enum(jobStates)),
    }),
    response: z.object({
      data: z.array(jobRecord),
      pagination: z.object({ total: z.int(), limit: z.int(), offset: z.int(), hasMore: z.boolean() }),
    }),
  }),
  read: endpoint({
    method: "GET",
    path: "/fs/jobs/:id",
    access: "caller",
    summary: "How far a job is",
    params: idParam,
    response: one,
  }),
  events: endpoint({
    method: "GET",
    path: "/fs/jobs/:id/events",
    access: "caller",
    summary:
      "How far a job is, as text/event-stream: an event `job` with all of it at once and at each change, five a second at most, until it has ended",
    params: idParam,
  }),
  follow: endpoint({
    method: "GET",
    path: "/fs/jobs/events",
    access: "caller",
    summary:
      "The jobs that the list has, as text/event-stream: an event `jobs` with the newest at once (`whole` is true), then with those that have changed, and the ids of those that are gone",
    query: z.object({ limit: z._default(queryNumber(1, MAX_PAGE), JOB_PAGE) }),
  }),
  cancel: endpoint({
    method: "DELETE",
    path: "/fs/jobs/:id",
    access: "caller",
    summary:
      "Cancel a job behind the files that are under way, what is done stays done; take one that has ended off the list",
    params: idParam,
    response: done,
  }),
};

/** An event of `follow`: all jobs, or those that have changed since the last one. */
export interface JobNews {
  readonly whole: boolean;
  readonly jobs: readonly JobRecord[];
  /** Ids of jobs that are no more. */
  readonly gone: readonly string[];
}

export type JobRecord = z.output<typeof jobRecord>;
export type ConflictChoice = (typeof conflictChoices)[number];
export type JobState = (typeof jobStates)[number];
