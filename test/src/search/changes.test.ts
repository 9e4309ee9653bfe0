import { describe, expect, test } from "bun:test";
import { sql } from "../../../src/database/sql.ts";
import { openSearch } from "../../support/tree/open-search.ts";
import { until } from "../../support/until.ts";

/** The index follows what is told of objects. */

describe("a noted change", () => {
  test("is found and added up, all the way to the storage", async () => {
    await using index = await openSearch();
    index.written("a/b/report.txt", 5, 77);
    index.written("a/other.txt", 3);
    expect(await index.find("report")).toEqual({
      hits: [
        {
          storage: index.storage,
          key: "a/b/report.txt",
          name: "report.txt",
          kind: "file",
          size: 5,
          modified: 77,
        },
      ],
      total: 1,
      exact: true,
    });
    expect(await index.amount("")).toEqual({ size: 8, files: 2 });
    expect(await index.amount("a/b/")).toEqual({ size: 5, files: 1 });
    expect(await index.sizes("", ["a/"])).toEqual(new Map([["a/", 8]]));
    expect(await index.sizes("a/", ["a/b/", "a/c/"])).toEqual(new Map([["a/b/", 5]]));
    expect(await index.amount("nowhere/")).toBeUndefined();
    expect(await index.sizes("nowhere/", ["nowhere/x/"])).toEqual(new Map());
    expect(await index.sizes("a/", [])).toEqual(new Map());
  });

  test("of a file in place of another counts once", async () => {
    await using index = await openSearch();
    index.written("a/x.txt", 5, 1);
    index.written("a/x.txt", 2, 2);
    await index.search.settled();
    index.written("a/x.txt", 7, 3);
    index.written("a/x.txt", 7, 3);
    expect(await index.keys("x.txt")).toEqual(["a/x.txt"]);
    expect(await index.amount("")).toEqual({ size: 7, files: 1 });
    index.moved("a/x.txt", "b/y.txt");
    index.written("b/y.txt", 4, 4);
    expect(await index.find("y.txt")).toMatchObject({ hits: [{ key: "b/y.txt", size: 4, modified: 4 }], total: 1 });
    expect(await index.amount("b/")).toEqual({ size: 4, files: 1 });
    expect(await index.amount("a/")).toEqual({ size: 0, files: 0 });
  });

  test("of a file and of a folder with its name, which S3 has beside each other", async () => {
    await using index = await openSearch();
    index.written("name", 1);
    index.written("name/inner", 2);
    expect(await index.amount("")).toEqual({ size: 3, files: 2 });
    expect((await index.keys("name")).sort()).toEqual(["name", "name/"]);
    index.removed("name");
    expect(await index.keys("name")).toEqual(["name/"]);
    index.removed("name/");
    index.written("name", 4);
    expect(await index.keys("name")).toEqual(["name"]);
    expect(await index.amount("")).toEqual({ size: 4, files: 1 });
  });

  test("of a folder that was made, also of one that is there", async () => {
    await using index = await openSearch();
    index.made("some/where/");
    index.written("some/where/file", 1);
    index.made("some/where/");
    expect(await index.keys("where")).toEqual(["some/where/"]);
    expect(await index.amount("some/where/")).toEqual({ size: 1, files: 1 });
  });

  test("of the object of a folder's own key makes the folder and no file", async () => {
    await using index = await openSearch();
    index.written("folder/", 9);
    expect(await index.find("folder")).toMatchObject({ hits: [{ key: "folder/", kind: "folder", size: 0 }] });
    expect(await index.amount("")).toEqual({ size: 0, files: 0 });
  });

  test("of what nobody knows changes nothing", async () => {
    await using index = await openSearch();
    index.written("a/x", 1);
    for (const key of ["", "a/y", "b/", "a/x/", "a/x/y", "//"]) index.removed(key);
    expect(await index.amount("")).toEqual({ size: 1, files: 1 });
  });

  test("keeps keys as S3 has them", async () => {
    await using index = await openSearch();
    for (const key of ["a//deep", "/front", "a/./dot", "a/../up"]) index.written(key, 1);
    expect(await index.keys("deep")).toEqual(["a//deep"]);
    expect(await index.keys("front")).toEqual(["/front"]);
    expect(await index.keys("dot")).toEqual(["a/./dot"]);
    expect(await index.amount("")).toEqual({ size: 4, files: 4 });
    index.removed("a/");
    expect(await index.amount("")).toEqual({ size: 1, files: 1 });
  });
});

describe("a removed folder", () => {
  test("takes what lies below it with it, at once", async () => {
    await using index = await openSearch();
    for (let n = 0; n < 900; n++) index.written(`a/b${n % 3}/deep/file-${n}`, 1);
    await index.search.settled();
    index.removed("a/b1/");
    expect(await index.amount("")).toEqual({ size: 600, files: 600 });
    expect(await index.find("file-")).toMatchObject({ total: 600, exact: true });
    index.removed("a/");
    expect(await index.find("file-")).toMatchObject({ total: 0, exact: true });
  });

  test("is cleared away behind the scenes, also when that was broken off", async () => {
    await using index = await openSearch();
    for (let n = 0; n < 900; n++) index.written(`a/b${n % 3}/deep/file-${n}`, 1);
    index.removed("a/");
    await index.search.close();
    const again = await index.open();
    await again.rebuildDue(index.mounted);
    const count = () => index.db.first<{ n: number }>(sql`select count(*) as n from nodes`);
    expect(await until(count, (row) => row?.n === 1)).toEqual({ n: 1 });
    expect(await index.db.all(sql`select * from removed_folders`)).toEqual([]);
    expect(await index.db.all(sql`select rowid from node_grams`)).toEqual([]);
    await again.close();
  });

  test("may come again while it is cleared", async () => {
    await using index = await openSearch();
    for (let n = 0; n < 600; n++) index.written(`a/old-${n}`, 1);
    index.removed("a/");
    index.written("a/new", 2);
    expect(await index.amount("a/")).toEqual({ size: 2, files: 1 });
    expect(await index.keys("old-")).toEqual([]);
    expect(await index.keys("new")).toEqual(["a/new"]);
  });
});

