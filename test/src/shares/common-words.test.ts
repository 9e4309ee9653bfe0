import { afterAll, beforeAll, expect, test } from "bun:test";
import { sortOrders } from "#contract/listing";
import { pasteSorts } from "#contract/pastes";
import type { Database } from "../../../src/database/database.ts";
import { migrate } from "../../../src/database/migrate.ts";
import { type Sql, sql } from "../../../src/database/sql.ts";
import { openSqlite } from "../../../src/database/sqlite/sqlite.ts";
import type { ListFilter } from "../../../src/shares/lists-table.ts";
import { pastesTable } from "../../../src/shares/pastes-table.ts";

/** Searches of SQLite among more texts than are looked at one by one: whichever way is taken, the list is the same. */

const TEXTS = 14_000;
const NOW = 1000;
const sqlite = openSqlite({ file: ":memory:", synchronous: "NORMAL" });
afterAll(() => sqlite.close());

/** Nearly all have "common"; one owner has few texts, another many; some are of one kind only at the old end. */
const insertion = (number: number): Sql => sql`
  insert into pastes (number, id, slug, preview, size, max_views, views, locked, expires_at, spent_at, created_by, created_at, updated_at)
  values (${number}, ${`i${number}`}, ${`s${number}`}, ${number % 7 === 0 ? "other" : `common ${number % 900 === 1 ? "rare" : ""}`}, 1, 0,
    ${(number * 31) % 1009}, ${number < 40 ? 1 : 0}, ${number % 5 === 0 ? (number * 17) % 2003 : null}, ${number % 600 === 0 ? 1 : null},
    ${number % 400 === 3 ? "apikey:few" : number % 3 === 0 ? "apikey:many" : "admin"}, 1, 1)`;

beforeAll(async () => {
  await migrate(sqlite, true);
  for (let from = 1; from <= TEXTS; from += 1000)
    await sqlite.batch(Array.from({ length: 1000 }, (_, index) => insertion(from + index)));
});

/** Notes what is asked. */
const asked: string[] = [];
const noting: Database = {
  ...sqlite,
  all: (query) => {
    asked.push(query.text);
    return sqlite.all(query);
  },
};
const texts = pastesTable(noting);

const filters: Readonly<Record<string, ListFilter>> = {
  all: { owners: undefined },
  active: { owners: undefined, state: "active" },
  expired: { owners: undefined, state: "expired" },
  "used up": { owners: undefined, state: "used_up" },
  "protected, which are old": { owners: undefined, isProtected: true },
  "an owner of few": { owners: ["apikey:few"] },
  "an owner of many": { owners: ["apikey:many"] },
  "what an owner of many has protected": { owners: ["apikey:many"], isProtected: true },
  "active of two owners": { owners: ["apikey:few", "apikey:many"], state: "active" },
};

for (const [name, filter] of Object.entries(filters)) {
  test.each(["common", "rare", "common rare", "nothing"])(
    `${name}: pages with "%s" are those of the list`,
    async (search) => {
      const wanted = { ...filter, search };
      const outlook = await texts.outlook(wanted, NOW);
      expect(outlook).toEqual({ byGrams: search !== "common", isAmple: search === "common" });
      for (const sort of pasteSorts) {
        for (const order of sortOrders) {
          for (const offset of [0, 300]) {
            const page = { ...wanted, sort, order, limit: 21, offset };
            const slugs = (await texts.page(page, NOW, outlook)).map(({ slug }) => slug);
            // Without an outlook all that have the words are gone through.
            const all = (await texts.page(page, NOW)).map(({ slug }) => slug);
            expect({ sort, order, offset, slugs }).toEqual({ sort, order, offset, slugs: all });
          }
        }
      }
    },
  );
}

