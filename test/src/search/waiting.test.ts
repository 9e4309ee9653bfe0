import { describe, expect, test } from "bun:test";
import type { Database } from "../../../src/database/database.ts";
import { openSearch } from "../../support/tree/open-search.ts";

/** What waits for what: a large listing makes way for everything else. */

const MANY = 20_000;
const nameOf = (index: number) => `name ${String(index).padStart(5, "0")}`;
const listed = (count: number, size = 1) => ({
  files: Array.from({ length: count }, (_, index) => ({ name: nameOf(index), size, modified: 1 })),
  folders: [],
});

describe("a large listing", () => {
  test("lets changes and questions pass while it is compared, and ends whole", async () => {
    await using index = await openSearch();
    for (const size of [1, 2]) {
      index.see("big/", listed(MANY, size));
      index.written(`small/in/${size}`, 1);
      await index.search.applied();
      expect(await index.sizes("small/", ["small/in/"])).toEqual(new Map([["small/in/", size]]));
      expect((await index.search.folder(index.place("big/")))?.size ?? 0).toBeLessThan(size * MANY);
      expect(await index.amount("big/")).toEqual({ size: size * MANY, files: MANY });
    }
  });

  test("undoes nothing that is told while it is compared", async () => {
    await using index = await openSearch();
    index.see("big/", listed(MANY));
    await index.search.settled();
    index.see("big/", listed(MANY, 2));
    index.written("small/1", 1);
    await index.search.applied();
    index.removed(`big/${nameOf(0)}`);
    index.removed(`big/${nameOf(MANY - 1)}`);
    index.written(`big/${nameOf(MANY - 2)}`, 100);
    index.written("big/new", 10);
    index.moved(`big/${nameOf(MANY - 3)}`, "small/moved");
    expect(await index.amount("big/")).toEqual({ size: 2 * (MANY - 4) + 110, files: MANY - 2 });
    expect(await index.amount("small/")).toEqual({ size: 2, files: 2 });
    expect(await index.keys(nameOf(MANY - 1))).toEqual([]);
  });

  test("ends where its folder goes away while it is compared, and the storage is built anew", async () => {
    await using index = await openSearch();
    await index.search.build(index.storage);
    index.see("up/big/", listed(MANY));
    index.written("small/1", 1);
    await index.search.applied();
    index.moved("up/big/", "elsewhere/");
    index.written("up/big/later", 7);
    await index.search.settled();
    expect(await index.amount("up/")).toEqual({ size: 7, files: 1 });
    expect(await index.search.status(index.storage)).toEqual({ built_at: null });
    expect(await index.keys(nameOf(MANY - 1))).toEqual([]);
  });

  test("counts less than one of the same folder that came after it", async () => {
    await using index = await openSearch();
    index.see("big/", listed(MANY, 2));
    index.see("big/", listed(3));
    expect(await index.amount("big/")).toEqual({ size: 3, files: 3 });
  });
});

test("nobody waits long for changes that are not written", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const engine = (db: Database): Database => ({
    ...db,
    batch: async (queries) => {
      if (queries.length > 2) await released;
      return await db.batch(queries);
    },
  });
  await using index = await openSearch({ engine });
  index.written("a/b/c", 1);
  const within = [{ storage: index.storage, folder: "", except: [] }];
  expect(await index.search.find({ within, query: "c", limit: 1, offset: 0 })).toMatchObject({ total: 0 });
  expect(await index.search.folder(index.place("a/"))).toBeUndefined();
  release();
  expect(await index.amount("a/")).toEqual({ size: 1, files: 1 });
});

test("sizes of some folders among many are read alone", async () => {
  let rows = 0;
  const engine = (db: Database): Database => ({
    ...db,
    async all<Row>(query: Parameters<Database["all"]>[0]) {
      const found = await db.all<Row>(query);
      rows += found.length;
      return found;
    },
  });
  await using index = await openSearch({ engine });
  for (let count = 0; count < 3000; count++) index.written(`f/${nameOf(count)}/x`, count);
  await index.search.settled();
  const keys = Array.from({ length: 100 }, (_, count) => `f/${nameOf(1000 + count)}/`);
  rows = 0;
  const sizes = await index.sizes("f/", keys);
  expect([...sizes]).toEqual(keys.map((key, count) => [key, 1000 + count]));
  expect(rows).toBe(100);
  const all = await index.sizes("f/", [`f/${nameOf(0)}/`, `f/${nameOf(2999)}/`]);
  expect(all.size).toBe(3000);
});
