import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { fsCopies } from "#contract/fs/copies";
import { fs as api } from "#contract/fs/fs";
import { fsUploads } from "#contract/fs/uploads";
import { acts } from "../../../../support/tree/acts.ts";
import { openTreeHouse, type TreeCalls } from "../../../../support/tree/tree-house.ts";

/** What cannot be, cannot be now or must not be: the right answer, and nothing lost. */

const rename = ({ outcome }: TreeCalls, oldPath: string, newPath: string) =>
  outcome(api.rename, { body: { oldPath, newPath } });

/** Every file with what is in it. */
async function everything({ house, text }: TreeCalls): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  const view = await house.house.vfs.as({ kind: "admin", sessionId: null }, "mount");
  for await (const { path } of view.at("/").walk()) all[path] = path.endsWith("/") ? "" : await text(path);
  return all;
}

describe("renames", () => {
  test.each([
    ["/m/a", "/m/b", "409 path.taken"],
    ["/m/a", "/m/d", "409 path.taken"],
    ["/m/d/", "/m/e/", "409 path.taken"],
    ["/m/d/", "/m/a/", "409 path.taken"],
    ["/m/a", "/m/a", "400 path.into"],
    ["/m/d/", "/m/d/", "400 path.into"],
    ["/m/d/", "/m/d/sub/d/", "400 path.into"],
    ["/m/d/", "/m/d/new/", "400 path.into"],
    ["/m/a", "/m/a/b", "400 path.into"],
    ["/m/a", "/m/b/a", "409 path.conflict"],
    ["/m/d/", "/m/b/x/y/", "409 path.conflict"],
    ["/m/a", "/m/d/", "400 path.kinds"],
    ["/m/d/", "/m/x", "400 path.kinds"],
    ["/m/a/", "/m/x/", "404 path.missing"],
    ["/m/none", "/m/x", "404 path.missing"],
    ["/m/a", "/n/a", "400 path.otherMount"],
    ["/m/d/", "/n/d/", "400 path.otherMount"],
    ["/m", "/m2", "403 path.mount"],
    ["/m/", "/n/m/", "403 path.mount"],
    ["/m/d/", "/m/", "403 path.mount"],
    ["/", "/x/", "403 path.root"],
    ["/m/d/", "/", "403 path.root"],
    ["/m/a", "/none/a", "404 mount.none"],
    ["/none/a", "/m/x", "404 mount.none"],
    ["/m/a", "/m/../a", "400 path.invalid"],
    ["/m/a", "/m/x\u0000", "400 path.invalid"],
    ["/m/a", "/m/x\\y", "400 path.invalid"],
    ["/m/a", `/m/${"x".repeat(256)}`, "400 path.invalid"],
    ["/m/a", `/m/${"字".repeat(90)}`, "400 path.invalid"],
    ["/m/a", `/m/${"x/".repeat(1000)}a`, "400 path.invalid"],
    ["/m/a", "/m/\ud800", "400 path.invalid"],
    ["m/a", "/m/x", "400 path.invalid"],
    ["", "/m/x", "400 path.invalid"],
  ])("%j to %j -> %s", async (from, to, said) => {
    await using tree = await openTreeHouse();
    await tree.second();
    await tree.put("/m/a", "/m/b", "/m/d/sub/x", "/m/e/y", "/n/z");
    const before = await everything(tree);
    expect(await rename(tree, from, to)).toBe(said);
    expect(await everything(tree)).toEqual(before);
  });

  test("of two that go to one place at once one gets there, and the other stays", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a", "/m/b", "/m/d/x", "/m/e/y");
    const files = await Promise.all([rename(tree, "/m/a", "/m/c"), rename(tree, "/m/b", "/m/c")]);
    const folders = await Promise.all([rename(tree, "/m/d/", "/m/f/"), rename(tree, "/m/e/", "/m/f/")]);
    for (const said of [files, folders]) expect(said.map((one) => one.slice(0, 3)).sort()).toEqual(["200", "409"]);
    expect(Object.values(await everything(tree)).sort()).toEqual(["/m/a", "/m/b", "/m/d/x", "/m/e/y"]);
  });

  test("of one thing to two places at once it is in one of them", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/d/x");
    const said = await Promise.all([rename(tree, "/m/d/", "/m/e/"), rename(tree, "/m/d/", "/m/f/")]);
    expect(said.sort()).toEqual(["200", "404 path.missing"]);
    expect(Object.values(await everything(tree))).toEqual(["/m/d/x"]);
  });
});

