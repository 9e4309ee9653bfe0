import { describe, expect, test } from "bun:test";
import { fs } from "#contract/fs/fs";
import { DISK_RESERVE, HEALTH_KEPT, PART_SIZE } from "#contract/limits";
import { settings } from "#contract/settings";
import { uploads } from "#contract/uploads";
import { plainSql, sql } from "../../../src/database/sql.ts";
import type { Volume } from "../../../src/lib/data-folder.ts";
import { davCalls, setting } from "../../support/clients/dav.ts";
import { END, FORM_TYPE, field, filePart } from "../../support/clients/form-body.ts";
import { makeKey, withKey } from "../../support/make-key.ts";
import { makeMount } from "../../support/make-mount.ts";
import { ask, commit, filesOf, presign, put, shareFile } from "../../support/share-file.ts";
import { testOnSqlite } from "../../support/test-database.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";

/** What has no room is refused with 507, and /api/health tells what to do. */

const MiB = 1024 ** 2;
const FULL = { status: 507, error: "storage.full" };

/** A house on a disk of a terabyte, of which so many bytes are free. */
async function openOnDisk(free: number) {
  const disk: { -readonly [Name in keyof Volume]: Volume[Name] } = { size: 1024 ** 4, free };
  return { disk, house: await openTestHouse({ volume: () => disk }) };
}

const create = async (house: TestHouse, content = "x", headers?: Record<string, string>) => {
  const authorization = `Bearer ${await house.signIn()}`;
  const init = { method: "POST", headers: headers ?? { authorization }, body: JSON.stringify({ content }) };
  const response = await house.request("/api/paste", init);
  return { status: response.status, ...((await response.json()) as { error?: string; slug?: string }) };
};

interface Reply {
  readonly status: string;
  readonly problems?: readonly { readonly problem: string; readonly advice: string }[];
}

/** What /api/health says after what it keeps has run out. */
async function health(house: TestHouse, language = "en") {
  house.clock.advance(HEALTH_KEPT);
  const response = await house.request("/api/health", { headers: { "accept-language": language } });
  expect(response.status).toBe(200);
  const { status, problems } = (await response.json()) as Reply;
  return { status, problems: problems?.map(({ problem }) => problem), text: JSON.stringify(problems) };
}

test("properties stop where texts do, before the database has no room to delete in", async () => {
  const { disk, house } = await openOnDisk(DISK_RESERVE);
  await using _ = house;
  const dav = davCalls(house);
  await dav.send("MKCOL", "/drive/d");
  const change = async (value: string) =>
    (await dav.send("PROPPATCH", "/drive/d", { body: setting(`<x:p>${value}</x:p>`) })).status;
  expect(await change("mine")).toBe(207);
  disk.free = DISK_RESERVE / 2;
  expect([await change("longer"), (await create(house)).status]).toEqual([507, 507]);
  // What takes no more room than before is changed, and what is removed makes some.
  expect([await change("ours"), await change("")]).toEqual([207, 207]);
});

