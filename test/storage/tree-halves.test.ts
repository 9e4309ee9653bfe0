import { describe, expect, test } from "bun:test";
import { fsCopies } from "#contract/fs/copies";
import { fs as api } from "#contract/fs/fs";
import { responseOf } from "../../src/lib/open-file.ts";
import { s3Error } from "../support/proxies/faulty-proxy.ts";
import { openS3Tree, type S3Tree } from "../support/tree/on-s3.ts";

/** What breaks in the middle on a storage that only knows keys: all is as it was, or it is told what is not. */

const refused = s3Error("403 Forbidden", "AccessDenied");

/** Keys with what is in them. */
async function objects({ s3 }: S3Tree): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const key of await s3.keys()) {
    const found = await s3.store.get(key);
    all[key] = found ? await responseOf(found.body).text() : "";
  }
  return all;
}

const rename = ({ outcome }: S3Tree, oldPath: string, newPath: string) =>
  outcome(api.rename, { body: { oldPath, newPath } });

describe("a rename that breaks off", () => {
  test("while it copies leaves all as it was, and can be done again", async () => {
    await using tree = await openS3Tree();
    await tree.put(...["1", "2", "3", "sub/4", "sub/5"].map((name) => `/s/d/${name}`));
    const share = (await tree.call(api.createShare, { body: { path: "/s/d/1" } })).data;
    const before = await objects(tree);
    tree.proxy.inject({ on: /^PUT \S*\/e\/sub\/4/, times: 1, answer: refused });
    expect(await rename(tree, "/s/d/", "/s/e/")).toBe("502 storage.refused");
    expect(await objects(tree)).toEqual(before);
    expect([await tree.names("/s"), await tree.names("/s/d")]).toEqual(["d/", "sub/ 1 2 3"]);
    expect((await tree.house.request(`/api/file-download/${share.slug}`)).status).toBeLessThan(400);
    expect(await rename(tree, "/s/d/", "/s/e/")).toBe("200");
    expect([await tree.names("/s"), await tree.names("/s/e"), await tree.text("/s/e/sub/4")]).toEqual([
      ...["e/", "sub/ 1 2 3", "/s/d/sub/4"],
    ]);
  });

  test("of a file leaves it where it was", async () => {
    await using tree = await openS3Tree();
    await tree.put("/s/a");
    tree.proxy.inject({ on: /^PUT \S*\/b/, times: 1, answer: refused });
    expect(await rename(tree, "/s/a", "/s/b")).toBe("502 storage.refused");
    expect(await objects(tree)).toEqual({ a: "/s/a" });
  });

  test("while it removes what it has copied loses nothing", async () => {
    await using tree = await openS3Tree();
    await tree.put("/s/d/1", "/s/d/2");
    tree.proxy.inject({ on: /^POST \S*\?delete/, answer: refused });
    tree.proxy.inject({ on: /^DELETE /, answer: refused });
    expect(await rename(tree, "/s/d/", "/s/e/")).toBe("502 storage.refused");
    const all = Object.values(await objects(tree));
    expect([all.includes("/s/d/1"), all.includes("/s/d/2")]).toEqual([true, true]);
    expect((await tree.names("/s", undefined, { refresh: "1" })).includes("d/")).toBe(true);
  });

  test("of two to one place at once one gets there, and the other stays", async () => {
    await using tree = await openS3Tree();
    await tree.put("/s/a", "/s/b");
    const said = await Promise.all([rename(tree, "/s/a", "/s/c"), rename(tree, "/s/b", "/s/c")]);
    expect(said.map((one) => one.slice(0, 3)).sort()).toEqual(["200", "409"]);
    expect(Object.values(await objects(tree)).sort()).toEqual(["/s/a", "/s/b"]);
  });
});

describe("what breaks off", () => {
  test("a copy tells which file could not be", async () => {
    await using tree = await openS3Tree();
    await tree.put("/s/d/1", "/s/d/2", "/s/d/sub/3");
    tree.proxy.inject({ on: /^PUT \S*\/e\/2/, times: 1, answer: refused });
    const copy = () =>
      tree.call(fsCopies.batchCopy, { body: { items: [{ sourcePath: "/s/d/", targetPath: "/s/e/" }] } });
    const { data } = await copy();
    expect(data).toMatchObject({ success: 2, skipped: 0, failed: 1 });
    expect(data.details).toMatchObject([{ path: "/s/d/2", status: "failed", error: "storage.refused" }]);
    expect([await tree.names("/s/e"), await tree.names("/s/e/sub")]).toEqual(["sub/ 1", "3"]);
    expect((await copy()).data).toMatchObject({ success: 1, skipped: 2, failed: 0 });
  });

  test("a write leaves what was there", async () => {
    await using tree = await openS3Tree();
    await tree.write("/s/a", "old");
    tree.proxy.inject({ on: /^PUT \S*\/a/, answer: refused });
    expect(await tree.outcome(api.update, { body: { path: "/s/a", content: "new" } })).toBe("502 storage.refused");
    expect(await objects(tree)).toEqual({ a: "old" });
  });

  test("a removal tells what is left", async () => {
    await using tree = await openS3Tree();
    await tree.put("/s/d/1", "/s/a");
    tree.proxy.inject({ on: /^(POST \S*\?delete|DELETE )/, times: 1, answer: refused });
    const remove = () => tree.call(api.batchRemove, { body: { paths: ["/s/d/", "/s/a"], forever: true } });
    expect((await remove()).data).toMatchObject({ success: 1, failed: [{ path: "/s/d/", error: "storage.refused" }] });
    expect(await tree.names("/s")).toBe("d/");
    expect((await remove()).data).toMatchObject({ success: 2, failed: [] });
    expect(await objects(tree)).toEqual({});
  });

  test("a list says so, and what stands in the folder besides is shown", async () => {
    await using tree = await openS3Tree({ mount_path: "/drive/s", cache_ttl: 0 });
    await tree.put("/drive/s/a", "/drive/b");
    expect(await tree.names("/drive")).toBe("s/ b");
    tree.proxy.inject({ on: /^GET /, answer: refused });
    expect(await tree.names("/drive/s")).toBe("storage.refused");
    expect([await tree.names("/drive"), await tree.text("/drive/b")]).toEqual(["s/ b", "/drive/b"]);
  });
});
