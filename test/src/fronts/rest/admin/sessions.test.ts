import { describe, expect, test } from "bun:test";
import type { admin } from "#contract/admin";
import type { CallOutput } from "#contract/endpoint";
import { plainSql, sql } from "../../../../../src/database/sql.ts";
import { type Scenario, scenarios } from "../../../../support/scenario.ts";
import { days, hours, minutes } from "../../../../support/test-clock.ts";
import { testOnSqlite } from "../../../../support/test-database.ts";
import { ADMIN, openTestHouse, type TestHouse } from "../../../../support/test-house.ts";

type Listed = CallOutput<typeof admin.sessions>["data"];

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function list(house: TestHouse, token: string): Promise<Listed> {
  const response = await house.request("/api/admin/sessions", { headers: bearer(token) });
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: Listed }).data;
}

const end = (house: TestHouse, token: string, id: string) =>
  house.request(`/api/admin/sessions/${id}`, { method: "DELETE", headers: bearer(token) });

const check = async (house: TestHouse, token: string) =>
  (await house.request("/api/test/admin-token", { headers: bearer(token) })).status;

/** Signs in over HTTP. */
async function logIn(house: TestHouse, peer: string, agent: string): Promise<string> {
  const init = { method: "POST", body: JSON.stringify(ADMIN), headers: { "user-agent": agent } };
  const response = await house.request("/api/admin/login", init, peer);
  return ((await response.json()) as { data: { token: string } }).data.token;
}

describe("who may see and end sessions", () => {
  const listing = { method: "GET", url: "/api/admin/sessions" } as const;
  const ending = { method: "DELETE", url: "/api/admin/sessions/01a1fe7b-230d-753a-ba1d-2dabafd07340" } as const;
  const refused: readonly Pick<Scenario, "as" | "status">[] = [
    { as: "anyone", status: 401 },
    { as: "wrong token", status: 401 },
    { as: "visitor", status: 401 },
    { as: "wrong key", status: 401 },
    { as: "any key", status: 403 },
  ];
  scenarios([
    ...refused.flatMap((row) => [
      { ...listing, ...row },
      { ...listing, method: "DELETE" as const, ...row },
      { ...ending, ...row },
    ]),
    { as: "admin", ...listing, status: 200, has: ['"is_current":true'], hasNot: ["token"] },
    { as: "admin", ...ending, status: 404, has: ['"error":"session.missing"'] },
    { as: "admin", method: "DELETE", url: "/api/admin/sessions/%27%3B--", status: 404, has: ["session.missing"] },
    { as: "admin", method: "DELETE", url: `/api/admin/sessions/${"a".repeat(5000)}`, status: 404 },
    { as: "admin", method: "DELETE", url: "/api/admin/sessions/", status: 404 },
  ]);
});

describe("the list of sessions", () => {
  test("tells from where and by what each was opened, the last used first", async () => {
    await using house = await openTestHouse();
    const mine = await logIn(house, "192.0.2.1", "Firefox");
    house.clock.advance(minutes(5));
    const other = await logIn(house, "2001:db8::7", "x".repeat(1000));
    house.clock.advance(minutes(5));
    expect(await list(house, mine)).toEqual([
      {
        id: expect.any(String),
        created_at: "2030-01-02T03:04:05.678Z",
        last_used: "2030-01-02T03:14:05.678Z",
        expires_at: "2030-01-03T03:14:05.678Z",
        address: "192.0.2.1",
        user_agent: "Firefox",
        is_current: true,
      },
      {
        id: expect.any(String),
        created_at: "2030-01-02T03:09:05.678Z",
        last_used: "2030-01-02T03:09:05.678Z",
        expires_at: "2030-01-03T03:09:05.678Z",
        address: "2001:db8::7",
        user_agent: "x".repeat(300),
        is_current: false,
      },
    ]);
    expect((await list(house, other)).map(({ is_current }) => is_current)).toEqual([true, false]);
  });

  test("leaves out what has ended by itself", async () => {
    await using house = await openTestHouse();
    await house.signIn();
    house.clock.advance(days(1));
    const token = await house.signIn();
    expect(await list(house, token)).toHaveLength(1);
  });

  test("is asked for by name and password too, and then none of them is the current one", async () => {
    await using house = await openTestHouse();
    await house.signIn();
    const authorization = `Basic ${btoa(`${ADMIN.username}:${ADMIN.password}`)}`;
    const response = await house.request("/api/admin/sessions", { headers: { authorization } });
    expect(((await response.json()) as { data: Listed }).data).toMatchObject([{ is_current: false }]);
  });

  test("has a hundred at most", async () => {
    await using house = await openTestHouse();
    for (let index = 0; index < 120; index++) await house.signIn();
    expect(await list(house, await house.signIn())).toHaveLength(100);
  });

  test("says how many there are, those that are over left out", async () => {
    await using house = await openTestHouse();
    await house.signIn();
    house.clock.advance(days(1));
    for (let index = 0; index < 120; index++) await house.signIn();
    const headers = bearer(await house.signIn());
    const response = await house.request("/api/admin/sessions", { headers });
    expect(await response.json()).toMatchObject({ total: 121 });
  });
});