test("a page of a word that many have is found near the beginning of the list", async () => {
  const search = { owners: undefined, search: "common" };
  const outlook = await texts.outlook(search, NOW);
  const pages = pasteSorts.map((sort) => ({ ...search, state: "active", sort, order: "desc", limit: 21 }) as const);
  for (const page of pages) {
    asked.length = 0;
    expect((await texts.page({ ...page, offset: 0 }, NOW, outlook)).length).toBe(21);
    // Some of the list with their words, and the page: no word is asked for in the index.
    expect(asked.length).toBe(2);
    expect(asked.join()).not.toContain("match");
  }
});

test("words are the same to whoever looks at a text and to the index", async () => {
  const contents = [
    "Crème BRÛLÉE",
    "Übergröße",
    "ΟΔΟΣ",
    "Οδός",
    "会议记录",
    "ДОМ",
    "Йогурт",
    "їжак",
    "tiếng Việt",
    "a-b_c (d)",
    "x'y\"z",
  ];
  /** By what is searched for, those that have it; a mark makes another letter but of Latin ones. */
  const searches: Readonly<Record<string, readonly string[]>> = {
    ...{ creme: ["Crème BRÛLÉE"], brûlée: ["Crème BRÛLÉE"], größe: ["Übergröße"], ÜB: ["Übergröße"], gross: [] },
    ...{ οδοσ: ["ΟΔΟΣ"], οδος: ["ΟΔΟΣ"], Οδός: ["Οδός"], 会议: ["会议记录"], 记录: ["会议记录"] },
    ...{ дом: ["ДОМ"], йогурт: ["Йогурт"], иогурт: [], їжак: ["їжак"], tiếng: ["tiếng Việt"], viet: ["tiếng Việt"] },
    ...{ b_c: ["a-b_c (d)"], "(d)": ["a-b_c (d)"], "x'y": ["x'y\"z"], 'y"z': ["x'y\"z"], "%": [], s3: ["ΟΔΟΣ"] },
  };
  const alike = openSqlite({ file: ":memory:", synchronous: "NORMAL" });
  await migrate(alike, true);
  for (const [index, preview] of contents.entries())
    await alike.run(sql`insert into pastes (number, id, slug, preview, size, max_views, created_by, created_at, updated_at)
      values (${index + 1}, ${`i${index}`}, ${`s${index + 1}`}, ${preview}, 1, 0, 'admin', 1, 1)`);
  const table = pastesTable(alike);
  for (const [search, found] of Object.entries(searches)) {
    const page = { owners: undefined, search, sort: "views", order: "asc", limit: 20, offset: 0 } as const;
    for (const isAmple of [true, false]) {
      const rows = await table.page(page, NOW, { byGrams: !isAmple, isAmple });
      expect({ search, isAmple, found: rows.map(({ preview }) => preview) }).toEqual({
        search,
        isAmple,
        found: [...found],
      });
    }
  }
  await alike.close();
});

test("a page is whole although one of it is deleted while it is read", async () => {
  const search = { owners: undefined, search: "common", sort: "views", order: "asc", limit: 21, offset: 0 } as const;
  const outlook = await texts.outlook(search, NOW);
  const before = (await texts.page({ ...search, limit: 22 }, NOW, outlook)).map(({ slug }) => slug);
  let looks = 0;
  const deleting = pastesTable({
    ...sqlite,
    async all(query) {
      looks += 1;
      if (looks === 2) await sqlite.run(sql`delete from pastes where slug = ${before[3] ?? ""}`);
      return await sqlite.all(query);
    },
  });
  const slugs = (await deleting.page(search, NOW, outlook)).map(({ slug }) => slug);
  expect(slugs).toEqual(before.toSpliced(3, 1));
});

test("a total goes through no more shares than so many with the words", async () => {
  const count = async (filter: ListFilter) => await texts.count(filter, NOW, await texts.outlook(filter, NOW));
  expect(await count({ owners: undefined, search: "common" })).toEqual({ total: 1000, exact: false });
  expect(await count({ owners: undefined, search: "common", isProtected: true })).toEqual({ total: 34, exact: false });
  expect(await count({ owners: undefined, search: "rare", state: "active" })).toMatchObject({ exact: true });
});
