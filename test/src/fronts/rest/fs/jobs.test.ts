import { describe, expect, test } from "bun:test";
import type { JobRecord } from "#contract/fs/jobs";
import { jobOf, makeJob, openJobsHouse, remove, tasks } from "../../../../support/jobs/jobs-house.ts";
import { ended, whenever } from "../../../../support/jobs/jobs-room.ts";
import { makeKey, withKey } from "../../../../support/make-key.ts";
import { type Scenario, send } from "../../../../support/scenario.ts";
import { ADMIN } from "../../../../support/test-house.ts";

const post = (body: unknown) => ({ as: "any key", method: "POST", url: "/api/fs/jobs", body }) as const;
const get = (url: string) => ({ method: "GET", url }) as const;
describe("jobs over REST", () => {
  const rows: readonly Scenario[] = [
    { ...post(tasks(remove("/a"))), as: "anyone", status: 401, has: ["auth.required"] },
    { ...post(tasks(remove("/a"))), as: "visitor", status: 401, has: ["auth.required"] },
    { ...post(tasks(remove("/a"))), as: "wrong key", status: 401, has: ["key.invalid"] },
    { ...post(tasks(remove("/a"))), status: 201, has: ['"success":true', '"task_count":1', '"created_by":"apikey:'] },
    { ...post(tasks({ kind: "copy", source: "/a", target: "/b" })), status: 201, has: ['"target":"/b"'] },
    { ...post(tasks({ kind: "copy", source: "/a" })), status: 400, has: ["body.invalid", "target"] },
    { ...post(tasks({ kind: "zip", source: "/a" })), status: 400, has: ["body.invalid", "kind"] },
    { ...post(tasks({ kind: "delete" })), status: 400, has: ["body.invalid", "source"] },
    { ...post(tasks(remove("/a/../b"))), status: 400, has: ["path.invalid"] },
    { ...post(tasks(remove(`/${"x".repeat(2000)}`))), status: 400, has: ["path.invalid"], hasNot: ["xxx"] },
    { ...post(tasks(remove("x".repeat(9000)))), status: 400, has: ["body.invalid"], hasNot: ["xxx"] },
    { ...post(tasks()), status: 400, has: ["body.invalid", "tasks"] },
    { ...post({}), status: 400, has: ["body.invalid", "tasks"] },
    { ...post(tasks(...Array.from({ length: 1001 }, () => remove("/a")))), status: 400, has: ["body.invalid"] },
    { ...post(tasks(...Array.from({ length: 1000 }, () => remove("/a")))), status: 201, has: ['"task_count":1000'] },
    { ...post(tasks(...Array.from({ length: 900 }, () => remove(`/${"x".repeat(1500)}`)))), status: 413 },
    { ...get("/api/fs/jobs"), status: 401, has: ["auth.required"] },
    { ...get("/api/fs/jobs"), as: "visitor", status: 401 },
    { ...get("/api/fs/jobs"), as: { key: [] }, status: 200, has: ['"data":[]', '"total":0', '"limit":20'] },
    { ...get("/api/fs/jobs?state=begun"), as: "admin", status: 400, has: ["query.invalid", "state"] },
    { ...get("/api/fs/jobs?limit=101"), as: "admin", status: 400, has: ["query.invalid", "limit"] },
    { ...get("/api/fs/jobs?offset=-1"), as: "admin", status: 400, has: ["query.invalid", "offset"] },
    { ...get("/api/fs/jobs/nothing"), as: "any key", status: 404, has: ["job.missing"] },
    { ...get("/api/fs/jobs/nothing"), status: 401 },
    { ...get("/api/fs/jobs/nothing/events"), as: "any key", status: 404, has: ["job.missing"] },
    { ...get("/api/fs/jobs/nothing/events"), status: 401 },
    { method: "DELETE", url: "/api/fs/jobs/nothing", as: "any key", status: 404, has: ["job.missing"] },
    { method: "DELETE", url: "/api/fs/jobs/nothing", status: 401 },
  ];
  for (const row of rows) {
    const shown = JSON.stringify(row.body ?? "").slice(0, 60);
    test(`${JSON.stringify(row.as ?? "anyone")}: ${row.method} ${row.url} ${shown} -> ${row.status}`, async () => {
      await using house = await openJobsHouse();
      const response = await send(house, row);
      const text = await response.text();
      expect({ status: response.status, text }).toMatchObject({ status: row.status });
      for (const part of row.has ?? []) expect(text).toContain(part);
      for (const part of [...(row.hasNot ?? []), house.objects, "/tmp/"]) expect(text).not.toContain(part);
    });
  }

  test("a job of who signed in ends with the password that it was begun with, and says so", async () => {
    await using house = await openJobsHouse();
    await house.work.put("/a/1", "/a/2");
    const halt = house.work.halt("/a/1");
    const { id } = await makeJob(house, remove("/a"));
    await halt.reached;
    const body = { currentPassword: ADMIN.password, newPassword: "another correct horse" };
    await send(house, { as: "admin", method: "POST", url: "/api/admin/change-password", body, status: 200 });
    halt.letGo();
    await ended(house.jobs, id);
    const job = await jobOf(await send(house, { ...get(`/api/fs/jobs/${id}`), as: "admin", status: 200 }));
    expect(job).toMatchObject({ state: "failed", error: "job.credential", done_files: 1 });
    expect(job.message).toContain("that started it has changed");
    expect(await house.work.paths()).toEqual(["/a/2"]);
  });

  test("a job whose storage is away says so, why, and when it is tried again", async () => {
    await using house = await openJobsHouse();
    await house.work.put("/a/1");
    const halt = house.work.halt("/a/1");
    const { id } = await makeJob(house, remove("/a"));
    await halt.reached;
    house.work.leave();
    halt.letGo();
    const { away_since } = await whenever(house.jobs, id, ({ resumes_at, settled }) => resumes_at !== null && settled);
    const read = async (language: string) => {
      const headers = { ...get(`/api/fs/jobs/${id}`), as: "admin" as const, headers: { "accept-language": language } };
      return await jobOf(await send(house, { ...headers, status: 200 }));
    };
    const since = new Date(away_since ?? 0).toISOString();
    const until = new Date((away_since ?? 0) + 5000).toISOString();
    const waiting = { error: "storage.unreachable", since, until };
    const job = await read("en");
    expect(job).toMatchObject({ state: "pending", error: null, finished_at: null, failed_files: 0, waiting });
    expect(job.waiting?.message).toContain("cannot be reached");
    expect((await read("zh")).waiting?.message).toContain("无法连接");
    await send(house, { as: "admin", method: "DELETE", url: `/api/fs/jobs/${id}`, status: 200 });
    expect((await read("en")).waiting).toBeNull();
    expect((await read("en")).state).toBe("cancelled");
  });

  test("a job tells everything about itself, in the language of whoever asks", async () => {
    await using house = await openJobsHouse();
    await house.work.put("/a/1", "/a/2", "/b/1/in-the-way");
    const { id } = await makeJob(house, { kind: "copy", source: "/a", target: "/b" }, remove("/nothing"));
    await ended(house.jobs, id);
    const job = await jobOf(await send(house, { ...get(`/api/fs/jobs/${id}`), as: "admin", status: 200 }));
    const at = new Date(house.clock.now()).toISOString();
    expect(job).toEqual({
      id,
      state: "partial_complete",
      task_count: 2,
      tasks: [
        { kind: "copy", source: "/a", target: "/b", state: "partial_complete", done: 1, skipped: 0, failed: 1 },
        { kind: "delete", source: "/nothing", target: null, state: "failed", done: 0, skipped: 0, failed: 1 },
      ],
      total_files: null,
      total_bytes: null,
      done_files: 1,
      skipped_files: 0,
      failed_files: 2,
      done_bytes: 4,
      current: null,
      waiting: null,
      failures: [
        { path: "/a/1", error: "path.taken", message: expect.stringContaining("already") },
        { path: "/nothing", error: "path.missing", message: expect.stringContaining("does not exist") },
      ],
      error: null,
      message: null,
      created_by: "admin",
      created_at: at,
      started_at: at,
      finished_at: at,
    });
    const chinese = {
      ...get(`/api/fs/jobs/${id}`),
      as: "admin",
      headers: { "accept-language": "zh" },
      status: 200,
    } as const;
    expect((await jobOf(await send(house, chinese))).failures[1]?.message).toMatch(/\p{Script=Han}/u);
  });

  test("a list shows pages of jobs, and the first three tasks and failures of each", async () => {
    await using house = await openJobsHouse();
    const made: string[] = [];
    for (let one = 0; one < 3; one += 1) {
      const { id } = await makeJob(house, ...["/1", "/2", "/3", "/4"].map(remove));
      await ended(house.jobs, id);
      made.unshift(id);
    }
    const list = async (query: string) => {
      const response = await send(house, { ...get(`/api/fs/jobs?${query}`), as: "admin", status: 200 });
      return (await response.json()) as { data: JobRecord[]; pagination: unknown };
    };
    const first = await list("limit=2");
    expect(first.data.map(({ id }) => id)).toEqual(made.slice(0, 2));
    expect(first.pagination).toEqual({ total: 3, limit: 2, offset: 0, hasMore: true });
    expect(first.data[0]).toMatchObject({ task_count: 4, failed_files: 4 });
    expect([first.data[0]?.tasks.length, first.data[0]?.failures.length]).toEqual([3, 3]);
    const second = await list("limit=2&offset=2&state=failed");
    expect(second.data.map(({ id }) => id)).toEqual(made.slice(2));
    expect(second.pagination).toEqual({ total: 3, limit: 2, offset: 2, hasMore: false });
    expect((await list("state=running")).data).toEqual([]);
  });

  test("a key whose credential is deleted stops its job, and the administrator reads why", async () => {
    await using house = await openJobsHouse();
    await house.work.put("/a/1", "/a/2");
    const halt = house.work.halt("/a/1");
    const key = await makeKey(house);
    const job = await jobOf(
      await house.request("/api/fs/jobs", {
        method: "POST",
        headers: withKey(key),
        body: JSON.stringify(tasks(remove("/a"))),
      }),
    );
    await halt.reached;
    await house.house.access.keys.remove(key.id);
    halt.letGo();
    await ended(house.jobs, job.id);
    const told = await jobOf(await send(house, { ...get(`/api/fs/jobs/${job.id}`), as: "admin", status: 200 }));
    expect(told).toMatchObject({ state: "failed", error: "key.invalid", done_files: 1 });
    expect(told.message).toBeTruthy();
  });

  test("a job of a visitor ends when the visitors' key is closed", async () => {
    await using house = await openJobsHouse();
    await house.work.put("/a/1", "/a/2");
    const { keys } = house.house.access;
    const key = await makeKey(house, { is_guest: true });
    const visitor = await keys.visitor();
    if (!visitor) throw new Error("no visitors' key");
    const halt = house.work.halt("/a/1");
    const { id } = await house.jobs.create(visitor, [{ kind: "delete", source: "/a" }]);
    await halt.reached;
    const body = { is_guest: false };
    await send(house, { as: "admin", method: "PUT", url: `/api/admin/api-keys/${key.id}`, body, status: 200 });
    halt.letGo();
    await ended(house.jobs, id);
    const told = await jobOf(await send(house, { ...get(`/api/fs/jobs/${id}`), as: "admin", status: 200 }));
    expect(told).toMatchObject({ state: "failed", error: "job.credential", done_files: 1 });
    expect(await house.work.paths()).toEqual(["/a/2"]);
  });

  test("a job of a key that has expired is not begun", async () => {
    await using house = await openJobsHouse();
    await house.work.put("/a/1", "/b/2", "/c/3");
    const halts = [house.work.halt("/a/1"), house.work.halt("/b/2")];
    for (const source of ["/a", "/b"]) await makeJob(house, remove(source));
    const key = await makeKey(house, { expires_at: new Date(house.clock.now() + 1000).toISOString() });
    const headers = withKey(key);
    const body = JSON.stringify(tasks(remove("/c")));
    const { id } = await jobOf(await house.request("/api/fs/jobs", { method: "POST", headers, body }));
    house.clock.advance(1000);
    for (const { letGo } of halts) letGo();
    expect(await ended(house.jobs, id)).toMatchObject({ state: "failed", error: "key.invalid" });
    expect(house.work.begun).not.toContain("/c/3");
  });
});
