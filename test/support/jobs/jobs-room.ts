import type { CallInput } from "#contract/endpoint";
import type { fsJobs } from "#contract/fs/jobs";
import { createCallers } from "../../../src/access/callers.ts";
import type { Caller, KeyCaller } from "../../../src/access/principal.ts";
import { standAlone } from "../../../src/cluster/alone.ts";
import type { Cluster } from "../../../src/cluster/cluster.ts";
import type { Database } from "../../../src/database/database.ts";
import { createJobs } from "../../../src/jobs/jobs.ts";
import type { Job } from "../../../src/jobs/reading.ts";
import type { Waits } from "../../../src/jobs/runner.ts";
import type { CountTask, RunTask, Task } from "../../../src/jobs/task.ts";
import { createLog } from "../../../src/lib/log.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { createTestClock } from "../test-clock.ts";
import { openTestDatabase } from "../test-database.ts";
import { createFolderWork } from "./folder-work.ts";

type Jobs = ReturnType<typeof createJobs>;

/** A task as a client asks for it. */
export type NewTask = CallInput<typeof fsJobs.create>["body"]["tasks"][number];

export const admin: Caller = { kind: "admin", sessionId: null };
export const keyCaller = (id: string): KeyCaller => ({
  kind: "key",
  id,
  name: id,
  permissions: 0,
  basePath: "/",
  isVisitor: false,
});

export interface JobsRoomOptions {
  readonly run?: RunTask;
  readonly count?: CountTask;
  readonly check?: (caller: Caller, task: Task) => void;
  /** Puts something before the database. */
  readonly engine?: (db: Database) => Database;
  /** One of several servers; one alone unless it is given. */
  readonly cluster?: Cluster;
  /** Milliseconds before what the database refused is tried again. */
  readonly pause?: number;
  /** How long a storage that is away is waited for. */
  readonly waits?: Waits;
}

/** The room of jobs on a database in memory and a folder of its own. */
export async function openJobsRoom(options: JobsRoomOptions = {}) {
  const folder = temporaryFolder();
  const work = createFolderWork(folder.path);
  const clock = createTestClock();
  const inner = await openTestDatabase();
  const db = options.engine?.(inner) ?? inner;
  const lines: string[] = [];
  const log = createLog("info", (text) => void lines.push(text));
  const revoked = new Set<string>();
  const guests = new Set<string>();
  const callerOf = async (owner: string): Promise<Caller | undefined> =>
    revoked.has(owner) ? undefined : { ...keyCaller(owner.slice("apikey:".length)), isVisitor: guests.has(owner) };
  const credentials = new Map<string, string>();
  const credential = async (owner: string) => credentials.get(owner) ?? "the first";
  const callers = createCallers({
    sessions: { isLive: async () => true },
    admin: { epoch: () => credential("admin") },
    keys: { callerOf, credential, epoch: credential },
    links: { callerOf: async () => undefined, epoch: async () => undefined },
    synced: async () => undefined,
  });
  const rooms: Jobs[] = [];
  /** Another room on the same database, as after a restart. */
  const open = (others: JobsRoomOptions = {}): Jobs => {
    const { run = work.run, count = work.count, check = () => undefined } = { ...options, ...others };
    const jobs = createJobs({
      cluster: others.cluster ?? standAlone({ db, clock: clock.now }),
      clock: clock.now,
      log,
      run,
      count,
      check,
      callers,
      pause: options.pause,
      waits: options.waits,
    });
    rooms.push(jobs);
    return jobs;
  };

  return {
    jobs: open(),
    open,
    work,
    clock,
    db,
    /** Takes everything from an owner. */
    revoke: (owner: string) => void revoked.add(owner),
    /** Lets visitors act with a key, or no longer. */
    admit(owner: string, visitors: boolean) {
      if (visitors) guests.add(owner);
      else guests.delete(owner);
    },
    /** Changes the password or the key of an owner. */
    change: (owner: string) => void credentials.set(owner, "another"),
    log: () => lines.join(""),
    async [Symbol.asyncDispose]() {
      for (const jobs of rooms) await jobs.close();
      await db.close();
      folder[Symbol.dispose]();
    },
  };
}

/** The job once nothing of it is under way and it has ended. */
export const ended = (jobs: Jobs, id: string, caller: Caller = admin): Promise<Job> =>
  whenever(jobs, id, (job) => job.settled && job.finished_at !== null, caller);

/** The job once it is what is wanted. */
export async function whenever(
  jobs: Jobs,
  id: string,
  wanted: (job: Job) => boolean,
  caller: Caller = admin,
): Promise<Job> {
  let changed = Promise.withResolvers<void>();
  const unwatch = await jobs.watch(caller, id, () => changed.resolve());
  try {
    for (;;) {
      changed = Promise.withResolvers<void>();
      const job = await jobs.read(caller, id);
      if (wanted(job)) return job;
      await changed.promise;
    }
  } finally {
    unwatch();
  }
}
