import { describe, expect, test } from "bun:test";
import { eventStream } from "../../../../../src/fronts/rest/event-stream.ts";
import { createLog } from "../../../../../src/lib/log.ts";
import {
  type JobsHouse,
  jobOf,
  makeJob,
  openJobsHouse,
  readEvents,
  remove,
  tasks,
} from "../../../../support/jobs/jobs-house.ts";
import { ended } from "../../../../support/jobs/jobs-room.ts";
import { makeKey, withKey } from "../../../../support/make-key.ts";
import { send } from "../../../../support/scenario.ts";
import { listen } from "../../../../support/servers/listening.ts";
import { until } from "../../../../support/until.ts";

describe("the events of a job", () => {
  const events = async (house: JobsHouse, id: string, headers?: Record<string, string>) =>
    await house.request(`/api/fs/jobs/${id}/events`, {
      headers: headers ?? { authorization: `Bearer ${await house.signIn()}` },
    });

  test("begin with how it stands, follow it, and end with how it ended", async () => {
    await using house = await openJobsHouse();
    await house.work.put("/a/1", "/a/2");
    const [first, second] = [house.work.halt("/a/1"), house.work.halt("/a/2")];
    const { id } = await makeJob(house, remove("/a"));
    await first.reached;
    const response = await events(house, id);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const read = readEvents(response);
    expect(await read.next()).toMatchObject({ id, state: "running", done_files: 0, total_files: 2 });
    first.letGo();
    expect(await read.next()).toMatchObject({ done_files: 1, current: "/a/1" });
    second.letGo();
    expect(await read.last()).toMatchObject({ state: "completed", done_files: 2, finished_at: expect.any(String) });
  });

  test("of a job that has ended are one", async () => {
    await using house = await openJobsHouse();
    const { id } = await makeJob(house, remove("/nothing"));
    await ended(house.jobs, id);
    const text = await (await events(house, id)).text();
    expect(text.match(/^event: job$/gm)).toHaveLength(1);
    expect(text).toMatch(/^event: job\ndata: \{.*"state":"failed".*\}\n\n$/);
  });

  test("tell of a job that is cancelled what became of the file under way", async () => {
    await using house = await openJobsHouse();
    await house.work.put("/a/1", "/a/2");
    const halt = house.work.halt("/a/1");
    const { id } = await makeJob(house, remove("/a"));
    await halt.reached;
    const read = readEvents(await events(house, id));
    await read.next();
    await send(house, { method: "DELETE", url: `/api/fs/jobs/${id}`, as: "admin", status: 200 });
    expect(await read.next()).toMatchObject({ state: "cancelled", done_files: 0 });
    halt.letGo();
    expect(await read.last()).toMatchObject({ state: "cancelled", done_files: 1 });
  });

  test("end when the key is deleted, when the job is taken off the list, and when the server stops", async () => {
    await using house = await openJobsHouse();
    await house.work.put("/a/1", "/a/2", "/b/3");
    const [first, other] = [house.work.halt("/a/1"), house.work.halt("/b/3")];
    const key = await makeKey(house);
    const body = JSON.stringify(tasks(remove("/a")));
    const job = await jobOf(await house.request("/api/fs/jobs", { method: "POST", headers: withKey(key), body }));
    await first.reached;
    const ofKey = readEvents(await events(house, job.id, withKey(key)));
    const ofAdmin = readEvents(await events(house, job.id));
    expect(await ofKey.next()).toMatchObject({ state: "running" });
    await ofAdmin.next();
    await house.house.access.keys.remove(key.id);
    first.letGo();
    expect(await ofKey.next()).toBeUndefined();
    expect(await ofAdmin.last()).toMatchObject({ state: "failed", error: "key.invalid" });

    const { id } = await makeJob(house, remove("/b"));
    await other.reached;
    const removed = readEvents(await events(house, id));
    await removed.next();
    for (const _ of ["cancelled", "taken off the list"])
      await house.jobs.cancel({ kind: "admin", sessionId: null }, id);
    expect(await removed.next()).toBeUndefined();
    other.letGo();

    await house.work.put("/c/4");
    const last = house.work.halt("/c/4");
    const stopped = await makeJob(house, remove("/c"));
    await last.reached;
    const read = readEvents(await events(house, stopped.id));
    await read.next();
    const closed = house.jobs.close();
    expect(await read.last()).toMatchObject({ state: "running" });
    last.letGo();
    await closed;
  });

  test("HEAD answers at once and holds nothing", async () => {
    await using house = await openJobsHouse();
    await house.work.put("/a/1");
    const halt = house.work.halt("/a/1");
    const { id } = await makeJob(house, remove("/a"));
    const headers = { authorization: `Bearer ${await house.signIn()}` };
    for (let one = 0; one < 60; one += 1) {
      const response = await house.request(`/api/fs/jobs/${id}/events`, { method: "HEAD", headers });
      expect([response.status, await response.text()]).toEqual([200, ""]);
    }
    halt.letGo();
  });

  test("a client that goes away gives its place to another", async () => {
    await using house = await openJobsHouse();
    await using server = listen(house);
    await house.work.put("/a/1");
    const halt = house.work.halt("/a/1");
    const { id } = await makeJob(house, remove("/a"));
    await halt.reached;
    const url = `${server.address}/api/fs/jobs/${id}/events`;
    const headers = { authorization: `Bearer ${await house.signIn()}` };
    const open = async () => {
      const controller = new AbortController();
      const response = await fetch(url, { headers, signal: controller.signal });
      if (response.status === 200) await readEvents(response).next();
      return { status: response.status, leave: () => controller.abort() };
    };
    const opened = [];
    for (let one = 0; one < 50; one += 1) opened.push(await open());
    expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await open()).status).toBe(503);
    opened[0]?.leave();
    const late = await until(open, ({ status }) => status === 200);
    for (const { leave } of [...opened, late]) leave();
    halt.letGo();
  });

  test("say something now and then while nothing changes, and stop for whoever may not go on", async () => {
    let may = true;
    const source = {
      name: "job",
      watch: async () => () => undefined,
      recheck: async () => (may ? undefined : Promise.reject(new Error("bug"))),
      read: async () => ({ data: "{}", last: false }),
    };
    const lines: string[] = [];
    const log = createLog("info", (text) => void lines.push(text));
    const reader = (await eventStream(source, log, { spacing: 0, silence: 1, patience: 60_000 })).getReader();
    const text = async () => new TextDecoder().decode((await reader.read()).value);
    expect([await text(), await text(), await text()]).toEqual(["event: job\ndata: {}\n\n", ":\n\n", ":\n\n"]);
    may = false;
    expect((await reader.read()).done).toBe(true);
    expect(lines.join("")).toContain("event stream broken off");
  });

  test("end for a client that reads nothing any more", async () => {
    let watched = 0;
    const source = {
      name: "job",
      watch: async () => {
        watched += 1;
        return () => {
          watched -= 1;
        };
      },
      recheck: async () => undefined,
      read: async () => ({ data: "{}", last: false }),
    };
    const log = createLog("info", () => undefined);
    const stream = await eventStream(source, log, { spacing: 0, silence: 60_000, patience: 10 });
    const reader = stream.getReader();
    expect((await reader.read()).done).toBe(false);
    await until(
      () => watched,
      (count) => count === 0,
    );
    expect((await reader.read()).done).toBe(true);
  });
});
