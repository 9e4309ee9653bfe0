import { describe, expect, test } from "bun:test";
import { foldersTo, pathToAncestor } from "../../../web/features/explorer/bar/ancestors.ts";
import { addressOf, folderAt } from "../../../web/features/explorer/model/address.ts";

describe("addresses", () => {
  test.each(["/", "/drive", "/drive/a b", "/drive/100%", "/drive/#?+&", "/drive/文档/🎉"])(
    "%s is found again",
    (folder) => {
      expect(folderAt(new URL(addressOf(folder), "http://x").pathname)).toBe(folder);
    },
  );

  test("name a file with any letters", () => {
    const url = new URL(addressOf("/drive", "a&b=#?.txt"), "http://x");
    expect(url.searchParams.get("preview")).toBe("a&b=#?.txt");
  });

  test.each(["/mount-explorer/%", "/mount-explorer/a/%2e%2e/b", "/mount-explorer/%00"])(
    "%s names no folder",
    (address) => {
      expect(folderAt(address)).toBeUndefined();
    },
  );
});

test("whoever comes back up finds the folder that was left", () => {
  expect(pathToAncestor("/drive", "/drive/a/b")).toBe("/drive/a/");
  expect(pathToAncestor("/", "/drive")).toBe("/drive/");
  expect(pathToAncestor("/drive", "/drive")).toBeUndefined();
  expect(pathToAncestor("/drive", "/driveway")).toBeUndefined();
  expect(pathToAncestor("/drive/a", "/drive")).toBeUndefined();
});

test("the way to a folder begins where somebody may look, and ends with it", () => {
  expect(foldersTo("/drive", "/drive/b/c")).toEqual(["/drive", "/drive/b", "/drive/b/c"]);
  expect(foldersTo("/drive", "/drive")).toEqual(["/drive"]);
  expect(foldersTo("/", "/drive/b")).toEqual(["/", "/drive", "/drive/b"]);
});