describe("deleting", () => {
  test.each([
    ["/", "path.root"],
    ["", "path.invalid"],
    ["//", "path.root"],
    ["/m", "path.mount"],
    ["/m/", "path.mount"],
    ["/m//", "path.mount"],
    ["/m/.", "path.invalid"],
    ["/m/d/..", "path.invalid"],
    ["/none", "mount.none"],
    ["/m/\u0000", "path.invalid"],
  ])("%j -> %s, and nothing goes", async (path, code) => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a", "/m/d/x");
    const { data, error } = await tree.call(api.batchRemove, { body: { paths: [path, "/m/none", "/m/a/"] } });
    expect(error ?? data.failed[0]?.error).toBe(code);
    expect(Object.keys(await everything(tree))).toEqual(["/m/a", "/m/d/x"]);
  });

  test("of one folder twice at once is no failure", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/d/x", "/m/d/y/z");
    const remove = () => tree.call(api.batchRemove, { body: { paths: ["/m/d/"] } });
    const said = await Promise.all([remove(), remove(), remove()]);
    expect(said.map(({ data }) => data)).toMatchObject(Array(3).fill({ success: 1, failed: [] }));
  });

  test("what leads out of the storage's folder is neither followed nor removed", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/d/x");
    tree.behindOurBack("outside/kept", "kept", "elsewhere");
    symlinkSync("../../elsewhere/outside", tree.onDisk("d/link"));
    expect([await tree.names("/m/d"), await tree.text("/m/d/link/kept")]).toEqual(["x", "path.invalid"]);
    for (const [name, act] of Object.entries(acts)) {
      if (["list", "search", "multipart/parts", "multipart/complete", "multipart/abort"].includes(name)) continue;
      // Counts what the database knows, and asks no storage.
      if (name === "count-shares") continue;
      const said = await act.run(tree, "/m/d/link/kept", tree.admin);
      if (name !== "batch-remove") expect([name, said]).not.toEqual([name, "ok"]);
    }
    await tree.call(api.batchRemove, { body: { paths: ["/m/d/link/", "/m/d/"] } });
    expect(tree.readOnDisk("../elsewhere/outside/kept")).toBe("kept");
  });
});

describe("updates", () => {
  test.each([
    [{ path: "/m/a", content: "x", etag: "old" }, "412 path.changed"],
    [{ path: "/m/none", content: "x", etag: "old" }, "412 path.changed"],
    [{ path: "/m/a", content: "x", isNew: true }, "409 path.taken"],
    [{ path: "/m/d", content: "x", isNew: true }, "400 path.isFolder"],
    [{ path: "/m/new", content: "x", isNew: 1 }, "400 body.invalid"],
    [{ path: "/m/d", content: "x" }, "400 path.isFolder"],
    [{ path: "/m/new/", content: "x" }, "400 path.isFolder"],
    [{ path: "/m/a/b", content: "x" }, "409 path.conflict"],
    [{ path: "/m/a/b/c", content: "x" }, "409 path.conflict"],
    [{ path: "/m/a", content: "x".repeat(10 * 1024 * 1024 + 1) }, "413 content.tooLarge"],
    [{ path: "/m/a" }, "400 body.invalid"],
    [{ path: "/m/a", content: 1 }, "400 body.invalid"],
    [{ content: "x" }, "400 body.invalid"],
    [{ path: `/m/${"x".repeat(2000)}`, content: "x" }, "400 path.invalid"],
    [{ path: "x".repeat(8001), content: "x" }, "400 body.invalid"],
  ])("%# -> %s", async (body, said) => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a", "/m/d/x");
    const before = await everything(tree);
    expect(await tree.outcome(api.update, { body: body as never })).toBe(said);
    expect(await everything(tree)).toEqual(before);
  });

  test("of two that make one file new at once, one does", async () => {
    await using tree = await openTreeHouse();
    const make = (content: string) => tree.outcome(api.update, { body: { path: "/m/a", content, isNew: true } });
    expect((await Promise.all([make("one"), make("other")])).sort()).toEqual(["200", "409 path.taken"]);
    expect(["one", "other"]).toContain(tree.readOnDisk("a"));
  });

  test("the version may come in quotes, and any as nothing", async () => {
    await using tree = await openTreeHouse();
    const etag = await tree.write("/m/a", "old");
    for (const sent of [`"${etag}"`, null, ""])
      expect(await tree.outcome(api.update, { body: { path: "/m/a", content: "new", etag: sent } })).toBe("200");
  });
});

