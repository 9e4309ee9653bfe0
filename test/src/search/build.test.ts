import { describe, expect, test } from "bun:test";
import { Failure } from "#contract/failures";
import { sql } from "../../../src/database/sql.ts";
import type { ObjectStore } from "../../../src/stores/store.ts";
import { type OpenSearch, openSearch } from "../../support/tree/open-search.ts";

/** The index is made what a whole storage is. */

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

  test("tells how many names it has read, as long as it runs", async () => {
    const seen: (number | undefined)[] = [];
    let progress = (): number | undefined => undefined;
    const inject = (store: ObjectStore): ObjectStore => ({
      ...store,
      async list(asked) {
        seen.push(progress());
        return await store.list({ ...asked, limit: 2 });
      },
    });
    await using index = await openSearch({ inject });
    progress = () => index.search.progress(index.storage);
    await fill(index, ["a", "b", "c/d", "e", "f"]);
    await index.search.build(index.storage);
    expect(seen).toEqual([0, 2, 4]);
    expect(progress()).toBeUndefined();
  });

  test("is the same however the pages fall", async () => {
    const keys = Array.from({ length: 40 }, (_, n) => `d${n % 3}/e${n % 5}/f${n}/g.txt`);
    for (const limit of [1, 2, 3, 7]) {
      const inject = (store: ObjectStore): ObjectStore => ({
        ...store,
        list: (asked) => store.list({ ...asked, limit }),
      });
      await using index = await openSearch({ inject });
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
    const fault = { meanwhile: (): void => undefined };
    const inject = (store: ObjectStore): ObjectStore => ({
      ...store,
      async list(asked) {
        const page = await store.list({ ...asked, limit: 2 });
        fault.meanwhile();
        return page;
      },
    });
    await using index = await openSearch({ inject });
    await fill(index, ["a/one", "a/two", "b/one", "c/one"]);
    fault.meanwhile = () => {
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
    const inject = (store: ObjectStore): ObjectStore => ({
      ...store,
      async list(asked) {
        if (trouble.after-- <= 0) throw new Failure("storage.unreachable", { host: "s3.example" });
        return await store.list({ ...asked, limit: 2 });
      },
    });
    await using index = await openSearch({ inject });
    await fill(index, ["a", "b", "c", "d"]);
    for (const key of ["a", "b", "c", "d", "e/f"]) index.written(key, 1);
    await expect(index.search.build(index.storage)).rejects.toThrow(Failure);
    expect(await index.amount("e/")).toEqual({ size: 1, files: 1 });
    expect(await index.search.rebuildDue(index.mounted)).toBe(0);
    expect(index.log()).toContain("index not built");
    trouble.after = 100;
    expect(await index.search.rebuildDue(index.mounted)).toBe(1);
    expect(await index.amount("")).toEqual({ size: 4, files: 4 });
  });

  test("comes daily", async () => {
    await using index = await openSearch();
    expect(await index.search.rebuildDue(index.mounted)).toBe(1);
    index.clock.advance(23 * 3_600_000);
    expect(await index.search.rebuildDue(index.mounted)).toBe(0);
    index.clock.advance(3_600_000);
    expect(await index.search.rebuildDue(index.mounted)).toBe(1);
  });

  test("comes when a listing shows a folder that another process has made", async () => {
    await using index = await openSearch();
    expect(await index.search.rebuildDue(index.mounted)).toBe(1);
    await fill(index, ["copied/by/hand.txt"]);
    index.see("", { files: [], folders: ["copied"] }, index.search.moment());
    await index.search.settled();
    expect(await index.keys("hand")).toEqual([]);
    expect(await index.search.rebuildDue(index.mounted)).toBe(1);
    expect(await index.keys("hand")).toEqual(["copied/by/hand.txt"]);
    index.see("", { files: [], folders: ["copied"] }, index.search.moment());
    await index.search.settled();
    expect(await index.search.rebuildDue(index.mounted)).toBe(0);
  });

  test("goes through one storage at a time", async () => {
    const lists = { running: 0, most: 0 };
    const inject = (store: ObjectStore): ObjectStore => ({
      ...store,
      async list(asked) {
        lists.running += 1;
        lists.most = Math.max(lists.most, lists.running);
        const page = await store.list({ ...asked, limit: 1 });
        lists.running -= 1;
        return page;
      },
    });
    await using index = await openSearch({ inject });
    await fill(index, ["a", "b", "c"]);
    await Promise.all([
      index.search.build(index.storage),
      index.search.rebuildDue(index.mounted),
      index.search.build(index.storage),
    ]);
    expect(lists.most).toBe(1);
    expect(await index.amount("")).toEqual({ size: 3, files: 3 });
  });

  test("stops when the server does, and begins again with the next", async () => {
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const inject = (store: ObjectStore): ObjectStore => ({
      ...store,
      async list(asked) {
        const page = await store.list({ ...asked, limit: 1 });
        reached.resolve();
        await goOn.promise;
        return page;
      },
    });
    await using index = await openSearch({ inject });
    await fill(index, ["a", "b", "c"]);
    const building = index.search.build(index.storage);
    await reached.promise;
    const closing = index.search.close();
    goOn.resolve();
    await Promise.all([building, closing]);
    expect(await index.search.status(index.storage)).toEqual({ built_at: null });
    const again = await index.open();
    expect(await again.rebuildDue(index.mounted)).toBe(1);
    expect(await again.folder(index.place(""))).toMatchObject({ size: 3, files: 3 });
    await again.close();
  });

  test("forgets storages that are no longer configured", async () => {
    await using index = await openSearch();
    const file = { size: 1, modified: 1, etag: "e", type: "text/plain" };
    index.search.record({ kind: "written", at: { storage: "gone", key: "a/x.txt" }, file });
    await index.search.settled();
    await index.search.rebuildDue(index.mounted);
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
    expect(await index.search.rebuildDue(index.mounted)).toBe(1);
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
