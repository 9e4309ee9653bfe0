import { expect, test } from "bun:test";
import { join } from "node:path";
import { migrate } from "../../../../src/database/migrate.ts";
import { plainSql, type Sql, sql } from "../../../../src/database/sql.ts";
import { openSqlite } from "../../../../src/database/sqlite/sqlite.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

/** Batches that are asked for in one turn are committed together, and each is all or nothing. */
async function opened() {
  const folder = temporaryFolder();
  const file = join(folder.path, "test.db");
  const db = openSqlite({ file, synchronous: "FULL" });
  await migrate(db, true);
  const names = async (from = db) =>
    (await from.all<{ name: string }>(sql`select name from facts where name like 'one %' order by rowid`)).map(
      ({ name }) => name,
    );
  return { file, db, names, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

const insert = (name: string): Sql => sql`insert into facts (name, value) values (${name}, 'x')`;

test("what is asked for in one turn happens in its order, and one that fails takes back itself alone", async () => {
  using at = await opened();
  const failure = new Error("not that one");
  const asked = Array.from({ length: 20 }, (_, index) => {
    const nothing = plainSql("update facts set value = 'y' where name = 'nobody'");
    return [insert(`one ${index}`), index % 5 === 3 ? nothing.expect(1, failure) : nothing];
  });
  const ended = await Promise.allSettled(asked.map((queries) => at.db.batch(queries)));
  ended.forEach((one, index) => {
    expect(one).toEqual(
      index % 5 === 3 ? { status: "rejected", reason: failure } : { status: "fulfilled", value: [1, 0] },
    );
  });
  expect(await at.names()).toEqual(
    Array.from({ length: 20 }, (_, index) => `one ${index}`).filter((_, index) => index % 5 !== 3),
  );
  await at.db.close();
});

test("an index of words is written once for all that is asked for in one turn", async () => {
  using at = await opened();
  const parts = async () => (await at.db.all(plainSql("select id from paste_words_data"))).length;
  const empty = await parts();
  const asked = Array.from({ length: 8 }, (_, index) =>
    at.db.batch([sql`insert into paste_words (rowid, words) values (${index + 1}, 'the quick brown fox')`]),
  );
  expect(await Promise.all(asked)).toEqual(asked.map(() => [1]));
  expect(await parts()).toBe(empty + 1);
  await at.db.close();
});

test("a batch sees what those before it have written, and is seen by others only when it is answered", async () => {
  using at = await opened();
  const other = openSqlite({ file: at.file, synchronous: "FULL" });
  const first = at.db.batch([insert("one first")]);
  const second = at.db.batch([sql`update facts set value = 'seen' where name = 'one first'`]);
  expect(await at.names(other)).toEqual([]);
  expect(await Promise.all([first, second])).toEqual([[1], [1]]);
  expect(await at.names(other)).toEqual(["one first"]);
  await other.close();
  await at.db.close();
});

test("what waits when the database is closed is committed before", async () => {
  using at = await opened();
  const asked = Array.from({ length: 3 }, (_, index) => at.db.batch([insert(`one ${index}`)]));
  await at.db.close();
  expect(await Promise.all(asked)).toEqual([[1], [1], [1]]);
  const again = openSqlite({ file: at.file, synchronous: "FULL" });
  expect(await at.names(again)).toEqual(["one 0", "one 1", "one 2"]);
  await again.close();
});

test("batches that take long leave turns to others, and are all committed", async () => {
  using at = await opened();
  const slow = (
    name: string,
  ) => sql`with recursive counted (n) as (select 1 union all select n + 1 from counted where n < 500000)
    insert into facts (name, value) select ${name}, max(n) from counted`;
  const asked = Array.from({ length: 8 }, (_, index) => at.db.batch([slow(`one ${index}`)]));
  let answered = 0;
  for (const one of asked) void one.then(() => (answered += 1));
  const between = new Set<number>();
  while (answered < asked.length) {
    between.add(answered);
    await new Promise(setImmediate);
  }
  expect(between.size).toBeGreaterThan(1);
  expect(await at.names()).toHaveLength(8);
  await at.db.close();
});

test("a database that nobody may write to refuses each of them", async () => {
  using at = await opened();
  await at.db.run(plainSql("pragma query_only = on"));
  const ended = await Promise.allSettled(["a", "b"].map((name) => at.db.batch([insert(`one ${name}`)])));
  expect(ended.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await at.db.run(plainSql("pragma query_only = off"));
  expect(await at.db.batch([insert("one c")])).toEqual([1]);
  expect(await at.names()).toEqual(["one c"]);
  await at.db.close();
});

test("one that finds no room takes nobody of its turn with it", async () => {
  using at = await opened();
  // As many pages as there are, and a few: SQLite ends the transaction of all when it finds none (SQLITE_FULL).
  const [pages] = await at.db.all<{ page_count: number }>(plainSql("pragma page_count"));
  await at.db.all(plainSql(`pragma max_page_count = ${(pages?.page_count ?? 0) + 20}`));
  const large = sql`insert into facts (name, value) values ('one large', ${"x".repeat(1_000_000)})`;
  const asked = [[insert("one 0")], [large], [insert("one 1")], [insert("one 2")]];
  const ended = await Promise.allSettled(asked.map((queries) => at.db.batch(queries)));
  expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect(await at.names()).toEqual(["one 0", "one 1", "one 2"]);
  // And those of later turns go together again.
  expect(await Promise.all([at.db.batch([insert("one 3")]), at.db.batch([insert("one 4")])])).toEqual([[1], [1]]);
  await at.db.close();
});

test("each that finds no room is told so, and may be asked for again in the room that was given meanwhile", async () => {
  using at = await opened();
  const [pages] = await at.db.all<{ page_count: number }>(plainSql("pragma page_count"));
  await at.db.all(plainSql(`pragma max_page_count = ${pages?.page_count ?? 0}`));
  const large = (index: number) =>
    sql`insert into facts (name, value) values (${`one ${index}`}, ${"x".repeat(100_000)})`;
  const ask = async (index: number) => {
    try {
      return await at.db.batch([large(index)]);
    } catch (error) {
      expect(error).toMatchObject({ code: "SQLITE_FULL" });
      await at.db.all(plainSql("pragma max_page_count = 100000"));
      return await at.db.batch([large(index)]);
    }
  };
  expect(await Promise.all([0, 1, 2, 3].map(ask))).toEqual([[1], [1], [1], [1]]);
  expect((await at.names()).toSorted()).toEqual(["one 0", "one 1", "one 2", "one 3"]);
  await at.db.close();
});
