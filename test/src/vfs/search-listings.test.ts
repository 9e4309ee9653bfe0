import { describe, expect, test } from "bun:test";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "#contract/failures";
import { sql } from "../../../src/database/database.ts";
import type { ObjectStore } from "../../../src/stores/store.ts";
import type { ListedFolder } from "../../../src/vfs/search.ts";
import { type OpenSearch, openSearch } from "../../support/open-search.ts";
import { temporaryFolder } from "../../support/test-house.ts";

/** The index follows what storages are seen to hold: folder by folder as they are listed, and whole when it is built. */

const file = (name: string, size = 1, modified = 1) => ({ name, size, modified });
const nothing: ListedFolder = { files: [], folders: [] };

const see = (index: OpenSearch, key: string, listed: ListedFolder, since = index.search.moment()) => {
  index.search.saw(index.place(key), listed, since);
  return index.search.settled();
};

describe("a listing", () => {
  test("brings what is new, takes what has gone and changes what is otherwise", async () => {
    await using index = await openSearch();
    for (const name of ["kept", "other", "gone"]) index.written(`f/${name}.txt`, 5, 5);
    for (const name of ["kept", "gone"]) index.written(`f/${name} in/deep.txt`, 5, 5);
    const files = [file("kept.txt", 5, 5), file("other.txt", 7, 6), file("new.txt", 3, 3)];
    await see(index, "f/", { files, folders: ["kept in", "new in"] });
    expect((await index.keys("txt")).sort()).toEqual(["f/kept in/deep.txt", "f/kept.txt", "f/new.txt", "f/other.txt"]);
    expect((await index.keys(" in")).sort()).toEqual(["f/kept in/", "f/new in/"]);
    expect(await index.amount("")).toEqual({ size: 20, files: 4 });
    expect(await index.find("other")).toMatchObject({ hits: [{ size: 7, modified: 6 }] });
  });

  test("of a folder that nobody knows makes it, unless there is nothing in it", async () => {
    await using index = await openSearch();
    await see(index, "no/where/", nothing);
    expect(await index.amount("no/")).toBeUndefined();
    await see(index, "some/where/", { files: [file("x.txt", 4)], folders: [] });
    expect(await index.amount("some/")).toEqual({ size: 4, files: 1 });
    await see(index, "some/where/", nothing);
    expect(await index.amount("some/where/")).toEqual({ size: 0, files: 0 });
    await see(index, "", { files: [file("root.txt")], folders: [] });
    expect(await index.keys("some")).toEqual([]);
  });

  test("turns files into folders and folders into files", async () => {
    await using index = await openSearch();
    index.written("was file", 5);
    index.written("was folder/x", 6);
    await see(index, "", { files: [file("was folder", 1)], folders: ["was file"] });
    expect((await index.keys("was")).sort()).toEqual(["was file/", "was folder"]);
    expect(await index.amount("")).toEqual({ size: 1, files: 1 });
  });

  test("undoes nothing that was noted since it was asked for", async () => {
    await using index = await openSearch();
    for (const name of ["a", "removed", "moved", "changed"]) index.written(`f/${name}.txt`, 1, 1);
    index.written("f/sub/deep.txt", 1, 1);
    await index.search.settled();
    const since = index.search.moment();
    const files = ["a", "removed", "moved", "changed"].map((name) => file(`${name}.txt`));
    index.removed("f/removed.txt");
    index.moved("f/moved.txt", "f/there.txt");
    index.written("f/changed.txt", 9, 9);
    index.written("f/written.txt", 4, 4);
    index.written("f/new folder/inner.txt", 2, 2);
    index.removed("f/sub/");
    await see(index, "f/", { files, folders: ["sub"] }, since);
    const names = ["a", "changed", "new folder/inner", "there", "written"];
    expect((await index.keys("txt")).sort()).toEqual(names.map((name) => `f/${name}.txt`));
    expect(await index.amount("")).toEqual({ size: 17, files: 5 });
    await see(index, "f/", { files: [file("a.txt")], folders: [] });
    expect(await index.keys("txt")).toEqual(["f/a.txt"]);
  });

  test("of a folder that was removed or moved meanwhile counts for nothing", async () => {
    await using index = await openSearch();
    index.written("a/f/x.txt", 1);
    const since = index.search.moment();
    index.moved("a/", "b/");
    await see(index, "a/f/", { files: [file("x.txt"), file("y.txt")], folders: [] }, since);
    await see(index, "b/f/", nothing, since);
    expect(await index.keys("txt")).toEqual(["b/f/x.txt"]);
    expect(await index.amount("a/")).toBeUndefined();
  });

  test("counts as it was when it came, whatever waits before and behind it", async () => {
    await using index = await openSearch();
    index.written("f/before.txt", 1);
    index.search.saw(index.place("f/"), { files: [file("listed.txt")], folders: [] }, index.search.moment());
    index.written("f/behind.txt", 1);
    await index.search.settled();
    expect((await index.keys("txt")).sort()).toEqual(["f/behind.txt", "f/listed.txt"]);
  });

  test("that was asked for longer ago than anybody remembers counts for nothing", async () => {
    await using index = await openSearch();
    const since = index.search.moment();
    for (let n = 0; n < 25_000; n++) index.removed(`elsewhere/${n}`);
    await see(index, "f/", { files: [file("x.txt")], folders: [] }, since);
    expect(await index.keys("x.txt")).toEqual([]);
  });

  test("of 10,000 names writes only what differs", async () => {
    let statements = 0;
    await using index = await openSearch({
      engine: (db) => ({
        ...db,
        batch(queries) {
          statements += queries.length;
          return db.batch(queries);
        },
      }),
    });
    const files = Array.from({ length: 10_000 }, (_, n) => file(`name ${n}`, n));
    await see(index, "f/", { files, folders: [] });
    expect(await index.amount("f/")).toEqual({ size: 49_995_000, files: 10_000 });
    expect(statements).toBeGreaterThan(20_000);
    statements = 0;
    await see(index, "f/", { files, folders: [] });
    expect(statements).toBe(0);
    await see(index, "f/", { files: [...files.slice(0, 5000), ...files.slice(5001), file("one more")], folders: [] });
    expect(statements).toBeLessThan(20);
    expect(await index.amount("f/")).toEqual({ size: 49_990_001, files: 10_000 });
  });
});

