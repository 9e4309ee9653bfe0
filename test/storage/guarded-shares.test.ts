import { describe, expect, test } from "bun:test";
import { files } from "#contract/files";
import { storage } from "#contract/storage";
import { sql } from "../../src/database/sql.ts";
import { ask, commit, type FileOptions, presign } from "../support/share-file.ts";
import { addStorage, opened, openS3House, putAt, share } from "../support/stores/s3-house.ts";

const MiB = 1024 * 1024;

describe("what others could do", () => {
  test("two configurations of one bucket never share a key", async () => {
    await using here = await openS3House();
    const twin = await addStorage(here.house, here.s3, { name: "Twin" });
    const both = [here.storage.id, twin.id].map((s3_config_id) =>
      presign(here.house, { filename: "same.txt", size: 5, s3_config_id }),
    );
    const keys = (await Promise.all(both)).map(({ data }) => data.storage_path);
    expect(new Set(keys).size).toBe(2);
  });

  test("a storage that holds files cannot be led to another bucket", async () => {
    await using here = await openS3House();
    const change = (body: object) => ask(here.house, storage.update, { params: { id: here.storage.id }, body });
    expect((await change({ bucket_name: "another" })).status).toBe(200);
    expect((await change({ bucket_name: here.s3.bucket })).status).toBe(200);
    await share(here, { filename: "a.txt" });
    expect(await change({ bucket_name: "another" })).toMatchObject({ status: 409, error: "storage.inUse" });
    expect(await change({ endpoint_url: "http://127.0.0.1:1" })).toMatchObject({ status: 409, error: "storage.inUse" });
    expect((await change({ name: "Sky", bucket_name: here.s3.bucket })).status).toBe(200);
  });

  test("beginning again after the end gives no address that writes", async () => {
    await using here = await openS3House();
    const headers = { authorization: `Bearer ${await here.house.signIn()}`, "idempotency-key": "once" };
    const init = { method: "POST", headers, body: JSON.stringify({ filename: "a.txt", size: 5 }) };
    const begin = async () => {
      const response = await here.house.request("/api/s3/presign", init);
      return ((await response.json()) as { data: { upload_url: string; file_id: string } }).data;
    };
    const first = await begin();
    await putAt(first.upload_url, "hello");
    await commit(here.house, first.file_id);
    const again = await begin();
    expect(again.file_id).toBe(first.file_id);
    const late = await here.house.request(again.upload_url, {
      method: "PUT",
      body: "other",
      headers: { "content-type": "text/plain", "content-length": "5" },
    });
    expect([late.status, (await here.s3.store.head("shares/a.txt"))?.size]).toEqual([409, 5]);
  });

  test("a file whose size nobody said is held to the largest there may be", async () => {
    await using here = await openS3House();
    await here.house.house.settings.update(1, new Map([["max_upload_size", "1"]]));
    const { data } = await presign(here.house, { filename: "b.bin", size: null });
    await putAt(data.upload_url, new Uint8Array(MiB + 1), data.contentType);
    expect(await commit(here.house, data.file_id)).toMatchObject({ status: 413, error: "file.tooLarge" });
    expect(await here.s3.keys()).toEqual([]);
  });

  test("a small file that has grown is streamed", async () => {
    await using here = await openS3House();
    const { slug, storage_path } = await share(here, { filename: "a.txt", use_proxy: true });
    const large = "x".repeat(5 * MiB);
    await here.s3.store.put(storage_path, new Response(large), { type: "text/plain", length: large.length });
    const response = await here.house.request(`/api/file-view/${slug}`);
    expect([response.status, (await response.text()).length]).toEqual([200, large.length]);
    expect((await here.house.house.system.caches.stats()).find(({ name }) => name === "files")?.cacheSize).toBe(0);
  });

  test("addresses end with the share, and soon when it has a limit", async () => {
    await using here = await openS3House({ signature_expires_in: 604_800 });
    const secondsOf = async (fields: FileOptions) => {
      const { previewUrl = "" } = await opened(here, (await share(here, fields)).slug);
      return Number(new URL(previewUrl).searchParams.get("X-Amz-Expires"));
    };
    expect(await secondsOf({ filename: "a.txt" })).toBe(6 * 3600);
    expect(await secondsOf({ filename: "b.txt", expires_in: 1 })).toBe(3600);
    expect(await secondsOf({ filename: "c.txt", max_views: 3 })).toBe(900);
    const proxied = await share(here, { filename: "d.txt", use_proxy: true });
    expect((await opened(here, proxied.slug)).s3_direct_download_url).toStartWith("http://satchel.test/api/");
  });

  test("what was given up counts for as long as its address writes", async () => {
    await using here = await openS3House({ total_storage_bytes: 100 });
    const { data } = await presign(here.house, { filename: "a.bin", size: 60 });
    await ask(here.house, files.remove, { body: { ids: [data.file_id] } });
    expect(await presign(here.house, { filename: "b.bin", size: 60 })).toMatchObject({ error: "storage.full" });
    await here.house.db.run(sql`update uploads set addressed_until = 0`);
    expect((await presign(here.house, { filename: "b.bin", size: 60 })).status).toBe(200);
  });

  test("shares of a storage that is not reached can be deleted, and their objects go when it is back", async () => {
    await using here = await openS3House();
    const made = [await share(here, { filename: "a.txt" }), await share(here, { filename: "b.txt" })];
    const config = (endpoint: string) =>
      here.house.configure(sql`update storage_configs set endpoint_url = ${endpoint} where id = ${here.storage.id}`);
    const touch = () => ask(here.house, storage.update, { params: { id: here.storage.id }, body: { name: "Cloud" } });
    await config("http://127.0.0.1:1");
    await touch();
    const { data } = await ask(here.house, files.remove, { body: { ids: made.map(({ id }) => id) } });
    expect(data).toEqual({ success: 2, failed: [] });
    expect((await here.house.request(`/api/public/files/${made[0]?.slug}`)).status).toBe(404);
    await config(here.s3.server.endpoint);
    await touch();
    await here.house.db.run(sql`update uploads set addressed_until = 0`);
    await here.house.house.system.sweeper.sweep();
    expect(await here.s3.keys()).toEqual([]);
  });
});