describe("a disk with no more than the reserve", () => {
  const form = async (house: TestHouse) =>
    house.request("/api/upload", {
      method: "POST",
      headers: { authorization: `Bearer ${await house.signIn()}`, "content-type": FORM_TYPE },
      body: field("slug", "formed") + filePart("hello", 'filename="a.txt"') + END,
    });

  test("takes no file by any way, and leaves nothing of one", async () => {
    const { disk, house } = await openOnDisk(DISK_RESERVE + 4);
    await using _ = house;
    await makeMount(house, { mount_path: "/m" });
    expect(await presign(house, { size: 5 })).toMatchObject(FULL);
    expect((await form(house)).status).toBe(507);
    expect(await ask(house, fs.update, { body: { path: "/m/a", content: "hello" } })).toMatchObject(FULL);
    disk.free = DISK_RESERVE - 1;
    expect(await ask(house, fs.mkdir, { body: { path: "/m/folder/" } })).toMatchObject(FULL);
    expect(filesOf(house)).toEqual([]);
    disk.free = DISK_RESERVE + 5;
    expect((await form(house)).status).toBe(201);
  });

  /** Begins a file of so many bytes, of which only the first comes until its body is ended. */
  async function beginLong(house: TestHouse, name: string, bytes: number) {
    const asked = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
    let sent = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent) return asked.resolve(controller);
        sent = true;
        controller.enqueue(new Uint8Array(1));
      },
    });
    const answer = upload(house, name, bytes, body);
    return { answer, controller: await asked.promise };
  }

  const upload = async (house: TestHouse, name: string, bytes: number, body: BodyInit) => {
    const headers = { authorization: `Bearer ${await house.signIn()}`, "content-length": String(bytes) };
    return await house.request(`/api/upload-direct/${name}`, { method: "PUT", headers, body });
  };

  test("is not what a few make of it who say much and send nothing", async () => {
    const { house } = await openOnDisk(DISK_RESERVE + 100 * MiB);
    await using _ = house;
    const begun = [];
    for (let count = 0; count < 6; count++) begun.push(await beginLong(house, `long${count}`, 50 * MiB));
    const answer = await upload(house, "other", 20 * MiB, new Uint8Array(20 * MiB));
    for (const { controller } of begun) controller.error(new DOMException("gone", "AbortError"));
    expect(answer.status).toBe(201);
    for (const one of begun) expect((await one.answer).status).toBe(400);
    expect(filesOf(house)).toHaveLength(1);
  });

  test("takes no more of a part whose rest has no room", async () => {
    const { disk, house } = await openOnDisk(DISK_RESERVE + 100 * MiB);
    await using _ = house;
    const body = { filename: "b.bin", size: 2 * PART_SIZE, part_size: PART_SIZE };
    const [first] = (await ask(house, uploads.begin, { body })).data.presigned_urls;
    const pieces = [1, PART_SIZE - 1].map((bytes) => new Uint8Array(bytes));
    const sent = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces.shift();
        if (piece) controller.enqueue(piece);
        else controller.close();
        // Others have filled it meanwhile.
        disk.free = DISK_RESERVE - 1;
      },
    });
    const headers = { "content-length": String(PART_SIZE), "content-type": "application/octet-stream" };
    const answer = await house.request(first?.url ?? "", { method: "PUT", headers, body: sent });
    expect(answer.status).toBe(507);
  });

  test("takes none that was promised when there was room", async () => {
    const { disk, house } = await openOnDisk(DISK_RESERVE + 100 * MiB);
    await using _ = house;
    const whole = await presign(house, { size: 5 });
    const parted = await ask(house, uploads.begin, {
      body: { filename: "b.bin", size: 2 * PART_SIZE, part_size: PART_SIZE },
    });
    disk.free = DISK_RESERVE + 4;
    expect((await put(house, whole.data.upload_url, "hello", whole.data.contentType)).status).toBe(507);
    const [first] = parted.data.presigned_urls;
    expect((await put(house, first?.url ?? "", new Uint8Array(PART_SIZE))).status).toBe(507);
    disk.free = DISK_RESERVE + 100 * MiB;
    expect((await put(house, whole.data.upload_url, "hello", whole.data.contentType)).status).toBe(200);
    expect(await commit(house, whole.data.file_id)).toMatchObject({ status: 200 });
  });

  test("still takes texts and deletions, until half of the reserve is gone", async () => {
    const { disk, house } = await openOnDisk(DISK_RESERVE);
    await using _ = house;
    expect((await create(house)).status).toBe(201);
    const { slug } = await create(house);
    disk.free = DISK_RESERVE / 2;
    expect(await create(house)).toMatchObject(FULL);
    const headers = { authorization: `Bearer ${await house.signIn()}` };
    const edit = (body: object) =>
      house.request(`/api/pastes/${slug}`, { method: "PUT", headers, body: JSON.stringify(body) });
    expect((await edit({ content: "longer than before" })).status).toBe(507);
    expect((await edit({ content: "y" })).status).toBe(200);
    const ids = (await house.db.all<{ id: string }>(sql`select id from pastes`)).map(({ id }) => id);
    const body = JSON.stringify({ ids });
    expect((await house.request("/api/pastes/batch-delete", { method: "DELETE", headers, body })).status).toBe(200);
    expect(await house.db.all(sql`select id from pastes`)).toEqual([]);
  });

  test("is told of, without a number or a path", async () => {
    const { disk, house } = await openOnDisk(DISK_RESERVE + 1);
    await using _ = house;
    expect(await health(house)).toMatchObject({ status: "ok", problems: undefined });
    disk.free = DISK_RESERVE;
    const told = await health(house);
    expect(told).toMatchObject({ status: "degraded", problems: ["disk"] });
    expect(told.text).not.toMatch(/\d|\//);
    expect((await health(house, "zh")).text).toContain("磁盘空间");
    disk.free = DISK_RESERVE + 1;
    expect((await health(house)).status).toBe("ok");
  });

  test("keeps back no more than a tenth of a small one", async () => {
    const { disk, house } = await openOnDisk(3 * MiB);
    await using _ = house;
    disk.size = 20 * MiB;
    await shareFile(house, { content: new Uint8Array(MiB) });
    expect(await presign(house, { size: MiB + 1 })).toMatchObject(FULL);
  });
});

