import { expect, test } from "bun:test";
import type { Database } from "../../../src/database/database.ts";
import { sql } from "../../../src/database/sql.ts";
import { countedDatabase, sumOf } from "../../support/database/counted-database.ts";
import { openTestHouse } from "../../support/test-house.ts";

/** Beats come every quarter of a second, and a server of which nobody wants anything is at rest after ten. */
const BEAT = 250;
const beatsOf = (seconds: number): number => (seconds * 1000) / BEAT;

/** Servers on SQLite hear nothing of each other; this one believes that it would. */
const hearing = (db: Database): Database => ({
  ...db,
  get now() {
    return db.now;
  },
  notifications: { notify: sql`select 1`, listen: async () => undefined },
});

async function openCounted(clustered: boolean) {
  let passed = 0;
  const counted: ReturnType<typeof countedDatabase>[] = [];
  const house = await openTestHouse({
    clustered,
    elapsed: () => passed,
    engine(db) {
      const one = countedDatabase(hearing(db));
      counted.push(one);
      return one.db;
    },
  });
  const { cluster } = house.house;
  await house.house.start();
  return {
    house,
    /** The statements of so many seconds. */
    async during(seconds: number): Promise<number> {
      counted[0]?.take();
      for (let beat = 0; beat < beatsOf(seconds); beat++) {
        passed += BEAT;
        await counted[0]?.during(() => cluster.beat());
      }
      return sumOf(counted[0]?.take() ?? []).statements;
    },
  };
}

const SECONDS = 60;

test.each([false, true])(
  "a server that is let alone asks twice a second at most; one of several: %p",
  async (clustered) => {
    const { house, during } = await openCounted(clustered);
    await using _house = house;
    await during(15);
    expect((await during(SECONDS)) / SECONDS).toBeLessThanOrEqual(2);
  },
);

test("one of several that is asked something reads with each beat what others have changed", async () => {
  const { house, during } = await openCounted(true);
  await using _house = house;
  await during(15);
  await house.house.cluster.db.first(sql`select 1`);
  expect(await during(5)).toBeGreaterThanOrEqual(beatsOf(5));
});
