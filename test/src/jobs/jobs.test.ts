import { describe, expect, test } from "bun:test";
import { Failure } from "#contract/failures";
import { MAX_WAITING_JOBS } from "#contract/limits";
import { sql } from "../../../src/database/sql.ts";
import type { Job } from "../../../src/jobs/reading.ts";
import type { Task } from "../../../src/jobs/task.ts";
import { admin, ended, keyCaller, openJobsRoom, whenever } from "../../support/jobs/jobs-room.ts";
import { days } from "../../support/test-clock.ts";

const copy = (source: string, target: string, skipExisting = true): Task => ({
  kind: "copy",
  source,
  target,
  skipExisting,
});
const move = (source: string, target: string): Task => ({ kind: "move", source, target, skipExisting: true });
const remove = (source: string): Task => ({ kind: "delete", source });

/** What somebody sees of a job's progress. */
const counts = ({ state, done_files, skipped_files, failed_files, done_bytes }: Job) =>
  [state, done_files, skipped_files, failed_files, done_bytes] as const;
const statesOf = ({ tasks }: Job) => tasks.map(({ state }) => state);
const failuresOf = ({ failures }: Job) => failures.map(({ path, error }) => `${path} ${error}`);

describe("what a job does", () => {
  test("copies, moves and deletes, in order, and tells how much", async () => {
    await using room = await openJobsRoom();
    await room.work.put("/a/1", "/a/b/2", "/m/3", "/d/4", "/d/5", "/kept");
    const { id } = await room.jobs.create(admin, [copy("/a", "/a2"), move("/m", "/a2/m"), remove("/d")]);
    const job = await ended(room.jobs, id);
    expect(counts(job)).toEqual(["completed", 5, 0, 0, 22]);
    expect([job.total_files, job.total_bytes]).toEqual([5, 22]);
    expect(statesOf(job)).toEqual(["completed", "completed", "completed"]);
    expect(job.tasks.map(({ done }) => done)).toEqual([2, 1, 2]);
    expect(job).toMatchObject({ error: null, current: null, owner: "admin", failures: [] });
    expect(await room.work.paths()).toEqual(["/a/1", "/a/b/2", "/a2/1", "/a2/b/2", "/a2/m/3", "/kept"]);
  });

  test("what is there already is skipped or replaced as the task says", async () => {
    await using room = await openJobsRoom();
    await room.work.put("/a/1", "/a/2", "/b/1");
    const kept = await room.jobs.create(admin, [copy("/a", "/b")]);
    expect(counts(await ended(room.jobs, kept.id))).toEqual(["completed", 1, 1, 0, 4]);
    const replaced = await room.jobs.create(admin, [copy("/a", "/b", false)]);
    expect(counts(await ended(room.jobs, replaced.id))).toEqual(["completed", 2, 0, 0, 8]);
  });

  test("a file that fails is named, and the others are done", async () => {
    await using room = await openJobsRoom();
    await room.work.put("/a/1", "/a/2", "/b/1/in-the-way");
    const { id } = await room.jobs.create(admin, [copy("/a", "/b")]);
    const job = await ended(room.jobs, id);
    expect(counts(job)).toEqual(["partial_complete", 1, 0, 1, 4]);
    expect(statesOf(job)).toEqual(["partial_complete"]);
    expect(failuresOf(job)).toEqual(["/a/1 path.taken"]);
  });

  test("a task that ends early is named by its source, and the others are done", async () => {
    await using room = await openJobsRoom();
    await room.work.put("/a/1");
    const some = await room.jobs.create(admin, [remove("/nothing"), remove("/a")]);
    const job = await ended(room.jobs, some.id);
    expect(counts(job)).toEqual(["partial_complete", 1, 0, 1, 4]);
    expect(statesOf(job)).toEqual(["failed", "completed"]);
    expect(failuresOf(job)).toEqual(["/nothing path.missing"]);
    expect(job.total_files).toBeNull();
    const none = await room.jobs.create(admin, [remove("/nothing")]);
    expect(await ended(room.jobs, none.id)).toMatchObject({ state: "failed", error: null, failed_files: 1 });
  });

  test("of more failures than a hundred only the first are kept, and all are counted", async () => {
    await using room = await openJobsRoom();
    const { id } = await room.jobs.create(
      admin,
      Array.from({ length: 130 }, (_, number) => remove(`/nothing ${number}`)),
    );
    const job = await ended(room.jobs, id);
    expect(job).toMatchObject({ state: "failed", failed_files: 130, task_count: 130 });
    expect([job.tasks.length, job.failures.length]).toEqual([100, 100]);
    expect(job.failures.at(-1)?.path).toBe("/nothing 99");
  });

  test("a bug in one task is logged without its words and keeps no other from being done", async () => {
    const broken = async function* () {
      yield await Promise.reject(new Error('broken at "/secret/name"'));
    };
    await using room = await openJobsRoom();
    await room.work.put("/a/1");
    const jobs = room.open({
      run: (task, conditions) => (task.source === "/bug" ? broken() : room.work.run(task, conditions)),
    });
    const { id } = await jobs.create(admin, [remove("/bug"), remove("/a")]);
    const job = await ended(jobs, id);
    expect(counts(job)).toEqual(["partial_complete", 1, 0, 1, 4]);
    expect(failuresOf(job)).toEqual(["/bug internal"]);
    expect(room.log()).toContain('"event":"unhandled error"');
    expect(room.log()).not.toContain("secret");
  });

  test("what cannot be counted has no total", async () => {
    const count = async () => ({ files: 10_000, bytes: 1, exact: false });
    await using room = await openJobsRoom({ count });
    await room.work.put("/a/1", "/b/2");
    const { id } = await room.jobs.create(admin, [remove("/a"), remove("/b")]);
    const job = await ended(room.jobs, id);
    expect([job.state, job.total_files, job.total_bytes]).toEqual(["completed", null, null]);
  });

  test("what was counted is told while it runs", async () => {
    await using room = await openJobsRoom();
    await room.work.put("/a/1", "/a/2");
    const halt = room.work.halt("/a/2");
    const { id } = await room.jobs.create(admin, [remove("/a")]);
    await halt.reached;
    const running = await whenever(room.jobs, id, ({ done_files }) => done_files === 1);
    expect(running).toMatchObject({ state: "running", total_files: 2, total_bytes: 8, current: "/a/1" });
    expect(statesOf(running)).toEqual(["running"]);
    halt.letGo();
    expect(await ended(room.jobs, id)).toMatchObject({ state: "completed", current: null });
  });
});

