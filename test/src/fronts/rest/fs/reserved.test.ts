import { describe, expect, test } from "bun:test";
import { fsCopies } from "#contract/fs/copies";
import { fs as api } from "#contract/fs/fs";
import { fsUploads } from "#contract/fs/uploads";
import { uploads } from "#contract/uploads";
import { sql } from "../../../../../src/database/sql.ts";
import { slowBody } from "../../../../support/clients/slow-body.ts";
import { lateWrites } from "../../../../support/database/late-writes.ts";
import { ask, commit, presign, put, shareFile } from "../../../../support/share-file.ts";
import { hours } from "../../../../support/test-clock.ts";
import { openTreeHouse, type TreeCalls } from "../../../../support/tree/tree-house.ts";

/** The keys of files that are on their way to be shared: the tree leaves them alone, and they leave alone what is the tree's. */

const KEPT = "/m/shares/note.txt";

/** Everything that brings a file to the key of the upload, each from `/m/d/note.txt`. */
const ways: Readonly<Record<string, (tree: TreeCalls) => Promise<string>>> = {
  update: ({ outcome }) => outcome(api.update, { body: { path: KEPT, content: "hello" } }),
  async copy({ call }) {
    const items = [{ sourcePath: "/m/d/note.txt", targetPath: KEPT }];
    const { data } = await call(fsCopies.batchCopy, { body: { items } });
    const [failed] = data.details;
    return failed ? `409 ${failed.error}` : "200";
  },
  rename: ({ outcome }) => outcome(api.rename, { body: { oldPath: "/m/d/note.txt", newPath: KEPT } }),
  "rename of a folder": ({ outcome }) => outcome(api.rename, { body: { oldPath: "/m/d/", newPath: "/m/shares/" } }),
  presign: ({ outcome }) =>
    outcome(fsUploads.presign, { body: { path: "/m/shares", fileName: "note.txt", fileSize: 5 } }),
  "multipart/init": ({ outcome }) =>
    outcome(fsUploads.begin, { body: { path: "/m/shares", fileName: "note.txt", fileSize: 5 } }),
};

describe("a key that waits for a file to be shared", () => {
  test.each(Object.entries(ways))("%s does not take it, and the share gets its file", async (_, way) => {
    await using tree = await openTreeHouse();
    await tree.write("/m/d/note.txt", "the tree's");
    const { data } = await presign(tree.house, { slug: "mine" });
    expect(await way(tree)).toBe("409 path.reserved");
    expect(await tree.text("/m/d/note.txt")).toBe("the tree's");
    expect((await put(tree.house, data.upload_url, "hello")).status).toBe(200);
    expect((await commit(tree.house, data.file_id)).status).toBe(200);
    expect(await tree.text(KEPT)).toBe("hello");
  });

  test.each(Object.entries(ways))("%s takes it again when the upload was given up", async (name, way) => {
    await using tree = await openTreeHouse();
    await tree.write("/m/d/note.txt", "the tree's");
    const { data } = await presign(tree.house);
    await ask(tree.house, uploads.abort, { body: { file_id: data.file_id } });
    expect(await way(tree)).toBe("200");
    expect((await put(tree.house, data.upload_url, "hello")).status).toBe(404);
    tree.house.clock.advance(hours(25));
    await tree.house.house.system.sweeper.sweep();
    if (name !== "presign" && name !== "multipart/init")
      expect(tree.readOnDisk("shares/note.txt")).toBe(name === "update" ? "hello" : "the tree's");
  });

  test("is no other's while somebody writes there", async () => {
    await using tree = await openTreeHouse();
    const { body, begun, finish } = slowBody("the ", "tree's");
    const view = await tree.house.house.vfs.as({ kind: "admin", sessionId: null }, "mount");
    const writing = view.at(KEPT).put({ body: new Response(body), length: undefined });
    await begun;
    const { data } = await presign(tree.house);
    expect(data.storage_path).toMatch(/^shares\/note-\w+\.txt$/);
    finish();
    await writing;
    tree.house.clock.advance(hours(25));
    await tree.house.house.system.sweeper.sweep();
    expect(tree.readOnDisk("shares/note.txt")).toBe("the tree's");
  });

  test("is one's or the other's when both want it at once", async () => {
    await using tree = await openTreeHouse({}, { engine: lateWrites });
    const view = await tree.house.house.vfs.as({ kind: "admin", sessionId: null }, "mount");
    const { files } = tree.house.house.shares;
    for (let round = 0; round < 20; round++) {
      const [key, turns] = [`shares/${round}`, Array.from({ length: round })];
      const write = async () => {
        for (const _ of turns) await new Promise(setImmediate);
        return await view.at(`/m/${key}`).put({ body: new Response("tree"), length: 4 });
      };
      const fields = { filename: String(round), size: 5 };
      const [written, begun] = await Promise.allSettled([
        write(),
        files.begin({ kind: "admin", sessionId: null }, fields),
      ]);
      const taken = begun.status === "fulfilled" && begun.value.upload.key === key;
      expect([round, written.status === "fulfilled" && taken]).toEqual([round, false]);
    }
  });

  test("is kept for a share whose file has arrived, until it is one", async () => {
    await using tree = await openTreeHouse();
    const { data } = await presign(tree.house);
    await put(tree.house, data.upload_url, "hello");
    await tree.house.db.run(sql`update uploads set state = 'ready'`);
    expect(await ways.update?.(tree)).toBe("409 path.reserved");
    expect((await commit(tree.house, data.file_id)).status).toBe(200);
    expect(await ways.update?.(tree)).toBe("200");
  });
});

