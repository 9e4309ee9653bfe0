import { afterAll } from "bun:test";
import { migrate } from "../../src/database/migrate.ts";
import { openPostgres } from "../../src/database/postgres/postgres.ts";
import { testListCursors } from "../suites/list-cursors.ts";
import { cluster } from "../support/postgres/cluster.ts";
import { emptyDatabase, SLOW } from "../support/postgres/databases.ts";
import { openTestHouse } from "../support/test-house.ts";

/** Pages of lists far behind, on PostgreSQL. */

const place = await emptyDatabase(await cluster());
const db = openPostgres({ url: place.url, connections: 3, patience: SLOW });
await migrate(db, true);
const house = await openTestHouse({ engine: () => db });
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

testListCursors(db);
