import { describe, expect, test } from "bun:test";
import { fs } from "#contract/fs/fs";
import { fsUploads as api } from "#contract/fs/uploads";
import { nothing, put, remains } from "../../../../support/share-file.ts";
import { hours } from "../../../../support/test-clock.ts";
import { openTreeHouse, type TreeCalls } from "../../../../support/tree/tree-house.ts";

/** Files that come into the tree by addresses, in one piece or in parts. */

const MiB = 1024 * 1024;

const presign = (
  { call }: TreeCalls,
  path: string,
  fileName: string,
  fields: { fileSize?: number; contentType?: string } = {},
) => call(api.presign, { body: { path, fileName, fileSize: 5, contentType: "text/plain", ...fields } });

const begin = ({ call }: TreeCalls, path: string, fileName: string, fileSize: number) =>
  call(api.begin, {
    body: { path, fileName, fileSize, partSize: 5 * MiB, partCount: Math.ceil(fileSize / (5 * MiB)) },
  });

const partsOf = (size: number) => {
  const bytes = new Uint8Array(size).map((_, index) => index % 251);
  return [
    bytes,
    Array.from({ length: Math.ceil(size / (5 * MiB)) }, (_, n) => bytes.slice(n * 5 * MiB, (n + 1) * 5 * MiB)),
  ] as const;
};

const sendPart = async ({ house }: TreeCalls, url: string, part: Uint8Array<ArrayBuffer>): Promise<string> => {
  const { status, headers } = await put(house, url, part, "application/octet-stream");
  expect(status).toBe(200);
  return headers.get("etag") ?? "";
};