describe("a build", () => {
  const fill = async (index: OpenSearch, keys: readonly string[]) => {
    for (const key of keys) await index.put(key, key);
  };
  const sum = (keys: readonly string[]) => ({
    size: keys.reduce((bytes, key) => bytes + Buffer.byteLength(key), 0),
    files: keys.length,
  });

  test("knows what others wrote, forgets what they removed, and says when it was", async () => {
    await using index = await openSearch();
    const keys = ["a-b/x.txt", "a.txt", "a/b/c.txt", "a/b/d/e.txt", "a/z.txt", "报告.txt", "😀/f.txt"];
    await fill(index, keys);
    await index.store.put("empty/inner/", new Response(null), { type: "x" });
    for (const key of ["a/b/gone.txt", "gone/x/y.txt", "a/b/d/f/gone.txt", "zz.txt", "empty/inner/gone.txt"])
      index.written(key, 100);
    expect(await index.search.status(index.storage)).toEqual({ built_at: null });
    await index.search.build(index.storage);
    expect((await index.keys("txt")).sort()).toEqual([...keys].sort());
    expect(await index.keys("inner")).toEqual(["empty/inner/"]);
    expect(await index.amount("")).toEqual(sum(keys));
    expect(await index.amount("empty/inner/")).toEqual({ size: 0, files: 0 });
    expect(await index.search.status(index.storage)).toEqual({ built_at: index.clock.now() });
  });

  test("is the same however the pages fall", async () => {
    const keys = Array.from({ length: 40 }, (_, n) => `d${n % 3}/e${n % 5}/f${n}/g.txt`);
    for (const limit of [1, 2, 3, 7]) {
      const meddle = (store: ObjectStore): ObjectStore => ({
        ...store,
        list: (asked) => store.list({ ...asked, limit }),
      });
      await using index = await openSearch({ meddle });
      await fill(index, keys);
      await index.store.put("d1/e9/", new Response(null), { type: "x" });
      for (const key of keys) index.written(`${key}/../gone`, 9);
      for (const key of ["", "d0/", "d1/e1/", "d1/e9/", "d2/e4/f14/", "zz/"]) {
        for (const name of ["0", "~", "f14", "g"]) index.written(`${key}${name}`, 9);
        index.made(`${key}nobody/is/here/`);
      }
      await index.search.build(index.storage);
      expect(await index.amount("")).toEqual(sum(keys));
      expect((await index.find("g.txt", {}, { limit: 200 })).total).toBe(40);
      expect(await index.keys("nobody")).toEqual([]);
      expect((await index.keys("e9")).sort()).toEqual(["d1/e9/"]);
    }
  });

  test("undoes nothing that was noted while a page was on its way", async () => {
    const meddling = { meanwhile: () => {} };
    const meddle = (store: ObjectStore): ObjectStore => ({
      ...store,
      async list(asked) {
        const page = await store.list({ ...asked, limit: 2 });
        meddling.meanwhile();
        return page;
      },
    });
    await using index = await openSearch({ meddle });
    await fill(index, ["a/one", "a/two", "b/one", "c/one"]);
    meddling.meanwhile = () => {
      index.removed("a/one");
      index.removed("b/");
      index.written("a/zero", 50);
    };
    await index.search.build(index.storage);
    expect((await index.keys("one")).sort()).toEqual(["c/one"]);
    expect(await index.keys("zero")).toEqual(["a/zero"]);
  });

  test("of a storage that is down fails, removes nothing and is tried again", async () => {
    const trouble = { after: 1 };
    const meddle = (store: ObjectStore): ObjectStore => ({
      ...store,
      async list(asked) {
        if (trouble.after-- <= 0) throw new Failure("storage.unreachable", { host: "s3.example" });
        return await store.list({ ...asked, limit: 2 });
      },
    });
    await using index = await openSearch({ meddle });
    await fill(index, ["a", "b", "c", "d"]);
    for (const key of ["a", "b", "c", "d", "e/f"]) index.written(key, 1);
    await expect(index.search.build(index.storage)).rejects.toThrow(Failure);
    expect(await index.amount("e/")).toEqual({ size: 1, files: 1 });
    expect(await index.search.rebuildDue()).toBe(0);
    expect(index.log()).toContain("index not built");
    trouble.after = 100;
    expect(await index.search.rebuildDue()).toBe(1);
    expect(await index.amount("")).toEqual({ size: 4, files: 4 });
  });

  test("comes daily", async () => {
    await using index = await openSearch();
    expect(await index.search.rebuildDue()).toBe(1);
    index.clock.advance(23 * 3_600_000);
    expect(await index.search.rebuildDue()).toBe(0);
    index.clock.advance(3_600_000);
    expect(await index.search.rebuildDue()).toBe(1);
  });

  test("goes through one storage at a time", async () => {
    const lists = { running: 0, most: 0 };
    const meddle = (store: ObjectStore): ObjectStore => ({
      ...store,
      async list(asked) {
        lists.running += 1;
        lists.most = Math.max(lists.most, lists.running);
        const page = await store.list({ ...asked, limit: 1 });
        lists.running -= 1;
        return page;
      },
    });
    await using index = await openSearch({ meddle });
    await fill(index, ["a", "b", "c"]);
    await Promise.all([
      index.search.build(index.storage),
      index.search.rebuildDue(),
      index.search.build(index.storage),
    ]);
    expect(lists.most).toBe(1);
    expect(await index.amount("")).toEqual({ size: 3, files: 3 });
  });

  test("stops when the server does, and begins again with the next", async () => {
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const meddle = (store: ObjectStore): ObjectStore => ({
      ...store,
      async list(asked) {
        const page = await store.list({ ...asked, limit: 1 });
        reached.resolve();
        await goOn.promise;
        return page;
      },
    });
    await using index = await openSearch({ meddle });
    await fill(index, ["a", "b", "c"]);
    const building = index.search.build(index.storage);
    await reached.promise;
    const closing = index.search.close();
    goOn.resolve();
    await Promise.all([building, closing]);
    expect(await index.search.status(index.storage)).toEqual({ built_at: null });
    const again = index.open();
    expect(await again.rebuildDue()).toBe(1);
    expect(await again.folder(index.place(""))).toEqual({ size: 3, files: 3 });
    await again.close();
  });

  test("forgets storages that are no longer configured", async () => {
    await using index = await openSearch();
    index.search.note({ kind: "written", at: { storage: "gone", key: "a/x.txt" }, file: { size: 1, modified: 1 } });
    await index.search.settled();
    await index.search.rebuildDue();
    expect(await index.search.folder({ storage: "gone", key: "" })).toBeUndefined();
    expect(await index.find("x.txt", { storage: "gone" })).toMatchObject({ total: 0 });
  });
});

describe("more changes than may wait", () => {
  test("are dropped, and the storage is built anew", async () => {
    await using index = await openSearch();
    await index.put("real.txt", "1");
    await index.search.build(index.storage);
    for (let n = 0; n < 50_001; n++) index.removed(`nothing/${n}`);
    index.written("dropped.txt", 1);
    await index.search.settled();
    expect(await index.keys("dropped")).toEqual([]);
    expect(await index.search.status(index.storage)).toEqual({ built_at: null });
    index.written("later.txt", 1);
    expect(await index.keys("later")).toEqual(["later.txt"]);
    expect(await index.search.rebuildDue()).toBe(1);
    expect(await index.keys("txt")).toEqual(["real.txt"]);
  });
});

test("what waits is in the database when the index closes", async () => {
  await using index = await openSearch();
  for (let n = 0; n < 3000; n++) index.written(`f/${n}`, 1);
  await index.search.close();
  const root = sql`select size from nodes where parent = 0 and name = ${index.storage}`;
  expect(await index.db.first(root)).toEqual({ size: 3000 });
});