describe("a path that is percent-encoded", () => {
  test("is decoded once", async () => {
    await using tree = await openTreeHouse();
    await tree.write("/m/%2e%2e", "dots");
    await tree.write("/m/a%252Fb", "slash");
    const get = (query: string) => tree.house.request(`/api/fs/download?path=${query}`, { headers: tree.admin });
    expect(await (await get("/m/%252e%252e")).text()).toBe("dots");
    expect(await (await get("/m/a%25252Fb")).text()).toBe("slash");
    expect((await get("/m/%2e%2e")).status).toBe(400);
    expect((await get("/m/%00")).status).toBe(400);
    expect((await get("/m/%ff%fe")).status).toBe(404);
  });
});

describe("locks", () => {
  const writing = Object.keys(acts).filter(
    (name) => acts[name]?.right !== "mount_view" && !name.startsWith("multipart/p") && name !== "count-shares",
  );
  const locked = async (path: string, deep: boolean) => {
    const tree = await openTreeHouse();
    await tree.put("/m/d/a.txt");
    tree.house.house.vfs.locks.acquire({ path, deep, holder: "somebody", shared: false, owner: "", life: 60_000 });
    return tree;
  };

  test.each(writing)("%s is refused below a locked folder until the lock has run out", async (name) => {
    await using tree = await locked("/m/d", true);
    const before = await everything(tree);
    expect(await acts[name]?.run(tree, "/m/d/a.txt", tree.admin)).toBe("path.locked");
    expect(await everything(tree)).toEqual(before);
    tree.house.clock.advance(60_000);
    expect(await acts[name]?.run(tree, "/m/d/a.txt", tree.admin)).toBe("ok");
  });

  test("hold against what would change them from above or beside", async () => {
    await using tree = await locked("/m/d/a.txt", false);
    const { data } = await tree.call(api.batchRemove, { body: { paths: ["/m/d/"] } });
    expect(data.failed).toMatchObject([{ error: "path.locked" }]);
    expect(await rename(tree, "/m/d/", "/m/e/")).toBe("423 path.locked");
    await tree.put("/m/x", "/m/d/b.txt");
    expect(await rename(tree, "/m/x", "/m/d/a.txt")).toBe("423 path.locked");
    const items = [{ sourcePath: "/m/x", targetPath: "/m/d/a.txt" }];
    const copied = await tree.call(fsCopies.batchCopy, { body: { items, skipExisting: false } });
    expect(copied.data.details).toMatchObject([{ error: "path.locked" }]);
    const over = { path: "/m/d", fileName: "a.txt", fileSize: 1 };
    expect(await tree.outcome(fsUploads.presign, { body: over })).toBe("423 path.locked");
    expect([await tree.text("/m/d/a.txt"), await tree.names("/m/d")]).toEqual(["/m/d/a.txt", "a.txt b.txt"]);
  });
});
