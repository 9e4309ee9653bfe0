import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { files } from "#contract/files";
import { storage } from "#contract/storage";
import { uploads } from "#contract/uploads";
import type { Caller } from "../../../../../../src/access/principal.ts";
import { sql } from "../../../../../../src/database/sql.ts";
import { makeKey } from "../../../../../support/make-key.ts";
import { scenarios } from "../../../../../support/scenario.ts";
import { ask, commit, filesOf, nothing, presign, put, remains, shareFile } from "../../../../../support/share-file.ts";
import { temporaryFolder } from "../../../../../support/temporary-folder.ts";
import { days, hours } from "../../../../../support/test-clock.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";

const MiB = 1024 * 1024;
const quota = (house: TestHouse, bytes: number) =>
  house.configure(sql`update storage_configs set total_storage_bytes = ${bytes}`);
const cancel = (house: TestHouse, ...ids: string[]) => ask(house, files.remove, { body: { ids } });
const used = async (house: TestHouse) => (await ask(house, storage.list, {})).data[0]?.used_bytes;
const sweep = (house: TestHouse) => house.house.system.sweeper.sweep();

describe("the list of storages", () => {
  const list = { method: "GET", url: "/api/s3-configs" } as const;
  scenarios([
    { ...list, status: 401, has: ["auth.required"] },
    { ...list, as: "wrong token", status: 401, has: ["auth.expired"] },
    {
      ...list,
      as: "admin",
      status: 200,
      has: ['"name":"Built-in storage"', '"provider_type":"Built-in disk"', '"is_default":1', '"used_bytes":0'],
      hasNot: ["secret"],
    },
    {
      ...list,
      as: { key: ["file_share"] },
      status: 200,
      has: ['"name":"Built-in storage"', '"free_bytes":'],
      hasNot: ["signature_expires_in", "secret", "access_key", "endpoint", "region"],
    },
    { method: "GET", url: "/api/system/max-upload-size", status: 200, has: ['"max_upload_size":10240'] },
    { as: "wrong token", method: "GET", url: "/api/system/max-upload-size", status: 200 },
    { as: "admin", method: "GET", url: "/api/system/max-upload-size", status: 200 },
  ]);
});

describe("room for files", () => {
  test("what is on its way is reserved, and free again when it is given up", async () => {
    await using house = await openTestHouse();
    await quota(house, 100);
    const first = await presign(house, { size: 60 });
    expect(await used(house)).toBe(60);
    const full = await presign(house, { size: 41 });
    expect(full).toMatchObject({ status: 507, error: "storage.full" });
    expect(full.message).toContain("(41 B)");
    expect(full.message).toContain("(40 B)");
    expect((await presign(house, { size: 40 })).status).toBe(200);
    expect((await presign(house, { size: 1 })).status).toBe(507);
    expect(await cancel(house, first.data.file_id)).toMatchObject({ status: 200, data: { success: 1 } });
    expect((await presign(house, { size: 60 })).status).toBe(200);
  });

  test("many at once do not take more than there is", async () => {
    await using house = await openTestHouse();
    await quota(house, 100);
    const begun = await Promise.all(Array.from({ length: 20 }, () => presign(house, { size: 30 })));
    expect(begun.filter(({ status }) => status === 200).length).toBe(3);
    expect(begun.filter(({ status }) => status === 507).length).toBe(17);
    expect(await remains(house)).toMatchObject({ shares: 3, uploads: 3 });
  });

  test("a sentence in Chinese carries both sizes where older clients look for them", async () => {
    await using house = await openTestHouse();
    await quota(house, 2048);
    const body = { filename: "a", size: 4096 };
    const { message } = await ask(house, uploads.presign, { body }, { "accept-language": "zh-CN" });
    expect(message).toBe("存储空间不足。文件大小(4.00 KB)超过剩余空间(2.00 KB)。存储桶总容量限制为2.00 KB。");
  });

  test("a file whose size nobody said does not take more than there is", async () => {
    await using house = await openTestHouse();
    await quota(house, 100);
    const { data } = await presign(house, { size: undefined });
    expect((await put(house, data.upload_url, "x".repeat(101))).status).toBe(507);
    const unmeasured = await house.request(data.upload_url, {
      method: "PUT",
      body: new Response("x".repeat(101)).body,
      headers: { "content-type": "text/plain" },
    });
    expect(unmeasured.status).toBe(507);
    expect(filesOf(house)).toEqual([]);
    expect((await put(house, data.upload_url, "x".repeat(100))).status).toBe(200);
    expect((await commit(house, data.file_id)).status).toBe(200);
    expect(await used(house)).toBe(100);
  });

  test("the largest file is what the setting says", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "satchel.db");
    {
      await using before = await openTestHouse({ file });
      await before.db.run(sql`update settings set value = '1' where name = 'max_upload_size'`);
      await before.db.run(sql`update settings set value = 'true' where name = 'default_use_proxy'`);
    }
    await using house = await openTestHouse({ file });
    expect((await presign(house, { size: MiB })).status).toBe(200);
    const tooLarge = await presign(house, { size: MiB + 1 });
    expect(tooLarge).toMatchObject({ status: 413, error: "file.tooLarge" });
    expect(tooLarge.message).toContain("1.00 MB");
    const { data } = await presign(house, { size: undefined });
    expect((await put(house, data.upload_url, "x".repeat(MiB + 1))).status).toBe(413);
    expect((await put(house, data.upload_url, "x".repeat(MiB))).status).toBe(200);
    expect(await shareFile(house)).toMatchObject({ use_proxy: 1 });
    expect(await shareFile(house, { use_proxy: false })).toMatchObject({ use_proxy: 0 });
  });
});

