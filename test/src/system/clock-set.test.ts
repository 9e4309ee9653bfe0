import { describe, expect, test } from "bun:test";
import { fs as api } from "#contract/fs/fs";
import { standAlone } from "../../../src/cluster/alone.ts";
import { openSqlite } from "../../../src/database/sqlite/sqlite.ts";
import { createLog } from "../../../src/lib/log.ts";
import { createSweeper } from "../../../src/system/sweeper.ts";
import { commit, filesOf, presign, put, shareFile } from "../../support/share-file.ts";
import { createTestClock, days, hours, minutes } from "../../support/test-clock.ts";
import { ADMIN, openTestHouse, type TestHouse } from "../../support/test-house.ts";
import { openTreeHouse } from "../../support/tree/tree-house.ts";

/** A clock that somebody sets back and forth: nothing lasts longer than it should, ends in the past or is removed early. */

const signIn = async (house: TestHouse, password: string) => {
  const body = JSON.stringify({ ...ADMIN, password });
  const response = await house.request("/api/admin/login", { method: "POST", body });
  return { status: response.status, wait: Number(response.headers.get("retry-after") ?? 0) };
};

const sessionOf = async (house: TestHouse, token: string) =>
  (await house.request("/api/test/admin-token", { headers: { authorization: `Bearer ${token}` } })).status;

const uptimeOf = async (house: TestHouse): Promise<number> =>
  ((await (await house.request("/api/version")).json()) as { data: { uptime: number } }).data.uptime;

const set = [-days(30), -hours(5), -1, minutes(1), -days(400), days(2)];

describe("a clock that is set back", () => {
  test.each(set)("by %p ms lets nobody wait longer than before who guessed", async (step) => {
    await using house = await openTestHouse();
    for (let guess = 0; guess < 10; guess++) expect((await signIn(house, "wrong")).status).toBe(401);
    const before = await signIn(house, ADMIN.password);
    expect(before).toEqual({ status: 429, wait: 600 });
    house.clock.advance(step);
    const after = await signIn(house, ADMIN.password);
    expect(after.wait).toBeGreaterThanOrEqual(0);
    expect(after.wait).toBeLessThanOrEqual(before.wait);
    house.clock.advance(minutes(10));
    expect((await signIn(house, ADMIN.password)).status).toBe(200);
  });

  test("keeps sessions, which idle from then on no longer than ever", async () => {
    await using house = await openTestHouse();
    const token = await house.signIn();
    house.clock.advance(-days(20));
    expect(await sessionOf(house, token)).toBe(200);
    house.clock.advance(hours(23));
    expect(await sessionOf(house, token)).toBe(200);
    house.clock.advance(hours(25));
    expect(await sessionOf(house, token)).toBe(401);
  });

  test("shows a folder as it is no later than its mount wants it", async () => {
    await using tree = await openTreeHouse({ cache_ttl: 60 });
    await tree.put("/m/a");
    expect(await tree.names("/m")).toBe("a");
    tree.behindOurBack("b");
    expect(await tree.names("/m")).toBe("a");
    tree.house.clock.advance(-days(3));
    expect(await tree.names("/m")).toBe("a");
    tree.house.clock.advance(minutes(1) + 1);
    expect(await tree.names("/m")).toBe("a b");
  });

  test("shows a file that was changed by hand a second later", async () => {
    await using house = await openTestHouse();
    const { slug } = await shareFile(house, { content: "old" });
    const shown = async () => await (await house.request(`/api/file-view/${slug}`)).text();
    expect(await shown()).toBe("old");
    const [file = ""] = filesOf(house);
    await Bun.write(`${house.objects}/${file}`, "new");
    house.clock.advance(-hours(1));
    expect(await shown()).toBe("old");
    house.clock.advance(1001);
    expect(await shown()).toBe("new");
  });

  test("counts no negative uptime", async () => {
    await using house = await openTestHouse();
    house.clock.advance(5000);
    expect(await uptimeOf(house)).toBe(5);
    house.clock.advance(-days(1));
    expect(await uptimeOf(house)).toBe(5);
    house.clock.advance(2000);
    expect(await uptimeOf(house)).toBe(7);
  });
});

test("what is being uploaded and shared outlives a clock that goes back and forth, with sweeps in between", async () => {
  await using tree = await openTreeHouse();
  const { house } = tree;
  const { sweeper } = house.house.system;
  const shared = await shareFile(house, { content: "shared", expires_in: 48 });
  const begun = await presign(house, { filename: "late.txt" });
  for (const step of [-days(100), hours(3), days(97) - hours(3), days(3), -hours(1)]) {
    house.clock.advance(step);
    await sweeper.sweep();
  }
  // Ten minutes after it all began.
  house.clock.advance(hours(1) + minutes(10));
  expect((await put(house, begun.data.upload_url, "hello")).status).toBe(200);
  expect((await commit(house, begun.data.file_id)).status).toBe(200);
  expect(await (await house.request(`/api/file-view/${shared.slug}`)).text()).toBe("shared");
  expect((await tree.call(api.search, { query: { q: "late" } })).data.results.length).toBe(1);
  expect(house.log()).not.toContain('"level":"error"');
});

test("the sweeper leaves one sweep out when the clock was set", async () => {
  const clock = createTestClock();
  let passed = 0;
  const swept: number[] = [];
  const dust = [{ name: "dust", sweep: async () => swept.push(passed) }];
  const lines: string[] = [];
  const log = createLog("info", (text) => void lines.push(text));
  const db = openSqlite({ file: ":memory:", synchronous: "NORMAL" });
  const takeTurn = standAlone({ db, clock: clock.now }).leases.take;
  const { sweepAlone } = createSweeper(dust, {
    log,
    clock: clock.now,
    elapsed: () => passed,
    takeTurn: () => takeTurn("sweep"),
  });
  const after = async (time: number, step = 0) => {
    passed += time;
    clock.advance(time + step);
    await sweepAlone();
  };
  await after(0);
  await after(minutes(10));
  // Two days ahead by mistake, and back again before the next sweep but one.
  await after(minutes(10), days(2));
  await after(minutes(10), -days(2));
  await after(minutes(10));
  // Small steps are what a time server makes.
  await after(minutes(10), 2000);
  expect(swept).toEqual([0, minutes(10), minutes(40), minutes(50)]);
  log.flush();
  expect(lines.join("")).toContain("clock was set");
});
