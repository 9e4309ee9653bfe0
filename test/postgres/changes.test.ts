import { expect, test } from "bun:test";
import type { Database } from "../../src/database/database.ts";
import { openPostgres } from "../../src/database/postgres/postgres.ts";
import { plainSql, sql } from "../../src/database/sql.ts";
import { cluster } from "../support/postgres/cluster.ts";
import { emptyDatabase, SLOW } from "../support/postgres/databases.ts";

/** Changes of two servers at once happen as if one after the other. */

const server = await cluster();

async function twoServers(...statements: string[]) {
  const place = await emptyDatabase(server);
  const nodes = [1, 2].map(() => openPostgres({ url: place.url, connections: 6, patience: SLOW }));
  const [first, second] = nodes as [Database, Database];
  for (const text of statements) await first.run(plainSql(text));
  return {
    url: place.url,
    first,
    second,
    /** Does the same so many times at once, by turns on both. */
    atOnce: <Result>(times: number, act: (db: Database, turn: number) => Promise<Result>) =>
      Promise.all(Array.from({ length: times }, (_, turn) => act(turn % 2 ? first : second, turn))),
    async [Symbol.asyncDispose]() {
      for (const node of nodes) await node.close();
      await place[Symbol.asyncDispose]();
    },
  };
}

test("of a thousand who spend five views exactly five succeed", async () => {
  await using here = await twoServers(
    "create table shares (id bigint primary key, views bigint not null)",
    "insert into shares values (1, 0)",
  );
  const spent = await here.atOnce(1000, (db) =>
    db.first<{ views: number }>(sql`update shares set views = views + 1 where id = 1 and views < 5 returning views`),
  );
  expect(spent.flatMap((row) => row?.views ?? []).sort()).toEqual([1, 2, 3, 4, 5]);
});

test("a counter that batches add to by row is exact", async () => {
  await using here = await twoServers(
    "create table sums (name text primary key, total bigint not null)",
    "create table parts (id bigint primary key)",
    "insert into sums values ('all', 0)",
  );
  const full = new Error("full");
  const ended = await here.atOnce(300, (db, turn) =>
    db
      .batch([
        sql`update sums set total = total + 1 where name = 'all' and total < 200`.expect(1, full).byRow(),
        sql`insert into parts (id) values (${turn})`.byRow(),
      ])
      .then(() => true)
      .catch((error: unknown) => error !== full && Promise.reject(error)),
  );
  expect(ended.filter(Boolean)).toHaveLength(200);
  expect(await here.first.first(sql`select total, (select count(*) from parts) as parts from sums`)).toEqual({
    total: 200,
    parts: 200,
  });
});

test("what is only written when something is not there is written once", async () => {
  await using here = await twoServers("create table places (id bigint primary key, path text not null)");
  const written = await here.atOnce(40, (db, turn) =>
    db.run(sql`insert into places (id, path) select ${turn}, ${"a"}
      where not exists (select 1 from places where path = ${"a"})`),
  );
  expect(written.reduce((sum, rows) => sum + rows)).toBe(1);
});

test("two that each look at what the other changes do not both succeed", async () => {
  await using here = await twoServers(
    "create table doctors (id bigint primary key, on_call bigint not null)",
    "insert into doctors values (0, 1), (1, 1)",
  );
  for (let round = 0; round < 20; round++) {
    await here.first.run(sql`update doctors set on_call = 1`);
    const left = await here.atOnce(2, (db, turn) =>
      db.batch([
        sql`update doctors set on_call = 0 where id = ${turn} and (select sum(on_call) from doctors) > 1`,
        sql`select 1`,
      ]),
    );
    expect(left.reduce((sum, [rows = 0]) => sum + rows, 0)).toBe(1);
  }
});

test("batches that lock in different orders both succeed", async () => {
  await using here = await twoServers(
    "create table sums (id bigint primary key, total bigint not null)",
    "insert into sums values (0, 0), (1, 0)",
  );
  const add = (id: number) => sql`update sums set total = total + 1 where id = ${id}`.byRow();
  // Four, because PostgreSQL looks for a deadlock after a second, and may find as many as there are pairs.
  await here.atOnce(4, (db, turn) => db.batch([add(turn % 2), add(1 - (turn % 2))]));
  expect(await here.first.all(sql`select total from sums`)).toEqual([{ total: 4 }, { total: 4 }]);
});

test("a statement whose table another server has changed is prepared again", async () => {
  await using here = await twoServers("create table t (a bigint)", "insert into t values (1)");
  const all = sql`select * from t where a = ${1}`;
  expect(await here.first.all(all)).toEqual([{ a: 1 }]);
  await here.second.run(plainSql("alter table t add column b bigint"));
  expect(await here.first.all(all)).toEqual([{ a: 1, b: null }]);
});
