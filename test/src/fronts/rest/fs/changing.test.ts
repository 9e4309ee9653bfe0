import { describe, expect, test } from "bun:test";
import { renameSync, rmSync } from "node:fs";
import { fsCopies } from "#contract/fs/copies";
import { fs as api } from "#contract/fs/fs";
import { fsUploads } from "#contract/fs/uploads";
import { put } from "../../../../support/share-file.ts";
import { openTreeHouse, type TreeCalls } from "../../../../support/tree/tree-house.ts";

/** Lists, sizes and searches are right whichever way something changed. */

const TTL = 300;
const later = ({ house }: TreeCalls) => house.clock.advance(TTL * 1000);

const found = async ({ call, house }: TreeCalls, q: string): Promise<string[]> => {
  await house.house.vfs.search.settled();
  return (await call(api.search, { query: { q } })).data.results.map(({ path }) => path).sort();
};

/** Folders in a folder with all that lies in them. */
const sizes = async ({ list, house }: TreeCalls, path: string): Promise<Record<string, number | undefined>> => {
  await house.house.vfs.search.settled();
  const folders = (await list(path)).data.items.filter(({ isDirectory }) => isDirectory);
  return Object.fromEntries(folders.map(({ name, size }) => [name, size]));
};

describe("another process writes into the folder of objects", () => {
  const changes: readonly (readonly [string, (tree: TreeCalls) => void, string])[] = [
    ["a new file", (tree) => tree.behindOurBack("d/new"), "a new"],
    ["a new folder", (tree) => tree.behindOurBack("d/folder/x"), "folder/ a"],
    ["a file that goes", ({ onDisk }) => rmSync(onDisk("d/a")), ""],
    ["a file that is called otherwise", ({ onDisk }) => renameSync(onDisk("d/a"), onDisk("d/b")), "b"],
    ["a folder that goes", ({ onDisk }) => rmSync(onDisk("d"), { recursive: true }), "path.missing"],
  ];
  test.each(changes)("%s is shown when the list is too old", async (_, change, wanted) => {
    await using tree = await openTreeHouse({ cache_ttl: TTL });
    await tree.put("/m/d/a");
    expect(await tree.names("/m/d")).toBe("a");
    change(tree);
    expect(await tree.names("/m/d")).toBe("a");
    later(tree);
    expect(await tree.names("/m/d")).toBe(wanted);
  });

  test.each(changes)(
    "%s is shown at once to whoever asks for it, and from then on to all",
    async (_, change, wanted) => {
      await using tree = await openTreeHouse({ cache_ttl: TTL });
      await tree.put("/m/d/a");
      await tree.names("/m/d");
      change(tree);
      expect(await tree.names("/m/d", undefined, { refresh: "1" })).toBe(wanted);
      expect(await tree.names("/m/d")).toBe(wanted);
    },
  );

  test("pages that were asked for anew go on with what is there now", async () => {
    await using tree = await openTreeHouse({ cache_ttl: TTL });
    await tree.put("/m/d/a", "/m/d/c");
    await tree.names("/m/d");
    tree.behindOurBack("d/b");
    const { data } = await tree.list("/m/d", undefined, { limit: "1", refresh: "1" });
    expect(await tree.names("/m/d", undefined, { limit: "5", cursor: data.next_cursor ?? "" })).toBe("b c");
  });

  test.each(changes)("%s is shown at once where lists are not kept", async (_, change, wanted) => {
    await using tree = await openTreeHouse({ cache_ttl: 0 });
    await tree.put("/m/d/a");
    await tree.names("/m/d");
    change(tree);
    expect(await tree.names("/m/d")).toBe(wanted);
  });

  test("what is seen in a list is found, counted and forgotten in the index too", async () => {
    await using tree = await openTreeHouse({ cache_ttl: 0 });
    tree.behindOurBack("d/sub/note.txt", "12345");
    for (const path of ["/m", "/m/d", "/m/d/sub"]) await tree.list(path);
    expect(await found(tree, "note")).toEqual(["/m/d/sub/note.txt"]);
    expect(await sizes(tree, "/m")).toEqual({ d: 5 });
    tree.behindOurBack("d/sub/note.txt", "1234567");
    await tree.list("/m/d/sub");
    expect(await sizes(tree, "/m")).toEqual({ d: 7 });
    rmSync(tree.onDisk("d/sub"), { recursive: true });
    expect(await found(tree, "note")).toEqual([]);
    await tree.list("/m/d");
    expect(await sizes(tree, "/m")).toEqual({ d: 0 });
  });

  test("a file that another process replaced has another version", async () => {
    await using tree = await openTreeHouse();
    const etag = await tree.write("/m/a", "one");
    tree.behindOurBack("a", "two");
    const body = { path: "/m/a", content: "three", etag };
    expect(await tree.outcome(api.update, { body })).toBe("412 path.changed");
    expect([await tree.text("/m/a"), tree.readOnDisk("a")]).toEqual(["two", "two"]);
  });
});