describe("who may", () => {
  test("nobody gets a job of which one task must fail", async () => {
    const check = (_: unknown, { source }: Task) => {
      if (source === "/theirs") throw new Failure("path.forbidden");
    };
    await using room = await openJobsRoom({ check });
    await room.work.put("/a/1");
    const refused = room.jobs.create(keyCaller("k"), [remove("/a"), remove("/theirs")]);
    await expect(refused).rejects.toMatchObject({ code: "path.forbidden" });
    for (const source of ["a", "/a/../b", "/a\\b", `/${"x".repeat(300)}`, `/${"x/".repeat(1000)}`])
      await expect(room.jobs.create(admin, [remove(source)])).rejects.toMatchObject({ code: "path.invalid" });
    expect(await room.jobs.list(admin, { limit: 9, offset: 0 })).toEqual({ jobs: [], total: 0 });
    expect(await room.work.paths()).toEqual(["/a/1"]);
  });

  test("paths are taken as the tree writes them", async () => {
    await using room = await openJobsRoom();
    const { id } = await room.jobs.create(admin, [copy("//a//b/", "/c/")]);
    expect((await ended(room.jobs, id)).tasks[0]).toMatchObject({ source: "/a/b", target: "/c" });
  });

  test("a key sees its own jobs, the administrator all, and somebody else's is none", async () => {
    await using room = await openJobsRoom();
    const { jobs } = room;
    const mine = await jobs.create(keyCaller("k"), [remove("/x")]);
    const theirs = await jobs.create(keyCaller("other"), [remove("/x")]);
    const page = { limit: 10, offset: 0 };
    const idsOf = (list: { jobs: Job[] }) => list.jobs.map(({ id }) => id);
    expect(idsOf(await jobs.list(keyCaller("k"), page))).toEqual([mine.id]);
    expect(idsOf(await jobs.list(admin, page))).toEqual([theirs.id, mine.id]);
    for (const attempt of [
      () => jobs.read(keyCaller("k"), theirs.id),
      () => jobs.cancel(keyCaller("k"), theirs.id),
      () => jobs.watch(keyCaller("k"), theirs.id, () => undefined),
      () => jobs.read(admin, "nothing"),
      () => jobs.cancel(admin, "nothing"),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: "job.missing" });
    expect((await ended(jobs, theirs.id)).state).toBe("failed");
  });

  test("a key that is revoked stops its job: what was done stays and is told", async () => {
    await using room = await openJobsRoom();
    await room.work.put("/a/1", "/a/2", "/a/3", "/b/4");
    const halt = room.work.halt("/a/2");
    const caller = keyCaller("k");
    const { id } = await room.jobs.create(caller, [remove("/a"), remove("/b")]);
    await halt.reached;
    room.revoke("apikey:k");
    halt.letGo();
    const job = await ended(room.jobs, id);
    expect(counts(job)).toEqual(["failed", 2, 0, 0, 8]);
    expect(job.error).toBe("key.invalid");
    expect(statesOf(job)).toEqual(["failed", "cancelled"]);
    expect(await room.work.paths()).toEqual(["/a/3", "/b/4"]);
  });

  test.each(["admin", "apikey:k"])(
    "the credential of %s that is changed stops its job, here and behind a restart",
    async (owner) => {
      await using room = await openJobsRoom();
      await room.work.put("/a/1", "/a/2", "/b/3");
      const halt = room.work.halt("/a/1");
      const caller = owner === "admin" ? admin : keyCaller("k");
      const { id } = await room.jobs.create(caller, [remove("/a"), remove("/b")]);
      await halt.reached;
      room.change(owner);
      halt.letGo();
      const job = await ended(room.jobs, id);
      expect([job.state, job.error, job.done_files]).toEqual(["failed", "job.credential", 1]);
      expect(await room.work.paths()).toEqual(["/a/2", "/b/3"]);
      // One that waits for the next start, and one of before there were credentials.
      await room.jobs.close();
      for (const [name, credential] of [
        ["changed", "the first"],
        ["kept", "another"],
        ["older", null],
      ] as const)
        await room.db.batch([
          sql`insert into jobs (id, owner, credential, state, task_count, created_at) values (${name}, ${owner}, ${credential}, 'running', 1, 1)`,
          sql`insert into job_tasks (job, position, state, kind, skip_existing, source) values (${name}, 0, 'pending', 'delete', 0, ${`/${name}`})`,
        ]);
      await room.work.put("/changed/1", "/kept/1", "/older/1");
      const next = room.open();
      await next.start();
      for (const [name, error] of [
        ["changed", "job.credential"],
        ["kept", null],
        ["older", null],
      ] as const)
        expect((await ended(next, name)).error).toBe(error);
      expect(await room.work.paths()).toEqual(["/a/2", "/b/3", "/changed/1"]);
    },
  );

  test("a visitor's job ends when visitors may not act with the key any more, here and behind a restart", async () => {
    await using room = await openJobsRoom();
    await room.work.put("/a/1", "/a/2", "/b/3", "/c/4");
    room.admit("apikey:k", true);
    const halts = [room.work.halt("/a/1"), room.work.halt("/b/3")];
    const visitor = { ...keyCaller("k"), isVisitor: true };
    const theirs = await room.jobs.create(visitor, [remove("/a")]);
    await halts[0]?.reached;
    // The holder of that key is no visitor.
    const own = await room.jobs.create(keyCaller("k"), [remove("/b"), remove("/c")]);
    await halts[1]?.reached;
    const waiting = await room.jobs.create(visitor, [remove("/a")]);
    room.admit("apikey:k", false);
    for (const { letGo } of halts) letGo();
    expect(await ended(room.jobs, theirs.id)).toMatchObject({
      state: "failed",
      error: "job.credential",
      done_files: 1,
    });
    expect(await ended(room.jobs, own.id)).toMatchObject({ state: "completed", error: null, done_files: 2 });
    const late = await ended(room.jobs, waiting.id);
    expect(late).toMatchObject({ state: "failed", error: "job.credential", done_files: 0, failures: [] });
    await room.jobs.close();
    await room.db.run(sql`update jobs set state = 'pending', finished_at = null, error = null where id = ${theirs.id}`);
    await room.db.run(sql`update job_tasks set state = 'pending' where job = ${theirs.id}`);
    const next = room.open();
    await next.start();
    expect(await ended(next, theirs.id)).toMatchObject({ state: "failed", error: "job.credential", done_files: 1 });
    expect(await room.work.paths()).toEqual(["/a/2"]);
  });

  test("a key that was revoked while its job waited begins nothing", async () => {
    await using room = await openJobsRoom();
    await room.work.put("/a/1", "/b/2", "/c/3");
    const halts = [room.work.halt("/a/1"), room.work.halt("/b/2")];
    for (const source of ["/a", "/b"]) await room.jobs.create(admin, [remove(source)]);
    // The job of another owner would come before the administrator's second one.
    await Promise.all(halts.map(({ reached }) => reached));
    const { id } = await room.jobs.create(keyCaller("k"), [remove("/c")]);
    room.revoke("apikey:k");
    for (const { letGo } of halts) letGo();
    expect(await ended(room.jobs, id)).toMatchObject({ state: "failed", error: "key.invalid", done_files: 0 });
    expect(room.work.begun).not.toContain("/c/3");
  });

  test("a right that is lost on the way ends the whole job", async () => {
    await using room = await openJobsRoom();
    await room.work.put("/b/1");
    const forbidden = async function* () {
      yield await Promise.reject(new Failure("auth.forbidden"));
    };
    const jobs = room.open({ run: () => forbidden() });
    const { id } = await jobs.create(keyCaller("k"), [remove("/a"), remove("/b")]);
    const job = await ended(jobs, id);
    expect([job.state, job.error, job.failed_files]).toEqual(["failed", "auth.forbidden", 0]);
    expect(statesOf(job)).toEqual(["failed", "cancelled"]);
  });
});

