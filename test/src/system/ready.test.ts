import { describe, expect, test } from "bun:test";
import { READY_KEPT } from "#contract/limits";
import type { Database } from "../../../src/database/database.ts";
import { plainSql } from "../../../src/database/sql.ts";
import { createReadiness } from "../../../src/system/ready.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";

/** Whether a balancer should send requests here. */

/** What anybody is told, after what is kept has run out. */
async function ready(house: TestHouse) {
  house.clock.advance(READY_KEPT);
  const response = await house.request("/api/health/ready");
  return { status: response.status, body: await response.json() };
}

const READY = { status: 200, body: { ready: true, failing: [] } };
const failing = (...names: string[]) => ({ status: 503, body: { ready: false, failing: names } });

/** Counts how often the state of the tables is read, and then fails or says another one when it is told to. */
function watchedDatabase() {
  const watch = { asked: 0, fails: false, newer: 0, needs: 0 };
  const engine = (db: Database): Database => ({
    ...db,
    async first<Row>(query: Parameters<Database["first"]>[0]) {
      const row = await db.first<Row>(query);
      if (!query.text.startsWith("select max(number)")) return row;
      watch.asked += 1;
      if (watch.fails) throw new Error('no such name as "hunter2" here');
      const { number } = row as { readonly number: number };
      return { number: number + watch.newer, needed: watch.needs && number + watch.needs } as Row;
    },
  });
  return { watch, engine };
}

describe("/api/health/ready", () => {
  test("is 200 while everything answers", async () => {
    await using house = await openTestHouse();
    expect(await ready(house)).toEqual(READY);
  });

  test("names a database that does not answer and nothing else, and the log says why without what was quoted", async () => {
    const { watch, engine } = watchedDatabase();
    await using house = await openTestHouse({ engine });
    watch.fails = true;
    expect(await ready(house)).toEqual(failing("database"));
    expect(house.log()).toContain('"not ready","what":"database"');
    expect(house.log()).not.toContain("hunter2");
    watch.fails = false;
    expect(await ready(house)).toEqual(READY);
  });

  test("says in the log what has changed, and what has not again after a minute", async () => {
    const { watch, engine } = watchedDatabase();
    await using house = await openTestHouse({ engine });
    const said = () => house.log().match(/"event":"(not ready|ready again)"/g)?.length ?? 0;
    await ready(house);
    expect(said()).toBe(0);
    watch.fails = true;
    for (let count = 0; count < 30; count++) await ready(house);
    expect(said()).toBe(1);
    for (let count = 0; count < 60; count++) await ready(house);
    expect(said()).toBe(2);
    watch.fails = false;
    for (let count = 0; count < 90; count++) await ready(house);
    expect(said()).toBe(3);
    expect(house.log()).toContain('"event":"ready again"');
    watch.fails = true;
    await ready(house);
    expect(said()).toBe(4);
  });

  test("wants tables of its version, or of a newer one that needs no newer server", async () => {
    const { watch, engine } = watchedDatabase();
    await using house = await openTestHouse({ engine });
    watch.newer = 1;
    expect(await ready(house)).toEqual(READY);
    watch.needs = 1;
    expect(await ready(house)).toEqual(failing("migrations"));
    watch.needs = 0;
    watch.newer = -1;
    expect(await ready(house)).toEqual(failing("migrations"));
  });

  test("wants a default storage", async () => {
    await using house = await openTestHouse();
    await house.configure(plainSql("delete from mounts"), plainSql("delete from storage_configs"));
    expect(await ready(house)).toEqual(failing("storage"));
  });

  test("asks once a second, however many ask", async () => {
    const { watch, engine } = watchedDatabase();
    await using house = await openTestHouse({ engine });
    house.clock.advance(READY_KEPT);
    const before = watch.asked;
    const ask = async () => (await house.request("/api/health/ready")).status;
    expect(new Set(await Promise.all(Array.from({ length: 100 }, ask)))).toEqual(new Set([200]));
    for (let count = 0; count < 20; count++) expect(await ask()).toBe(200);
    expect(watch.asked - before).toBe(1);
    await ready(house);
    expect(watch.asked - before).toBe(2);
  });

  test("says at once that the server stops", async () => {
    await using house = await openTestHouse();
    expect(await ready(house)).toEqual(READY);
    house.house.system.readiness.stop();
    const response = await house.request("/api/health/ready");
    expect(await response.json()).toEqual({ ready: false, failing: ["stopping"] });
  });
});

test("a storage that never answers is asked once, and the database is told of beside it", async () => {
  await using house = await openTestHouse();
  // It has its answer before any patience ends.
  const db: Database = { ...house.db, first: async <Row>() => ({ number: 1, needed: null }) as Row };
  const { log } = house.house;
  let now = 0;
  let asked = 0;
  const probe = () => {
    asked += 1;
    return new Promise<"elsewhere">(() => undefined);
  };
  const clockFault = async () => undefined;
  const readiness = createReadiness({ db, known: 1, clockFault, probe, elapsed: () => now, log, patience: 1 });
  expect(await readiness.check()).toEqual(["storage"]);
  now += READY_KEPT;
  expect(await readiness.check()).toEqual(["storage"]);
  expect(asked).toBe(1);
});
