import { describe, expect, test } from "bun:test";
import type { ArchiveEntry } from "../../../web/preview/archive/archive.ts";
import { pathInside, rowsIn, totalOf, typeInside } from "../../../web/preview/archive/rows.ts";

const entry = (index: number, size: number | undefined = 10, isFolder = false): ArchiveEntry => ({
  ...{ index, size, isFolder, rawName: new Uint8Array(), isUtf8: true, isLink: false, isEncrypted: false },
});

const rowsOf = (names: readonly string[], folder: string) => {
  const entries = names.map((name, index) => entry(index, 10, name.endsWith("/")));
  return rowsIn(entries, names.map(pathInside), folder);
};

describe("the rows of a folder in an archive", () => {
  const names = ["b10.txt", "b9.txt", "docs/a/1.txt", "docs/a/2.txt", "docs/z.txt", "empty/", "docs/", "./c.txt"];

  test("are folders, then files, by name", () => {
    expect(rowsOf(names, "").map(({ name }) => name)).toEqual(["docs", "empty", "b9.txt", "b10.txt", "c.txt"]);
    expect(rowsOf(names, "docs").map(({ name }) => name)).toEqual(["a", "z.txt"]);
    expect(rowsOf(names, "docs/a").map(({ name }) => name)).toEqual(["1.txt", "2.txt"]);
    expect(rowsOf(names, "empty")).toEqual([]);
    expect(rowsOf(names, "doc")).toEqual([]);
  });

  test("tell how much is in them, unless something does not say", () => {
    expect(totalOf(rowsOf(names, ""))).toEqual({ files: 6, size: 60 });
    expect(rowsOf(names, "")[0]).toEqual({ kind: "folder", name: "docs", files: 3, size: 30 });
    expect(totalOf(rowsIn([entry(0), { ...entry(1), size: undefined }], ["a/b", "a/c"], ""))).toEqual({
      files: 2,
      size: undefined,
    });
  });

  test("have files of one name apart, and a file beside a folder of its name", () => {
    expect(rowsOf(["a", "a", "a/b"], "").map(({ kind, name }) => [kind, name])).toEqual([
      ["folder", "a"],
      ["file", "a"],
      ["file", "a"],
    ]);
  });

  test.each([
    ["/etc//passwd", "etc/passwd"],
    ["../../up", "../../up"],
    ["./a/./b", "a/b"],
    ["C:\\a\\b.txt", "C:/a/b.txt"],
    ["a\\b/c", "a\\b/c"],
    ["", ""],
  ])("%p is the path %p", (name, path) => expect(pathInside(name)).toBe(path));

  test("of names that are all depth are found without a tree of them", () => {
    const deep = "a/".repeat(30_000);
    const names = Array.from({ length: 200 }, (_, index) => `${deep}${index}`);
    expect(rowsOf(names, "")).toEqual([{ kind: "folder", name: "a", files: 200, size: 2000 }]);
  });
});

test("the kind of a file in an archive is told by its ending", () => {
  expect(["a.PNG", "b.flac", "c.webm", "d.ts", "png"].map(typeInside)).toEqual([
    ...(["image", "audio", "video", "unknown", "image"] as const),
  ]);
});
