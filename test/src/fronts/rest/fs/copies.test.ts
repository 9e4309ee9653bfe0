import { describe, expect, test } from "bun:test";
import { fsCopies as api } from "#contract/fs/copies";
import { fs } from "#contract/fs/fs";
import { fsJobs } from "#contract/fs/jobs";
import { bitsOf } from "#contract/permissions";
import { makeKey, withKey } from "../../../../support/make-key.ts";
import { makeMount } from "../../../../support/make-mount.ts";
import { put, remains } from "../../../../support/share-file.ts";
import { carry, copy } from "../../../../support/tree/copies.ts";
import { openTreeHouse } from "../../../../support/tree/tree-house.ts";
import { until } from "../../../../support/until.ts";

/** Copies within a storage and to another, as clients made for CloudPaste ask for them and read what comes of it. */

describe("within a storage", () => {
  test("what was copied and what was there already is counted", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/d/1", "/m/d/sub/2", "/m/a");
    const items = [
      { sourcePath: "/m/d/", targetPath: "/m/e/" },
      { sourcePath: "/m/a", targetPath: "/m/e/" },
      { sourcePath: "/m/a", targetPath: "/m/b" },
      { sourcePath: "/m/none", targetPath: "/m/x" },
      { sourcePath: "/m/d/", targetPath: "/m/d/sub/d/" },
    ];
    const first = await tree.call(api.batchCopy, { body: { items } });
    expect(first).toMatchObject({ code: 200, success: true });
    expect(first.data).toEqual({
      ...{ crossStorage: false, success: 4, skipped: 0, failed: 2 },
      details: [
        { path: "/m/none", target: "/m/x", status: "failed", error: "path.missing", message: expect.any(String) },
        { path: "/m/d", target: "/m/d/sub/d/", status: "failed", error: "path.into", message: expect.any(String) },
      ] as never,
    });
    const again = await tree.call(api.batchCopy, { body: { items: items.slice(0, 3) } });
    expect(again.data).toEqual({ crossStorage: false, success: 0, skipped: 4, failed: 0, details: [] });
    expect([await tree.names("/m"), await tree.names("/m/e")]).toEqual(["d/ e/ a b", "sub/ 1 a"]);
  });

  test("what is not to be skipped is written over", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/d/1", "/m/d/2");
    await tree.write("/m/e/1", "old");
    await tree.write("/m/e/3", "kept");
    expect((await copy(tree, "/m/d/", "/m/e/")).data).toMatchObject({ success: 1, skipped: 1 });
    expect(await tree.text("/m/e/1")).toBe("old");
    expect((await copy(tree, "/m/d/", "/m/e/", false)).data).toMatchObject({ success: 2, skipped: 0 });
    expect([await tree.text("/m/e/1"), await tree.text("/m/e/3")]).toEqual(["/m/d/1", "kept"]);
  });

  test.each([
    ["a folder", "/m/d/", "/b/d/sub/d/"],
    ["a storage into itself", "/m/", "/b/all/"],
    ["a folder by the path of the other mount", "/b/d/", "/m/d/d/"],
    ["a mount that stands in the folder", "/m/", "/b/x/"],
  ])("%s does not go into itself through another mount, and ends", async (_, from, to) => {
    await using tree = await openTreeHouse();
    await makeMount(tree.house, { name: "The same", mount_path: "/b" });
    for (let index = 0; index < 1100; index++) tree.behindOurBack(`d/${index}`, "");
    expect((await copy(tree, from, to)).data).toMatchObject({
      success: 0,
      failed: 1,
      details: [{ error: "path.into" }],
    });
    expect(await tree.names("/m")).toBe("d/");
  });

  test("a file does not go onto itself, whichever way it is named", async () => {
    await using tree = await openTreeHouse();
    await makeMount(tree.house, { name: "The same", mount_path: "/b" });
    await tree.write("/m/a", "kept");
    for (const to of ["/b/a", "/b/"])
      expect((await copy(tree, "/m/a", to, false)).data).toMatchObject({
        failed: 1,
        details: [{ error: "path.into" }],
      });
    expect(await tree.text("/b/a")).toBe("kept");
  });

  test("of a batch with a path that cannot be nothing is done", async () => {
    await using tree = await openTreeHouse();
    await tree.write("/m/a", "kept");
    const items = [
      { sourcePath: "/m/a", targetPath: "/m/b" },
      { sourcePath: "/m/a", targetPath: "../x" },
    ];
    expect(await tree.outcome(api.batchCopy, { body: { items } })).toBe("400 path.invalid");
    expect(await tree.names("/m")).toBe("a");
  });

  test.each([
    [{ items: [] }, "400 body.invalid"],
    [{ items: [{ sourcePath: "/m/a" }] }, "400 body.invalid"],
    [{ items: "all" }, "400 body.invalid"],
    [{}, "400 body.invalid"],
    [{ items: [{ sourcePath: "/m/a", targetPath: "/m/b" }], skipExisting: "maybe" }, "400 body.invalid"],
    [{ items: [{ sourcePath: "a", targetPath: "/m/b" }] }, "400 path.invalid"],
  ])("%j -> %s", async (body, said) => {
    await using tree = await openTreeHouse();
    expect(await tree.outcome(api.batchCopy, { body: body as never })).toBe(said);
  });
});

