import { describe, expect, test } from "bun:test";
import { fsCopies } from "#contract/fs/copies";
import { fs as api } from "#contract/fs/fs";
import { fsUploads } from "#contract/fs/uploads";
import { putAt } from "../support/stores/s3-house.ts";
import { openS3Tree } from "../support/tree/on-s3.ts";

/** The tree's calls on a storage elsewhere, where bytes take the storage's own addresses. */

const MiB = 1024 * 1024;

describe("uploads", () => {
  test("of one piece, over what is there", async () => {
    await using tree = await openS3Tree();
    await tree.write("/s/d/a.txt", "old ones");
    const body = { path: "/s/d/", fileName: "a.txt", fileSize: 5, contentType: "text/plain" };
    const { data } = await tree.call(fsUploads.presign, { body });
    const target = { targetPath: data.targetPath, fileId: data.fileId };
    expect(await tree.outcome(fsUploads.commit, { body: target })).toBe("409 upload.incomplete");
    expect(await tree.text("/s/d/a.txt")).toBe("old ones");
    const sent = await putAt(data.presignedUrl, "newer", data.contentType);
    const etag = sent.headers.get("etag");
    expect(await tree.outcome(fsUploads.commit, { body: { ...target, etag: '"other"' } })).toBe("409 upload.etag");
    expect((await tree.call(fsUploads.commit, { body: { ...target, etag } })).data).toMatchObject({ fileSize: 5 });
    expect(await tree.text("/s/d/a.txt")).toBe("newer");
  });

  test("in parts, whichever way the client names the file that it overwrites", async () => {
    await using tree = await openS3Tree();
    await tree.write("/s/a.bin", "old");
    for (const path of ["/s/", "/s", "/s/a.bin"]) {
      const { data } = await tree.call(fsUploads.begin, { body: { path: "/s", fileName: "a.bin", fileSize: 6 * MiB } });
      const bytes = new Uint8Array(6 * MiB).fill(path.length);
      const parts = [];
      for (const { partNumber, url } of data.presignedUrls) {
        const piece = bytes.slice((partNumber - 1) * 5 * MiB, partNumber * 5 * MiB);
        const sent = await putAt(url, piece, "application/octet-stream");
        parts.push({ partNumber, etag: sent.headers.get("etag") ?? "" });
      }
      const body = { path, uploadId: data.uploadId, parts, fileName: "a.bin", fileSize: 6 * MiB };
      expect([path, await tree.outcome(fsUploads.complete, { body })]).toEqual([path, "200"]);
      expect((await tree.call(api.get, { query: { path: "/s/a.bin" } })).data.size).toBe(6 * MiB);
    }
    expect(await tree.s3.unfinished()).toEqual([]);
  });

  test("that are given up leave nothing, and what was there stays", async () => {
    await using tree = await openS3Tree();
    await tree.write("/s/a.bin", "old");
    const { data } = await tree.call(fsUploads.begin, { body: { path: "/s", fileName: "a.bin", fileSize: 5 * MiB } });
    await putAt(data.presignedUrls[0]?.url ?? "", new Uint8Array(5 * MiB), "application/octet-stream");
    const body = { path: "/s/a.bin", uploadId: data.uploadId, fileName: "a.bin" };
    expect(await tree.outcome(fsUploads.abort, { body })).toBe("200");
    expect([await tree.s3.unfinished(), await tree.s3.keys(), await tree.text("/s/a.bin")]).toEqual([
      [],
      ["a.bin"],
      "old",
    ]);
  });
});

