import { afterAll, expect, test } from "bun:test";
import { sortOrders } from "#contract/listing";
import { pasteSorts } from "#contract/pastes";
import { type Database, plainSql, sql } from "../../src/database/database.ts";
import { foldLetters, numbersWith } from "../../src/database/full-text.ts";
import { migrate } from "../../src/database/migrate.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { openSqlite } from "../../src/database/sqlite.ts";
import { pastesTable } from "../../src/shares/pastes-table.ts";
import { cluster } from "../support/postgres/cluster.ts";
import { asOwner, databaseAt, emptyDatabase, LEAST } from "../support/postgres/databases.ts";
import { SHARED } from "../support/postgres/shared.ts";
import { startServer } from "../support/server.ts";

/** Satchel on an engine that speaks like PostgreSQL and has less of it, which here is PostgreSQL that says so. */

const server = await cluster();

/** Makes a database call itself otherwise: its own function is found before that of PostgreSQL. */
async function call(url: string, version: string): Promise<void> {
  await asOwner(
    url,
    "create schema named",
    `create function named.version() returns text immutable language sql as $$ select '${version}' $$`,
    `alter database ${new URL(url).pathname.slice(1)} set search_path = public, named, pg_catalog`,
  );
}

const COCKROACH = "CockroachDB CCL v25.4.0 (x86_64-pc-linux-gnu, built 2025/11/03, go1.23.12)";
const YUGABYTE = "PostgreSQL 15.12-YB-2025.1.0.0-b0 on x86_64-pc-linux-gnu, compiled by clang, 64-bit";

for (const version of [COCKROACH, YUGABYTE]) {
  test(`a server starts on what calls itself ${version.split(" (")[0]}, shares, finds and starts again`, async () => {
    await using place = await emptyDatabase(server);
    await call(place.url, version);
    const environment = { DATABASE_URL: place.url, ...SHARED };
    let token = "";
    const ask = async (address: string, path: string, body?: object) => {
      const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
      const sent = body && { method: "POST", body: JSON.stringify(body) };
      return (await (await fetch(`${address}/api${path}`, { headers, ...sent })).json()) as { data: never };
    };
    const found = async (address: string, search: string) => {
      const { data } = await ask(address, `/pastes?search=${encodeURIComponent(search)}`);
      return (data as readonly { slug: string }[]).map(({ slug }) => slug);
    };
    {
      await using first = await startServer({ environment });
      const signed = await ask(first.address, "/admin/login", { username: "admin", password: first.adminPassword });
      token = (signed.data as { token: string }).token;
      for (const [slug, content] of Object.entries({
        one: "Ärger in Überlingen",
        two: "ἈΘΗΝΑ 会议记录",
        three: "plain",
      }))
        await ask(first.address, "/paste", { slug, content });
      expect(await found(first.address, "überlingen")).toEqual(["one"]);
    }
    await using again = await startServer({ environment, adminPassword: null });
    expect(await found(again.address, "arger")).toEqual(["one"]);
    expect(await found(again.address, "αθηνα")).toEqual(["two"]);
    expect(await found(again.address, "议记")).toEqual(["two"]);
    const db = openPostgres({ url: place.url, connections: 1 });
    const collations = await db.all<{ name: string }>(
      plainSql(`select distinct coalesce(collation_name, '') as name from information_schema.columns
        where table_schema = 'public' and data_type = 'text'`),
    );
    expect(collations).toEqual([{ name: version === COCKROACH ? "" : "C" }]);
    await db.close();
  });
}

test("where each connection takes a hundred numbers at once, pages of a list leave nothing out and show nothing twice", async () => {
  await using place = await emptyDatabase(server);
  const db = openPostgres({ url: place.url, connections: 1 });
  const other = openPostgres({ url: place.url, connections: 1 });
  await migrate(db, true);
  // As YugabyteDB does by itself.
  await asOwner(place.url, "alter table pastes alter column number set cache 100");
  const texts = pastesTable(db);
  const ids = Array.from({ length: 40 }, (_, index) => `id ${index}`);
  for (const [index, id] of ids.entries())
    await (index % 2 ? db : other).run(sql`
      insert into pastes (id, slug, preview, size, max_views, created_by, created_at, updated_at)
      values (${id}, ${id}, 'x', 1, 0, 'admin', 1, 1)`);
  expect(await db.first(sql`select min(number) as first, max(number) as last from pastes`)).toEqual({
    first: 1,
    last: 120,
  });
  for (const sort of pasteSorts) {
    for (const order of sortOrders) {
      const shown: string[] = [];
      for (let offset = 0; offset < ids.length; offset += 7)
        for (const { id } of await texts.page({ owners: undefined, sort, order, limit: 7, offset }, 1)) shown.push(id);
      expect({ sort, order, shown: shown.toSorted() }).toEqual({ sort, order, shown: ids.toSorted() });
    }
  }
  await db.close();
  await other.close();
});

test("an engine that is too old is refused before a table is made", async () => {
  await using place = await emptyDatabase(server);
  await call(place.url, COCKROACH.replace("v25.4.0", "v24.1.9"));
  const started = startServer({ environment: { DATABASE_URL: place.url, ...SHARED } });
  await expect(started).rejects.toThrow("is CockroachDB 24.1. Satchel needs 24.3 or newer.");
  const db = openPostgres({ url: place.url, connections: 1 });
  expect(await db.all(plainSql("select tablename from pg_tables where schemaname = 'public'"))).toEqual([]);
  await db.close();
});