describe("a move", () => {
  test("takes a folder with all below it", async () => {
    await using index = await openSearch();
    index.written("from/in/x.txt", 5);
    index.written("to/y.txt", 3);
    index.moved("from/in/", "to/out/");
    expect(await index.keys("x.txt")).toEqual(["to/out/x.txt"]);
    expect(await index.keys("out")).toEqual(["to/out/"]);
    expect(await index.find("in/")).toMatchObject({ total: 0 });
    expect(await index.amount("from/")).toEqual({ size: 0, files: 0 });
    expect(await index.amount("to/")).toEqual({ size: 8, files: 2 });
  });

  test("goes below folders that nobody knows", async () => {
    await using index = await openSearch();
    index.written("x/file", 5);
    index.moved("x/", "new/deep/x/");
    index.moved("new/deep/x/file", "other/one/file2");
    expect(await index.keys("file")).toEqual(["other/one/file2"]);
    expect(await index.amount("new/")).toEqual({ size: 0, files: 0 });
    expect(await index.amount("other/")).toEqual({ size: 5, files: 1 });
  });

  test("comes in place of what stood there", async () => {
    await using index = await openSearch();
    index.written("a/one", 1);
    index.written("b/two", 2);
    index.written("c", 4);
    index.written("d", 8);
    index.moved("a/", "b/");
    index.moved("c", "d");
    expect(await index.keys("one")).toEqual(["b/one"]);
    expect(await index.keys("two")).toEqual([]);
    expect(await index.amount("")).toEqual({ size: 5, files: 2 });
  });

  test("lets names change hands within one batch", async () => {
    await using index = await openSearch();
    index.written("a", 1);
    index.written("b", 2);
    await index.search.settled();
    index.moved("a", "c");
    index.moved("b", "a");
    index.moved("c", "b");
    await index.search.settled();
    expect(await index.find("a", {})).toMatchObject({ total: 0 });
    expect(await index.amount("")).toEqual({ size: 3, files: 2 });
    const rows = await index.db.all(sql`select name, size from nodes where files = 1 and parent > 0 order by name`);
    expect(rows).toEqual([
      { name: "a", size: 2 },
      { name: "b", size: 1 },
    ]);
  });

  test("of something unknown has the storage built anew", async () => {
    await using index = await openSearch();
    await index.put("real/outside.txt", "12345");
    await index.search.build(index.storage);
    await index.put("unseen/file.txt", "123");
    index.moved("nobody/knows/", "unseen/");
    await index.search.settled();
    expect(await index.search.status(index.storage)).toEqual({ built_at: null });
    expect(await index.keys("unseen")).toEqual(["unseen/"]);
    expect(await index.search.rebuildDue(index.mounted)).toBe(1);
    expect(await index.keys("file.txt")).toEqual(["unseen/file.txt"]);
    expect(await index.search.status(index.storage)).toEqual({ built_at: index.clock.now() });
  });

  test("of a folder into itself breaks nothing", async () => {
    await using index = await openSearch();
    index.written("a/b/c", 1);
    index.moved("a/", "a/b/a/");
    index.moved("a/", "a/");
    expect(await index.keys("c", {}, { limit: 5 })).toEqual([]);
    expect(await index.amount("")).toEqual({ size: 1, files: 1 });
  });

  test("between storages keeps the file and asks for the rest", async () => {
    await using index = await openSearch();
    index.written("a/x.txt", 5, 9);
    index.written("a/f/y.txt", 6, 9);
    const elsewhere = (key: string) => ({ storage: "elsewhere", key });
    index.search.record({ kind: "moved", from: index.place("a/x.txt"), to: elsewhere("b/x.txt") });
    index.search.record({ kind: "moved", from: index.place("a/f/"), to: elsewhere("f/") });
    await index.search.settled();
    expect(await index.amount("")).toEqual({ size: 0, files: 0 });
    expect(await index.search.folder(elsewhere("b/"))).toMatchObject({ size: 5, files: 1 });
    expect(await index.search.folder(elsewhere("f/"))).toMatchObject({ size: 0, files: 0 });
  });
});

describe("a database that fails", () => {
  test("is told in the log, and the storage is built anew", async () => {
    let failing = false;
    await using index = await openSearch({
      engine: (db) => ({
        ...db,
        batch: (queries) => (failing ? Promise.reject(new Error("disk full")) : db.batch(queries)),
      }),
    });
    index.written("a/first", 1);
    await index.search.build(index.storage);
    failing = true;
    index.written("a/lost", 1);
    await index.search.settled();
    failing = false;
    index.written("a/third", 1);
    await index.search.settled();
    expect(index.log()).toContain("changes not indexed");
    expect(await index.amount("a/")).toEqual({ size: 1, files: 1 });
    expect(await index.search.status(index.storage)).toEqual({ built_at: null });
  });
});