describe("giving up and sweeping", () => {
  test("what is given up leaves nothing, whether its file has come or not", async () => {
    await using house = await openTestHouse();
    const waiting = await presign(house);
    const there = await presign(house, { slug: "there" });
    await put(house, there.data.upload_url, "hello");
    const answer = await cancel(house, waiting.data.file_id, there.data.file_id);
    expect(answer.data).toEqual({ success: 2, failed: [] });
    expect(await remains(house)).toEqual(nothing);
    expect(await commit(house, there.data.file_id)).toMatchObject({ status: 404, error: "upload.missing" });
    expect((await put(house, there.data.upload_url, "hello")).status).toBe(404);
    expect(await remains(house)).toEqual(nothing);
    expect((await presign(house, { slug: "there" })).status).toBe(200);
  });

  test("giving up wins over finishing at the same time, and leaves nothing", async () => {
    await using house = await openTestHouse();
    for (const size of [5, undefined]) {
      for (let round = 0; round < 20; round++) {
        const { data } = await presign(house, { size });
        await put(house, data.upload_url, "hello");
        const order = [() => commit(house, data.file_id), () => cancel(house, data.file_id)];
        const [one, other] = await Promise.all((round % 2 ? order.toReversed() : order).map((begin) => begin()));
        const finished = round % 2 ? other : one;
        expect([200, 404]).toContain(finished?.status ?? 0);
        expect(await remains(house)).toEqual(nothing);
      }
    }
  });

  test("giving up with record_only keeps nothing of a file that was never shared", async () => {
    await using house = await openTestHouse();
    const whole = await presign(house);
    await put(house, whole.data.upload_url, "hello");
    const begun = await ask(house, uploads.begin, { body: { filename: "a", size: 6 * MiB, part_size: 5 * MiB } });
    const ids = [whole.data.file_id, begun.data.file_id];
    await ask(house, files.remove, { body: { ids, delete_mode: "record_only" } });
    expect(await remains(house)).toEqual(nothing);
  });

  test("a pending share is kept for 24 hours after the last that came, then goes with its file", async () => {
    await using house = await openTestHouse();
    const idle = await presign(house, { slug: "idle" });
    const put1 = await presign(house, { slug: "sent" });
    await put(house, put1.data.upload_url, "hello");
    const later = await presign(house, { slug: "later" });
    house.clock.advance(hours(20));
    const again = await presign(house, { slug: "again" });
    // The addresses of the first ones have expired by now, so their clock is moved as a PUT would have done.
    await house.db.run(sql`update uploads set touched_at = ${house.clock.now()}
      where id = (select upload from files where slug = 'later')`);
    house.clock.advance(hours(4) - 1);
    await sweep(house);
    expect(await remains(house)).toMatchObject({ shares: 4, uploads: 4 });
    house.clock.advance(1);
    await sweep(house);
    const left = await house.db.all<{ slug: string }>(sql`select slug from files order by slug`);
    expect(left.map(({ slug }) => slug)).toEqual(["again", "later"]);
    expect(filesOf(house)).toEqual([]);
    expect((await commit(house, idle.data.file_id)).status).toBe(404);
    expect((await presign(house, { slug: "idle" })).status).toBe(200);
    await cancel(house, later.data.file_id, again.data.file_id);
    house.clock.advance(days(2));
    await sweep(house);
    expect(await remains(house)).toEqual(nothing);
  });

  test("a PUT and a part put the sweep off", async () => {
    await using house = await openTestHouse();
    const whole = await presign(house);
    const parts = await ask(house, uploads.begin, { body: { filename: "a", size: 6 * MiB, part_size: 5 * MiB } });
    house.clock.advance(hours(1) - 1000);
    await put(house, whole.data.upload_url, "hello");
    await put(house, parts.data.presigned_urls[1]?.url ?? "", new Uint8Array(MiB), "application/octet-stream");
    house.clock.advance(hours(23) + 1000);
    await sweep(house);
    expect(await remains(house)).toMatchObject({ shares: 2, uploads: 2, parts: 1 });
    house.clock.advance(hours(1));
    await sweep(house);
    expect(await remains(house)).toEqual(nothing);
  });

  test("gone shares answer 410 for a day and are then swept with their files", async () => {
    await using house = await openTestHouse();
    await shareFile(house, { slug: "short", expires_in: 1 });
    await shareFile(house, { slug: "once", max_views: 1 });
    await shareFile(house, { slug: "stays", filename: "stays.txt" });
    await house.request("/api/public/files/once");
    house.clock.advance(hours(24));
    await sweep(house);
    expect((await house.request("/api/public/files/short")).status).toBe(410);
    expect((await house.request("/api/public/files/once")).status).toBe(404);
    house.clock.advance(hours(1));
    await sweep(house);
    expect((await house.request("/api/public/files/short")).status).toBe(404);
    expect(filesOf(house)).toEqual(["drive/shares/stays.txt"]);
    expect(await remains(house)).toMatchObject({ shares: 1, uploads: 1, attributes: 1 });
    expect(await used(house)).toBe(5);
  });

  test("deleting takes the file along, record_only leaves it", async () => {
    await using house = await openTestHouse();
    const both = await shareFile(house, { filename: "both.txt" });
    const only = await shareFile(house, { filename: "only.txt" });
    await ask(house, files.remove, { body: { ids: [only.id], delete_mode: "record_only" } });
    await ask(house, files.remove, { body: { ids: [both.id], delete_mode: "both" } });
    expect(filesOf(house)).toEqual(["drive/shares/only.txt"]);
    expect(await remains(house)).toMatchObject({ shares: 0, uploads: 1 });
    house.clock.advance(days(3));
    await sweep(house);
    expect(filesOf(house)).toEqual(["drive/shares/only.txt"]);
    // What lies in the storage takes its room.
    expect(await used(house)).toBe(5);
    expect(await shareFile(house, { filename: "only.txt" })).not.toMatchObject({ storage_path: "shares/only.txt" });
  });
});

