import { expect, test } from "bun:test";
import { standAlone } from "../../../src/cluster/alone.ts";
import type { Database } from "../../../src/database/database.ts";
import { type Sql, sql } from "../../../src/database/sql.ts";
import { createLog } from "../../../src/lib/log.ts";
import { createSweeper } from "../../../src/system/sweeper.ts";
import { shareText } from "../../support/share-text.ts";
import { openTestDatabase } from "../../support/test-database.ts";
import { openTestHouse } from "../../support/test-house.ts";

/** A server that stops while something fails, or is under way. */

test("what cannot be written at the end is logged, and everything behind it is closed all the same", async () => {
  const failing = { now: false };
  const refuse = (query: Sql) => {
    if (failing.now && /update pastes/.test(query.text)) throw new Error("no answer");
  };
  const engine = (db: Database): Database => ({
    ...db,
    get now() {
      return db.now;
    },
    async run(query) {
      refuse(query);
      return await db.run(query);
    },
    async batch(queries) {
      queries.forEach(refuse);
      return await db.batch(queries);
    },
  });
  await using house = await openTestHouse({ clustered: true, engine });
  await house.house.start();
  const servers = () => house.db.all(sql`select name from leases where name like 'server %'`);
  expect(await servers()).toHaveLength(1);
  const { slug } = await shareText(house, { content: "opened" });
  expect((await house.request(`/api/raw/${slug}`)).status).toBe(200);
  failing.now = true;
  await house.house.close();
  expect(await servers()).toEqual([]);
  expect(house.log()).toContain('"event":"not closed","what":"texts","error":"Error: no answer"');
  failing.now = false;
});

test("a sweep that is under way ends with the cleanup in flight", async () => {
  const began = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const done: string[] = [];
  const cleanups = [
    {
      name: "first",
      async sweep() {
        began.resolve();
        await goOn.promise;
        return done.push("first");
      },
    },
    { name: "second", sweep: async () => done.push("second") },
  ];
  const db = await openTestDatabase();
  const { leases } = standAlone({ db, clock: () => 0 });
  const sweeper = createSweeper(cleanups, {
    log: createLog("silent", () => undefined),
    clock: () => 0,
    elapsed: () => 0,
    takeTurn: () => leases.take("sweep"),
  });
  sweeper.start();
  await began.promise;
  const stopped = sweeper.stop().then(() => done.push("stopped"));
  goOn.resolve();
  await stopped;
  expect(done).toEqual(["first", "stopped"]);
  await db.close();
});