test("what has no collations and does not order texts by their bytes is refused before a table is made", async () => {
  const name = `satchel_test_words_${Date.now()}`;
  await asOwner(
    server,
    `create database ${name} template template0 encoding 'UTF8' locale_provider icu icu_locale 'en' locale 'C'`,
  );
  const url = databaseAt(server, name);
  await call(url, COCKROACH);
  const started = startServer({ environment: { DATABASE_URL: url, ...SHARED } });
  await expect(started).rejects.toThrow("must order texts by their bytes");
  const db = openPostgres({ url, connections: 1 });
  expect(await db.all(plainSql("select tablename from pg_tables where schemaname = 'public'"))).toEqual([]);
  await db.close();
  await asOwner(server, `drop database ${name} with (force)`);
});

type Named = readonly [name: string, db: Database];

/** SQLite, PostgreSQL, and PostgreSQL with the tables that every engine has. */
const usual = await emptyDatabase(server);
const least = await emptyDatabase(server);
const engines: readonly [SQLite: Named, PostgreSQL: Named, least: Named] = [
  ["sqlite", openSqlite({ file: ":memory:", synchronous: "NORMAL" })],
  ["postgres", openPostgres({ url: usual.url, connections: 3 })],
  ["least", openPostgres({ url: least.url, connections: 3, abilities: LEAST })],
];
for (const [, db] of engines) await migrate(db, true);
afterAll(async () => {
  for (const [, db] of engines) await db.close();
  for (const place of [usual, least]) await place[Symbol.asyncDispose]();
});

const share = (number: number, text: string) => sql`
  insert into pastes (number, id, slug, preview, size, max_views, created_by, created_at, updated_at)
  values (${number}, ${`id ${number}`}, ${`slug ${number}`}, ${text}, 1, 0, 'admin', 1, 1)`;

const numbersOf = async (db: Database, search: string): Promise<number[]> => {
  const words = foldLetters(search).split(" ");
  const found = numbersWith(db.engine, { table: "pastes", words: "paste_words" }, words);
  const rows = await db.all<{ number: number }>(
    sql`select number from pastes where number in (${found}) order by number`,
  );
  return rows.map(({ number }) => number);
};

test("words are found without case and marks, whatever the tables are made with", async () => {
  const latin = ["RÉSUMÉ", "re\u0301sume\u0301", "Ångström", "İstanbul", "ĆWIERĆ", "Việt Nam", "straße", "it's 100%"];
  const others = [
    "ﬁne",
    "ｗｉｄｅ",
    "会议记录",
    "かきくけこ",
    "한국어",
    "ǅungla",
    "ЁЛКА",
    "Ελλάδα",
    "ΟΔΥΣΣΕΥΣ",
    "ὈΔΥΣΣΕΎΣ",
    "οδυσσεύς",
  ];
  const texts = [...latin, ...others];
  for (const [, db] of engines) await db.batch(texts.map((text, index) => share(index + 1, text)));
  const [[, sqlite], [, postgres], [, least]] = engines;
  const alike = ["resume", "RESUMÉ", "angstrom", "istanbul", "cwierc", "viet nam", "会议", "nothing", ...latin];
  for (const search of alike) {
    const found = await numbersOf(postgres, search);
    expect({ search, found }).toEqual({ search, found: await numbersOf(sqlite, search) });
    expect(found.length > 0).toBe(search !== "nothing");
  }
  for (const search of [...alike, ...texts, "елка", "ελλαδα", "οδυσσευς", "οδυσσευσ"]) {
    const found = await numbersOf(least, search);
    expect({ search, found }).toEqual({ search, found: await numbersOf(postgres, search) });
  }
  expect(await numbersOf(least, "Οδυσσεύς")).toHaveLength(3);
  // What nobody but `normalize` composes.
  const composed = ["한국어", "क़लम"];
  for (const [, db] of engines)
    await db.batch([share(101, composed[0]?.normalize("NFD") ?? ""), share(102, "\u0958लम")]);
  for (const search of composed) {
    const found = (await Promise.all(engines.map(([, db]) => numbersOf(db, search)))).map((numbers) =>
      numbers.filter((number) => number > 100),
    );
    expect(found.map(({ length }) => length)).toEqual([0, 1, 0]);
  }
});

test("every letter by itself is folded as those of a search are, but for those that become two", async () => {
  const [, , [, db]] = engines;
  const letters: string[] = [];
  for (let code = 0x20; code < 0x2_0000; code++) {
    const letter = String.fromCodePoint(code);
    if (!letter.isWellFormed()) continue;
    const folded = foldLetters(letter);
    if ([...folded].length === 1 && (folded !== letter || code < 0x7f)) letters.push(letter);
  }
  expect(letters.length).toBeGreaterThan(2000);
  const text = letters.join("|");
  await db.run(share(1000, text));
  const row = await db.first<{ words: string }>(sql`select words from pastes where number = 1000`);
  expect(row?.words.split("\n")[2]).toBe(letters.map(foldLetters).join("|"));
});
