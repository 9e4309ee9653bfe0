import { afterAll, beforeAll, expect, test } from "bun:test";
import { sortOrders } from "#contract/listing";
import { pasteSorts } from "#contract/pastes";
import type { Database } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { openPostgres } from "../../src/database/postgres/postgres.ts";
import { plainSql, type Sql, sql } from "../../src/database/sql.ts";
import { openSqlite } from "../../src/database/sqlite/sqlite.ts";
import type { ListFilter } from "../../src/shares/lists-table.ts";
import { pastesTable } from "../../src/shares/pastes-table.ts";
import { cluster } from "../support/postgres/cluster.ts";
import { emptyDatabase, SLOW } from "../support/postgres/databases.ts";

/** The index by whose grams PostgreSQL finds shares: how it is built, and that lists are the same with it and without. */

const TEXTS = 8000;
const NOW = 1000;
const server = await cluster();
const place = await emptyDatabase(server);
const db = openPostgres({ url: place.url, connections: 3, patience: SLOW });
const other = openPostgres({ url: place.url, connections: 3, patience: SLOW });
const sqlite = openSqlite({ file: ":memory:", synchronous: "NORMAL" });

/** All have "common", some of them something else, and of a pair of letters some have only one. */
const textOf = (number: number): string =>
  [
    "common words of all",
    number % 400 === 0 ? "a Zébra 会议记录" : "",
    number % 500 === 0 ? "ze_bra ΟΔΥΣΣΕΥΣ" : "",
    number % 7 === 0 ? "seventh" : "",
  ].join(" ");

const insertion = (number: number, text: string): Sql =>
  sql`
  insert into pastes (number, id, slug, preview, size, max_views, views, locked, expires_at, created_by, created_at, updated_at)
  values (${number}, ${`i${number}`}, ${`s${number}`}, ${text}, 1, 0, ${number % 10}, ${number % 2}, ${number % 3 === 0 ? number : null},
    ${number % 5 === 0 ? "apikey:1" : "admin"}, 1, 1)`.byRow();

async function fill(target: Database): Promise<void> {
  await migrate(target, true);
  for (let from = 1; from <= TEXTS; from += 1000) {
    await target.batch(Array.from({ length: 1000 }, (_, index) => insertion(from + index, textOf(from + index))));
  }
}

beforeAll(async () => {
  await fill(db);
  await fill(sqlite);
  await other.lastStep();
  await db.run(plainSql("analyze pastes").byRow());
});
afterAll(async () => {
  for (const one of [db, other, sqlite]) await one.close();
  await place[Symbol.asyncDispose]();
});

const texts = pastesTable(db);
const searches = [
  "zebra",
  "ze",
  "会议",
  "记录",
  "common",
  "seventh",
  "common zebra",
  "οδυσσευς",
  "σσ",
  "ébr",
  "nothing",
  "s77",
  "%_",
  "a b",
];
const others: readonly ListFilter[] = [
  { owners: undefined },
  { owners: ["apikey:1"], isProtected: true },
  { owners: ["admin"], state: "expired" },
];

const listed = async (target: Database, filter: ListFilter) => {
  const table = pastesTable(target);
  const outlook = await table.outlook(filter, NOW);
  const pages: string[] = [];
  for (const sort of pasteSorts) {
    for (const order of sortOrders) {
      const rows = await table.page({ ...filter, sort, order, limit: 5, offset: 3 }, NOW, outlook);
      pages.push(`${sort} ${order}: ${rows.map(({ slug }) => slug).join(" ")}`);
    }
  }
  return { pages, ...(await table.count(filter, NOW, outlook)) };
};

/** Whether the lists are those of SQLite, whichever way they are found. */
async function expectAlike(): Promise<void> {
  for (const search of searches) {
    for (const filter of others) {
      const asked = { ...filter, search };
      expect({ asked, ...(await listed(db, asked)) }).toEqual({ asked, ...(await listed(sqlite, asked)) });
    }
  }
}

const find = (search: string) => texts.outlook({ owners: undefined, search }, NOW);
const whole = async () =>
  await db.all(sql`select relname::text as name, indisvalid as whole from pg_index join pg_class on pg_class.oid = indexrelid
    where relname in ('file_words_by_gram', 'paste_words_by_gram') order by relname`);
const WHOLE = ["file_words_by_gram", "paste_words_by_gram"].map((name) => ({ name, whole: true }));

test("without the index lists are those of SQLite", async () => {
  expect(await whole()).toEqual([]);
  expect(await find("zebra")).toEqual({ byGrams: false, isAmple: false });
  await expectAlike();
});

