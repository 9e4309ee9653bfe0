import { describe, expect, test } from "bun:test";
import { sql } from "../../../src/database/sql.ts";
import type { Job } from "../../../src/jobs/reading.ts";
import type { Task } from "../../../src/jobs/task.ts";
import { answeringLater, createHeldDatabase } from "../../support/database/late-database.ts";
import { admin, ended, keyCaller, openJobsRoom, whenever } from "../../support/jobs/jobs-room.ts";
import { minutes } from "../../support/test-clock.ts";

const copy = (source: string, target: string): Task => ({ kind: "copy", source, target, skipExisting: true });
const move = (source: string, target: string): Task => ({ kind: "move", source, target, skipExisting: true });
const remove = (source: string): Task => ({ kind: "delete", source });
const statesOf = ({ tasks }: Job) => tasks.map(({ state }) => state);

type Room = Awaited<ReturnType<typeof openJobsRoom>>;

/** How many rows the tables of jobs have. */
const rowsOf = async ({ db }: Room) =>
  await db.first<object>(sql`
    select (select count(*) from jobs) as jobs, (select count(*) from job_tasks) as tasks,
      (select count(*) from job_failures) as failures`);

describe("cancelling", () => {
  test("a job that runs is cancelled at once, and the file under way is still done and told", async () => {
    await using room = await openJobsRoom();
    await room.work.put("/a/1", "/a/2", "/a/3", "/b/4");
    const halt = room.work.halt("/a/2");
    const { id } = await room.jobs.create(admin, [remove("/a"), remove("/b")]);
    await halt.reached;
    await room.jobs.cancel(admin, id);
    const stopping = await room.jobs.read(admin, id);
    expect(stopping).toMatchObject({ state: "cancelled", done_files: 1, settled: false });
    expect(stopping.finished_at).toBe(room.clock.now());
    halt.letGo();
    const job = await ended(room.jobs, id);
    expect(job).toMatchObject({ state: "cancelled", done_files: 2, error: null, current: null });
    expect(statesOf(job)).toEqual(["cancelled", "cancelled"]);
    expect(await room.work.paths()).toEqual(["/a/3", "/b/4"]);
  });

  test("a job that waits is never begun", async () => {
    await using room = await openJobsRoom();
    await room.work.put("/a/1", "/b/2", "/c/3", "/d/4");
    const halts = [room.work.halt("/a/1"), room.work.halt("/b/2")];
    const first = [await room.jobs.create(admin, [remove("/a")]), await room.jobs.create(admin, [remove("/b")])];
    const { id } = await room.jobs.create(admin, [remove("/c")]);
    const next = await room.jobs.create(admin, [remove("/d")]);
    await room.jobs.cancel(admin, id);
    expect(await room.jobs.read(admin, id)).toMatchObject({ state: "cancelled", started_at: null, settled: true });
    for (const { letGo } of halts) letGo();
    for (const job of [...first, next]) expect((await ended(room.jobs, job.id)).state).toBe("completed");
    expect(await room.work.paths()).toEqual(["/c/3"]);
  });

  test("one that has ended is taken off the list, with all that was kept of it", async () => {
    await using room = await openJobsRoom();
    const { id } = await room.jobs.create(admin, [remove("/nothing")]);
    await ended(room.jobs, id);
    expect(await rowsOf(room)).toEqual({ jobs: 1, tasks: 1, failures: 1 });
    await room.jobs.cancel(admin, id);
    expect(await rowsOf(room)).toEqual({ jobs: 0, tasks: 0, failures: 0 });
    await expect(room.jobs.cancel(admin, id)).rejects.toMatchObject({ code: "job.missing" });
  });

  test("one that was taken off the list while its last file was under way leaves nothing behind", async () => {
    await using room = await openJobsRoom();
    await room.work.put("/a/1", "/b/1/in-the-way", "/z/2");
    const halt = room.work.halt("/a/1");
    const { id } = await room.jobs.create(admin, [copy("/a", "/b")]);
    await halt.reached;
    await room.jobs.cancel(admin, id);
    await room.jobs.cancel(admin, id);
    halt.letGo();
    const after = await room.jobs.create(admin, [remove("/z")]);
    expect((await ended(room.jobs, after.id)).state).toBe("completed");
    expect(await rowsOf(room)).toEqual({ jobs: 1, tasks: 1, failures: 0 });
    expect(room.log()).toBe("");
  });

  test("a job that is cancelled in the moment in which its turn comes does nothing", async () => {
    const held = createHeldDatabase();
    await using room = await openJobsRoom({ engine: held.engine });
    await room.work.put("/a/1", "/b/2", "/c/3");
    const [a, b] = [room.work.halt("/a/1"), room.work.halt("/b/2")];
    for (const source of ["/a", "/b"]) await room.jobs.create(admin, [remove(source)]);
    const { id } = await room.jobs.create(admin, [remove("/c")]);
    await Promise.all([a.reached, b.reached]);
    const taken = held.holdNext();
    a.letGo();
    await taken.reached;
    await room.jobs.cancel(admin, id);
    taken.letGo();
    b.letGo();
    expect(await ended(room.jobs, id)).toMatchObject({ state: "cancelled", done_files: 0 });
    const last = await room.jobs.create(admin, [remove("/nothing")]);
    await ended(room.jobs, last.id);
    expect(await room.work.paths()).toEqual(["/c/3"]);
  });
});