describe("to another storage", () => {
  test("a file is answered with its addresses, and is there once it is committed", async () => {
    await using tree = await openTreeHouse();
    const { mount } = await tree.second();
    await tree.put("/m/d/a b.txt");
    const { mount_id } = (await tree.list("/m")).data;
    const { data } = await copy(tree, "/m/d/a b.txt", "/n/e/a b.txt");
    const [item] = data.crossStorageResults ?? [];
    expect(data).toEqual({
      ...{ crossStorage: true, requiresClientSideCopy: true, failed: [], details: [] },
      standardCopyResults: { success: 0, skipped: 0, failed: 0 },
      crossStorageResults: [
        {
          ...{ crossStorage: true, isDirectory: false, status: "success", fileName: "a b.txt", size: 12 },
          ...{ source: "/m/d/a b.txt", target: "/n/e/a b.txt", sourceMount: mount_id, targetMount: mount.id },
          ...{ sourceS3Path: "d/a b.txt", targetS3Path: "e/a b.txt", contentType: "text/plain" },
          ...{ renamed: false, originalTarget: "/n/e/a b.txt", message: "OK" },
          ...{ downloadUrl: expect.stringMatching(/^http/), uploadUrl: expect.stringMatching(/^http/) },
          ...{ relayUrl: expect.stringMatching(/^http/), fileId: expect.any(String) },
        },
      ] as never,
    });
    expect(await carry(tree, item ?? {})).toEqual([200, 200]);
    const files = [{ targetPath: item?.target ?? "", s3Path: item?.targetS3Path, fileSize: 12, etag: null }];
    const done = await tree.call(api.batchCopyCommit, { body: { targetMountId: mount.id, files } });
    expect(done).toMatchObject({ code: 200, success: true });
    expect(done.data).toEqual({ success: [{ targetPath: "/n/e/a b.txt", fileName: "a b.txt" }], failed: [] });
    expect(await tree.text("/n/e/a b.txt")).toBe("/m/d/a b.txt");
  });

  test("a folder is answered with each of its files; empty ones are made at once", async () => {
    await using tree = await openTreeHouse();
    const { mount } = await tree.second();
    await tree.put("/m/d/1", "/m/d/sub/deep/2");
    await tree.call(fs.mkdir, { body: { path: "/m/d/hollow/in" } });
    const { data } = await copy(tree, "/m/d/", "/n/copied/");
    const [item] = data.crossStorageResults ?? [];
    expect(data.standardCopyResults).toEqual({ success: 1, skipped: 0, failed: 0 });
    expect(item).toMatchObject({ isDirectory: true, source: "/m/d/", target: "/n/copied/", renamed: false });
    expect(item?.items).toMatchObject([
      { sourceKey: "d/1", targetKey: "copied/1", fileName: "1", relativeDir: "", size: 6 },
      { sourceKey: "d/sub/deep/2", targetKey: "copied/sub/deep/2", fileName: "2", relativeDir: "sub/deep", size: 15 },
    ]);
    for (const file of item?.items ?? []) expect(await carry(tree, file)).toEqual([200, 200]);
    const paths = (item?.items ?? []).map(({ relativeDir, fileName }) =>
      ["/n/copied", relativeDir, fileName].filter((part) => part !== "").join("/"),
    );
    const files = paths.map((targetPath) => ({ targetPath }));
    const done = await tree.call(api.batchCopyCommit, { body: { targetMountId: mount.id, files } });
    expect(done.data.success.map(({ targetPath }) => targetPath)).toEqual(["/n/copied/1", "/n/copied/sub/deep/2"]);
    expect([await tree.names("/n/copied"), await tree.names("/n/copied/hollow")]).toEqual(["hollow/ sub/ 1", "in/"]);
    expect(await tree.text("/n/copied/sub/deep/2")).toBe("/m/d/sub/deep/2");
  });

  test("an empty folder alone needs nobody to copy it", async () => {
    await using tree = await openTreeHouse();
    await tree.second();
    await tree.call(fs.mkdir, { body: { path: "/m/empty" } });
    expect((await copy(tree, "/m/empty/", "/n/empty/")).data).toMatchObject({ crossStorage: false, success: 1 });
    expect(await tree.names("/n")).toBe("empty/");
  });

  test("both kinds in one call, and what is there already is skipped", async () => {
    await using tree = await openTreeHouse();
    await tree.second();
    await tree.put("/m/a", "/m/b", "/n/b");
    const items = [
      { sourcePath: "/m/a", targetPath: "/m/c" },
      { sourcePath: "/m/a", targetPath: "/n/a" },
      { sourcePath: "/m/b", targetPath: "/n/b" },
      { sourcePath: "/m/none", targetPath: "/n/none" },
    ];
    const { data } = await tree.call(api.batchCopy, { body: { items } });
    expect(data).toMatchObject({
      standardCopyResults: { success: 1, skipped: 1, failed: 1 },
      crossStorageResults: [{ target: "/n/a" }],
      failed: [{ sourcePath: "/m/none", targetPath: "/n/none", error: expect.any(String) }],
    });
    const over = await tree.call(api.batchCopy, {
      body: { items: [items[2] as (typeof items)[0]], skipExisting: false },
    });
    expect(over.data.crossStorageResults).toMatchObject([{ target: "/n/b" }]);
    expect(await tree.text("/n/b")).toBe("/n/b");
  });

  test("what never arrived is not committed: the status of the first failure, and nothing is there", async () => {
    await using tree = await openTreeHouse();
    const { mount } = await tree.second();
    await tree.put("/m/a", "/m/b");
    const { data } = await copy(tree, "/m/a", "/n/a");
    const [item] = data.crossStorageResults ?? [];
    const commit = (...targetPaths: string[]) =>
      tree.call(api.batchCopyCommit, {
        body: { targetMountId: mount.id, files: targetPaths.map((targetPath) => ({ targetPath })) },
      });
    const none = await commit("/n/a", "/n/never", "/m/b");
    expect(none).toMatchObject({ status: 409, code: 409, error: "upload.incomplete", success: false });
    expect(none.data.success).toEqual([]);
    expect(none.data.failed.map(({ targetPath, error }) => `${targetPath} ${error}`)).toEqual([
      ...["/n/a upload.incomplete", "/n/never upload.missing", "/m/b path.otherMount"],
    ]);
    expect(await tree.names("/n")).toBe("");
    expect(await carry(tree, item ?? {})).toEqual([200, 200]);
    const some = await commit("/n/a", "/n/never");
    expect(some).toMatchObject({ status: 200, code: 200, success: true });
    expect(some.data).toMatchObject({ success: [{ fileName: "a" }], failed: [{ targetPath: "/n/never" }] });
    expect((await commit("/n/a")).status).toBe(200);
  });

  test("with the right to copy alone takes the job of the server, and no address is given away", async () => {
    await using tree = await openTreeHouse();
    const { mount } = await tree.second();
    await tree.put("/m/a", "/m/d/b");
    await tree.call(fs.mkdir, { body: { path: "/m/d/hollow" } });
    const who = await tree.holder("/", "mount_view", "mount_copy");
    const items = [
      { sourcePath: "/m/a", targetPath: "/n/a" },
      { sourcePath: "/m/d/", targetPath: "/n/d/" },
      { sourcePath: "/m/a", targetPath: "/m/b" },
    ];
    const { data } = await tree.call(api.batchCopy, { body: { items } }, who);
    expect(data).toMatchObject({ crossStorage: false, success: 1, failed: 2 });
    expect(data.details.map(({ error }) => error)).toEqual(["copy.byJob", "copy.byJob"]);
    expect(JSON.stringify(data)).not.toContain("X-Amz-Signature");
    const commit = { targetMountId: mount.id, files: [{ targetPath: "/n/a" }] };
    const refused = await tree.call(api.batchCopyCommit, { body: commit }, who);
    expect(refused.data.failed).toMatchObject([{ error: "auth.forbidden" }]);
    expect([await tree.names("/n"), (await remains(tree.house)).uploads]).toEqual(["", 0]);
    const tasks = [{ kind: "copy" as const, source: "/m/a", target: "/n/a" }];
    const job = await tree.call(fsJobs.create, { body: { tasks } as never }, who);
    const { jobs } = tree.house.house;
    const read = () => jobs.read({ kind: "admin", sessionId: null }, job.data.id);
    expect((await until(read, ({ finished_at }) => finished_at !== null)).state).toBe("completed");
    expect(await tree.text("/n/a")).toBe("/m/a");
  });

  test("an address of a copy is void when its owner keeps only the right to copy", async () => {
    await using tree = await openTreeHouse();
    await tree.second();
    await tree.put("/m/a");
    const key = await makeKey(tree.house, { permissions: ["mount_view", "mount_copy", "mount_upload"] });
    const body = { items: [{ sourcePath: "/m/a", targetPath: "/n/a" }] };
    const { data } = await tree.call(api.batchCopy, { body }, withKey(key));
    const { uploadUrl = "" } = data.crossStorageResults?.[0] ?? {};
    await tree.house.house.access.keys.update(key.id, { permissions: bitsOf(["mount_view", "mount_copy"]) });
    expect((await put(tree.house, uploadUrl, "my own bytes", "application/octet-stream")).status).toBe(403);
    expect(await tree.names("/n")).toBe("");
  });

  // Its download address is a grant of /fs/download, which asks for mount_view as well.
  test("only by who may read it", async () => {
    await using tree = await openTreeHouse();
    await tree.second();
    await tree.put("/m/a");
    const body = { items: [{ sourcePath: "/m/a", targetPath: "/n/a" }] };
    const { data } = await tree.call(api.batchCopy, { body }, await tree.holder("/", "mount_copy", "mount_upload"));
    expect(data).toMatchObject({ crossStorage: false, failed: 1, details: [{ error: "auth.forbidden" }] });
  });

  test("no folder of more files than a client is to carry", async () => {
    await using tree = await openTreeHouse();
    await tree.second();
    for (let index = 0; index <= 1000; index++) tree.behindOurBack(`d/${index}`, "");
    expect((await copy(tree, "/m/d/", "/n/d/")).data).toMatchObject({
      failed: 1,
      details: [{ error: "path.crossing" }],
    });
    expect(await tree.names("/n")).toBe("");
  });
});
