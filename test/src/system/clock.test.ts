import { expect, test } from "bun:test";
import { READY_KEPT } from "#contract/limits";
import { clockFault } from "../../../src/database/clock-check.ts";
import type { Database } from "../../../src/database/database.ts";
import { withClock } from "../../support/cluster/two-servers.ts";
import { createTestClock, minutes } from "../../support/test-clock.ts";
import { openTestDatabase } from "../../support/test-database.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";

/** A server decides by its own clock and by that of its database: both must tell the same time. */

const SECOND = 1000;

/** A house, and the clock of its database, which is so many milliseconds ahead of its own. */
async function openHouse(ahead: number) {
  const there = createTestClock();
  there.advance(ahead);
  return { there, house: await openTestHouse({ sameTime: true, engine: (db) => withClock(db, there.now) }) };
}

const ask = async (house: TestHouse, path: string) => {
  const response = await house.request(path, { headers: { "accept-language": "en" } });
  return { status: response.status, text: await response.text() };
};

test.each([60, -60, 0])("a database that is %d seconds ahead is close enough", async (seconds) => {
  const { house } = await openHouse(seconds * SECOND);
  await using _ = house;
  expect((await ask(house, "/api/health/ready")).status).toBe(200);
  expect((await ask(house, "/api/health")).text).toContain('"status":"ok"');
});

test.each([
  [125, "125 seconds behind that of the database"],
  [-3601, "3601 seconds ahead of that of the database"],
])(
  "with a database that is %d seconds ahead nothing starts, and the reason says how much it is",
  async (seconds, words) => {
    await expect(openHouse(seconds * SECOND)).rejects.toThrow(words);
  },
);

test("a server whose clock goes wrong is not ready until it is right again, and says so", async () => {
  const { there, house } = await openHouse(0);
  await using _ = house;
  there.advance(minutes(2));
  const failing = await ask(house, "/api/health/ready");
  expect([failing.status, JSON.parse(failing.text)]).toEqual([503, { ready: false, failing: ["clock"] }]);
  expect(house.log()).toContain("The clock of this server is 120 seconds behind that of the database");
  const health = await ask(house, "/api/health");
  expect(health.status).toBe(200);
  expect(JSON.parse(health.text)).toMatchObject({ status: "degraded", problems: [{ problem: "clock" }] });
  there.advance(-minutes(2));
  house.clock.advance(READY_KEPT);
  there.advance(READY_KEPT);
  expect((await ask(house, "/api/health/ready")).status).toBe(200);
  expect((await ask(house, "/api/health")).text).toContain('"status":"ok"');
});

test("the time that a question takes is held against no clock", async () => {
  const here = createTestClock();
  const there = createTestClock();
  const inner = await openTestDatabase();
  const db: Database = {
    ...withClock(inner, there.now),
    async first<Row>(query: Parameters<Database["first"]>[0]) {
      const row = await inner.first<Row>(query);
      here.advance(minutes(3));
      return row;
    },
  };
  expect(await clockFault(db, here.now)).toBeUndefined();
  await inner.close();
});
