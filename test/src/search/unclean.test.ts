import { expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { fs as api } from "#contract/fs/fs";
import { openSearch } from "../../support/tree/open-search.ts";
import { openTreeHouse, type TreeCalls } from "../../support/tree/tree-house.ts";

/** Where the index and a storage do not agree. */

test("an index that nobody closed is built anew, one that was closed is not", async () => {
  await using index = await openSearch();
  await index.search.build(index.storage);
  index.written("noted.txt", 5);
  await index.search.settled();
  const builtAt = index.clock.now();
  const crashed = await index.open();
  expect(await crashed.status(index.storage)).toEqual({ built_at: null });
  expect(await crashed.rebuildDue(index.mounted)).toBe(1);
  await crashed.close();
  const closed = await index.open();
  expect(await closed.status(index.storage)).toEqual({ built_at: builtAt });
  expect(await closed.rebuildDue(index.mounted)).toBe(0);
  await closed.close();
});

test("what a storage did not have counts as gone, unless it was told of meanwhile", async () => {
  await using index = await openSearch();
  for (const key of ["gone.txt", "f/gone.txt", "f/back.txt", "f/sub/below.txt", "up/moved.txt"]) index.written(key, 1);
  await index.search.settled();
  const since = index.search.moment();
  index.written("f/back.txt", 2);
  index.written("f/sub/new.txt", 2);
  index.moved("up/", "elsewhere/");
  index.moved("elsewhere/", "up/");
  for (const key of ["gone.txt", "f/gone.txt", "f/back.txt", "f/sub/", "up/moved.txt"])
    index.search.recordMissing(index.place(key), since);
  const left = ["f/back.txt", "f/sub/below.txt", "f/sub/new.txt", "up/moved.txt"];
  expect((await index.keys("txt")).sort()).toEqual(left);
});

test("a folder that became a link hides what was below it from the search, and nothing else", async () => {
  await using tree = await openTreeHouse();
  await tree.put("/m/dir/report-one.txt", "/m/ok/report-two.txt");
  expect(await found(tree, "report")).toEqual(["/m/dir/report-one.txt", "/m/ok/report-two.txt"]);
  rmSync(tree.onDisk("dir"), { recursive: true });
  mkdirSync(tree.onDisk("../../elsewhere"));
  symlinkSync(tree.onDisk("../../elsewhere"), tree.onDisk("dir"));
  expect(await found(tree, "report")).toEqual(["/m/ok/report-two.txt"]);
  await tree.house.house.vfs.search.settled();
  expect(await tree.call(api.search, { query: { q: "report" } })).toMatchObject({ data: { total: 1 } });
});

async function found(tree: TreeCalls, q: string): Promise<string[] | string> {
  await tree.house.house.vfs.search.settled();
  const { data, message } = await tree.call(api.search, { query: { q } });
  return data?.results.map(({ path }) => path).sort() ?? message;
}
