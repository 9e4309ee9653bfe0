import { expect, test } from "bun:test";
import { type Database, Unavailable } from "../../../src/database/database.ts";
import { createHealth } from "../../../src/system/health.ts";
import { openTestHouse } from "../../support/test-house.ts";

/** /api/health says that the process is alive, whatever its database does. */

/** A database that answers until it is told not to. */
function failingDatabase(fail: () => Promise<never>) {
  const state = { fails: false };
  const pass = <Result>(run: () => Promise<Result>): Promise<Result> => (state.fails ? fail() : run());
  const engine = (db: Database): Database => ({
    ...db,
    first: (query) => pass(() => db.first(query)),
    all: (query) => pass(() => db.all(query)),
  });
  return { state, engine };
}

test.each([
  ["is away", () => new Unavailable("there is none")],
  ["is broken", () => new Error('the file "hunter2" is torn')],
])("a database that %s is a problem, and its server is alive", async (_, failure) => {
  const { state, engine } = failingDatabase(() => Promise.reject(failure()));
  await using house = await openTestHouse({ engine });
  const ask = (language: string) => house.request("/api/health", { headers: { "accept-language": language } });
  state.fails = true;
  for (const [language, advice] of [
    ["en", "The database does not answer"],
    ["zh", "数据库无响应"],
  ] as const) {
    const response = await ask(language);
    expect(response.status).toBe(200);
    const body = (await response.json()) as { status: string; problems: { problem: string; advice: string }[] };
    expect(body.status).toBe("degraded");
    expect(body.problems).toEqual([{ problem: "database.unavailable", advice: expect.stringContaining(advice) }]);
  }
  const ready = await house.request("/api/health/ready");
  expect([ready.status, await ready.json()]).toEqual([503, { ready: false, failing: ["database"] }]);
  expect(house.log()).toContain("the database does not answer");
  expect(house.log()).not.toContain("hunter2");
  state.fails = false;
  expect(await (await ask("en")).json()).toEqual({ status: "ok", timestamp: expect.any(String) });
});

test("one that goes silent between two questions is a problem too", async () => {
  const { state, engine } = failingDatabase(() => Promise.reject(new Unavailable("there is none")));
  await using house = await openTestHouse({
    engine: (db) => {
      const inner = engine(db);
      return { ...inner, first: (query) => (query.text === "select 1" ? db.first(query) : inner.first(query)) };
    },
  });
  state.fails = true;
  const response = await house.request("/api/health");
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ problems: [{ problem: "database.unavailable" }] });
});

test("a database that never answers is asked once, and nobody waits for it twice", async () => {
  await using house = await openTestHouse();
  let asked = 0;
  const db: Database = {
    ...house.db,
    first: () => {
      asked += 1;
      return new Promise(() => undefined);
    },
  };
  const { transfers, log } = house.house;
  const health = createHealth({
    db,
    clock: house.clock.now,
    log,
    clockFault: async () => undefined,
    patience: 1,
    isFull: () => false,
    disks: [],
    quotas: { uses: async () => [] },
    transfers,
    stores: { isDenied: async () => false, areSomeHere: async () => false },
  });
  for (let count = 0; count < 3; count++)
    expect(await health.check()).toMatchObject({ status: "degraded", problems: ["database.unavailable"] });
  expect(asked).toBe(1);
});

test("a storage on the disk of one of several servers is a problem, of which a balancer is only warned", async () => {
  const look = async (clustered: boolean) => {
    await using house = await openTestHouse({ clustered });
    const ask = async (path: string) => await (await house.request(path)).json();
    return [await ask("/api/health"), await ask("/api/health/ready")];
  };
  expect(await look(true)).toEqual([
    expect.objectContaining({
      status: "degraded",
      problems: [{ problem: "storage.local", advice: expect.stringContaining("Move them to a bucket") }],
    }),
    { ready: true, failing: [], warnings: ["storage.local"] },
  ]);
  expect(await look(false)).toEqual([expect.objectContaining({ status: "ok" }), { ready: true, failing: [] }]);
});