describe("the line", () => {
  test("two jobs run at once, the others in order", async () => {
    await using room = await openJobsRoom();
    const names = ["/a", "/b", "/c", "/d"];
    await room.work.put(...names.map((name) => `${name}/1`));
    const [a, b, c, d] = names.map((name) => room.work.halt(`${name}/1`));
    const made: string[] = [];
    for (const name of names) made.push((await room.jobs.create(admin, [remove(name)])).id);
    await Promise.all([a?.reached, b?.reached]);
    const states = async () => {
      const { jobs } = await room.jobs.list(admin, { limit: 9, offset: 0 });
      return jobs.map(({ state }) => state).reverse();
    };
    expect(await states()).toEqual(["running", "running", "pending", "pending"]);
    expect((await room.jobs.list(admin, { limit: 9, offset: 0, state: "pending" })).total).toBe(2);
    b?.letGo();
    await c?.reached;
    expect(await states()).toEqual(["running", "completed", "running", "pending"]);
    for (const halt of [a, c, d]) halt?.letGo();
    for (const id of made) expect((await ended(room.jobs, id)).state).toBe("completed");
    expect(room.work.begun.slice(2)).toEqual(["/c/1", "/d/1"]);
  });

  test("each owner has a hundred places in it", async () => {
    await using room = await openJobsRoom();
    await room.work.put("/a/1", "/b/1");
    const halts = [room.work.halt("/a/1"), room.work.halt("/b/1")];
    for (const name of ["/a", "/b"]) await room.jobs.create(admin, [remove(name)]);
    for (const { reached } of halts) await reached;
    const caller = keyCaller("k");
    for (let one = 0; one < MAX_WAITING_JOBS; one += 1) await room.jobs.create(caller, [remove("/x")]);
    await expect(room.jobs.create(caller, [remove("/x")])).rejects.toMatchObject({ code: "job.tooMany" });
    expect((await room.jobs.create(keyCaller("other"), [remove("/x")])).state).toBe("pending");
    for (const { letGo } of halts) letGo();
  });

  test("what ended a week ago is forgotten, with its tasks", async () => {
    await using room = await openJobsRoom();
    const { id } = await room.jobs.create(admin, [remove("/x")]);
    await ended(room.jobs, id);
    room.clock.advance(days(7) - 1);
    expect(await room.jobs.sweep()).toBe(0);
    room.clock.advance(1);
    expect(await room.jobs.sweep()).toBe(1);
    await expect(room.jobs.read(admin, id)).rejects.toMatchObject({ code: "job.missing" });
  });
});
