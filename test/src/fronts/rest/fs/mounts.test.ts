import { describe, expect, test } from "bun:test";
import { fsCopies } from "#contract/fs/copies";
import { fs as api } from "#contract/fs/fs";
import { mounts } from "#contract/mounts";
import { storage as storages } from "#contract/storage";
import { makeMount } from "../../../../support/make-mount.ts";
import { ask } from "../../../../support/share-file.ts";
import { openTreeHouse, type TreeCalls } from "../../../../support/tree/tree-house.ts";

/** Several mounts: of one storage, and within one another. */

const found = async ({ call, house }: TreeCalls, query: { q: string; scope?: "directory"; path?: string }) => {
  await house.house.vfs.search.settled();
  return (await call(api.search, { query })).data.results.map(({ path }) => path).sort();
};

/** A storage whose server takes no connection, mounted at a path. */
async function addDown({ house }: TreeCalls, mount_path: string) {
  const config = {
    ...{ name: "Down", provider_type: "Other", endpoint_url: "http://127.0.0.1:1", bucket_name: "none" },
    ...{ access_key_id: "none", secret_access_key: "none", path_style: true, is_public: true },
  };
  const { data, message } = await ask(house, storages.create, { body: config as never });
  if (!data) throw new Error(message);
  return await makeMount(house, { name: "Down", mount_path, storage_config_id: data.id });
}

describe("two mounts of one storage", () => {
  test("show the same, whichever is changed", async () => {
    await using tree = await openTreeHouse();
    await makeMount(tree.house, { name: "Twin", mount_path: "/twin" });
    await tree.put("/m/d/a");
    expect([await tree.names("/m/d"), await tree.names("/twin/d")]).toEqual(["a", "a"]);
    await tree.put("/twin/d/b");
    expect(await tree.names("/m/d")).toBe("a b");
    await tree.call(api.rename, { body: { oldPath: "/m/d/", newPath: "/m/e/" } });
    expect([await tree.names("/twin"), await tree.names("/twin/e")]).toEqual(["e/", "a b"]);
    await tree.call(api.batchRemove, { body: { paths: ["/twin/e/a"] } });
    expect(await tree.names("/m/e")).toBe("b");
    const rename = { oldPath: "/m/e/b", newPath: "/twin/e/c" };
    expect(await tree.outcome(api.rename, { body: rename })).toBe("400 path.otherMount");
  });

  test("of two that saw the same version one may write, also by the other mount", async () => {
    await using tree = await openTreeHouse();
    await makeMount(tree.house, { name: "Twin", mount_path: "/twin" });
    const etag = await tree.write("/m/a", "old");
    const write = (path: string) => tree.outcome(api.update, { body: { path, content: path, etag } });
    const said = await Promise.all([write("/m/a"), write("/twin/a"), write("/m/a")]);
    expect(said.sort()).toEqual(["200", "412 path.changed", "412 path.changed"]);
  });

  test("a name is found once, and where it can be reached", async () => {
    await using tree = await openTreeHouse();
    await tree.second({ mount_path: "/m/x" });
    await makeMount(tree.house, { name: "Twin", mount_path: "/twin" });
    tree.behindOurBack("x/hidden.txt");
    await tree.put("/m/d/plain.txt", "/m/x/inner.txt", "/twin/x/outer.txt");
    await tree.list("/twin/x", undefined, { refresh: "1" });
    expect(await found(tree, { q: "plain" })).toHaveLength(1);
    expect(await found(tree, { q: ".txt", scope: "directory", path: "/m" })).toEqual([
      "/m/d/plain.txt",
      "/m/x/inner.txt",
    ]);
    for (const path of await found(tree, { q: "er.txt" })) expect(await tree.text(path)).toEndWith("er.txt");
    expect(await found(tree, { q: "outer" })).toEqual(["/twin/x/outer.txt"]);
    expect(await found(tree, { q: "hidden.txt" })).toEqual(["/twin/x/hidden.txt"]);
  });
});

