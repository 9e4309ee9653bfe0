import { describe, expect, test } from "bun:test";
import { files } from "#contract/files";
import { PART_SIZE } from "#contract/limits";
import { uploads } from "#contract/uploads";
import { urlUploads } from "#contract/url-uploads";
import { makeKey, withKey } from "../../../../../support/make-key.ts";
import { ask, nothing, put, remains } from "../../../../../support/share-file.ts";
import { openTestHouse } from "../../../../../support/test-house.ts";

/** The bytes come from the browser that has fetched them, so no source is needed here. */
const url = "https://files.test/a/report.pdf?sig=1";

describe("in one piece", () => {
  test("a file takes its name and type from what was told of it, else from its URL", async () => {
    await using house = await openTestHouse();
    const plain = await ask(house, urlUploads.presign, { body: { url, size: 5 } });
    expect(plain).toMatchObject({ status: 200, data: { sourceUrl: url, corsSupported: false } });
    expect(plain.data.contentType).toBe("application/pdf");
    const metadata = { filename: "told.bin", contentType: "image/x-own", size: 5, corsSupported: true, method: "HEAD" };
    const told = await ask(house, urlUploads.presign, { body: { url, metadata } });
    expect(told.data).toMatchObject({ contentType: "image/x-own", corsSupported: true });
    const named = await ask(house, urlUploads.presign, { body: { url, metadata, filename: "chosen.txt" } });
    expect(named.data.contentType).toBe("text/plain");
    expect((await put(house, plain.data.upload_url, "hello", "application/pdf")).status).toBe(200);
    const { data } = await ask(house, urlUploads.commit, { body: { file_id: plain.data.file_id } });
    expect(data).toMatchObject({ filename: "report.pdf", size: 5, url: `/file/${plain.data.slug}` });
    const opened = await house.request(`/api/file-download/${plain.data.slug}`);
    expect(await opened.text()).toBe("hello");
  });

  test("options are those of every upload", async () => {
    await using house = await openTestHouse();
    const options = { slug: "mine", remark: "r", password: "pw", expires_in: "24", max_views: 3, path: "from/web" };
    const { data } = await ask(house, urlUploads.presign, { body: { url, size: 5, ...options } });
    expect(data).toMatchObject({ slug: "mine", hasPassword: true, maxViews: 3 });
    expect(data.storage_path).toBe("shares/from/web/report.pdf");
    expect(await ask(house, urlUploads.presign, { body: { url, slug: "mine" } })).toMatchObject({ status: 409 });
  });

  test.each([
    [{ url: "ftp://files.test/a" }, 400, "url.invalid"],
    [{ url: "https://u:p@files.test/a" }, 400, "url.invalid"],
    [{ url, filename: "a/b" }, 400, "filename.invalid"],
    [{ url, path: "../up" }, 400, "path.invalid"],
    [{ url, slug: "admin" }, 400, "slug.reserved"],
    [{ url, s3_config_id: "none" }, 404, "storage.missing"],
    [{ url, size: 1024 ** 4 }, 413, "file.tooLarge"],
    [{ url, metadata: { size: 1024 ** 4 } }, 413, "file.tooLarge"],
  ])("%j is refused", async (body, status, error) => {
    await using house = await openTestHouse();
    expect(await ask(house, urlUploads.presign, { body })).toMatchObject({ status, error });
    expect(await remains(house)).toEqual(nothing);
  });

  test("the quota of its storage binds it", async () => {
    await using house = await openTestHouse();
    const [storage] = (await house.house.stores.configs.all()) ?? [];
    const authorization = { authorization: `Bearer ${await house.signIn()}` };
    const body = JSON.stringify({ total_storage_bytes: 10 });
    const path = `/api/s3-configs/${storage?.id}`;
    expect((await house.request(path, { method: "PUT", headers: authorization, body })).status).toBe(200);
    expect(await ask(house, urlUploads.presign, { body: { url, size: 11 } })).toMatchObject({ error: "storage.full" });
    // Nobody said how large it is: then what arrives counts.
    const { data } = await ask(house, urlUploads.presign, { body: { url } });
    expect((await put(house, data.upload_url, "eleven bytes", data.contentType)).status).toBe(507);
  });

  test("a cancelled one is gone, and no one else may cancel it", async () => {
    await using house = await openTestHouse();
    const key = withKey(await makeKey(house, { permissions: ["file_share"] }));
    const other = withKey(await makeKey(house, { permissions: ["file_share"] }));
    const begun = await ask(house, urlUploads.presign, { body: { url, size: 5 } }, key);
    const body = { file_id: begun.data.file_id };
    expect(await ask(house, urlUploads.cancel, { body }, other)).toMatchObject({ status: 404 });
    expect((await put(house, begun.data.upload_url, "hello", begun.data.contentType)).status).toBe(200);
    const gone = await ask(house, urlUploads.cancel, { body }, key);
    expect(gone.data).toMatchObject({ file_id: body.file_id, status: "cancelled" });
    expect(await remains(house)).toEqual(nothing);
    expect(await ask(house, urlUploads.cancel, { body }, key)).toMatchObject({ status: 404, error: "upload.missing" });
    expect(await ask(house, urlUploads.commit, { body }, key)).toMatchObject({ status: 404 });
  });

  test("a finished one is not cancelled", async () => {
    await using house = await openTestHouse();
    const { data } = await ask(house, urlUploads.presign, { body: { url, size: 5 } });
    await put(house, data.upload_url, "hello", data.contentType);
    const body = { file_id: data.file_id };
    await ask(house, urlUploads.commit, { body });
    expect(await ask(house, urlUploads.cancel, { body })).toMatchObject({ status: 409, error: "upload.finished" });
    expect((await ask(house, files.read, { params: { id: body.file_id } })).status).toBe(200);
  });
});

describe("in parts", () => {
  const size = PART_SIZE + 3;
  const init = { url, total_size: size, part_size: PART_SIZE, part_count: 2 };

  test("a file is there when its parts are", async () => {
    await using house = await openTestHouse();
    const { data } = await ask(house, urlUploads.begin, { body: init });
    expect(data).toMatchObject({ sourceUrl: url, filename: "report.pdf", partCount: 2, totalSize: size });
    const ids = { file_id: data.file_id, upload_id: data.upload_id };
    const bodies = [new Uint8Array(PART_SIZE), "end"];
    const parts: { partNumber: number; etag: string }[] = [];
    for (const { partNumber, url: address } of data.presigned_urls) {
      const sent = await put(house, address, bodies[partNumber - 1] ?? "", "application/octet-stream");
      parts.push({ partNumber, etag: sent.headers.get("etag") ?? "" });
    }
    const listed = await ask(house, uploads.parts, { body: ids });
    expect(listed.data.parts).toHaveLength(2);
    const done = await ask(house, urlUploads.complete, { body: { ...ids, parts } });
    expect(done.data).toMatchObject({ success: true, fileId: data.file_id, slug: data.slug, size, type: 7 });
  });

  test("an aborted one is gone", async () => {
    await using house = await openTestHouse();
    const { data } = await ask(house, urlUploads.begin, { body: init });
    const body = { file_id: data.file_id, upload_id: data.upload_id };
    expect((await ask(house, urlUploads.abort, { body })).data).toMatchObject({ success: true, fileId: data.file_id });
    expect(await remains(house)).toEqual(nothing);
  });

  test("a size is wanted", async () => {
    await using house = await openTestHouse();
    const { total_size: _, ...without } = init;
    expect(await ask(house, urlUploads.begin, { body: without as never })).toMatchObject({ status: 400 });
  });
});
