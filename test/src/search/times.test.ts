import { expect, test } from "bun:test";
import { mkdirSync, utimesSync } from "node:fs";
import { openSearch } from "../../support/tree/open-search.ts";
import { openTreeHouse } from "../../support/tree/tree-house.ts";

/** The times of folders: the newest of what lies or lay below them. */

test("a folder has the newest time of what came into it or below it, and keeps it", async () => {
  await using index = await openSearch();
  index.written("a/b/1", 5, 2000);
  index.written("a/2", 5, 1000);
  expect(await Promise.all(["", "a/", "a/b/"].map(index.newest))).toEqual([2000, 2000, 2000]);
  index.written("a/2", 5, 3000);
  expect(await Promise.all(["", "a/", "a/b/"].map(index.newest))).toEqual([3000, 3000, 2000]);
  index.removed("a/2");
  expect(await index.newest("a/")).toBe(3000);
  index.made("c/", 4000);
  index.moved("a/b/", "d/e/");
  expect(await Promise.all(["", "c/", "d/", "d/e/"].map(index.newest))).toEqual([4000, 4000, 2000, 2000]);
});

test("a build and a listing find them out", async () => {
  await using tree = await openTreeHouse();
  tree.behindOurBack("d/deep/old", "");
  tree.behindOurBack("d/deep/new", "");
  mkdirSync(tree.onDisk("d/empty"));
  const at = Date.UTC(2020, 1, 2);
  utimesSync(tree.onDisk("d/deep/old"), at / 1000 - 60, at / 1000 - 60);
  utimesSync(tree.onDisk("d/deep/new"), at / 1000, at / 1000);
  utimesSync(tree.onDisk("d/empty"), at / 1000 + 60, at / 1000 + 60);
  const { search } = tree.house.house.vfs;
  const { data } = await tree.list("/");
  expect(data.items).toMatchObject([{ name: "m", modified: null }]);
  const [storage] = await tree.house.house.transfers.storages();
  await search.build(storage?.config.id ?? "");
  await search.settled();
  expect((await tree.list("/m/d")).data.items).toMatchObject([
    { name: "deep", modified: new Date(at).toISOString() },
    { name: "empty", modified: new Date(at + 60_000).toISOString() },
  ]);
  expect((await tree.list("/m")).data.items).toMatchObject([
    { name: "d", modified: new Date(at + 60_000).toISOString() },
  ]);
});
