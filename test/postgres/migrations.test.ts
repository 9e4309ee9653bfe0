import { expect, test } from "bun:test";
import type { Database } from "../../src/database/database.ts";
import { BASELINE, migrate } from "../../src/database/migrate.ts";
import { openPostgres } from "../../src/database/postgres/postgres.ts";
import { plainSql, sql } from "../../src/database/sql.ts";
import { openSqlite } from "../../src/database/sqlite/sqlite.ts";
import { examineNewer } from "../suites/newer-database.ts";
import { examineOlder, examineStep22 } from "../suites/step-22.ts";
import { makeStep22 } from "../support/database/step-22.ts";
import { cluster } from "../support/postgres/cluster.ts";
import { emptyDatabase } from "../support/postgres/databases.ts";

/** Migrations make the same tables on PostgreSQL, whoever runs them how often at once. */

const server = await cluster();

/** What an engine has for itself: PostgreSQL what it finds shares by, SQLite the tables of its full-text indexes. */
const own = /^(node_grams|paste_words|file_words)|\.words$/;

const columnsOf = async (db: Database, text: string): Promise<string[]> =>
  (await db.all<{ name: string }>(plainSql(text))).map(({ name }) => name).filter((name) => !own.test(name));

test("PostgreSQL has the columns of SQLite, which may be null where those may", async () => {
  await using place = await emptyDatabase(server);
  const postgres = openPostgres({ url: place.url });
  const sqlite = openSqlite({ file: ":memory:", synchronous: "NORMAL" });
  await migrate(postgres, true);
  await migrate(sqlite, true);
  const there = await columnsOf(
    postgres,
    `select table_name || '.' || column_name || ' ' || replace(replace(data_type, 'bigint', 'integer'), 'bytea', 'blob')
       || case when is_nullable = 'YES' then '' else ' not null' end as name
     from information_schema.columns where table_schema = current_schema() order by 1`,
  );
  const here = await columnsOf(
    sqlite,
    `select list.name || '.' || field.name || ' ' || lower(field.type)
       || case when field."notnull" or field.pk then ' not null' else '' end as name
     from pragma_table_list list join pragma_table_info(list.name) field
     where list.schema = 'main' and list.name not like 'sqlite_%' order by 1`,
  );
  expect(there.filter((name) => !name.includes(".words ") || here.includes(name)).sort()).toEqual(here.sort());
  const collations = await postgres.all(
    plainSql(`select table_name, column_name from information_schema.columns
      where table_schema = current_schema() and data_type = 'text' and collation_name is distinct from 'C'`),
  );
  expect(collations).toEqual([]);
  await postgres.close();
  await sqlite.close();
});

test("PostgreSQL has the indexes of SQLite", async () => {
  await using place = await emptyDatabase(server);
  const postgres = openPostgres({ url: place.url });
  const sqlite = openSqlite({ file: ":memory:", synchronous: "NORMAL" });
  await migrate(postgres, true);
  await migrate(sqlite, true);
  const there = await columnsOf(
    postgres,
    `select indexname::text as name from pg_indexes where schemaname = current_schema()
       and indexname not in (select conname from pg_constraint) order by 1`,
  );
  const here = await columnsOf(
    sqlite,
    "select name from sqlite_schema where type = 'index' and sql is not null order by 1",
  );
  expect(there.sort()).toEqual(here.sort());
  await postgres.close();
  await sqlite.close();
});

test("servers that start at once migrate once", async () => {
  await using place = await emptyDatabase(server);
  const nodes = [1, 2, 3].map(() => openPostgres({ url: place.url, connections: 3 }));
  const schemas = await Promise.all(nodes.map((db) => migrate(db, true)));
  expect(new Set(schemas.map((schema) => JSON.stringify(schema))).size).toBe(1);
  const [db] = nodes;
  const steps = await db?.all<{ number: number }>(sql`select number from migrations order by number`);
  const later = Array.from({ length: (schemas[0]?.version ?? 0) - BASELINE }, (_, n) => BASELINE + 1 + n);
  expect(steps?.map(({ number }) => number)).toEqual([0, BASELINE, ...later]);
  for (const node of nodes) await node.close();
});

test("a step that fails leaves nothing behind", async () => {
  await using place = await emptyDatabase(server);
  const db = openPostgres({ url: place.url, connections: 3 });
  expect(await db.lastStep()).toBe(0);
  const steps = [
    { number: 1, statements: ["create table one (id integer primary key) strict"] },
    {
      number: 2,
      statements: ["create table two (id integer primary key) strict", "create table one (id integer) strict"],
    },
  ];
  await expect(db.apply(steps)).rejects.toThrow("already exists");
  expect(await db.lastStep()).toBe(1);
  await expect(db.run(sql`insert into two (id) values (1)`)).rejects.toThrow("does not exist");
  expect(await db.run(sql`insert into one (id) values (1)`)).toBe(1);
  await db.close();
});

test("a database at the step of the baseline goes on, and ends with the tables of a new one", async () => {
  await using place = await emptyDatabase(server);
  await using other = await emptyDatabase(server);
  await makeStep22(place.url);
  const [old, fresh] = [place, other].map(({ url }) => openPostgres({ url, connections: 3 }));
  if (!old || !fresh) throw new Error("There are two databases.");
  await examineStep22(old, fresh);
  await old.close();
  await fresh.close();
});

test("a database from before is refused, with a sentence that says what to start first", async () => {
  await using place = await emptyDatabase(server);
  await makeStep22(place.url, 21);
  const db = openPostgres({ url: place.url, connections: 3 });
  await examineOlder(db);
  await db.close();
});

test("a newer database is worked on until it needs a newer server", async () => {
  await using place = await emptyDatabase(server);
  const db = openPostgres({ url: place.url, connections: 3 });
  await expect(migrate(db, false)).rejects.toThrow("empty or of an older Satchel");
  await examineNewer(db);
  await db.close();
});

test("a step may last longer than connections do", async () => {
  await using place = await emptyDatabase(server);
  const known = openPostgres({ url: place.url });
  const { version } = await migrate(known, true);
  await known.close();
  const db = openPostgres({ url: place.url, patience: { lifetime: 50, closing: 50 } });
  const statements = ["insert into facts (name, value) select 'long', 'step' from pg_sleep(1)"];
  expect(await migrate(db, true, [statements])).toMatchObject({ version: version + 1 });
  expect(await db.first(sql`select value from facts where name = 'long'`)).toEqual({ value: "step" });
  await db.close();
});
