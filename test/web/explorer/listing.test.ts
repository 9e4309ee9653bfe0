import { expect, test } from "bun:test";
import { QueryClient } from "@tanstack/react-query";
import { treeKeys } from "../../../web/api/tree-query-keys.ts";
import { showMoved } from "../../../web/features/explorer/model/listing.ts";

/** What a listing shows before it is loaded again. */

function listed(folder: string, ...pages: string[][]) {
  const queries = new QueryClient();
  const items = pages.map((names) => ({ items: names.map((name) => ({ name, path: `${folder}/${name}`, size: 1 })) }));
  queries.setQueryData(treeKeys.list(folder), { pages: items, pageParams: pages.map(() => "") });
  const shown = () => queries.getQueryData<{ pages: typeof items }>(treeKeys.list(folder))?.pages ?? [];
  return { queries, shown, names: () => shown().map((page) => page.items.map(({ name, path }) => `${name} ${path}`)) };
}

test("what has moved away is gone, and what was renamed has its new name, in the one page that has it", () => {
  const { queries, shown, names } = listed("/m", ["a", "b"], ["c", "d"]);
  const [first] = shown();
  showMoved(queries, [
    { from: "/m/c", to: "/n/c" },
    { from: "/m/d", to: "/m/e" },
  ]);
  expect(names()).toEqual([["a /m/a", "b /m/b"], ["e /m/e"]]);
  expect(shown()[0]).toBe(first as never);
  // A deletion moves nothing.
  showMoved(queries, [{ from: "/m/a", to: "/m/a", trash: "id" }]);
  expect(names()).toEqual([["b /m/b"], ["e /m/e"]]);
});

test("two that swap their names, one by a name beside it, have them", () => {
  const { queries, names } = listed("/m", ["a", "b"]);
  showMoved(queries, [
    { from: "/m/a", to: "/m/a (1)" },
    { from: "/m/b", to: "/m/a" },
    { from: "/m/a (1)", to: "/m/b" },
  ]);
  expect(names()).toEqual([["b /m/b", "a /m/a"]]);
});

test("folders that nobody has looked at stay unknown", () => {
  const { queries } = listed("/m", ["a"]);
  showMoved(queries, [{ from: "/n/a", to: "/n/b" }]);
  expect(queries.getQueryData(treeKeys.list("/n"))).toBeUndefined();
});
