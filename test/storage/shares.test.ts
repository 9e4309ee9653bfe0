import { describe, expect, test } from "bun:test";
import { files } from "#contract/files";
import { uploads } from "#contract/uploads";
import { sql } from "../../src/database/sql.ts";
import { ask, commit, presign } from "../support/share-file.ts";
import { opened, openS3House, putAt, type S3House, share } from "../support/stores/s3-house.ts";
import { hours } from "../support/test-clock.ts";
import type { TestHouse } from "../support/test-house.ts";

const MiB = 1024 * 1024;

const rows = async (house: TestHouse, table: "files" | "uploads") =>
  (await house.db.all(table === "files" ? sql`select id from files` : sql`select id from uploads`)).length;

/** Lets time pass for uploads and shares; the clock itself must stay with that of the storage. */
const age = (house: TestHouse, milliseconds: number) =>
  house.db.batch([
    sql`update uploads set touched_at = touched_at - ${milliseconds}, created_at = created_at - ${milliseconds},
      addressed_until = addressed_until - ${milliseconds}`,
    sql`update files set created_at = created_at - ${milliseconds}`,
  ]);

describe("a file share on S3", () => {
  test("goes up by the storage's own address and comes down by it", async () => {
    await using here = await openS3House();
    const filename = "数 字's #1%?+ 🔑.txt";
    const file = await share(here, { filename, content: "to the cloud" });
    const key = `shares/${filename.replace("?", "_")}`;
    expect(file).toMatchObject({ size: 12, storage_config_name: "Cloud", storage_path: key });
    expect(await here.s3.keys()).toEqual([key]);
    const { previewUrl = "", downloadUrl = "", proxy_download_url = "" } = await opened(here, file.slug);
    expect(new URL(previewUrl).host).toBe(new URL(here.s3.server.endpoint).host);
    const [shown, kept] = await Promise.all([fetch(previewUrl), fetch(downloadUrl)]);
    expect([await shown.text(), shown.headers.get("content-disposition")?.slice(0, 6)]).toEqual([
      "to the cloud",
      "inline",
    ]);
    expect(kept.headers.get("content-disposition")).toStartWith("attachment;");
    expect(kept.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const proxied = await here.house.request(new URL(proxy_download_url).pathname + new URL(proxy_download_url).search);
    expect([await proxied.text(), proxied.headers.get("etag")]).toEqual(["to the cloud", `"${file.etag}"`]);
  });

  test("sends whoever has the link on to the storage, and spends a view for it", async () => {
    await using here = await openS3House();
    const { slug } = await share(here, { filename: "a.txt", max_views: 1 });
    const first = await here.house.request(`/api/file-download/${slug}`);
    expect([first.status, first.headers.get("cache-control")]).toEqual([302, "no-store"]);
    expect(await (await fetch(first.headers.get("location") ?? "")).text()).toBe("hello");
    expect((await here.house.request(`/api/file-download/${slug}`)).status).toBe(410);
  });

  test("passes through the server when it says so, with ranges and conditions", async () => {
    await using here = await openS3House();
    const { slug, etag } = await share(here, { filename: "a.txt", content: "0123456789", use_proxy: true });
    const get = (headers: Record<string, string>) => here.house.request(`/api/file-view/${slug}`, { headers });
    const whole = await get({});
    expect([whole.status, await whole.text(), whole.headers.get("content-security-policy")?.slice(0, 8)]).toEqual([
      200,
      "0123456789",
      "sandbox;",
    ]);
    const range = await get({ range: "bytes=2-4" });
    expect([range.status, await range.text(), range.headers.get("content-range")]).toEqual([
      206,
      "234",
      "bytes 2-4/10",
    ]);
    expect((await get({ range: "bytes=10-" })).status).toBe(416);
    expect((await get({ "if-none-match": `"${etag}"` })).status).toBe(304);
    const head = await here.house.request(`/api/file-view/${slug}`, { method: "HEAD" });
    expect(head.headers.get("content-length")).toBe("10");
  });

  test("is told to be gone when its object is", async () => {
    await using here = await openS3House();
    const direct = await share(here, { filename: "a.txt" });
    const proxied = await share(here, { filename: "b.txt", use_proxy: true });
    await here.s3.store.remove([direct.storage_path, proxied.storage_path]);
    for (const { slug } of [direct, proxied])
      expect((await here.house.request(`/api/file-download/${slug}`)).status).toBe(410);
  });

  test("goes with its object, and keeps it when only the record is to go", async () => {
    await using here = await openS3House();
    const [a, b] = [await share(here, { filename: "a.txt" }), await share(here, { filename: "b.txt" })];
    await ask(here.house, files.remove, { body: { ids: [a.id] } });
    expect(await here.s3.keys()).toEqual([b.storage_path]);
    await ask(here.house, files.remove, { body: { ids: [b.id], delete_mode: "record_only" } });
    expect(await here.s3.keys()).toEqual([b.storage_path]);
  });

  test("is handed out by the public host when anybody may have it for ever", async () => {
    await using here = await openS3House({ custom_host: "https://cdn.example.com", path_style: false });
    const plain = await share(here, { filename: "ü.txt" });
    const locked = await share(here, { filename: "b.txt", expires_in: 1 });
    expect((await opened(here, plain.slug)).previewUrl).toBe("https://cdn.example.com/shares/%C3%BC.txt");
    expect((await opened(here, locked.slug)).previewUrl).toContain("X-Amz-Signature=");
    expect((await opened(here, plain.slug)).downloadUrl).toContain("X-Amz-Signature=");
  });

  test("comes by a form too", async () => {
    await using here = await openS3House();
    const form = new FormData();
    form.set("file", new File(["from a form"], "form.txt"));
    const headers = { authorization: `Bearer ${await here.house.signIn()}` };
    const response = await here.house.request("/api/upload", { method: "POST", body: form, headers });
    expect(response.status).toBe(201);
    expect((await here.s3.store.head("shares/form.txt"))?.size).toBe(11);
  });
});

describe("uploads in parts", () => {
  const begin = async ({ house }: S3House, size: number) =>
    (await ask(house, uploads.begin, { body: { filename: "large.bin", size, part_size: 5 * MiB } })).data;
  const body = Buffer.alloc(11 * MiB, "0123456789abcdef");
  const slices = [body.subarray(0, 5 * MiB), body.subarray(5 * MiB, 10 * MiB), body.subarray(10 * MiB)];

  const send = async (urls: readonly { readonly partNumber: number; readonly url: string }[]) =>
    await Promise.all(
      urls.map(async ({ partNumber, url }) => {
        const response = await fetch(url, { method: "PUT", body: slices[partNumber - 1] ?? "" });
        return { partNumber, etag: response.headers.get("etag") ?? "" };
      }),
    );

  test("are put together by the storage", async () => {
    await using here = await openS3House();
    const { file_id, upload_id, presigned_urls, partCount } = await begin(here, body.length);
    expect([partCount, presigned_urls.length]).toEqual([3, 3]);
    const parts = await send(presigned_urls);
    const known = await ask(here.house, uploads.parts, { body: { file_id, upload_id } });
    expect(known.data.parts.map(({ size }) => size)).toEqual([5 * MiB, 5 * MiB, MiB]);
    const { data } = await ask(here.house, uploads.complete, { body: { file_id, upload_id, parts } });
    expect(data.size).toBe(body.length);
    const { downloadUrl = "" } = await opened(here, data.slug);
    expect(Bun.hash(await (await fetch(downloadUrl)).bytes())).toBe(Bun.hash(body));
    expect(await here.s3.unfinished()).toEqual([]);
  });

  test("may pass through the server for those who cannot reach the storage", async () => {
    await using here = await openS3House();
    const { file_id, upload_id } = await begin(here, body.length);
    const { data } = await ask(here.house, uploads.parts, {
      body: { file_id, upload_id, part_numbers: [1, 2, 3], list: false, relay: true },
    });
    const parts = [];
    for (const { partNumber, url } of data.presigned_urls) {
      expect(url).toStartWith("http://satchel.test/store-");
      const slice = slices[partNumber - 1] ?? new Uint8Array();
      const headers = { "content-length": String(slice.length) };
      const response = await here.house.request(url, { method: "PUT", body: slice, headers });
      parts.push({ partNumber, etag: response.headers.get("etag") ?? "" });
    }
    const done = await ask(here.house, uploads.complete, { body: { file_id, upload_id, parts } });
    expect([done.status, done.data.size]).toEqual([200, body.length]);
  });

  test("that are claimed wrongly are refused, and can be claimed rightly after that", async () => {
    await using here = await openS3House();
    const { file_id, upload_id, presigned_urls } = await begin(here, body.length);
    const parts = await send(presigned_urls);
    const complete = (claimed: typeof parts) =>
      ask(here.house, uploads.complete, { body: { file_id, upload_id, parts: claimed } });
    const wrong = parts.map((part) => ({ ...part, etag: "0".repeat(32) }));
    expect(await complete(wrong)).toMatchObject({ status: 400, error: "upload.parts" });
    expect(await complete(parts.slice(0, 2))).toMatchObject({ status: 409, error: "upload.incomplete" });
    expect(await complete([])).toMatchObject({ status: 409, error: "upload.incomplete" });
    expect((await complete(parts.toReversed())).status).toBe(200);
  });

  test("below 5 MiB are refused before anything begins", async () => {
    await using here = await openS3House();
    const { status } = await ask(here.house, uploads.begin, {
      body: { filename: "large.bin", size: 6 * MiB, part_size: MiB },
    });
    expect([status, await here.s3.unfinished(), await rows(here.house, "uploads")]).toEqual([400, [], 0]);
  });

  test("that are given up leave nothing", async () => {
    await using here = await openS3House();
    const { file_id, upload_id, presigned_urls } = await begin(here, body.length);
    await send(presigned_urls.slice(0, 1));
    expect(await here.s3.unfinished()).toEqual(["shares/large.bin"]);
    await ask(here.house, uploads.abort, { body: { file_id, upload_id } });
    expect([await here.s3.unfinished(), await here.s3.keys()]).toEqual([[], []]);
  });

  test("that nobody goes on with are swept after a day, also when a crash lost their id", async () => {
    await using here = await openS3House();
    await begin(here, body.length);
    await begin(here, body.length);
    await here.house.db.run(sql`update uploads set multipart = null where key = 'shares/large.bin'`);
    await age(here.house, hours(23));
    await here.house.house.system.sweeper.sweep();
    expect(await here.s3.unfinished()).toHaveLength(2);
    await age(here.house, hours(2));
    await here.house.house.system.sweeper.sweep();
    await here.house.house.system.sweeper.sweep();
    expect([await here.s3.unfinished(), await rows(here.house, "uploads"), await rows(here.house, "files")]).toEqual([
      [],
      0,
      0,
    ]);
  });
});

describe("what goes wrong", () => {
  test("nothing is shared before its bytes are there, or when they are too few", async () => {
    await using here = await openS3House();
    const { data } = await presign(here.house, { filename: "a.txt", size: 5 });
    expect(await commit(here.house, data.file_id)).toMatchObject({ status: 409, error: "upload.incomplete" });
    await putAt(data.upload_url, "four", data.contentType);
    expect(await commit(here.house, data.file_id)).toMatchObject({ status: 409, error: "upload.incomplete" });
    expect((await here.house.request(`/api/public/files/${data.slug}`)).status).toBe(503);
  });

  test("two uploads of one name get keys of their own", async () => {
    await using here = await openS3House();
    const both = await Promise.all([1, 2].map((n) => share(here, { filename: "same.txt", content: `number ${n}` })));
    expect(new Set(both.map(({ storage_path }) => storage_path)).size).toBe(2);
    const texts = await Promise.all(
      both.map(async ({ slug }) => await (await fetch((await opened(here, slug)).downloadUrl ?? "")).text()),
    );
    expect(texts).toEqual(["number 1", "number 2"]);
  });

  test("a quota holds before an upload, and against what grew beyond it meanwhile", async () => {
    await using here = await openS3House({ total_storage_bytes: 100 });
    expect(await presign(here.house, { size: 101 })).toMatchObject({ status: 507, error: "storage.full" });
    const unknown = await presign(here.house, { filename: "b.txt", size: null });
    await putAt(unknown.data.upload_url, "x".repeat(90), unknown.data.contentType);
    await share(here, { filename: "c.txt", content: "y".repeat(60) });
    expect(await commit(here.house, unknown.data.file_id)).toMatchObject({ status: 507, error: "storage.full" });
    expect(await here.s3.keys()).toEqual(["shares/c.txt"]);
  });

  test("what is put after its upload was given up is removed once no address of it holds", async () => {
    await using here = await openS3House();
    const { data } = await presign(here.house, { filename: "late.txt", size: 5 });
    await ask(here.house, files.remove, { body: { ids: [data.file_id] } });
    expect((await putAt(data.upload_url, "hello", data.contentType)).status).toBe(200);
    await here.house.house.system.sweeper.sweep();
    expect(await here.s3.keys()).toEqual(["shares/late.txt"]);
    await age(here.house, hours(1) + 1000);
    await here.house.house.system.sweeper.sweep();
    expect([await here.s3.keys(), await rows(here.house, "uploads")]).toEqual([[], 0]);
  });

  test.each([
    ["an endpoint where nobody listens", { endpoint_url: "http://127.0.0.1:1" }, "storage.unreachable"],
    ["a wrong secret", { secret_access_key: "wrong" }, "storage.refused"],
    ["a bucket that is not there", { bucket_name: "no-such-bucket-here" }, "storage.bucketMissing"],
  ])("%s is told, and nothing is begun", async (_, fields, error) => {
    await using here = await openS3House(fields);
    const refused = await presign(here.house, { filename: "a.txt", size: 5 });
    expect([refused.error, await rows(here.house, "uploads"), await rows(here.house, "files")]).toEqual([error, 0, 0]);
  });
});
