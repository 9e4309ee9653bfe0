import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { compareBytes } from "#contract/paths";
import type { Database } from "../../src/database/database.ts";
import { openPostgres } from "../../src/database/postgres/postgres.ts";
import { plainSql, sql } from "../../src/database/sql.ts";
import { openSqlite } from "../../src/database/sqlite/sqlite.ts";
import { cluster } from "../support/postgres/cluster.ts";
import { emptyDatabase } from "../support/postgres/databases.ts";

/** What rooms say and are told, on PostgreSQL as on SQLite. */

const place = await emptyDatabase(await cluster());
const engines: readonly (readonly [string, Database])[] = [
  ["sqlite", openSqlite({ file: ":memory:", synchronous: "NORMAL" })],
  ["postgres", openPostgres({ url: place.url, connections: 4 })],
];
afterAll(async () => {
  for (const [, db] of engines) await db.close();
  await place[Symbol.asyncDispose]();
});

describe.each(engines)("%s", (engine, db) => {
  const bytes = engine === "sqlite" ? "blob" : "bytea";
  beforeAll(async () => {
    await db.run(plainSql("create table numbers (id bigint primary key, n bigint)"));
    await db.run(plainSql(`create table texts (t text ${engine === "sqlite" ? "" : 'collate "C"'}, b ${bytes})`));
  });

  test("a mark in a text of the statement is no value", async () => {
    const row = await db.first(sql`select 'what?' as a, 'it''s?' as b, ${"?"} as "c?", ${"$1"} as d`);
    expect(row).toEqual({ a: "what?", b: "it's?", "c?": "?", d: "$1" });
  });

  test("numbers come back as they went, and sums too", async () => {
    for (const n of [0, -1, 2 ** 31, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER]) {
      await db.run(sql`insert into numbers (id, n) values (${n}, ${n})`);
      expect(await db.first(sql`select n, n + 0 as m from numbers where id = ${n}`)).toEqual({ n, m: n });
    }
    expect(await db.first(sql`select count(*) as c, sum(n) as s, max(n) as m from numbers`)).toEqual({
      c: 6,
      s: -2,
      m: Number.MAX_SAFE_INTEGER,
    });
    expect(await db.run(sql`update numbers set n = n + 1 where id < ${0}`)).toBe(3);
  });

  test("null has no type", async () => {
    const none: string | null = null;
    expect(await db.all(sql`select 1 as one where ${none} is null or ${none} > 3`)).toEqual([{ one: 1 }]);
    expect(await db.first(sql`select coalesce(${none}, ${"x"}) as x, ${none} as n`)).toEqual({ x: "x", n: null });
  });

  test("texts of any letters come back as they went", async () => {
    const texts = ["", "a\0b", "\0", "\ufdd0", "\ufdd00\0\ufdd01", "é😀\u{10ffff}", "'; drop table texts; --", "\\x00"];
    for (const t of texts) {
      await db.run(sql`insert into texts (t) values (${t})`);
      expect(await db.all(sql`select t from texts where t = ${t}`)).toEqual([{ t }]);
    }
    expect((await db.all(sql`select t from texts`)).length).toBe(texts.length);
    await db.run(sql`delete from texts`);
  });

  test("bytes come back as they went", async () => {
    const b = new Uint8Array([0, 1, 255]);
    await db.run(sql`insert into texts (b) values (${b})`);
    expect(await db.all<{ b: Uint8Array }>(sql`select b from texts`)).toEqual([{ b }]);
    await db.run(sql`delete from texts`);
  });

  test("texts are ordered by their bytes", async () => {
    const texts = ["a", "B", "b", "A", "é", "z", "Z", "_", "-", "a b", "ab", "中", "😀", "\uffff", "1", "10", "2"];
    for (const t of texts) await db.run(sql`insert into texts (t) values (${t})`);
    const sorted = (await db.all<{ t: string }>(sql`select t from texts order by t`)).map(({ t }) => t);
    expect(sorted).toEqual(texts.toSorted(compareBytes));
    const between = await db.all<{ t: string }>(sql`select t from texts where t >= ${"a"} and t < ${"b"} order by t`);
    expect(between.map(({ t }) => t)).toEqual(["a", "a b", "ab"]);
    const folded = await db.all<{ t: string }>(sql`select t from texts where t < ${"{"} order by t collate nocase, t`);
    expect(folded.map(({ t }) => t)).toEqual(["-", "1", "10", "2", "_", "A", "a", "a b", "ab", "B", "b", "Z", "z"]);
    await db.run(sql`delete from texts`);
  });

  test("a batch changes all or nothing, with the failure that was expected", async () => {
    await db.run(sql`delete from numbers`);
    const failure = new Error("not that one");
    const insert = sql`insert into numbers (id) values (${1})`;
    await expect(db.batch([insert, sql`delete from numbers where id = 9`.expect(1, failure)])).rejects.toBe(failure);
    expect(await db.all(sql`select * from numbers`)).toEqual([]);
    expect(await db.batch([insert, sql`insert into numbers (id) values (2)`, sql`delete from numbers`])).toEqual([
      1, 1, 2,
    ]);
    await expect(db.batch([insert, insert])).rejects.toThrow();
    await expect(db.batch([sql`delete from numbers`.expect(1, failure), insert, insert])).rejects.toBe(failure);
    expect(await db.first(sql`select id from numbers`)).toBeUndefined();
    expect(await db.batch([])).toEqual([]);
  });

  test("a statement that writes answers what it says, and how much it changed", async () => {
    expect(await db.first(sql`insert into numbers (id, n) values (7, 1) returning n + 1 as m`)).toEqual({ m: 2 });
    expect(await db.run(sql`insert into numbers (id) values (7) on conflict do nothing`)).toBe(0);
    expect(await db.run(sql`update numbers set n = 3 where exists (select 1 from numbers where id = 7)`)).toBe(1);
  });
});

test("a number that is not safe is no answer", async () => {
  const [, db] = engines[1] ?? [];
  await expect(db?.first(plainSql("select 9007199254740993 as n")) ?? "").rejects.toThrow("not safe");
});