describe("in one piece", () => {
  test("what is given up takes nothing any more, and what was there stays", async () => {
    await using tree = await openTreeHouse();
    await tree.write("/m/kept.txt", "kept");
    const { data } = await presign(tree, "/m", "kept.txt");
    const { targetPath, fileId } = data;
    const who = await tree.holder("/m/e");
    // Neither another path nor another key reaches it.
    expect(await tree.outcome(api.drop, { body: { targetPath, fileId } }, who)).toBe("403 path.forbidden");
    for (const path of ["/m/e/kept.txt", "/m/other.txt", "/m", "/", "/none/a"])
      expect(await tree.outcome(api.drop, { body: { targetPath: path, fileId } })).toBe("200");
    expect(await remains(tree.house)).toMatchObject({ uploads: 1 });
    for (const _ of ["once", "again"])
      expect(await tree.outcome(api.drop, { body: { targetPath, fileId } })).toBe("200");
    expect(await remains(tree.house)).toMatchObject({ uploads: 0 });
    for (const url of [data.presignedUrl, data.relayUrl])
      expect((await put(tree.house, url, "hello")).status).toBeGreaterThanOrEqual(400);
    expect(await tree.outcome(api.commit, { body: { targetPath, fileId } })).toBe("404 upload.missing");
    expect([await tree.names("/m"), await tree.text("/m/kept.txt")]).toEqual(["kept.txt", "kept"]);
  });

  test("giving up what was committed changes nothing", async () => {
    await using tree = await openTreeHouse();
    const { data } = await presign(tree, "/m", "a.txt");
    const { targetPath, fileId } = data;
    expect((await put(tree.house, data.presignedUrl, "hello")).status).toBe(200);
    expect(await tree.outcome(api.commit, { body: { targetPath, fileId } })).toBe("200");
    expect(await tree.outcome(api.drop, { body: { targetPath, fileId } })).toBe("200");
    expect(await tree.text("/m/a.txt")).toBe("hello");
  });

  test("presign, PUT and commit, as clients know them", async () => {
    await using tree = await openTreeHouse();
    const { data, code, success } = (await presign(tree, "/m/d/", "a b.txt")) as never as Awaited<
      ReturnType<typeof presign>
    > & { code: number; success: boolean };
    expect([code, success]).toEqual([200, true]);
    const { mount_id } = (await tree.list("/m")).data;
    expect(data).toEqual({
      ...{ s3Path: "d/a b.txt", mountId: mount_id, targetPath: "/m/d/a b.txt", contentType: "text/plain" },
      ...{ fileId: expect.any(String), s3ConfigId: expect.any(String), s3Url: expect.stringMatching(/^http:[^?]+$/) },
      ...{ presignedUrl: expect.stringMatching(/X-Amz-Signature/), relayUrl: expect.stringMatching(/X-Amz-Signature/) },
    } as never);
    const sent = await put(tree.house, data.presignedUrl, "hello");
    const etag = sent.headers.get("etag")?.replaceAll('"', "");
    expect(sent.status).toBe(200);
    const { presignedUrl: _url, relayUrl: _relay, ...told } = data;
    for (const _ of ["once", "again"]) {
      const done = await tree.call(api.commit, { body: { ...told, etag, fileSize: 5 } as never });
      expect(done).toMatchObject({ code: 200, success: true });
      expect(done.data).toEqual({ fileName: "a b.txt", targetPath: "/m/d/a b.txt", fileSize: 5, etag: etag ?? "" });
    }
    expect([await tree.names("/m/d"), await tree.text("/m/d/a b.txt")]).toEqual(["a b.txt", "hello"]);
    expect((await remains(tree.house)).uploads).toBe(0);
  });

  test("in place of what is there, which stays until the new one is whole", async () => {
    await using tree = await openTreeHouse();
    await tree.write("/m/a.txt", "old ones");
    const { data } = await presign(tree, "/m", "a.txt");
    expect(await tree.outcome(api.commit, { body: { targetPath: "/m/a.txt", fileId: data.fileId } })).toBe(
      "409 upload.incomplete",
    );
    expect((await put(tree.house, data.presignedUrl, "too long")).status).toBe(400);
    expect(await tree.text("/m/a.txt")).toBe("old ones");
    expect((await put(tree.house, data.presignedUrl, "newer")).status).toBe(200);
    const wrong = { targetPath: "/m/a.txt", fileId: data.fileId, etag: "0123456789abcdef0123456789abcdef-1" };
    expect(await tree.outcome(api.commit, { body: wrong })).toBe("409 upload.etag");
    expect(await tree.outcome(api.commit, { body: { targetPath: "/m/a.txt" } })).toBe("200");
    expect((await put(tree.house, data.presignedUrl, "later")).status).not.toBe(200);
    expect(await tree.text("/m/a.txt")).toBe("newer");
  });

  test("an upload ends where it began, and nowhere else", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/other");
    const { data } = await presign(tree, "/m", "a.txt");
    await put(tree.house, data.presignedUrl, "hello");
    for (const [targetPath, said] of [
      ["/m/other", "404 upload.missing"],
      ["/m/b.txt", "404 upload.missing"],
      ["/m", "403 path.mount"],
      ["/m/a.txt/", "400 path.isFolder"],
      ["/none/a.txt", "404 mount.none"],
    ] as const)
      expect([targetPath, await tree.outcome(api.commit, { body: { targetPath, fileId: data.fileId } })]).toEqual([
        targetPath,
        said,
      ]);
    expect(await tree.outcome(api.commit, { body: { targetPath: "/m/a.txt", fileId: "none" } })).toBe(
      "404 upload.missing",
    );
    expect(await tree.outcome(api.commit, { body: { targetPath: "/m/a.txt", fileId: data.fileId } })).toBe("200");
    expect(await tree.outcome(api.commit, { body: { targetPath: "/m/none" } })).toBe("404 upload.missing");
  });

  test.each([
    ["/m", "", "400 body.invalid"],
    ["/m", "..", "400 filename.invalid"],
    ["/m", "a/b", "400 filename.invalid"],
    ["/m", "a\\b", "400 filename.invalid"],
    ["/m", "a\u0000b", "400 filename.invalid"],
    ["/m", "x".repeat(256), "400 filename.invalid"],
    ["/m", "字".repeat(100), "400 path.invalid"],
    ["/m/../m", "a", "400 path.invalid"],
    ["m", "a", "400 path.invalid"],
    ["/", "a", "404 mount.none"],
    ["/none", "a", "404 mount.none"],
    ["/m", "d", "400 path.isFolder"],
    ["/m/f", "a", "409 path.conflict"],
    ["/m/d//", "a", "200"],
  ])("into %s as %j -> %s", async (path, fileName, said) => {
    await using tree = await openTreeHouse();
    await tree.put("/m/d/x", "/m/f");
    expect(await tree.outcome(api.presign, { body: { path, fileName, fileSize: 1 } })).toBe(said);
    expect(await tree.outcome(api.begin, { body: { path, fileName, fileSize: 1 } })).toBe(said);
  });
});

