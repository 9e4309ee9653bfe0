import { expect, test } from "bun:test";
import type { ObjectStore, TreeVerbs } from "../../src/stores/store.ts";
import type { OpenStore } from "./store.ts";
import { putText, REFUSED, refusal, textAt, whole } from "./store-bodies.ts";

const keysOf = async (store: ObjectStore): Promise<string[]> =>
  (await store.list({ prefix: "", limit: 1000 })).objects.map(({ key }) => key);

function treeOf({ tree }: ObjectStore): TreeVerbs {
  if (!tree) throw new Error("This store has no tree.");
  return tree;
}

/** Folders moved and removed at once, of a store that can. */
export function treeTests(open: OpenStore): void {
  test.each([
    ["a file", "a.txt", "b.txt"],
    ["a file into folders that are not there yet", "a.txt", "deep/er/b.txt"],
    ["a file out of its folder", "deep/a.txt", "a.txt"],
    ["a file with an odd name", "100% #?+ e\u0301 é 😀", "文件/%2F ' \"'"],
    ["a file beside one whose name begins alike", "a", "a.txt"],
  ])("%s is moved with its type and its ETag", async (_, from, to) => {
    await using opened = await open();
    const { store } = opened;
    const before = await store.put(from, whole("x"), { type: "image/png", length: 1 });
    const beside = await putText(store, `${from}0`, "y");
    expect(await treeOf(store).move(from, to)).toBe(true);
    expect(await store.head(from)).toBeUndefined();
    expect(await store.head(to)).toEqual({ ...before, key: to });
    expect(await textAt(store, to)).toBe("x");
    expect(await store.head(`${from}0`)).toEqual(beside);
  });

  test("what is not confirmed is neither moved nor removed", async () => {
    await using opened = await open();
    const { store } = opened;
    const before = await putText(store, "folder/a", "x");
    await expect(treeOf(store).move("folder/", "deep/er/", { beforeCommit: refusal })).rejects.toBe(REFUSED);
    await expect(treeOf(store).move("folder/a", "b", { beforeCommit: refusal })).rejects.toBe(REFUSED);
    await expect(treeOf(store).remove("folder/", refusal)).rejects.toBe(REFUSED);
    expect((await store.list({ prefix: "", delimiter: "/", limit: 10 })).folders).toEqual(["folder/"]);
    expect(await store.head("folder/a")).toEqual(before);
  });

  test.each([
    ["beside", "folder/", "other/"],
    ["deeper", "folder/", "deep/er/folder/"],
    ["up", "deep/folder/", "up/"],
    ["to a name that begins alike", "folder/", "folder 2/"],
    ["from odd name to odd name", "文%件/", "e\u0301_é😀/\u{ff5e}/"],
  ])("a folder is moved %s with all below it", async (_, from, to) => {
    await using opened = await open();
    const { store } = opened;
    const names = ["a", "b/c", "b/d/😀", "b0", "\uff5e%_"];
    const heads = [];
    for (const name of names) heads.push(await store.put(from + name, whole(name), { type: "image/png" }));
    await store.put(`${from}empty/`, whole(""), { type: "application/x-directory" });
    const beside = await putText(store, `${from.slice(0, -1)}0`, "y");
    expect(await treeOf(store).move(from, to)).toBe(true);
    const expected = [...[...names, "empty/"].map((name) => to + name), beside.key];
    expect((await keysOf(store)).sort()).toEqual(expected.sort());
    for (const head of heads) {
      const key = to + head.key.slice(from.length);
      expect(await store.head(key)).toEqual({ ...head, key });
    }
    expect(await store.head(beside.key)).toEqual(beside);
  });

  test.each([
    ["a file", "from", "there", "there"],
    ["a file onto a folder", "from", "there", "there/below"],
    ["a file onto itself", "from", "from", "other"],
    ["a file below a file", "from", "there/from", "there"],
    ["a file below itself", "from", "from/below", "other"],
    ["a folder", "folder/", "there/", "there/below"],
    ["a folder onto an empty one", "folder/", "there/", "there/"],
    ["a folder onto a file", "folder/", "there/", "there"],
    ["a folder below a file", "folder/", "there/folder/", "there"],
  ])("%s is never moved in place of something", async (_, from, to, there) => {
    await using opened = await open();
    const { store } = opened;
    for (const key of ["from", "folder/file"]) await putText(store, key, key);
    await store.put(there, whole(""), { type: "text/plain", length: 0 });
    const before = await keysOf(store);
    await expect(treeOf(store).move(from, to)).rejects.toMatchObject({ code: "path.conflict" });
    expect(await keysOf(store)).toEqual(before);
    expect(await textAt(store, "from")).toBe("from");
    expect(await store.head("from")).toMatchObject({ type: "text/plain" });
  });

  test.each([
    ["a folder into itself", "folder/", "folder/"],
    ["a folder below itself", "folder/", "folder/sub/"],
    ["a folder far below itself", "folder/", "folder/su/b/"],
    ["a file to a folder's key", "from", "to/"],
    ["a folder to a file's key", "folder/", "to"],
    ["the root", "", "to"],
    ["a slash", "/", "to/"],
    ["to nothing", "from", ""],
    ["to a slash", "folder/", "/"],
    ["a way out", "folder/", "../to/"],
    ["from outside", "folder/../../x", "to"],
  ])("%s is no move", async (_, from, to) => {
    await using opened = await open();
    const { store } = opened;
    for (const key of ["from", "folder/file"]) await putText(store, key, key);
    await expect(treeOf(store).move(from, to)).rejects.toMatchObject({ code: "path.invalid" });
    expect(await keysOf(store)).toEqual(["folder/file", "from"]);
  });

  test("a folder is not moved to where a key below it would be too long, and nothing is left of the try", async () => {
    await using opened = await open();
    const { store } = opened;
    const deep = Array.from({ length: 4 }, () => "x".repeat(200)).join("/");
    await putText(store, `f/${deep}/y`, "x");
    const to = `${"z".repeat(255)}/`;
    await expect(treeOf(store).move("f/", to)).rejects.toMatchObject({ code: "path.invalid" });
    expect(await keysOf(store)).toEqual([`f/${deep}/y`]);
    const fits = `${"z".repeat(1024 - deep.length - 3 - 1 - 100)}/`;
    expect(await treeOf(store).move("f/", fits)).toBe(true);
    expect(await keysOf(store)).toEqual([`${fits}${deep}/y`]);
  });

  test("what is not there is not moved, and makes no folders", async () => {
    await using opened = await open();
    const { store } = opened;
    await putText(store, "file", "x");
    for (const [from, to] of [
      ["nothing", "deep/to"],
      ["nothing/", "deep/to/"],
      ["file/", "deep/to/"],
      ["file/below", "deep/to"],
    ] as const)
      expect(await treeOf(store).move(from, to)).toBe(false);
    expect(await keysOf(store)).toEqual(["file"]);
    expect(await store.head("deep/")).toBeUndefined();
  });

  test("of two moves to one place one is made", async () => {
    await using opened = await open();
    const { store } = opened;
    for (const key of ["a/file", "b/file"]) await putText(store, key, key);
    const moves = ["a/", "b/"].map((from) => treeOf(store).move(from, "to/"));
    const outcomes = await Promise.allSettled(moves);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const left = outcomes[0]?.status === "fulfilled" ? "b/file" : "a/file";
    expect(await keysOf(store)).toEqual([left, "to/file"]);
  });

  test("a file that is put while its folder is moved keeps its type, here or there", async () => {
    await using opened = await open();
    const { store } = opened;
    for (let index = 0; index < 20; index++) await putText(store, `from/${index}`, "x");
    const puts = Array.from({ length: 20 }, (_, index) =>
      store.put(`from/late ${index}`, whole("late"), { type: "image/png", length: 4 }),
    );
    const [, ...heads] = await Promise.all([treeOf(store).move("from/", "to/"), ...puts]);
    for (const { key, etag } of heads) {
      const found = (await store.head(key)) ?? (await store.head(key.replace("from/", "to/")));
      expect(found).toMatchObject({ type: "image/png", etag });
    }
  });

  test("an upload in parts below a moved folder ends where it was begun", async () => {
    await using opened = await open();
    const { store } = opened;
    await putText(store, "from/a", "x");
    const name = { key: "from/big", upload: await store.createMultipart("from/big", { type: "image/png" }) };
    const part = await store.putPart(name, 1, whole("part"), { length: 4 });
    await treeOf(store).move("from/", "to/");
    await store.completeMultipart(name, [part]);
    expect(await keysOf(store)).toEqual(["from/big", "to/a"]);
  });

  test("a folder is removed with all below it and nothing beside it", async () => {
    await using opened = await open();
    const { store } = opened;
    const keys = ["f/a", "f/b/c", "f/b/d/e", "f/b/empty/", "f0", "f.txt", "g/f/a"];
    for (const key of keys) await store.put(key, whole(""), { type: "image/png", length: 0 });
    const kept = await store.head("f0");
    await treeOf(store).remove("f/");
    expect(await keysOf(store)).toEqual(["f.txt", "f0", "g/f/a"]);
    expect(await store.head("f0")).toEqual(kept);
    await treeOf(store).remove("f/");
    await treeOf(store).remove("nothing/at/all/");
    await treeOf(store).remove("f0/");
    expect(await keysOf(store)).toEqual(["f.txt", "f0", "g/f/a"]);
  });

  test.each(["", "/", "f", "../", "f/../", "f//"])("%p is no folder to remove", async (key) => {
    await using opened = await open();
    const { store } = opened;
    await putText(store, "f/a", "x");
    await expect(treeOf(store).remove(key)).rejects.toMatchObject({ code: "path.invalid" });
    expect(await keysOf(store)).toEqual(["f/a"]);
  });

  test("what is put into a folder that was removed is there, and knows nothing of the old", async () => {
    await using opened = await open();
    const { store } = opened;
    const before = await store.put("f/a", whole("x"), { type: "image/png", length: 1 });
    await treeOf(store).remove("f/");
    const after = await putText(store, "f/a", "x");
    expect(after.etag).not.toBe(before.etag);
    expect(await store.head("f/a")).toMatchObject({ type: "text/plain", etag: after.etag });
  });
}