describe("what belongs to a key", () => {
  const key = (id: string): Caller => ({ kind: "key", id, name: id, permissions: 2, basePath: "/", isVisitor: false });
  const mine = key("mine");
  const fields = { filename: "a.txt", size: 5 };

  test("is missing for every other key, and not for the admin", async () => {
    await using house = await openTestHouse();
    const { id } = await makeKey(house);
    await house.db.run(sql`update api_keys set id = 'mine' where id = ${id}`);
    const { files: room } = house.house.shares;
    const { file, upload } = await room.begin(mine, fields);
    expect(file.created_by).toBe("apikey:mine");
    const begun = await room.begin(mine, { filename: "b", size: 6 * MiB, part_size: 5 * MiB });
    const own = { file_id: begun.file.id, upload_id: begun.upload.multipart ?? "" };
    const other = key("other");
    const missing = { code: "upload.missing" };
    await expect(room.commit(other, file.id)).rejects.toMatchObject(missing);
    await expect(room.parts(other, own)).rejects.toMatchObject(missing);
    await expect(room.complete(other, own, [])).rejects.toMatchObject(missing);
    await expect(room.abort(other, own)).rejects.toMatchObject(missing);
    await put(house, await house.house.transfers.putUrl(upload, { base: "http://satchel.test" }), "hello");
    await room.commit(mine, file.id);
    await expect(room.read(other, file.id)).rejects.toMatchObject({ code: "share.missing" });
    await expect(room.update(other, file.id, { remark: "x" })).rejects.toMatchObject({ code: "share.missing" });
    const { removed, failed } = await room.remove(other, [file.id, begun.file.id], false);
    expect([removed, failed.map(({ failure }) => failure.code)]).toEqual([0, ["share.missing", "share.missing"]]);
    expect((await room.read(mine, file.id)).id).toBe(file.id);
    expect((await room.read({ kind: "admin", sessionId: "" }, file.id)).id).toBe(file.id);
    expect(
      (await room.list({ owners: ["apikey:other"], sort: "created", order: "desc", limit: 10, offset: 0 })).total,
    ).toBe(0);
    expect(
      (await room.list({ owners: ["apikey:mine"], sort: "created", order: "desc", limit: 10, offset: 0 })).total,
    ).toBe(1);
    const listed = await house.request("/api/files?created_by=apikey:mine", {
      headers: { authorization: `Bearer ${await house.signIn()}` },
    });
    expect(await listed.json()).toMatchObject({ data: { pagination: { total: 1 } } });
    expect((await room.remove(mine, [file.id, begun.file.id], false)).removed).toBe(2);
    expect(await remains(house)).toEqual(nothing);
  });

  test("goes into storages that keys may use, and no other", async () => {
    await using house = await openTestHouse();
    const { files: room } = house.house.shares;
    await house.configure(sql`update storage_configs set is_public = 0`);
    await expect(room.begin(mine, fields)).rejects.toMatchObject({ code: "storage.forbidden" });
    expect(await remains(house)).toEqual(nothing);
    expect((await presign(house)).status).toBe(200);
  });
});