describe("in parts", () => {
  test("init, PUTs and complete, as clients know them", async () => {
    await using tree = await openTreeHouse();
    const size = 12 * MiB;
    const { data } = await begin(tree, "/m/d/", "a.bin", size);
    const { mount_id } = (await tree.list("/m")).data;
    expect(data).toMatchObject({
      ...{ bucket: "drive", key: "d/a.bin", partSize: 5 * MiB, partCount: 3 },
      ...{ mount_id, path: "/m/d/a.bin", storage_type: "S3" },
    });
    expect(data.presignedUrls.map(({ partNumber }) => partNumber)).toEqual([1, 2, 3]);
    const [bytes, parts] = partsOf(size);
    const sent: { partNumber: number; etag: string }[] = [];
    for (const { partNumber, url } of data.presignedUrls)
      sent.push({ partNumber, etag: await sendPart(tree, url, parts[partNumber - 1] ?? new Uint8Array()) });
    const body = { path: "/m/d/", uploadId: data.uploadId, parts: sent, fileName: "a.bin", fileSize: size };
    const done = await tree.call(api.complete, { body });
    expect(done.data).toEqual({
      ...{ success: true, fileName: "a.bin", size, contentType: "application/octet-stream", message: "OK" },
      ...{ s3Path: "d/a.bin", s3Url: expect.any(String), etag: expect.any(String), location: "/m/d/a.bin" },
    } as never);
    const back = await tree.house.request("/api/fs/download?path=/m/d/a.bin", { headers: tree.admin });
    expect(Buffer.from(await back.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true);
    expect((await tree.call(api.complete, { body })).data).toEqual(done.data);
    expect(await tree.outcome(api.parts, { body: { path: "/m/d/a.bin", uploadId: data.uploadId } })).toBe(
      "404 upload.missing",
    );
    expect(await remains(tree.house)).toMatchObject({ uploads: 0, multiparts: 0, parts: 0 });
  });

  test("goes on after a break with what has not arrived", async () => {
    await using tree = await openTreeHouse();
    const size = 6 * MiB;
    const { data } = await begin(tree, "/m", "a.bin", size);
    const [, parts] = partsOf(size);
    const first = await sendPart(tree, data.presignedUrls[0]?.url ?? "", parts[0] ?? new Uint8Array());
    const name = { path: "/m/a.bin", uploadId: data.uploadId };
    const broken = { ...name, parts: [{ partNumber: 1, etag: first }] };
    expect(await tree.outcome(api.complete, { body: broken })).toBe("409 upload.incomplete");
    const left = await tree.call(api.parts, { body: { ...name, part_numbers: [2] } });
    expect(left.data).toMatchObject({
      partSize: 5 * MiB,
      partCount: 2,
      totalSize: size,
      parts: [{ partNumber: 1, size: 5 * MiB }],
    });
    const second = await sendPart(tree, left.data.presigned_urls[0]?.url ?? "", parts[1] ?? new Uint8Array());
    const whole = [first, second].map((etag, index) => ({ partNumber: index + 1, etag }));
    expect(await tree.outcome(api.parts, { body: { ...name, part_numbers: [3] } })).toBe("400 upload.parts");
    // Clients note the parts as they end.
    expect(await tree.outcome(api.complete, { body: { ...name, parts: whole.toReversed() } })).toBe("200");
  });

  test("what is given up leaves nothing, and what was there stays", async () => {
    await using tree = await openTreeHouse();
    const { data } = await begin(tree, "/m/d", "a.bin", 5 * MiB);
    await sendPart(tree, data.presignedUrls[0]?.url ?? "", partsOf(5 * MiB)[1][0] ?? new Uint8Array());
    for (const fileName of ["a.bin", "a.bin"])
      expect(await tree.outcome(api.abort, { body: { path: "/m/d", uploadId: data.uploadId, fileName } })).toBe("200");
    expect(await remains(tree.house)).toEqual(nothing as never);
    await tree.write("/m/kept.bin", "kept");
    const over = await begin(tree, "/m", "kept.bin", 5 * MiB);
    await tree.call(api.abort, { body: { path: "/m/kept.bin", uploadId: over.data.uploadId, fileName: "kept.bin" } });
    expect([await tree.names("/m"), await tree.text("/m/kept.bin")]).toEqual(["kept.bin", "kept"]);
    expect(await remains(tree.house)).toMatchObject({ uploads: 0, multiparts: 0, parts: 0 });
  });

  test.each([
    [{ path: "/m", fileName: "none" }],
    [{ path: "/m/none" }],
    [{ path: "/m/file", fileName: "none" }],
    [{ path: "/m" }],
    [{ path: "/", fileName: "none" }],
  ])("an upload that is not there: %j", async (name) => {
    await using tree = await openTreeHouse();
    await tree.put("/m/file");
    const body = { ...name, uploadId: "none" };
    expect(await tree.outcome(api.abort, { body })).toBe("200");
    expect(await tree.outcome(api.complete, { body: { ...body, parts: [] } })).toBe("404 upload.missing");
  });

  test("an upload of one key is no other's, nor of another file", async () => {
    await using tree = await openTreeHouse();
    const { data } = await begin(tree, "/m/d", "a.bin", 5 * MiB);
    const who = await tree.holder("/m/e");
    const body = { uploadId: data.uploadId, fileName: "a.bin", parts: [] };
    expect(await tree.outcome(api.complete, { body: { ...body, path: "/m/d" } }, who)).toBe("403 path.forbidden");
    expect(await tree.outcome(api.abort, { body: { ...body, path: "/m/e" } }, who)).toBe("200");
    expect(await tree.outcome(api.parts, { body: { path: "/m/d/a.bin", uploadId: data.uploadId } })).toBe("200");
  });
});

test("a folder by this name came meanwhile: nothing is lost", async () => {
  await using tree = await openTreeHouse();
  const { data } = await presign(tree, "/m", "a");
  await tree.call(fs.mkdir, { body: { path: "/m/a/b" } });
  expect((await put(tree.house, data.presignedUrl, "hello")).status).toBe(409);
  expect(await tree.outcome(api.commit, { body: { targetPath: "/m/a", fileId: data.fileId } })).toBe(
    "400 path.isFolder",
  );
  expect(await tree.names("/m/a")).toBe("b/");
});

test("what nobody ends is forgotten after a day, and the file that it was to replace stays", async () => {
  await using tree = await openTreeHouse();
  await tree.write("/m/a", "kept");
  const one = await presign(tree, "/m", "a");
  await begin(tree, "/m", "a", 6 * MiB);
  await begin(tree, "/m", "b", 6 * MiB);
  const sent = await presign(tree, "/m", "sent");
  await put(tree.house, sent.data.presignedUrl, "hello");
  tree.house.clock.advance(hours(25));
  await tree.house.house.system.sweeper.sweep();
  expect(await remains(tree.house)).toMatchObject({ uploads: 0, multiparts: 0, parts: 0 });
  expect((await put(tree.house, one.data.presignedUrl, "later")).status).toBeGreaterThanOrEqual(400);
  expect([tree.readOnDisk("a"), tree.readOnDisk("sent")]).toEqual(["kept", "hello"]);
});
