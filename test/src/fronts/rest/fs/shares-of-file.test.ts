import { expect, test } from "bun:test";
import { files } from "#contract/files";
import { fs as api } from "#contract/fs/fs";
import { makeKey, withKey } from "../../../../support/make-key.ts";
import { openTreeHouse, type TreeCalls, type Who } from "../../../../support/tree/tree-house.ts";

/** The shares of one file of the tree, which its details list. */

const slugsOf = async ({ call }: TreeCalls, path: string, who?: Who, page: Record<string, string> = {}) => {
  const { data } = await call(files.list, { query: { path, ...page } }, who);
  return { slugs: data.files.map(({ slug }) => slug), total: data.pagination.total, more: data.pagination.hasMore };
};

const share = async ({ call }: TreeCalls, path: string, slug: string, who?: Who) =>
  (await call(api.createShare, { body: { path, slug } }, who)).data.fileId;

test("are told newest first, page by page, and follow their file", async () => {
  await using tree = await openTreeHouse();
  await tree.put("/m/d/a.txt", "/m/d/b.txt");
  for (const slug of ["one", "two", "three"]) await share(tree, "/m/d/a.txt", slug);
  await share(tree, "/m/d/b.txt", "other");
  expect(await slugsOf(tree, "/m/d/a.txt")).toEqual({ slugs: ["three", "two", "one"], total: 3, more: false });
  const second = { limit: "1", offset: "1" };
  expect(await slugsOf(tree, "/m/d/a.txt", undefined, second)).toEqual({ slugs: ["two"], total: 3, more: true });
  await tree.call(api.rename, { body: { oldPath: "/m/d/a.txt", newPath: "/m/d/c.txt" } });
  const nothing = { slugs: [], total: 0, more: false };
  expect(await slugsOf(tree, "/m/d/a.txt")).toEqual(nothing);
  expect((await slugsOf(tree, "/m/d/c.txt")).total).toBe(3);
  for (const path of ["/m/d", "/m/d/", "/", "/m/d/c.txt/x"]) expect(await slugsOf(tree, path)).toEqual(nothing);
});

test("a key is told of its own, where it may look", async () => {
  await using tree = await openTreeHouse();
  await tree.put("/m/d/a.txt", "/m/other/a.txt");
  const [anna, ben, blind] = [
    withKey(await makeKey(tree.house, { name: "anna", basic_path: "/m/d", permissions: ["file_share", "mount_view"] })),
    withKey(await makeKey(tree.house, { name: "ben", permissions: ["file_share", "mount_view"] })),
    withKey(await makeKey(tree.house, { name: "blind", permissions: ["file_share"] })),
  ];
  await share(tree, "/m/d/a.txt", "hers", anna);
  await share(tree, "/m/d/a.txt", "his", ben);
  expect((await slugsOf(tree, "/m/d/a.txt", anna)).slugs).toEqual(["hers"]);
  expect((await slugsOf(tree, "/m/d/a.txt", ben)).slugs).toEqual(["his"]);
  expect((await slugsOf(tree, "/m/d/a.txt")).slugs).toEqual(["his", "hers"]);
  const outcome = (path: string, who: Who) => tree.outcome(files.list, { query: { path } }, who);
  expect(await outcome("/m/other/a.txt", anna)).toBe("403 path.forbidden");
  expect(await outcome("/m/d/a.txt", blind)).toBe("403 auth.forbidden");
  expect(await tree.outcome(files.list, { query: { path: "/m/../d" } })).toBe("400 path.invalid");
});
