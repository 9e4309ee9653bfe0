import { expect, test } from "bun:test";
import { fs } from "#contract/fs/fs";
import { linkCalls } from "../../../support/callers/link-visit.ts";
import { countedDatabase } from "../../../support/database/counted-database.ts";
import { openTreeHouse } from "../../../support/tree/tree-house.ts";

/** Folders of a link: more than are looked through one after the other. */
const FOLDERS = 120;

test("a search at the root of a link asks for all of its folders together", async () => {
  const databases: ReturnType<typeof countedDatabase>[] = [];
  await using tree = await openTreeHouse(
    {},
    {
      engine(db) {
        const one = countedDatabase(db);
        databases.push(one);
        return one.db;
      },
    },
  );
  const folders = Array.from({ length: FOLDERS }, (_, index) => `/m/all/${index}`);
  await tree.put(...folders.map((folder) => `${folder}/deep/needle.txt`), "/m/all/other/needle.txt", "/m/needle.txt");
  const { visit } = linkCalls(tree);
  const { who } = await visit(folders.map((folder) => `${folder}/`));
  const find = async (q: string) => (await tree.call(fs.search, { query: { q, limit: 200 } }, who)).data;
  await find("needle");
  const [counted] = databases;
  if (!counted) throw new Error("No database was counted.");
  counted.take();
  const { results, total } = await counted.during(() => find("needle"));
  const asked = counted.take().length;
  expect(total).toBe(FOLDERS);
  expect(new Set(results.map(({ path }) => path)).size).toBe(FOLDERS);
  expect(results.every(({ path }) => /^\/\d+\/deep\/needle\.txt$/.test(path))).toBe(true);
  expect(asked).toBeLessThan(FOLDERS / 4);
});