describe("stopping the server", () => {
  test("a job goes on behind the last file, and counts each once", async () => {
    await using room = await openJobsRoom();
    await room.work.put("/a/1", "/a/2", "/a/3", "/b/4", "/b/5");
    const halt = room.work.halt("/b/4");
    const { id } = await room.jobs.create(keyCaller("k"), [move("/a", "/c"), copy("/b", "/d")]);
    await halt.reached;
    const closed = room.jobs.close();
    halt.letGo();
    await closed;
    const left = await room.jobs.read(admin, id);
    expect(left).toMatchObject({ state: "running", done_files: 4, finished_at: null });
    expect(statesOf(left)).toEqual(["completed", "running"]);

    room.clock.advance(minutes(1));
    const jobs = room.open();
    await jobs.start();
    const job = await ended(jobs, id);
    expect(job).toMatchObject({ state: "completed", done_files: 5, skipped_files: 0, done_bytes: 20, total_files: 5 });
    expect((job.finished_at ?? 0) - (job.started_at ?? 0)).toBe(minutes(1));
    expect(room.work.begun).toEqual(["/a/1", "/a/2", "/a/3", "/b/4", "/b/5"]);
    expect(await room.work.paths()).toEqual(["/b/4", "/b/5", "/c/1", "/c/2", "/c/3", "/d/4", "/d/5"]);
  });

  test("a move that was done when the server stopped, and not yet at its end, has not failed", async () => {
    await using room = await openJobsRoom();
    await room.work.put("/a");
    const halt = room.work.halt("/a");
    const { id } = await room.jobs.create(admin, [move("/a", "/b")]);
    await halt.reached;
    const closed = room.jobs.close();
    halt.letGo();
    await closed;
    const jobs = room.open();
    await jobs.start();
    expect(await ended(jobs, id)).toMatchObject({ state: "completed", done_files: 1, failed_files: 0 });
  });

  test("what waited goes on as well, and nothing is begun twice", async () => {
    await using room = await openJobsRoom();
    const names = ["/a", "/b", "/c", "/d"];
    await room.work.put(...names.flatMap((name) => [`${name}/1`, `${name}/2`]));
    const halts = [room.work.halt("/a/1"), room.work.halt("/b/1")];
    const made: string[] = [];
    for (const name of names) made.push((await room.jobs.create(admin, [remove(name)])).id);
    for (const { reached } of halts) await reached;
    const closed = room.jobs.close();
    for (const { letGo } of halts) letGo();
    await closed;
    const jobs = room.open();
    await jobs.start();
    for (const id of made) expect(await ended(jobs, id)).toMatchObject({ state: "completed", done_files: 2 });
    expect(room.work.begun.toSorted()).toEqual(names.flatMap((name) => [`${name}/1`, `${name}/2`]));
  });

  test("two turns that come at once take a job each", async () => {
    await using room = await openJobsRoom({ engine: answeringLater });
    await room.work.put("/a/1", "/b/2");
    await room.jobs.close();
    const made = [await room.jobs.create(admin, [remove("/a")]), await room.jobs.create(admin, [remove("/b")])];
    const halts = [room.work.halt("/a/1"), room.work.halt("/b/2")];
    const jobs = room.open();
    await jobs.start();
    for (const { reached } of halts) await reached;
    for (const { letGo } of halts) letGo();
    for (const { id } of made) expect(await ended(jobs, id)).toMatchObject({ state: "completed" });
  });

  test("a job that was cancelled stays so, although its file was still under way", async () => {
    await using room = await openJobsRoom();
    await room.work.put("/a/1", "/a/2");
    const halt = room.work.halt("/a/1");
    const { id } = await room.jobs.create(admin, [remove("/a")]);
    await halt.reached;
    await room.jobs.cancel(admin, id);
    const jobs = room.open();
    await jobs.start();
    halt.letGo();
    await ended(room.jobs, id);
    expect(await ended(jobs, id)).toMatchObject({ state: "cancelled", done_files: 1 });
    expect(await room.work.paths()).toEqual(["/a/2"]);
  });

  test("a job that was made while the server stops is done by the next one", async () => {
    await using room = await openJobsRoom();
    await room.work.put("/a/1");
    await room.jobs.close();
    const { id, state } = await room.jobs.create(admin, [remove("/a")]);
    expect(state).toBe("pending");
    const jobs = room.open();
    await jobs.start();
    expect((await ended(jobs, id)).state).toBe("completed");
  });

  test("whoever watches is told that the server stops", async () => {
    await using room = await openJobsRoom();
    await room.work.put("/a/1");
    const halt = room.work.halt("/a/1");
    const { id } = await room.jobs.create(admin, [remove("/a")]);
    await halt.reached;
    const stopped = whenever(room.jobs, id, () => room.jobs.isClosing());
    const closed = room.jobs.close();
    expect((await stopped).state).toBe("running");
    halt.letGo();
    await closed;
  });
});
