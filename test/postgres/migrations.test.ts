import { expect, test } from "bun:test";
import { type Database, plainSql, sql } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { abilitiesOf } from "../../src/database/postgres-engines.ts";
import { openSqlite } from "../../src/database/sqlite.ts";
import { examineNewer } from "../suites/newer-database.ts";
import { cluster } from "../support/postgres/cluster.ts";
import { asOwner, emptyDatabase, LEAST } from "../support/postgres/databases.ts";

/** Migrations make the same tables on PostgreSQL, whoever runs them how often at once, and with how little of it. */

const server = await cluster();

const engines = {
  PostgreSQL: abilitiesOf("PostgreSQL 15.13 on x86_64-pc-linux-gnu"),
  YugabyteDB: abilitiesOf("PostgreSQL 15.12-YB-2025.1.0.0-b0 on x86_64-pc-linux-gnu"),
  CockroachDB: abilitiesOf("CockroachDB CCL v25.4.0 (x86_64-pc-linux-gnu)"),
} as const;
const each = Object.entries(engines).map(([name, abilities]) => ({ name, abilities }));

/** What an engine has for itself: PostgreSQL what it finds shares by, SQLite the tables of its full-text indexes. */
const own = /^(node_grams|paste_words|file_words)|\.words$/;

const columnsOf = async (db: Database, text: string): Promise<string[]> =>
  (await db.all<{ name: string }>(plainSql(text))).map(({ name }) => name).filter((name) => !own.test(name));

test("an engine that nobody knows gets what every engine has", () => {
  expect(abilitiesOf("Somebody 1.0")).toEqual(LEAST);
  expect(engines.CockroachDB).toEqual(LEAST);
  expect(engines.YugabyteDB).toEqual({ collations: true, tablesInTransactions: false, overlaps: false });
});

test.each(each)("$name has the columns of SQLite, which may be null where those may", async ({ abilities }) => {
  await using place = await emptyDatabase(server);
  const postgres = openPostgres({ url: place.url, abilities });
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
  expect(there.filter((name) => !name.includes(".words ")).sort()).toEqual(here.sort());
  const collations = await postgres.all(
    plainSql(`select table_name, column_name from information_schema.columns
      where table_schema = current_schema() and data_type = 'text' and collation_name is distinct from 'C'`),
  );
  expect(collations.length > 0).toBe(!abilities.collations);
  await postgres.close();
  await sqlite.close();
});

