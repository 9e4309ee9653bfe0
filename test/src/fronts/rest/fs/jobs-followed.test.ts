import { describe, expect, test } from "bun:test";
import type { JobNews } from "#contract/fs/jobs";
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

/** One stream of all jobs that a list has. */
describe("the events of all jobs", () => {
  const follow = async (house: JobsHouse, headers?: Record<string, string>) =>
    readEvents<JobNews>(
      await house.request("/api/fs/jobs/events", {
        headers: headers ?? { authorization: `Bearer ${await house.signIn()}` },
      }),
      "jobs",
    );

  test("begin with the list, tell what is new, what changes and what is gone, and nothing else", async () => {
    await using house = await openJobsHouse();
    const first = await makeJob(house, remove("/nothing"));
    await ended(house.jobs, first.id);
    const read = await follow(house);
    expect(await read.next()).toMatchObject({ whole: true, jobs: [{ id: first.id, state: "failed" }], gone: [] });
    await house.work.put("/a/1");
    const halt = house.work.halt("/a/1");
    const { id } = await makeJob(house, remove("/a"));
    let news = await read.next();
    while (news?.jobs[0]?.state === "pending") news = await read.next();
    expect(news).toMatchObject({ whole: false, jobs: [{ id, state: "running" }], gone: [] });
    halt.letGo();
    while (news?.jobs[0]?.state === "running") news = await read.next();
    expect(news).toMatchObject({ whole: false, jobs: [{ id, state: "completed", done_files: 1 }] });
    await send(house, { method: "DELETE", url: `/api/fs/jobs/${first.id}`, as: "admin", status: 200 });
    do news = await read.next();
    while (news && news.gone.length === 0);
    expect(news).toEqual({ whole: false, jobs: [], gone: [first.id] });
    await read.cancel();
  });

  test("a key follows its own, until it is deleted; the server ends all when it stops", async () => {
    await using house = await openJobsHouse();
    const key = await makeKey(house);
    const [mine, all] = [await follow(house, withKey(key)), await follow(house)];
    expect([await mine.next(), await all.next()]).toEqual([
      { whole: true, jobs: [], gone: [] },
      { whole: true, jobs: [], gone: [] },
    ]);
    const foreign = await makeJob(house, remove("/nothing"));
    await ended(house.jobs, foreign.id);
    const body = JSON.stringify(tasks(remove("/none")));
    const own = await jobOf(await house.request("/api/fs/jobs", { method: "POST", headers: withKey(key), body }));
    const told = await mine.next();
    expect(told?.jobs.map(({ id }) => id)).toEqual([own.id]);
    const seen = new Set<string>();
    while (!seen.has(own.id)) for (const { id } of (await all.next())?.jobs ?? []) seen.add(id);
    expect([...seen].toSorted()).toEqual([foreign.id, own.id].toSorted());
    await ended(house.jobs, own.id);
    await house.house.access.keys.remove(key.id);
    await house.jobs.cancel({ kind: "admin", sessionId: null }, own.id);
    // What it has not read yet may still come; nothing does after the removal.
    const rest = [await mine.next(), await mine.next(), await mine.next()];
    expect(rest.at(-1)).toBeUndefined();
    const closed = house.jobs.close();
    expect(await all.last()).toBeDefined();
    await closed;
  });

  test("HEAD answers at once, and visitors follow nothing", async () => {
    await using house = await openJobsHouse();
    const headers = { authorization: `Bearer ${await house.signIn()}` };
    const head = await house.request("/api/fs/jobs/events", { method: "HEAD", headers });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect((await house.request("/api/fs/jobs/events")).status).toBe(401);
  });
});
