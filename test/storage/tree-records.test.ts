import { describe, expect, test } from "bun:test";
import { files } from "#contract/files";
import { fs as api } from "#contract/fs/fs";
import { fsUploads } from "#contract/fs/uploads";
import { storage } from "#contract/storage";
import { sql } from "../../src/database/sql.ts";
import { ask, presign, put } from "../support/share-file.ts";
import { addStorage, putAt, share } from "../support/stores/s3-house.ts";
import { openS3Tree, type S3Tree } from "../support/tree/on-s3.ts";

/** Records of shares and of uploads into the tree, on a storage elsewhere whose addresses nobody can take back. */

/** Lets the addresses of all uploads run out; the clock itself must stay with that of the storage. */
const runOut = async ({ house }: S3Tree): Promise<void> => {
  await house.db.run(sql`update uploads set addressed_until = 1`);
  await house.house.system.sweeper.sweep();
};

const NOTE = "/s/shares/x.pdf";

/** A shared file at NOTE. */
const shared = (tree: S3Tree) => share(tree, { filename: "x.pdf", content: "share" });
const unshare = (tree: S3Tree, id: string) => ask(tree.house, files.remove, { body: { ids: [id] } });

describe("a share that was deleted while its address holds", () => {
  test.each(["update", "rename", "address"])("never takes what came to its key by %s", async (way) => {
    await using tree = await openS3Tree();
    const { id } = await shared(tree);
    await tree.write("/s/other", "the tree's");
    await unshare(tree, id);
    if (way === "update") await tree.write(NOTE, "the tree's");
    if (way === "rename")
      expect(await tree.outcome(api.rename, { body: { oldPath: "/s/other", newPath: NOTE } })).toBe("200");
    if (way === "address") {
      const body = { path: "/s/shares", fileName: "x.pdf", fileSize: 10, contentType: "text/plain" };
      const { data } = await tree.call(fsUploads.presign, { body });
      await putAt(data.presignedUrl, "the tree's", data.contentType);
      expect(await tree.outcome(fsUploads.commit, { body: { targetPath: NOTE, fileId: data.fileId } })).toBe("200");
    }
    await runOut(tree);
    expect(await tree.text(NOTE)).toBe("the tree's");
    expect(await tree.house.db.all(sql`select id from uploads`)).toEqual([]);
  });

  test("while somebody uploads over it: the upload that comes later stays", async () => {
    await using tree = await openS3Tree();
    const { id } = await shared(tree);
    const body = { path: "/s/shares", fileName: "x.pdf", fileSize: 10, contentType: "text/plain" };
    const { data } = await tree.call(fsUploads.presign, { body });
    await unshare(tree, id);
    await putAt(data.presignedUrl, "the tree's", data.contentType);
    expect(await tree.outcome(fsUploads.commit, { body: { targetPath: NOTE, fileId: data.fileId } })).toBe("200");
    await runOut(tree);
    expect(await tree.text(NOTE)).toBe("the tree's");
  });
});

test("a share of another storage on the same bucket follows what the tree does, and takes nothing of it", async () => {
  await using tree = await openS3Tree();
  const twin = await addStorage(tree.house, tree.s3, { name: "Twin", endpoint_url: tree.proxy.endpoint });
  const { id, slug } = await share(tree, {
    filename: "x.pdf",
    content: "share",
    s3_config_id: twin.id,
    use_proxy: true,
  });
  const shown = async () => await (await tree.house.request(`/api/file-view/${slug}`)).text();
  expect(await tree.outcome(api.rename, { body: { oldPath: NOTE, newPath: "/s/moved" } })).toBe("200");
  expect(await shown()).toBe("share");
  await tree.write("/s/moved", "the tree's");
  expect(await shown()).toBe("the tree's");
  await unshare(tree, id);
  await runOut(tree);
  expect(await tree.text("/s/moved")).toBe("the tree's");
});

test("a key that waits for a share of another storage on the same bucket is left alone", async () => {
  await using tree = await openS3Tree();
  const twin = await addStorage(tree.house, tree.s3, { name: "Twin", endpoint_url: tree.proxy.endpoint });
  const { data } = await presign(tree.house, { filename: "x.pdf", s3_config_id: twin.id });
  expect(data.storage_path).toBe("shares/x.pdf");
  const write = { path: NOTE, content: "the tree's" };
  expect(await tree.outcome(api.update, { body: write })).toBe("409 path.reserved");
});

describe("an upload into the tree", () => {
  test("whose size nobody said passes through this server, which holds it to the room there is", async () => {
    await using tree = await openS3Tree();
    const limit = { params: { id: tree.storage.id }, body: { total_storage_bytes: 1000 } };
    await ask(tree.house, storage.update, limit);
    await tree.write("/s/big", "kept");
    const { data } = await tree.call(fsUploads.presign, { body: { path: "/s", fileName: "big" } });
    expect([data.presignedUrl, new URL(data.presignedUrl).origin]).toEqual([data.relayUrl, "http://satchel.test"]);
    expect((await put(tree.house, data.presignedUrl, "x".repeat(50_000), data.contentType)).status).toBe(507);
    expect(await tree.text("/s/big")).toBe("kept");
    expect((await put(tree.house, data.presignedUrl, "x".repeat(900), data.contentType)).status).toBe(200);
    expect(await tree.outcome(fsUploads.commit, { body: { targetPath: "/s/big", fileId: data.fileId } })).toBe("200");
  });

  test("of the bytes that are there already ends all the same", async () => {
    await using tree = await openS3Tree();
    await tree.write("/s/a", "hello");
    const body = { path: "/s", fileName: "a", fileSize: 5, contentType: "text/plain" };
    const { data } = await tree.call(fsUploads.presign, { body });
    const sent = await putAt(data.presignedUrl, "hello");
    const etag = sent.headers.get("etag");
    const claim = { targetPath: "/s/a", fileId: data.fileId, etag };
    expect(await tree.outcome(fsUploads.commit, { body: claim })).toBe("200");
  });

  test("in parts ends although its answer was lost when the storage had it whole", async () => {
    await using tree = await openS3Tree();
    await tree.write("/s/a", "old 5");
    const { data } = await tree.call(fsUploads.begin, { body: { path: "/s", fileName: "a", fileSize: 5 } });
    const sent = await putAt(data.presignedUrls[0]?.url ?? "", "hello", "application/octet-stream");
    const parts = [{ partNumber: 1, etag: sent.headers.get("etag") ?? "" }];
    const claimed = parts.map(({ partNumber, etag }) => ({ number: partNumber, etag: etag.replaceAll('"', "") }));
    await tree.s3.store.completeMultipart({ key: "a", upload: data.uploadId }, claimed);
    const body = { path: "/s", fileName: "a", uploadId: data.uploadId, parts };
    for (const _ of ["once", "again"]) expect(await tree.outcome(fsUploads.complete, { body })).toBe("200");
    expect([await tree.text("/s/a"), await tree.house.db.all(sql`select id from uploads`)]).toEqual(["hello", []]);
  });
});