test.each(each)("$name has the indexes of SQLite", async ({ abilities }) => {
  await using place = await emptyDatabase(server);
  const postgres = openPostgres({ url: place.url, abilities });
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

test.each(each)("servers that start at once on $name migrate once", async ({ abilities }) => {
  await using place = await emptyDatabase(server);
  const nodes = [1, 2, 3].map(() => openPostgres({ url: place.url, connections: 3, abilities }));
  const schemas = await Promise.all(nodes.map((db) => migrate(db, true)));
  expect(new Set(schemas.map((schema) => JSON.stringify(schema))).size).toBe(1);
  const [db] = nodes;
  const steps = await db?.all<{ number: number }>(sql`select number from migrations order by number`);
  expect(steps?.map(({ number }) => number)).toEqual(
    Array.from({ length: (schemas[0]?.version ?? 0) + 1 }, (_, n) => n),
  );
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

/** All that tables are made of. */
const madeIn = (db: Database) =>
  db.all<{ line: string }>(
    plainSql(`select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || coalesce(column_default, '')
        || is_identity || coalesce(generation_expression, '') as line
      from information_schema.columns where table_schema = 'public'
      union all select indexdef from pg_indexes where schemaname = 'public'
      union all select conrelid::regclass::text || pg_get_constraintdef(oid) from pg_constraint where conrelid <> 0
      union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
      union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
      union all select name || value from facts
      union all select quota || bytes from text_quotas
      order by 1`),
  );

test("a first start that is killed between a change and its note goes on from there, whichever change it is", async () => {
  await using whole = await emptyDatabase(server);
  await using broken = await emptyDatabase(server);
  const straight = openPostgres({ url: whole.url, abilities: LEAST });
  const { known } = await migrate(straight, true);

  const db = openPostgres({ url: broken.url, connections: 3, abilities: LEAST });
  await db.lastStep();
  // Every first note fails and takes back what stands in its transaction; a sequence is never taken back.
  await asOwner(
    broken.url,
    "create schema tests",
    "create sequence tests.notes",
    `create function tests.fail() returns trigger language plpgsql
      as $$ begin if nextval('tests.notes') % 2 = 1 then raise 'killed'; end if; return new; end $$`,
    "create trigger killed before insert on migrations for each row when (new.number <> 0) execute function tests.fail()",
  );
  let killed = 0;
  const isMigrated = async (): Promise<boolean> => {
    try {
      await migrate(db, true);
      return true;
    } catch (error) {
      expect(String(error)).toContain("killed");
      killed += 1;
      return false;
    }
  };
  while (!(await isMigrated()));
  expect(killed).toBeGreaterThan(100);
  await asOwner(broken.url, "drop schema tests cascade");

  expect(await madeIn(db)).toEqual(await madeIn(straight));
  const noted = await db.all<{ number: number }>(sql`select number from migrations order by number`);
  expect(noted.map(({ number }) => number)).toEqual(Array.from({ length: known + 1 }, (_, number) => number));
  await straight.close();
  await db.close();
});

test("a change of a table that cannot be made is an error, and not taken for one that was made before", async () => {
  await using place = await emptyDatabase(server);
  const db = openPostgres({ url: place.url, connections: 3, abilities: LEAST });
  expect(await db.lastStep()).toBe(0);
  const step = (...statements: string[]) => db.apply([{ number: 1, statements }]);
  await expect(step("create table one (id integer) strict", "create index ones on two (id)")).rejects.toThrow("two");
  await expect(step("create table one (id integer) strict", "alter table one add column id2 nothing")).rejects.toThrow(
    "nothing",
  );
  expect(await db.lastStep()).toBe(0);
  await step("create table one (id integer) strict", "alter table one add column more integer");
  expect(await db.lastStep()).toBe(1);
  expect(await db.run(sql`insert into one (id, more) values (1, 2)`)).toBe(1);
  await db.close();
});

test("tables of somebody else are left alone, and not taken for ones that were made before", async () => {
  await using place = await emptyDatabase(server);
  const db = openPostgres({ url: place.url, connections: 3, abilities: LEAST });
  await db.run(plainSql("create table nodes (id bigint primary key)"));
  await db.run(plainSql("insert into nodes values (7)"));
  await expect(migrate(db, true)).rejects.toThrow("a table of somebody else (nodes)");
  await expect(migrate(db, true)).rejects.toThrow("a table of somebody else (nodes)");
  expect(await db.all(plainSql("select id from nodes"))).toEqual([{ id: 7 }]);
  expect(await db.lastStep()).toBe(0);
  await db.close();
});

test("a newer database is worked on until it needs a newer server", async () => {
  await using place = await emptyDatabase(server);
  const db = openPostgres({ url: place.url, connections: 3 });
  await expect(migrate(db, false)).rejects.toThrow("empty or of an older Satchel");
  await examineNewer(db);
  await db.close();
});

test.each(each)("a step on $name may last longer than connections do", async ({ abilities }) => {
  await using place = await emptyDatabase(server);
  const known = openPostgres({ url: place.url, abilities });
  const { version } = await migrate(known, true);
  await known.close();
  const db = openPostgres({ url: place.url, abilities, patience: { lifetime: 50, closing: 50 } });
  const statements = ["insert into facts (name, value) select 'long', 'step' from pg_sleep(1)"];
  expect(await migrate(db, true, [statements])).toMatchObject({ version: version + 1 });
  expect(await db.first(sql`select value from facts where name = 'long'`)).toEqual({ value: "step" });
  await db.close();
});
