import { describe, expect, test } from "bun:test";
import { Failure, type FailureCode } from "#contract/failures";
import { standAlone } from "../../../src/cluster/alone.ts";
import type { Database } from "../../../src/database/database.ts";
import type { Sql } from "../../../src/database/sql.ts";
import type { Job } from "../../../src/jobs/reading.ts";
import type { Conditions, RunTask, Step, Task } from "../../../src/jobs/task.ts";
import { createHaltingDatabase } from "../../support/database/halting-database.ts";
import { admin, ended, keyCaller, openJobsRoom, whenever } from "../../support/jobs/jobs-room.ts";

const remove = (source: string): Task => ({ kind: "delete", source });
const statesOf = ({ tasks }: Job) => tasks.map(({ state }) => state);

/** Work of which the files fail as their names say; one that is told to stop does. */
function createFailingWork(files: Readonly<Record<string, readonly (FailureCode | "done")[]>>) {
  const begun: string[] = [];
  const step = (path: string, code: FailureCode | "done"): Step =>
    code === "done"
      ? { path, outcome: "done", bytes: 1, cursor: path }
      : { path, outcome: "failed", bytes: 0, failure: new Failure(code), cursor: path };
  const run: RunTask = async function* ({ source }: Task, { signal }: Conditions) {
    for (const [index, code] of (files[source] ?? []).entries()) {
      if (signal.aborted) return;
      begun.push(`${source}/${index}`);
      yield step(`${source}/${index}`, code);
    }
  };
  return { run, begun, count: async () => ({ files: 1, bytes: 0, exact: true }) };
}

describe("a storage in trouble", () => {
  test.each(["storage.refused", "storage.bucketMissing", "storage.full"] as const)(
    "%s three times in a row ends a task, and the next is tried",
    async (code) => {
      const work = createFailingWork({ "/a": ["done", code, code, "done", code, code, code, code], "/b": ["done"] });
      await using room = await openJobsRoom(work);
      const { id } = await room.jobs.create(admin, [remove("/a"), remove("/b")]);
      const job = await ended(room.jobs, id);
      expect(work.begun.length).toBe(8);
      expect(job).toMatchObject({ state: "partial_complete", done_files: 3, failed_files: 6, error: null });
      expect(statesOf(job)).toEqual(["partial_complete", "completed"]);
      expect(job.failures.at(-1)).toMatchObject({ path: "/a", error: code });
    },
  );

  test("what concerns one file ends nothing", async () => {
    const codes = Array.from({ length: 20 }, () => "path.conflict" as const);
    const work = createFailingWork({ "/a": [...codes, "done"] });
    await using room = await openJobsRoom(work);
    const { id } = await room.jobs.create(admin, [remove("/a")]);
    expect(await ended(room.jobs, id)).toMatchObject({ done_files: 1, failed_files: 20 });
  });

  test("over many tasks ends the job", async () => {
    const paths = Array.from({ length: 1000 }, (_, index) => `/${index}`);
    const work = createFailingWork(Object.fromEntries(paths.map((path) => [path, ["storage.refused" as const]])));
    await using room = await openJobsRoom(work);
    const { id } = await room.jobs.create(admin, paths.map(remove));
    const job = await ended(room.jobs, id);
    expect(job).toMatchObject({ state: "failed", error: "storage.refused" });
    expect(work.begun.length).toBeLessThan(20);
    expect(statesOf(job).at(-1)).toBe("cancelled");
  });
});