describe("what the tree writes over a shared file", () => {
  const write: Readonly<Record<string, (tree: TreeCalls) => Promise<unknown>>> = {
    update: (tree) => tree.write(KEPT, "new and important"),
    async copy(tree) {
      await tree.write("/m/d", "new and important");
      const items = [{ sourcePath: "/m/d", targetPath: KEPT }];
      await tree.call(fsCopies.batchCopy, { body: { items, skipExisting: false } });
    },
    async address(tree) {
      const body = { path: "/m/shares", fileName: "note.txt", fileSize: 17, contentType: "text/plain" };
      const { data } = await tree.call(fsUploads.presign, { body });
      await put(tree.house, data.presignedUrl, "new and important");
      await tree.call(fsUploads.commit, { body: { targetPath: KEPT, fileId: data.fileId } });
    },
  };

  test.each(Object.entries(write))("%s: is shown by the share, and stays when that goes", async (_, way) => {
    await using tree = await openTreeHouse();
    await shareFile(tree.house, { content: "h".repeat(1000), slug: "mine", expires_in: 1 });
    await way(tree);
    const shown = await tree.house.request("/api/public/files/mine");
    const { data } = (await shown.json()) as { data: { size: number } };
    expect([data.size, await (await tree.house.request("/api/file-view/mine")).text()]).toEqual([
      17,
      "new and important",
    ]);
    expect(await tree.house.db.all(sql`select id from uploads`)).toEqual([]);
    tree.house.clock.advance(hours(30));
    await tree.house.house.system.sweeper.sweep();
    expect((await tree.house.request("/api/file-view/mine")).status).toBe(404);
    expect(tree.readOnDisk("shares/note.txt")).toBe("new and important");
  });

  test("a visitor who has the old one gets the new one", async () => {
    await using tree = await openTreeHouse();
    await shareFile(tree.house, { slug: "mine" });
    const before = await tree.house.request("/api/file-view/mine");
    await tree.write(KEPT, "newer");
    const headers = { "if-modified-since": before.headers.get("last-modified") ?? "" };
    const after = await tree.house.request("/api/file-view/mine", {
      headers: { "if-none-match": before.headers.get("etag") ?? "", ...headers },
    });
    expect([after.status, await after.text()]).toEqual([200, "newer"]);
  });
});
