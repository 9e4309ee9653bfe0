import { expect, test } from "bun:test";
import { below, isAt, renamed } from "../../../src/database/keys.ts";
import { joined, list, type Sql, sql } from "../../../src/database/sql.ts";
import { openTestDatabase } from "../../support/test-database.ts";

const keys = ["a", "a!", "a/", "a/b", "a/b/c", "a/\u{1f600}", "a0", "a0/b", "b"];

/** What a statement says of the keys for which a condition holds. */
async function found(condition: Sql, column = sql`key`): Promise<string[]> {
  const db = await openTestDatabase();
  const rows = joined(
    keys.map((key) => sql`select cast(${key} as text) as key`),
    " union all ",
  );
  const all = await db.all<{ key: string }>(sql`select ${column} as key from (${rows}) as keys where ${condition}`);
  await db.close();
  return all.map(({ key }) => key).sort();
}

test("a folder's key stands for itself and all below it, the empty one for everything", async () => {
  const inA = ["a/", "a/b", "a/b/c", "a/\u{1f600}"];
  expect(await found(below("a/"))).toEqual(inA);
  expect(await found(isAt("a/"))).toEqual(inA);
  expect(await found(isAt("a"))).toEqual(["a"]);
  expect(await found(isAt(""))).toEqual(keys);
});

test("what is below a folder keeps the rest of its key in another", async () => {
  const to = "\u{1f600}%_/";
  expect(await found(below("a/"), renamed("a/", to))).toEqual(["", "b", "b/c", "\u{1f600}"].map((rest) => to + rest));
  expect(await found(isAt("a/b/c"), renamed("a/b/c", "d"))).toEqual(["d"]);
});

test("a list has as many marks as values", async () => {
  expect(await found(sql`key in (${list(["a", "b", "c"])})`)).toEqual(["a", "b"]);
});