describe("a storage that is away", () => {
  /** A storage of files that is there or not; a job works on it in order, and two files are under way at once. */
  function createStorage(...names: readonly string[]) {
    let isThere = true;
    let asked = 0;
    const there = new Set(names);
    const done: string[] = [];
    const run: RunTask = async function* ({ source }: Task, { after = "", signal, intents }: Conditions) {
      for (const name of names.filter((one) => one > after)) {
        if (signal.aborted) return;
        asked += 1;
        const made = intents?.before.has(name) === true && !there.has(name);
        if (!isThere && !made) {
          // The file beside it had got through, and nobody is told of it any more.
          const beside = names[names.indexOf(name) + 1];
          if (beside !== undefined && there.delete(beside)) {
            await intents?.record([{ path: beside, target: null, files: 1, bytes: 1, whole: false }]);
            done.push(beside);
          }
          const at = { path: name, cursor: name, bytes: 0 } as const;
          yield { ...at, outcome: "failed", failure: new Failure("storage.unreachable") };
          yield { path: beside ?? source, cursor: beside ?? name, outcome: "done", bytes: 1 };
          continue;
        }
        if (there.delete(name)) done.push(name);
        yield { path: name, cursor: name, outcome: "done", bytes: 1 };
      }
    };
    return {
      run,
      count: async () => ({ files: names.length, bytes: names.length, exact: true }),
      done: done as readonly string[],
      asked: () => asked,
      leave: () => (isThere = false),
      return: () => (isThere = true),
    };
  }
  const waits = { first: 1, most: 60_000 };
  const isWaiting = ({ state, resumes_at, settled }: Job) => state === "pending" && resumes_at !== null && settled;

  test("is waited for, longer and longer, and each file is counted once when it comes back", async () => {
    const storage = createStorage("1", "2", "3", "4", "5");
    // One server alone takes no job from itself.
    const isRequeue = ({ text }: Sql) => text.includes("set state = 'pending' where state = 'running'");
    const engine = (db: Database): Database => ({
      ...db,
      run: async (query) => (isRequeue(query) ? 0 : await db.run(query)),
    });
    await using room = await openJobsRoom({ engine });
    const looks: (() => Promise<void>)[] = [];
    const alone = standAlone({ db: room.db, clock: room.clock.now });
    const cluster = { ...alone, regularly: (_: Sql, look: () => Promise<void>) => void looks.push(look) };
    const jobs = room.open({ ...storage, cluster });
    storage.leave();
    const { id } = await jobs.create(admin, [remove("/a")]);
    const since = room.clock.now();
    const waits: number[] = [];
    while (room.clock.now() - since < 600_000) {
      const job = await whenever(jobs, id, (one) => isWaiting(one) && (one.resumes_at ?? 0) > room.clock.now());
      expect(job).toMatchObject({
        away_since: since,
        away_error: "storage.unreachable",
        done_files: 0,
        failed_files: 0,
      });
      expect(statesOf(job)).toEqual(["running"]);
      const wait = (job.resumes_at ?? 0) - room.clock.now();
      waits.push(wait);
      expect(storage.asked()).toBe(waits.length);
      // A moment before it is due nobody asks.
      room.clock.advance(wait - 1);
      await Promise.all(looks.map((look) => look()));
      room.clock.advance(1);
      if (room.clock.now() - since >= 600_000) storage.return();
      await Promise.all(looks.map((look) => look()));
    }
    expect(waits.slice(0, 6)).toEqual([5000, 5000, 5000, 7500, 11_250, 16_875]);
    expect(waits.at(-1)).toBe(120_000);
    expect(waits.length).toBeLessThan(30);
    const job = await ended(jobs, id);
    expect(job).toMatchObject({ state: "completed", done_files: 5, done_bytes: 5, failed_files: 0, away_since: null });
    expect(storage.done.toSorted()).toEqual(["1", "2", "3", "4", "5"]);
  });

  test("holds up no other job, and one that waits for it can be cancelled", async () => {
    const storage = createStorage("1");
    const other = createFailingWork({ "/b": ["done"], "/c": ["done"], "/d": ["done"] });
    const run: RunTask = (task, how) => (task.source.startsWith("/away") ? storage : other).run(task, how);
    await using room = await openJobsRoom({ run, count: other.count, waits: { first: 60_000, most: 60_000 } });
    storage.leave();
    const away = await Promise.all(
      ["/away1", "/away2", "/away3"].map((path) => room.jobs.create(admin, [remove(path)])),
    );
    for (const { id } of away) await whenever(room.jobs, id, isWaiting);
    const { id } = await room.jobs.create(admin, [remove("/b"), remove("/c"), remove("/d")]);
    expect(await ended(room.jobs, id)).toMatchObject({ state: "completed", done_files: 3 });
    for (const one of away) {
      await room.jobs.cancel(admin, one.id);
      expect(await room.jobs.read(admin, one.id)).toMatchObject({ state: "cancelled", settled: true });
    }
    storage.return();
    room.clock.advance(120_000);
    expect(storage.done).toEqual([]);
  });

  test("is asked again behind a restart, and counts as one that fails after a day", async () => {
    const storage = createStorage("1", "2", "3");
    await using room = await openJobsRoom({ ...storage, waits });
    storage.leave();
    const { id } = await room.jobs.create(admin, [remove("/a")]);
    await whenever(room.jobs, id, isWaiting);
    await room.jobs.close();
    room.clock.advance(25 * 60 * 60_000);
    const next = room.open();
    await next.start();
    const job = await ended(next, id);
    expect([job.state, job.failures.at(0)?.error]).toEqual(["partial_complete", "storage.unreachable"]);
  });
});

describe("a database that is away", () => {
  test.each([
    "update job_tasks set state = 'running'",
    "update job_tasks set cursor",
    "update job_tasks set state = case",
  ])("at %s is waited for, and each file is counted once", async (part) => {
    let isAway = true;
    const engine = (db: Database): Database => ({
      ...db,
      async batch(queries) {
        const isThis = queries.some(({ text }) => text.includes(part));
        if (!isThis || !isAway) return await db.batch(queries);
        isAway = false;
        // It was made, and nobody heard of it.
        await db.batch(queries);
        throw new Failure("database.unavailable");
      },
    });
    await using room = await openJobsRoom({ engine, waits: { first: 0, most: 0 } });
    await room.work.put("/a/1", "/a/2");
    const { id } = await room.jobs.create(admin, [remove("/a")]);
    const job = await ended(room.jobs, id);
    expect(job).toMatchObject({ state: "completed", done_files: 2, failed_files: 0, error: null });
    expect(isAway).toBe(false);
  });
});

