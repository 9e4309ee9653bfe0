import { expect, test } from "bun:test";
import { fsUploads } from "#contract/fs/uploads";
import { sql } from "../../../src/database/sql.ts";
import { createHaltingDatabase } from "../../support/database/halting-database.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";
import { treeCalls } from "../../support/tree/tree-house.ts";

/** Records of changes that broke off: each is settled once, and one that cannot be settled stops no other. */

const record = (house: TestHouse, id: string, changes: string) =>
  house.db.run(sql`insert into change_intents (id, storage, changes, certain)
    select ${id}, id, ${changes}, 0 from storage_configs`);

const recorded = async (house: TestHouse) =>
  (await house.db.all<{ id: string }>(sql`select id from change_intents order by id`)).map(({ id }) => id);

const sweep = ({ house }: TestHouse) => house.transfers.sweepChanges(new Set());

test("a record that two sweeps of a server read at the same time is settled by one of them", async () => {
  const { engine, haltAt } = createHaltingDatabase();
  await using house = await openTestHouse({ engine });
  await record(house, "x", "[]");
  const taking = haltAt("update change_intents set holder");
  const first = sweep(house);
  await taking.reached;
  const removing = haltAt("delete from change_intents");
  const second = sweep(house);
  await Promise.race([removing.reached, second]);
  taking.goOn();
  removing.goOn();
  expect((await first) + (await second)).toBe(1);
  expect(await recorded(house)).toEqual([]);
});

test("a record that cannot be read is logged, stays, and stops neither the others nor the start", async () => {
  await using house = await openTestHouse();
  await record(house, "1", "not JSON");
  await record(house, "2", "[]");
  await house.house.transfers.start();
  expect(await recorded(house)).toEqual(["1"]);
  expect(house.log()).toContain("unhandled error");
  await record(house, "2", "[]");
  expect(await sweep(house)).toBe(1);
  expect(await recorded(house)).toEqual(["1"]);
});

test("an upload that cannot be looked for is logged, and stops neither the others nor the start", async () => {
  await using house = await openTestHouse();
  const { call, write } = await treeCalls(house);
  await write("/drive/a", "what was there before");
  await call(fsUploads.begin, { body: { path: "/drive", fileName: "a", fileSize: 6_000_000 } });
  await house.db.run(sql`update uploads set claimed = 'not JSON'`);
  await house.house.transfers.start();
  expect(house.log()).toContain("unhandled error");
});