describe("a full database", () => {
  /** Lets the database grow by no more than so many pages (SQLite, "PRAGMA max_page_count"). */
  async function growNoMoreThan({ db }: TestHouse, pages: number) {
    const now = await db.first<{ page_count: number }>(plainSql("pragma page_count"));
    await db.first(plainSql(`pragma max_page_count = ${(now?.page_count ?? 0) + pages}`));
  }

  testOnSqlite("is 507 for texts, new and edited, and writes nothing of them", async () => {
    await using house = await openTestHouse();
    const { slug } = await create(house, "short");
    await growNoMoreThan(house, 4);
    expect(await create(house, "x".repeat(MiB))).toMatchObject(FULL);
    const headers = { authorization: `Bearer ${await house.signIn()}` };
    const body = JSON.stringify({ content: "x".repeat(MiB) });
    expect((await house.request(`/api/pastes/${slug}`, { method: "PUT", headers, body })).status).toBe(507);
    expect(await (await house.request(`/api/raw/${slug}`)).text()).toBe("short");
    expect(await house.db.all(sql`select quota, bytes from text_quotas where quota = 'total'`)).toEqual([
      { quota: "total", bytes: 5 + 1024 },
    ]);
    expect(house.log()).not.toContain('"unhandled error"');
  });

  testOnSqlite(
    "is 507 for files, of which nothing remains, and is told of until something is written again",
    async () => {
      await using house = await openTestHouse();
      const headers = { authorization: `Bearer ${await house.signIn()}` };
      expect((await health(house)).status).toBe("ok");
      await growNoMoreThan(house, 0);
      const said: number[] = [];
      for (let count = 0; count < 200; count++) {
        const body = JSON.stringify({ filename: "x".repeat(200), size: 5 });
        said.push((await house.request("/api/s3/presign", { method: "POST", headers, body })).status);
      }
      expect(new Set(said)).toEqual(new Set([200, 507]));
      expect(await create(house, "x".repeat(MiB), headers)).toMatchObject(FULL);
      expect(filesOf(house)).toEqual([]);
      expect(await health(house)).toMatchObject({ status: "degraded", problems: ["database"] });
      await growNoMoreThan(house, 1_000_000);
      expect((await create(house)).status).toBe(201);
      expect((await health(house)).status).toBe("ok");
    },
  );
});

describe("/api/health", () => {
  const small = async (house: TestHouse, values: Readonly<Record<string, number>>) =>
    await ask(house, settings.update, { params: { group: "1" }, body: values });

  test.each([
    ["max_total_texts", "texts.total", false],
    ["max_visitor_texts", "texts.visitors", true],
    ["max_key_texts", "texts.key", false],
  ] as const)("tells of %s as %s", async (setting, problem, visitor) => {
    await using house = await openTestHouse();
    const key = await makeKey(house, { is_guest: visitor });
    await small(house, { [setting]: 0.0625 });
    const who = visitor ? {} : withKey(key);
    expect((await create(house, "x".repeat(32 * 1024), who)).status).toBe(201);
    expect((await health(house)).status).toBe("ok");
    const { slug } = await create(house, "x".repeat(29 * 1024), who);
    expect(await health(house)).toMatchObject({ status: "degraded", problems: [problem] });
    await house.db.run(sql`delete from pastes where slug = ${slug ?? ""}`);
    expect((await health(house)).status).toBe("ok");
    await small(house, { [setting]: 0 });
    expect((await create(house, "x".repeat(MiB), who)).status).toBe(201);
    expect((await health(house)).status).toBe("ok");
  });

  test("tells of a storage whose quota is used up", async () => {
    await using house = await openTestHouse();
    await shareFile(house, { content: "123456789" });
    await house.configure(sql`update storage_configs set total_storage_bytes = 10`);
    expect((await health(house)).status).toBe("ok");
    await house.configure(sql`update storage_configs set total_storage_bytes = 9`);
    expect(await health(house)).toMatchObject({ status: "degraded", problems: ["storage"] });
  });
});
