import { afterAll } from "bun:test";
import { testListCursors } from "../../suites/list-cursors.ts";
import { openTestHouse } from "../../support/test-house.ts";

/** Pages of lists far behind, on SQLite. */

const house = await openTestHouse();
afterAll(() => house[Symbol.asyncDispose]());

testListCursors(house.db);
