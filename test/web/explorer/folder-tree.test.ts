import { describe, expect, test } from "bun:test";
import type { FsItem } from "#contract/fs/fs";
import { type Branch, folderEntry, rowsOf, type TreeRow } from "../../../web/features/explorer/folder-tree/rows.ts";
import { treeStep } from "../../../web/features/explorer/folder-tree/tree-step.ts";

/** The folders in each folder, as they are known. */
type Known = Readonly<Record<string, readonly string[] | Partial<Branch>>>;

const branchIn =
  (known: Known) =>
  (path: string): Branch | undefined => {
    const at = known[path];
    if (at === undefined) return undefined;
    const none: Branch = { folders: undefined, hasMore: false, error: null, version: undefined };
    if (!Array.isArray(at)) return { ...none, ...(at as Partial<Branch>) };
    const begin = path === "/" ? "/" : `${path}/`;
    return { ...none, folders: (at as string[]).map((name): FsItem => folderEntry(begin + name)) };
  };

const rowsIn = (known: Known, { open = Object.keys(known), folder = "/", root = "/" } = {}) =>
  rowsOf({ root: folderEntry(root), open: new Set(open), folder, branchOf: branchIn(known) });

const drawn = (rows: readonly TreeRow[]) =>
  rows.map((row) => {
    const sign = row.kind === "folder" ? { true: "-", false: "+", undefined: " " }[`${row.expanded}`] : row.kind;
    return `${"  ".repeat(row.depth)}${sign} ${row.path}`;
  });

const known: Known = { "/": ["drive", "music"], "/drive": ["a", "b"], "/drive/a": [] };

describe("the rows of the tree", () => {
  test("are those of open folders, and one without folders cannot be opened", () => {
    expect(drawn(rowsIn(known))).toEqual(["- /", "  - /drive", "      /drive/a", "    + /drive/b", "  + /music"]);
    expect(drawn(rowsIn(known, { open: ["/"] }))).toEqual(["- /", "  + /drive", "  + /music"]);
    expect(drawn(rowsIn(known, { open: [] }))).toEqual(["+ /"]);
  });

  test("begin at the highest folder that may be seen", () => {
    expect(drawn(rowsIn(known, { root: "/drive", folder: "/drive/b" }))).toEqual([
      "- /drive",
      "    /drive/a",
      "  + /drive/b",
    ]);
  });

  test("say what is on its way, what failed, and that there are more", () => {
    const folders = [folderEntry("/b/c")];
    const rows = rowsIn({
      "/": ["a", "b", "c"],
      "/a": {},
      "/b": { folders, hasMore: true },
      "/c": { error: new Error() },
    });
    expect(drawn(rows)).toEqual([
      "- /",
      "  - /a",
      "    loading /a",
      "  - /b",
      "    + /b/c",
      "    more /b",
      "  - /c",
      "    failed /c",
    ]);
    expect(rows.flatMap((row) => (row.kind === "folder" ? [`${row.position} of ${row.count}`] : []))).toEqual([
      "1 of 1",
      "1 of 3",
      "2 of 3",
      "1 of -1",
      "3 of 3",
    ]);
  });

  test("have the way to the folder on view among the many that were not asked for", () => {
    const many = { "/": { folders: [folderEntry("/a")], hasMore: true } };
    expect(drawn(rowsIn(many, { folder: "/z/y" }))).toEqual(["- /", "  + /a", "  + /z", "  more /"]);
    expect(drawn(rowsIn(many, { folder: "/a" }))).toEqual(["- /", "  + /a", "  more /"]);
    const all = { "/": ["a"] };
    expect(drawn(rowsIn(all, { folder: "/gone" }))).toEqual(["- /", "  + /a"]);
  });
});

describe("a step in the tree", () => {
  const rows = rowsIn({ ...known, "/music": {} });
  const step = (path: string, key: string) => {
    const to = treeStep(
      rows,
      rows.findIndex((row) => row.key === path),
      key,
      2,
    );
    if (!to) return undefined;
    return to.open === undefined ? rows[to.to]?.key : to.open ? "open" : "close";
  };

  test.each([
    ["/", "ArrowDown", "/drive"],
    ["/", "ArrowUp", "/"],
    ["/drive/b", "ArrowUp", "/drive/a"],
    ["/", "PageDown", "/drive/a"],
    ["/drive/b", "PageUp", "/drive"],
    ["/drive/b", "Home", "/"],
    ["/", "End", "/music"],
    ["/music", "ArrowDown", "/music"],
    ["/drive", "ArrowRight", "/drive/a"],
    ["/drive/b", "ArrowRight", "open"],
    ["/drive/a", "ArrowRight", "/drive/a"],
    ["/music", "ArrowRight", "/music"],
    ["/drive", "ArrowLeft", "close"],
    ["/drive/b", "ArrowLeft", "/drive"],
    ["/drive/a", "ArrowLeft", "/drive"],
    ["/", "F5", undefined],
  ])("from %s by %s leads to %s", (from, key, to) => {
    expect(step(from, key)).toBe(to as string);
  });
});