describe("every call that changes something", () => {
  const steps: readonly (readonly [string, (tree: TreeCalls) => Promise<unknown>, string, number])[] = [
    ["update", (tree) => tree.write("/m/d/b", "12"), "a b", 7],
    ["update of what is there", (tree) => tree.write("/m/d/a", "1234567"), "a", 7],
    ["mkdir", ({ call }) => call(api.mkdir, { body: { path: "/m/d/e" } }), "e/ a", 5],
    ["rename", ({ call }) => call(api.rename, { body: { oldPath: "/m/d/a", newPath: "/m/d/b" } }), "b", 5],
    ["rename to elsewhere", ({ call }) => call(api.rename, { body: { oldPath: "/m/d/a", newPath: "/m/b" } }), "", 0],
    [
      "rename of a folder",
      ({ call }) => call(api.rename, { body: { oldPath: "/m/d/", newPath: "/m/e/" } }),
      "path.missing",
      -1,
    ],
    ["rename to here", ({ call }) => call(api.rename, { body: { oldPath: "/m/x/", newPath: "/m/d/x/" } }), "x/ a", 8],
    ["remove", ({ call }) => call(api.batchRemove, { body: { paths: ["/m/d/a"] } }), "", 0],
    ["remove of the folder", ({ call }) => call(api.batchRemove, { body: { paths: ["/m/d/"] } }), "path.missing", -1],
    [
      "copy",
      ({ call }) => call(fsCopies.batchCopy, { body: { items: [{ sourcePath: "/m/x/", targetPath: "/m/d/y/" }] } }),
      ...(["y/ a", 8] as const),
    ],
    [
      "upload",
      async ({ call, house }) => {
        const { data } = await call(fsUploads.presign, { body: { path: "/m/d", fileName: "b", fileSize: 3 } });
        await put(house, data.presignedUrl, "123", data.contentType);
        await call(fsUploads.commit, { body: { targetPath: "/m/d/b", fileId: data.fileId } });
      },
      ...(["a b", 8] as const),
    ],
  ];
  test.each(steps)(
    "%s is seen at once, in lists that are kept, in pages, in sizes and by searches",
    async (_, step, names, size) => {
      await using tree = await openTreeHouse({ cache_ttl: TTL });
      await tree.write("/m/d/a", "12345");
      await tree.write("/m/x/needle", "123");
      for (const path of ["/m", "/m/d", "/m/x"]) await tree.list(path);
      await step(tree);
      expect(await tree.names("/m/d")).toBe(names);
      expect(await tree.names("/m/d", undefined, { limit: "50" })).toBe(names.split(" ").sort().join(" "));
      expect(await tree.names("/m/d", undefined, { refresh: "1" })).toBe(names);
      expect((await sizes(tree, "/m")).d ?? -1).toBe(size);
      for (const path of await found(tree, "needle")) expect(await tree.text(path)).toBe("123");
    },
  );
});
