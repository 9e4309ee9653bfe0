import { describe, expect, test } from "bun:test";
import { readmeOf } from "../../../web/features/explorer/folder/readme-below.tsx";
import { addressOf } from "../../../web/features/explorer/model/address.ts";
import { inTree } from "../../../web/features/explorer/readme/in-tree.ts";

type Folder = Parameters<typeof readmeOf>[0];

const folder = (names: readonly string[], listing: Partial<Folder["listing"]> = {}): Folder => {
  const all = names.map((name) => ({
    ...{ name, path: `/d/${name}`, type: 5, typeName: "text" as const },
    isDirectory: name.endsWith("/"),
  }));
  return { all, listing: { readme: true, arriving: false, ...listing } as Folder["listing"] };
};

describe("which file introduces a folder", () => {
  test.each([
    [["index.md", "README.txt", "README", "readme.md"], "readme.md"],
    [["readme.md", "README.md"], "README.md"],
    [["INDEX.md", "Readme.TXT"], "Readme.TXT"],
    [["index.md", "notes.md"], "index.md"],
    [["README.md/", "notes.md"], undefined],
    [["my README.md", "README.md.bak", "README.rst", "README\u0000.md"], undefined],
    [[], undefined],
  ])("%j: %s", (names, wanted) => expect(readmeOf(folder(names))?.name).toBe(wanted));

  test("none where the mount says so, and none before all names are there", () => {
    expect(readmeOf(folder(["README.md"], { readme: false }))).toBeUndefined();
    expect(readmeOf(folder(["README.md"], { arriving: true }))).toBeUndefined();
  });
});

describe("what its relative addresses mean", () => {
  test.each([
    ["docs/a.txt", "/team/x/docs/a.txt"],
    ["./a%20b.md#part", "/team/x/a b.md"],
    ["docs/", "/team/x/docs"],
    ["a?raw=1", "/team/x/a"],
    ["../y", "/team/y"],
    ["..", "/team"],
    ["../..", undefined],
    ["../../other/secret", undefined],
    ["../../teammates/secret", undefined],
    ["docs/../../../etc", undefined],
    ["..%2f..%2fother", undefined],
    ["%2e%2e/%2e%2e/other", undefined],
    ["a%00b", undefined],
    ["a%zz", undefined],
    ["..\\..\\other", undefined],
    [`${"a/".repeat(3000)}b`, undefined],
  ])("%s", (address, path) => expect(inTree(addressOf, "/team/x", "/team").pathOf(address)).toBe(path));

  test("they become addresses of the explorer", () => {
    const { pageOf } = inTree(addressOf, "/", "/");
    expect(pageOf("/a b/c#d.md")).toBe("/mount-explorer/a%20b?preview=c%23d.md");
    expect(pageOf("/a b/c")).toBe("/mount-explorer/a%20b/c");
    expect(pageOf("/")).toBe("/mount-explorer");
  });
});