describe("turns", () => {
  test("who has many jobs does not keep others from theirs", async () => {
    await using room = await openJobsRoom();
    const names = ["/a", "/b", "/c", "/d", "/e", "/f", "/g", "/h"];
    await room.work.put(...names.map((name) => `${name}/1`));
    const halts = names.map((name) => room.work.halt(`${name}/1`));
    const owners = ["busy", "busy", "busy", "busy", "busy", "late", "late", "third"];
    for (const [index, name] of names.entries()) {
      await room.jobs.create(keyCaller(owners[index] ?? ""), [remove(name)]);
      if (index < 2) await halts[index]?.reached;
      room.clock.advance(1);
    }
    const letGo = async (index: number, next: number) => {
      halts[index]?.letGo();
      await halts[next]?.reached;
      room.clock.advance(1);
    };
    await letGo(0, 5);
    await letGo(1, 7);
    await letGo(5, 2);
    await letGo(7, 6);
    await letGo(2, 3);
    expect(room.work.begun).toEqual(["/a/1", "/b/1", "/f/1", "/h/1", "/c/1", "/g/1", "/d/1"]);
    for (const { letGo: go } of halts) go();
  });
});

describe("a database that takes nothing", () => {
  /** A database that can be full for a while. */
  function createFull() {
    let full = false;
    const orFull = <Args extends unknown[], Result>(write: (...args: Args) => Promise<Result>) =>
      (async (...args: Args) => {
        if (full) throw new Error("SQLITE_FULL: database or disk is full");
        return await write(...args);
      }) as typeof write;
    const engine = (db: Database): Database => ({ ...db, run: orFull(db.run), batch: orFull(db.batch) });
    return { engine, fill: () => (full = true), empty: () => (full = false) };
  }

  test("has a job go on where it was, once it takes something", async () => {
    const disk = createFull();
    await using room = await openJobsRoom({ engine: disk.engine, pause: 1 });
    await room.work.put("/a/1", "/a/2", "/b/1");
    const halt = room.work.halt("/a/1");
    const { id } = await room.jobs.create(admin, [remove("/a"), remove("/b")]);
    await halt.reached;
    disk.fill();
    halt.letGo();
    const broken = await whenever(room.jobs, id, ({ settled }) => settled);
    expect(broken).toMatchObject({ state: "running", finished_at: null });
    disk.empty();
    expect(await ended(room.jobs, id)).toMatchObject({ state: "completed", error: null, failed_files: 0 });
    expect(await room.work.paths()).toEqual([]);
  });

  test("keeps no job from its turn", async () => {
    let broken = 0;
    const engine = (db: Database): Database => ({
      ...db,
      batch: (queries) => {
        const isTurn = queries.some(({ text }) => text.includes("update jobs set state = 'running'"));
        if (isTurn && broken++ < 2) throw new Error("SQLITE_IOERR");
        return db.batch(queries);
      },
    });
    await using room = await openJobsRoom({ engine, pause: 1 });
    await room.work.put("/a/1");
    const { id } = await room.jobs.create(admin, [remove("/a")]);
    expect((await ended(room.jobs, id)).state).toBe("completed");
    expect(broken).toBeGreaterThan(2);
  });

  test("a job that was cancelled meanwhile stays so", async () => {
    const disk = createFull();
    const halting = createHaltingDatabase();
    await using room = await openJobsRoom({ engine: (db) => disk.engine(halting.engine(db)), pause: 1 });
    await room.work.put("/a/1", "/a/2");
    const halt = room.work.halt("/a/1");
    const { id } = await room.jobs.create(admin, [remove("/a")]);
    await halt.reached;
    disk.fill();
    halt.letGo();
    await whenever(room.jobs, id, ({ settled }) => settled);
    const retry = halting.haltAt("update jobs set state = 'pending'");
    disk.empty();
    await retry.reached;
    await room.jobs.cancel(admin, id);
    retry.goOn();
    const after = await room.jobs.create(admin, [remove("/nothing")]);
    await ended(room.jobs, after.id);
    expect(await room.jobs.read(admin, id)).toMatchObject({ state: "cancelled" });
  });
});

test("a total is never less than what was done", async () => {
  const count = async () => ({ files: 1, bytes: 3, exact: true });
  await using room = await openJobsRoom({ count });
  await room.work.put("/a/1", "/a/2", "/a/3");
  const { id } = await room.jobs.create(admin, [remove("/a")]);
  expect(await ended(room.jobs, id)).toMatchObject({ done_files: 3, total_files: 3, done_bytes: 12, total_bytes: 12 });
});
