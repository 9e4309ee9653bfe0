import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { fs as api, type FsItem } from "#contract/fs/fs";
import { MAX_LIST_PAGE } from "#contract/limits";
import { openTreeHouse, urlOf } from "../../../../support/tree/tree-house.ts";

/** More than a page may have. */
const FILES = MAX_LIST_PAGE + 500;

test("a list of very many is written in slices and says what its pages say", async () => {
  await using tree = await openTreeHouse();
  mkdirSync(tree.onDisk("many/folder"), { recursive: true });
  const nameOf = (index: number) => `"${String(index).padStart(5, "0")}".txt`;
  for (let index = 0; index < FILES; index++) writeFileSync(tree.onDisk(`many/${nameOf(index)}`), "");
  const response = await tree.house.request(urlOf(api.list, { path: "/m/many" }), { headers: tree.admin });
  expect(response.headers.get("content-type")).toContain("application/json");
  expect(response.headers.get("cache-control")).toBe("no-store");
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body ?? []) pieces.push(piece);
  expect(pieces.length).toBeGreaterThan(3);
  const whole = JSON.parse(Buffer.concat(pieces).toString());
  const items: FsItem[] = whole.data.items;
  expect(items.map(({ name }) => name)).toEqual(["folder", ...Array.from({ length: FILES }, (_, n) => nameOf(n))]);

  const { data, ...envelope } = await tree.list("/m/many", undefined, { limit: 3000 });
  const page = data?.items ?? [];
  expect(items.slice(1, 3001)).toEqual(page);
  const empty = { ...data, items: [], next_cursor: null };
  expect({ ...whole, status: 200, data: { ...whole.data, items: [] } }).toEqual({ ...envelope, data: empty } as never);
});
