import type { Database } from "../../../src/database/database.ts";
import { sql } from "../../../src/database/sql.ts";
import { createTestClock } from "../test-clock.ts";
import { openTestHouse, type TestHouseOptions } from "../test-house.ts";

/** A database whose clock moves only when a test moves it. */
export const withClock = (db: Database, now: () => number): Database => ({
  ...db,
  get now() {
    return sql`${now()}`;
  },
});

/**
 * Two servers on one database and one storage. Nothing passes between them by itself: a server reads what the other has changed when a
 * test calls `beat`, or when somebody calls it with a credential.
 */
export async function openServers(options: Pick<TestHouseOptions, "webhooks"> = {}) {
  const present = createTestClock();
  const here = await openTestHouse({ ...options, clustered: true, engine: (db) => withClock(db, present.now) });
  const there = await openTestHouse({ ...options, clustered: true, beside: here });
  return {
    here,
    there,
    /** The clock of the database. */
    present,
    async beat() {
      for (const { house } of [here, there]) await house.cluster.beat();
    },
    async [Symbol.asyncDispose]() {
      await there[Symbol.asyncDispose]();
      await here[Symbol.asyncDispose]();
    },
  };
}