describe("copies", () => {
  for (const [from, to] of [
    ["/drive", "/s"],
    ["/s", "/drive"],
  ] as const)
    test(`${from} to ${to}: by whoever asks, and committed`, async () => {
      await using tree = await openS3Tree();
      await tree.put(`${from}/d/1`, `${from}/d/sub/2 b%.txt`);
      await tree.call(api.mkdir, { body: { path: `${from}/d/hollow` } });
      const items = [{ sourcePath: `${from}/d/`, targetPath: `${to}/e/` }];
      const { data } = await tree.call(fsCopies.batchCopy, { body: { items } });
      const [item] = data.crossStorageResults ?? [];
      const files = [];
      for (const { relativeDir, fileName, downloadUrl, uploadUrl, contentType } of item?.items ?? []) {
        const own = (url: string) => (url.startsWith("http://satchel.test") ? tree.house.request : fetch)(url);
        const bytes = new Uint8Array(await (await own(downloadUrl)).arrayBuffer());
        const init = {
          method: "PUT",
          body: bytes,
          headers: { "content-type": contentType, "content-length": String(bytes.length) },
        };
        const send = uploadUrl.startsWith("http://satchel.test")
          ? tree.house.request(uploadUrl, init)
          : fetch(uploadUrl, init);
        expect((await send).status).toBe(200);
        files.push({ targetPath: [`${to}/e`, relativeDir, fileName].filter((part) => part !== "").join("/") });
      }
      const body = { targetMountId: item?.targetMount ?? "", files };
      expect((await tree.call(fsCopies.batchCopyCommit, { body })).data).toMatchObject({ failed: [] });
      expect([await tree.names(`${to}/e`), await tree.text(`${to}/e/sub/2 b%.txt`)]).toEqual([
        ...["hollow/ sub/ 1", `${from}/d/sub/2 b%.txt`],
      ]);
    });
});

describe("a storage without folders", () => {
  test("files do not lie below files, however deep", async () => {
    await using tree = await openS3Tree();
    await tree.put("/s/a");
    for (const path of ["/s/a/b", "/s/a/b/c"]) {
      expect(await tree.outcome(api.update, { body: { path, content: "" } })).toBe("409 path.conflict");
      expect(await tree.outcome(api.mkdir, { body: { path } })).toBe("409 path.conflict");
    }
    expect(await tree.s3.keys()).toEqual(["a"]);
  });

  test("a folder whose letters are written apart is one, whichever way it is named", async () => {
    await using tree = await openS3Tree();
    await tree.s3.store.put("cafe\u0301/a.txt", new Response("a"), { type: "text/plain", length: 1 });
    const who = await tree.holder("/s/caf\u00e9");
    expect([await tree.names("/s/caf\u00e9", who), await tree.text("/s/caf\u00e9/a.txt", who)]).toEqual(["a.txt", "a"]);
    expect(await tree.outcome(api.update, { body: { path: "/s/caf\u00e9/\u00fc/b", content: "b" } }, who)).toBe("200");
    expect(await tree.s3.keys()).toEqual(["cafe\u0301/a.txt", "cafe\u0301/\u00fc/b"]);
  });

  test("odd cursors are refused or go on, and nothing breaks", async () => {
    await using tree = await openS3Tree();
    await tree.put("/s/a", "/s/b");
    for (const cursor of ["AA", "Li4vLi4", "gICA", Buffer.from("a\u0000\u0001").toString("base64url"), "8J-YgA"]) {
      const { status } = await tree.list("/s", undefined, { limit: "1", cursor });
      expect([200, 400]).toContain(status);
    }
  });

  test("a share whose file was deleted gives no address of a new file of this name", async () => {
    await using tree = await openS3Tree();
    await tree.write("/s/a.txt", "shared");
    const { slug } = (await tree.call(api.createShare, { body: { path: "/s/a.txt", use_proxy: false } })).data;
    await tree.call(api.batchRemove, { body: { paths: ["/s/a.txt"] } });
    await tree.write("/s/a.txt", "private");
    const opened = (await (await tree.house.request(`/api/public/files/${slug}`)).json()) as {
      data: { previewUrl?: string } | null;
    };
    const shown = opened.data?.previewUrl ? await (await fetch(opened.data.previewUrl)).text() : "";
    expect(shown).not.toBe("private");
  });
});
