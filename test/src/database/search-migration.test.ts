import { expect, test } from "bun:test";
import { plainSql, sql } from "../../../src/database/database.ts";
import { migrate } from "../../../src/database/migrate.ts";
import { search } from "../../../src/database/migrations/0008-search.ts";
import { searchIndex } from "../../../src/database/migrations/0011-search-index.ts";
import { openSqlite } from "../../../src/database/sqlite.ts";

test("an index of names from before is emptied, and its storages are due again", async () => {
  const db = openSqlite({ file: ":memory:", synchronous: "NORMAL" });
  await db.batch(search.map(plainSql));
  await db.batch([
    sql`insert into nodes values (1, 1, 0, 's', 's', 3, 1, null), (2, 1, 1, 'a.txt', 'a.txt', 3, 1, 5)`,
    sql`insert into node_grams (rowid, grams) values (2, 'a txt')`,
    sql`insert into nodes_adrift (folder) values (7)`,
    sql`insert into search_builds (storage, built_at) values ('s', 5)`,
  ]);
  await db.batch(searchIndex.map(plainSql));
  for (const table of ["nodes", "node_grams", "nodes_adrift"])
    expect([table, await db.first(plainSql(`select count(*) as rows from ${table}`))]).toEqual([table, { rows: 0 }]);
  expect(await db.first(sql`select built_at from search_builds`)).toEqual({ built_at: null });
  db.close();
});

test("a new database has the same tables", async () => {
  const db = openSqlite({ file: ":memory:", synchronous: "NORMAL" });
  await migrate(db, true);
  await db.run(sql`insert into node_grams (rowid, grams) values (2, 'txt')`);
  await db.run(sql`delete from node_grams where rowid = 2`);
  expect(await db.all(sql`select rowid from node_grams where node_grams match 'txt'`)).toEqual([]);
  db.close();
});
