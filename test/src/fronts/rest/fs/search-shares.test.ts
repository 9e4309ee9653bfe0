import { expect, test } from "bun:test";
import { fs as api } from "#contract/fs/fs";
import { shareFile } from "../../../../support/share-file.ts";
import { openTreeHouse, type TreeCalls } from "../../../../support/tree/tree-house.ts";

/** A search finds the files of people before the copies that their shares have. */

async function found(
  { call, house }: TreeCalls,
  query: { q: string; scope?: "directory"; path?: string; limit?: string; offset?: string },
) {
  await house.house.vfs.search.settled();
  return (await call(api.search, { query })).data.results.map(({ path }) => path);
}

test("what lies in the folder of shares comes last, whatever fits better or is newer", async () => {
  await using tree = await openTreeHouse();
  await tree.put("/m/work/quarterly report.txt", "/m/report notes/plan.txt");
  await shareFile(tree.house, { filename: "report.txt" });
  await tree.put("/m/shared/report.md");
  const all = await found(tree, { q: "report" });
  expect(all.slice(0, 3).sort()).toEqual(["/m/report notes/", "/m/shared/report.md", "/m/work/quarterly report.txt"]);
  expect(all).toHaveLength(4);
  const copy = all[3] ?? "";
  expect(copy).toStartWith("/m/shares/");
  // Pages follow one another in the same order.
  const pages = ["0", "1", "2", "3"].map((offset) => found(tree, { q: "report", limit: "1", offset }));
  expect((await Promise.all(pages)).flat()).toEqual(all);
});

test("whoever looks in the folder of shares finds what is there", async () => {
  await using tree = await openTreeHouse();
  await shareFile(tree.house, { filename: "report.txt" });
  await tree.put("/m/shares/old report.txt");
  const all = await found(tree, { q: "report", scope: "directory", path: "/m/shares" });
  expect(all).toHaveLength(2);
  // The exact name comes first there, as anywhere.
  expect(all[1]).toBe("/m/shares/old report.txt");
});
