import { describe, expect, test } from "bun:test";
import type { Entry } from "../../../web/features/explorer/model/entry.ts";
import { freeName } from "../../../web/features/explorer/model/entry.ts";
import { createNameOrder, nextSort, ordered, type Sort } from "../../../web/features/explorer/model/order.ts";

const file = (name: string, more: Partial<Entry> = {}): Entry => ({
  name,
  path: `/drive/${name}`,
  isDirectory: false,
  size: 1,
  modified: "2026-01-01T00:00:00.000Z",
  type: 0,
  typeName: "unknown",
  ...more,
});
const folder = (name: string): Entry => ({
  ...file(name),
  path: `/drive/${name}/`,
  isDirectory: true,
  typeName: "folder",
});
const names = (entries: readonly Entry[]) => entries.map(({ name }) => name);
const sorted = (...pages: Entry[][]) => createNameOrder("en")(pages);

describe("the order of a folder", () => {
  test("is by name with numbers as numbers, folders first", () => {
    const page = [file("photo 10.jpg"), file("photo 9.jpg"), folder("zoo"), file("Änderung.txt"), folder("art")];
    expect(names(sorted(page))).toEqual(["art", "zoo", "Änderung.txt", "photo 9.jpg", "photo 10.jpg"]);
  });

  test("knows the letters of Chinese by their sounds", () => {
    const page = [file("文档.txt"), file("北京.txt"), file("安.txt")];
    expect(names(createNameOrder("zh")([page]))).toEqual(["安.txt", "北京.txt", "文档.txt"]);
  });

  test("is the same whether a folder comes in one page or in many", () => {
    const all = Array.from({ length: 500 }, (_, index) => file(`file ${(index * 7919) % 500}`));
    const pages = [all.slice(0, 3), all.slice(3, 200), [], all.slice(200)];
    const order = createNameOrder("en");
    for (let count = 1; count <= pages.length; count += 1) order(pages.slice(0, count));
    expect(names(order(pages))).toEqual(names(sorted(all)));
    expect(names(order(pages))[10]).toBe("file 10");
  });

  test("begins anew with a listing that was asked for again", () => {
    const order = createNameOrder("en");
    order([[file("b"), file("a")]]);
    expect(names(order([[file("c")]]))).toEqual(["c"]);
  });

  test("is kept where a listing is loaded anew, and only what has come is sorted in", () => {
    const all = Array.from({ length: 500 }, (_, index) => file(`file ${(index * 7919) % 500}`));
    const { Collator } = Intl;
    let compared = 0;
    Intl.Collator = class extends Collator {
      override readonly compare = (one: string, other: string): number => {
        compared += 1;
        return super.compare(one, other);
      };
    } as typeof Collator;
    try {
      const order = createNameOrder("en");
      order([all]);
      const renewed = [...all.slice(3).map((entry) => ({ ...entry, size: 2 })), file("file 7b"), folder("file 9")];
      compared = 0;
      const found = order([renewed.slice(0, 100), renewed.slice(100)]);
      // Merging compares each once.
      expect(compared).toBeLessThanOrEqual(renewed.length + 1);
      expect(found).toEqual(sorted(renewed));
    } finally {
      Intl.Collator = Collator;
    }
  });

  test("two things of one name, a file and a folder, are both there", () => {
    expect(sorted([file("same"), folder("same")]).map(({ path }) => path)).toEqual(["/drive/same/", "/drive/same"]);
  });

  const page = [
    file("a.txt", { size: 30, modified: "2026-01-03T00:00:00.000Z" }),
    file("b.png", { size: 10, modified: "2026-01-01T00:00:00.000Z" }),
    file("c.txt", { size: 20, modified: null }),
    folder("d"),
  ];
  test.each<[Sort, string[]]>([
    [{ field: "name", down: true }, ["d", "c.txt", "b.png", "a.txt"]],
    [{ field: "size", down: false }, ["d", "b.png", "c.txt", "a.txt"]],
    [{ field: "size", down: true }, ["d", "a.txt", "c.txt", "b.png"]],
    [{ field: "modified", down: false }, ["d", "c.txt", "b.png", "a.txt"]],
    [{ field: "type", down: false }, ["d", "b.png", "a.txt", "c.txt"]],
  ])("%j keeps folders first", (sort, expected) => {
    expect(names(ordered(sorted(page), sort))).toEqual(expected);
  });

  test("goes up, down and back to the default at each press", () => {
    const first = nextSort(undefined, "size");
    const second = nextSort(first, "size");
    expect([first, second, nextSort(second, "size")]).toEqual([
      { field: "size", down: false },
      { field: "size", down: true },
      undefined,
    ]);
    expect(nextSort(second, "name")).toEqual({ field: "name", down: false });
  });
});

describe("a free name", () => {
  test.each([
    ["photo.jpg", false, ["photo.jpg"], "photo (1).jpg"],
    ["photo.jpg", false, ["photo.jpg", "photo (1).jpg"], "photo (2).jpg"],
    ["v1.2", true, ["v1.2"], "v1.2 (1)"],
    [".profile", false, [".profile"], ".profile (1)"],
    ["Makefile", false, ["Makefile"], "Makefile (1)"],
    [`${"x".repeat(251)}.jpg`, false, [], `${"x".repeat(247)} (1).jpg`],
    ["文".repeat(85), true, [], `${"文".repeat(83)} (1)`],
  ] as const)("for %s (folder: %p) beside %j is %s", (name, isFolder, taken, free) => {
    expect(freeName(name, isFolder, new Set(taken))).toBe(free);
  });
});