describe("ending all others", () => {
  const endOthers = async (house: TestHouse, headers: Record<string, string>) => {
    const response = await house.request("/api/admin/sessions", { method: "DELETE", headers });
    return ((await response.json()) as { data: { ended: number } }).data;
  };
  const audited = async (house: TestHouse) =>
    (await house.house.access.audit.list({ limit: 10, offset: 0 })).entries.map(({ action }) => action);

  test("refuses their tokens at once, listed or not, and leaves the one that asks", async () => {
    await using house = await openTestHouse();
    const old = await house.signIn();
    house.clock.advance(hours(24));
    const others: string[] = [];
    for (let index = 0; index < 120; index++) others.push(await house.signIn());
    const mine = await house.signIn();
    expect(await endOthers(house, bearer(mine))).toEqual({ ended: 120 });
    for (const token of [old, others[0] ?? "", others[119] ?? ""]) expect(await check(house, token)).toBe(401);
    expect(await check(house, mine)).toBe(200);
    expect(await endOthers(house, bearer(mine))).toEqual({ ended: 0 });
    expect(await audited(house)).toEqual(["sessions.clear"]);
  });

  test("by name and password ends them all", async () => {
    await using house = await openTestHouse();
    const token = await house.signIn();
    const headers = { authorization: `Basic ${btoa(`${ADMIN.username}:${ADMIN.password}`)}` };
    expect(await endOthers(house, headers)).toEqual({ ended: 1 });
    expect(await check(house, token)).toBe(401);
  });

  test("is not what an id means that was lost on the way", async () => {
    await using house = await openTestHouse();
    const [mine, other] = [await house.signIn(), await house.signIn()];
    expect((await end(house, mine, "")).status).toBe(404);
    expect(await check(house, other)).toBe(200);
  });
});

describe("ending a session", () => {
  test("refuses its token at once, and leaves the others", async () => {
    await using house = await openTestHouse();
    const [mine, other] = [await house.signIn(), await house.signIn()];
    expect(await check(house, other)).toBe(200);
    const id = (await list(house, mine)).find(({ is_current }) => !is_current)?.id ?? "";
    expect((await end(house, mine, id)).status).toBe(200);
    expect(await check(house, other)).toBe(401);
    expect(await check(house, mine)).toBe(200);
    expect((await end(house, mine, id)).status).toBe(404);
  });

  test("may be one's own, and then the next request is refused", async () => {
    await using house = await openTestHouse();
    const token = await house.signIn();
    const [session] = await list(house, token);
    expect((await end(house, token, session?.id ?? "")).status).toBe(200);
    expect(await check(house, token)).toBe(401);
    expect((await house.request("/api/admin/sessions", { headers: bearer(token) })).status).toBe(401);
  });

  test("is a miss when it has expired already", async () => {
    await using house = await openTestHouse();
    const old = await house.signIn();
    const id = (await list(house, old))[0]?.id ?? "";
    house.clock.advance(hours(24));
    const response = await end(house, await house.signIn(), id);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: "session.missing" });
  });
});

test("a script that signs in for each request does not fill the table, nor end the session that is used", async () => {
  await using house = await openTestHouse();
  const used = await house.signIn();
  const unused = await house.signIn();
  for (let round = 0; round < 3; round++) {
    house.clock.advance(minutes(2));
    expect(await check(house, used)).toBe(200);
    for (let index = 0; index < 400; index++) await house.signIn();
  }
  expect(await house.db.first<{ n: number }>(sql`select count(*) as n from sessions`)).toEqual({ n: 1000 });
  expect(await check(house, used)).toBe(200);
  expect(await check(house, unused)).toBe(401);
});

testOnSqlite("sessions are listed and their number kept by an index", async () => {
  await using house = await openTestHouse();
  const plan = await house.db.all<{ detail: string }>(
    plainSql("explain query plan select id from sessions order by used_at desc, id desc limit -1 offset 1000"),
  );
  expect(plan.map(({ detail }) => detail).join()).toContain("COVERING INDEX sessions_by_use");
});