describe("a mount within another", () => {
  test("stands among its folders and hides what is called so", async () => {
    await using tree = await openTreeHouse();
    tree.behindOurBack("b/hidden.txt");
    tree.behindOurBack("a/x");
    const { mount } = await tree.second({ mount_path: "/m/b" });
    await tree.put("/m/b/shown.txt", "/m/c");
    expect([await tree.names("/m"), await tree.names("/m/b"), await tree.text("/m/b/hidden.txt")]).toEqual([
      ...["a/ b/ c", "shown.txt", "path.missing"],
    ]);
    const { data } = await tree.list("/m");
    expect(data.items.find(({ name }) => name === "b")).toMatchObject({ mount_id: mount.id, isDirectory: true });
    expect(await found(tree, { q: ".txt" })).toEqual(["/m/b/shown.txt"]);
    await ask(tree.house, mounts.remove, { params: { id: mount.id } });
    expect(await tree.names("/m/b")).toBe("hidden.txt");
  });

  test("and above folders that are not there", async () => {
    await using tree = await openTreeHouse();
    await tree.second({ mount_path: "/m/p/q/r" });
    expect([await tree.names("/m"), await tree.names("/m/p"), await tree.names("/m/p/q")]).toEqual(["p/", "q/", "r/"]);
    await tree.put("/m/p/real");
    expect(await tree.names("/m/p")).toBe("q/ real");
    expect(await tree.outcome(api.get, { query: { path: "/m/p/q" } })).toBe("200");
  });

  test.each([
    [api.batchRemove, { paths: ["/m/p/"] }, "path.mount"],
    [api.batchRemove, { paths: ["/m/p/q"] }, "path.mount"],
    [api.rename, { oldPath: "/m/p/", newPath: "/m/s/" }, "path.mount"],
    [api.rename, { oldPath: "/m/p/q/", newPath: "/m/s/" }, "path.mount"],
    [api.rename, { oldPath: "/m/d/", newPath: "/m/p/q/" }, "path.mount"],
    [api.rename, { oldPath: "/m/d/", newPath: "/m/p/q/d/" }, "path.otherMount"],
    [api.update, { path: "/m/p", content: "" }, "path.mount"],
    [api.update, { path: "/m/p/q", content: "" }, "path.mount"],
  ] as const)("nothing that holds it is changed: %#", async (endpoint, body, code) => {
    await using tree = await openTreeHouse();
    await tree.second({ mount_path: "/m/p/q" });
    await tree.put("/m/p/real", "/m/p/q/kept", "/m/d/x");
    const said = JSON.stringify(await tree.call(endpoint, { body } as never));
    expect(said).toContain(`"${code}"`);
    expect([await tree.names("/m"), await tree.names("/m/p"), await tree.names("/m/p/q")]).toEqual([
      "d/ p/",
      "q/ real",
      "kept",
    ]);
  });

  test("a folder is copied with what its mounts show, and without what they hide", async () => {
    await using tree = await openTreeHouse();
    tree.behindOurBack("p/q/hidden");
    const { storage } = await tree.second({ mount_path: "/m/p/q" });
    await tree.put("/m/p/real", "/m/p/q/inner");
    const copy = async (sourcePath: string, targetPath: string) =>
      (await tree.call(fsCopies.batchCopy, { body: { items: [{ sourcePath, targetPath }] } })).data;
    expect(await copy("/m/p/", "/m/copied/")).toMatchObject({ success: 2, failed: 0 });
    expect([await tree.names("/m/copied"), await tree.names("/m/copied/q")]).toEqual(["q/ real", "inner"]);
    await makeMount(tree.house, { name: "Other", mount_path: "/other", storage_config_id: storage.id });
    expect(await copy("/m/p/q/", "/other/into/")).toMatchObject({ failed: 1, details: [{ error: "path.into" }] });
    expect(await copy("/m/copied/", "/m/p/q/")).toMatchObject({ crossStorage: true });
    expect(await tree.names("/other")).toBe("inner");
  });
});

describe("a storage that is down", () => {
  test("is named in a folder that shows others, which are shown", async () => {
    await using tree = await openTreeHouse({ mount_path: "/down/m" });
    const down = await addDown(tree, "/down");
    await tree.put("/down/m/a");
    const { status, data } = await tree.list("/down");
    expect([status, data.items.map(({ name }) => name)]).toEqual([200, ["m"]]);
    expect(data.troubles.map(({ mount_id, name, path, error }) => ({ mount_id, name, path, error }))).toEqual([
      { mount_id: down.id, name: "Down", path: "/down/", error: "storage.unreachable" },
    ]);
    expect(data.troubles[0]?.message).not.toContain("127.0.0.1");
    expect([await tree.names("/"), await tree.names("/down/m"), await tree.text("/down/m/a")]).toEqual([
      "down/",
      "a",
      "/down/m/a",
    ]);
    for (const path of ["/down", "/down/m"]) expect(await tree.outcome(api.get, { query: { path } })).toBe("200");
  });

  test("does not hide folders that lead to others", async () => {
    await using tree = await openTreeHouse({ mount_path: "/down/p/m" });
    await addDown(tree, "/down");
    const { data } = await tree.list("/down/p");
    expect(data).toMatchObject({ items: [{ name: "m" }], troubles: [{ error: "storage.unreachable" }] });
    expect(await tree.outcome(api.get, { query: { path: "/down/p" } })).toBe("200");
  });

  test("says so where it stands alone, and nothing is taken for missing", async () => {
    await using tree = await openTreeHouse();
    await addDown(tree, "/down");
    expect(await tree.outcome(api.list, { query: { path: "/down/folder" } })).toBe("502 storage.unreachable");
    const removed = await tree.call(api.batchRemove, { body: { paths: ["/down/a", "/m/none"] } });
    expect(removed.data).toMatchObject({ success: 1, failed: [{ path: "/down/a", error: "storage.unreachable" }] });
    expect(await tree.outcome(api.search, { query: { q: "any" } })).toBe("200");
  });
});