test("two servers build it at once, and lists stay the same", async () => {
  await Promise.all([db.buildIndexes(), other.buildIndexes()]);
  expect(await whole()).toEqual(WHOLE);
  expect(await find("zebra")).toEqual({ byGrams: true, isAmple: false });
  // Its only grams have the letter that is written in two ways.
  expect(await find("σσ")).toEqual({ byGrams: false, isAmple: false });
  await expectAlike();
});

test("a rare word is looked up, and the list is read in its order for a common one, which is not counted", async () => {
  const plans = async (search: string) => {
    const filter = { owners: undefined, search };
    const asked: Sql[] = [];
    const noting = pastesTable({
      ...db,
      async all<Row>(query: Sql) {
        asked.push(query);
        return [] as Row[];
      },
      async first<Row>(query: Sql) {
        asked.push(query);
        return undefined as Row | undefined;
      },
    });
    const outlook = await texts.outlook(filter, NOW);
    await noting.page({ ...filter, sort: "created", order: "desc", limit: 10, offset: 0 }, NOW, outlook);
    await noting.count(filter, NOW, outlook);
    const explained = asked.map(({ text, values }) =>
      db.all<{ "QUERY PLAN": string }>(Object.assign(plainSql(`explain ${text}`).byRow(), { values })),
    );
    return (await Promise.all(explained)).map((lines) => lines.map((line) => line["QUERY PLAN"]).join("\n"));
  };
  const rare = await plans("zebra");
  expect(rare.length).toBe(2);
  for (const plan of rare) {
    expect(plan).toContain("Bitmap Index Scan on paste_words_by_gram");
    expect(plan).not.toContain("Seq Scan");
  }
  const [common, ...counts] = await plans("common");
  expect(counts).toEqual([]);
  expect(common).not.toContain("paste_words_by_gram");
  expect(common).toMatch(/Index (Only )?Scan Backward using pastes_(list_created|pkey)/);
  expect(await find("common")).toEqual({ byGrams: false, isAmple: true });
});

test("what is written is found at once, and what is removed or changed no more", async () => {
  const filter = { owners: undefined, search: "okapi" };
  const total = async () => (await texts.count(filter, NOW, { byGrams: true, isAmple: false })).total;
  expect(await total()).toBe(0);
  await db.run(insertion(TEXTS + 1, "an okapi"));
  expect(await total()).toBe(1);
  // A view is not written to the index.
  const written = () => db.first(sql`select xmin::text as by from paste_words where number = ${TEXTS + 1}`);
  const before = await written();
  await db.run(sql`update pastes set views = 3 where number = ${TEXTS + 1}`);
  expect(await written()).toEqual(before);
  expect(await total()).toBe(1);
  await db.run(sql`update pastes set preview = 'a giraffe' where number = ${TEXTS + 1}`);
  expect(await total()).toBe(0);
  await db.run(sql`delete from pastes where number = ${TEXTS + 1}`);
  expect(await texts.count({ ...filter, search: "giraffe" }, NOW, { byGrams: true, isAmple: false })).toEqual({
    total: 0,
    exact: true,
  });
});

test("an index whose building was cut off is not asked, and built anew", async () => {
  await db.run(
    plainSql("update pg_index set indisvalid = false where indexrelid = 'paste_words_by_gram'::regclass").byRow(),
  );
  expect(await find("zebra")).toEqual({ byGrams: false, isAmple: false });
  await db.buildIndexes();
  expect(await whole()).toEqual(WHOLE);
  expect(await find("zebra")).toEqual({ byGrams: true, isAmple: false });
});

test("the grams of a version before are made in less time, and stay the same", async () => {
  const texts = sql`select number, words from paste_words where number in (1, 7, 400, 500, 3500) order by number`;
  const grams =
    plainSql(`select number, array(select distinct gram from unnest(share_grams(words)) as gram order by gram) as grams
    from (${texts.text}) as texts order by number`);
  const [few] = await db.all<{ grams: string[] }>(plainSql("select share_grams('a') || share_grams('') as grams"));
  expect(few?.grams).toEqual([]);
  const made = await db.all(grams);
  await db.run(
    plainSql(`create or replace function share_grams(words text) returns text[]
      language sql immutable parallel safe cost 10000 as $$
        select array(select substr(words, at, 2) from generate_series(1, length(words) - 1) as at
          union all select substr(words, at, 3) from generate_series(1, length(words) - 2) as at)
      $$`).byRow(),
  );
  expect(await db.all(grams)).toEqual(made);
  await db.buildIndexes();
  const language = await db.first(
    plainSql(`select lanname::text as name from pg_proc join pg_language on pg_language.oid = prolang
      where proname = 'share_grams' and pronamespace = current_schema()::regnamespace`),
  );
  expect(language).toEqual({ name: "plpgsql" });
  await expectAlike();
});
