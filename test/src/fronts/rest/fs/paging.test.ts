import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { fs } from "#contract/fs/fs";
import { makeMount } from "../../../../support/make-mount.ts";
import { namesOf, openTreeHouse, type TreeCalls } from "../../../../support/tree/tree-house.ts";

/** Large folders page by page. */

/** Walks through a folder; between pages something may happen. */
async function walk(
  { list }: TreeCalls,
  path: string,
  limit: number,
  between: (page: number) => void | Promise<void> = () => undefined,
): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const { data, message } = await list(path, undefined, {
      limit: String(limit),
      ...(cursor !== undefined && { cursor }),
    });
    if (!data) throw new Error(message);
    pages.push(namesOf(data));
    cursor = data.next_cursor ?? undefined;
    await between(pages.length);
  } while (cursor !== undefined && pages.length < 20_000);
  return pages;
}

const inBytes = (names: readonly string[]): string[] =>
  names.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));

const ODD = ["a", "a b", "a-", "a.txt", "a/", "aa/", "A", "é", "e\u0301", "中文/", "😀", "\uffee", "z%2F", "#", "~"];

const furnish = (tree: TreeCalls, folder: string, names: readonly string[]): void => {
  for (const name of names) tree.behindOurBack(name.endsWith("/") ? `${folder}/${name}x` : `${folder}/${name}`, "");
};

describe("pages", () => {
  for (const limit of [1, 2, 3, 7, 14, 15, 100])
    test(`of ${limit}: every name once, in the order of bytes, whether the list is kept or not`, async () => {
      await using tree = await openTreeHouse();
      // A file and a folder of one name cannot stand side by side on a disk.
      const names = ODD.filter((name) => name !== "a");
      furnish(tree, "d", names);
      for (const _ of ["asked", "kept"]) {
        const pages = await walk(tree, "/m/d", limit);
        expect(pages.flat()).toEqual(inBytes(names));
        expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
        expect((pages.at(-1) ?? []).length).toBeLessThanOrEqual(limit);
        await tree.list("/m/d");
      }
    });

  test("of folders alone: no file, and the same ends", async () => {
    await using tree = await openTreeHouse();
    furnish(tree, "d", ["a/", "b", "c/", "d", "e", "f/"]);
    const page = async (cursor?: string) => {
      const { data } = await tree.list("/m/d", undefined, { limit: "3", folders: "true", ...(cursor && { cursor }) });
      return { names: namesOf(data), next: data.next_cursor };
    };
    const first = await page();
    expect(first.names).toEqual(["a/", "c/"]);
    expect(await page(first.next ?? "")).toEqual({ names: ["f/"], next: null });
    expect(await tree.names("/m/d", undefined, { folders: "1" })).toBe("a/ c/ f/");
  });

  test("mounts and folders that lead to them stand where their names belong, and hide what is called so", async () => {
    await using tree = await openTreeHouse();
    await tree.second({ mount_path: "/m/x" });
    await makeMount(tree.house, { name: "Deep", mount_path: "/m/deep/er" });
    furnish(tree, ".", ["a", "b", "x/", "y"]);
    for (const limit of [1, 2, 3, 4, 5, 6])
      for (const _ of ["asked", "kept"]) {
        const pages = await walk(tree, "/m", limit);
        expect(pages.flat()).toEqual(["a", "b", "deep/", "x/", "y"]);
        expect(pages.every((page) => page.length <= limit)).toBe(true);
        expect(await tree.names("/m")).toBe("deep/ x/ a b y");
      }
  });

  test("a folder above all mounts comes in pages, for the administrator and for a key with its base path below", async () => {
    await using tree = await openTreeHouse();
    for (const mount_path of ["/top/b", "/top/a", "/top/c/d", "/other"])
      await makeMount(tree.house, { name: mount_path, mount_path });
    for (const limit of [1, 2, 3, 100]) {
      expect((await walk(tree, "/top", limit)).flat()).toEqual(["a/", "b/", "c/"]);
      expect((await walk(tree, "/top", limit)).every((page) => page.length <= limit)).toBe(true);
      expect((await walk(tree, "/", limit)).flat()).toEqual(["m/", "other/", "top/"]);
    }
    const who = await tree.holder("/top/c/d");
    const first = await tree.list("/top", who, { limit: "1" });
    expect([namesOf(first.data), first.data.next_cursor]).toEqual([["c/"], null]);
    const cursor = Buffer.from("c/").toString("base64url");
    expect(namesOf((await tree.list("/top", who, { limit: "1", cursor })).data)).toEqual([]);
    expect(
      namesOf((await tree.list("/top", undefined, { cursor: Buffer.from("a/").toString("base64url") })).data),
    ).toEqual(["b/", "c/"]);
  });

  test("10,000 names", async () => {
    await using tree = await openTreeHouse();
    const names = Array.from({ length: 10_000 }, (_, index) => `${index}.txt`);
    furnish(tree, "d", names);
    const pages = await walk(tree, "/m/d", 999);
    expect(pages.map((page) => page.length)).toEqual([...Array(10).fill(999), 10]);
    expect(pages.flat()).toEqual(inBytes(names));
    expect((await tree.list("/m/d")).data.items).toHaveLength(10_000);
    expect((await walk(tree, "/m/d", 999)).flat()).toEqual(inBytes(names));
  });

  test("what stayed is never lost, whatever comes and goes between pages", async () => {
    await using tree = await openTreeHouse();
    const staying = Array.from({ length: 50 }, (_, index) => `s${String(index).padStart(2, "0")}`);
    furnish(tree, "d", [...staying, "s10-goes", "s40-goes"]);
    const seen = await walk(tree, "/m/d", 5, async (page) => {
      if (page === 1) await tree.call(fs.batchRemove, { body: { paths: ["/m/d/s10-goes", "/m/d/s04-none"] } });
      if (page === 2) tree.behindOurBack("d/a-new");
      if (page === 3) await tree.put("/m/d/t-new");
      if (page === 4) rmSync(tree.onDisk("d/s40-goes"));
      if (page === 5) await tree.call(fs.rename, { body: { oldPath: "/m/d/t-new", newPath: "/m/d/u-new" } });
    });
    const names = seen.flat();
    expect(names.filter((name) => staying.includes(name))).toEqual(staying);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain("u-new");
  });

  test("a page goes on where its last name was, although that has gone meanwhile", async () => {
    await using tree = await openTreeHouse();
    furnish(tree, "d", ["a", "b", "c", "d"]);
    const pages = await walk(tree, "/m/d", 2, async (page) => {
      if (page === 1) await tree.call(fs.batchRemove, { body: { paths: ["/m/d/b"] } });
    });
    expect(pages).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
  });

  test("a page of what has gone is empty, and of what never was missing", async () => {
    await using tree = await openTreeHouse();
    furnish(tree, "d", ["a", "b"]);
    const { data } = await tree.list("/m/d", undefined, { limit: "1" });
    await tree.call(fs.batchRemove, { body: { paths: ["/m/d/"] } });
    const rest = await tree.list("/m/d", undefined, { limit: "1", cursor: data.next_cursor ?? "" });
    expect(rest).toMatchObject({ status: 200, data: { items: [], next_cursor: null } });
    expect(await tree.names("/m/d", undefined, { limit: "1" } as never)).toBe("path.missing");
  });
});
