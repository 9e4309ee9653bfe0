import { describe, expect, test } from "bun:test";
import type { FileProgress } from "#contract/files";
import { PART_SIZE } from "#contract/limits";
import { uploads } from "#contract/uploads";
import { eventHeaders } from "../../../../../../src/fronts/rest/event-stream.ts";
import { slowBody } from "../../../../../support/clients/slow-body.ts";
import { readEvents } from "../../../../../support/jobs/jobs-house.ts";
import { scenarios } from "../../../../../support/scenario.ts";
import { ask, commit, presign, put, shareFile } from "../../../../../support/share-file.ts";
import { minutes } from "../../../../../support/test-clock.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";

const octets = "application/octet-stream";
const peek = async (house: TestHouse, slug: string) =>
  ((await (await house.request(`/api/public/files/${slug}?peek=1`)).json()) as { data: object }).data;
const follow = async (house: TestHouse, slug: string, peer?: string) =>
  await house.request(`/api/shares/${slug}/events`, {}, peer);

/** Begins a share of two parts. */
async function inParts(house: TestHouse, more: object = {}) {
  const body = { filename: "big.bin", size: PART_SIZE + 5, part_size: PART_SIZE, ...more };
  const { data } = await ask(house, uploads.begin, { body });
  const { file_id, upload_id, slug, presigned_urls } = data;
  const send = async (number: 1 | 2) => {
    const bytes = new Uint8Array(number === 1 ? PART_SIZE : 5).fill(number);
    const response = await put(house, presigned_urls[number - 1]?.url ?? "", bytes, octets);
    expect(response.status).toBe(200);
    return { partNumber: number, etag: response.headers.get("etag") ?? "" };
  };
  const complete = async (parts: Awaited<ReturnType<typeof send>>[]) =>
    await ask(house, uploads.complete, { body: { file_id, upload_id, parts } });
  const abort = async () => await ask(house, uploads.abort, { body: { file_id, upload_id } });
  return { slug, send, complete, abort };
}

describe("a share whose file is on its way", () => {
  const uploading = { status: 503, has: ["still being uploaded"] } as const;
  scenarios(
    [
      { method: "GET", url: "/api/public/files/waits", status: 503, has: ["share.uploading"] },
      {
        ...{ method: "GET", url: "/api/public/files/locked", status: 200 },
        has: ['"state":"uploading"', '"requires_password":true'],
        hasNot: ["locked.txt", "Url"],
      },
      {
        ...{ method: "GET", url: "/api/public/files/waits?peek=1", status: 200 },
        has: ['"state":"uploading"', '"size":5', '"requires_password":false'],
        hasNot: ["waits.txt", "Url", "text/plain", "created"],
      },
      {
        ...{ method: "GET", url: "/api/public/files/locked?peek=1", status: 200 },
        has: ['"state":"uploading"', '"requires_password":true'],
        hasNot: ["locked.txt", "Url"],
      },
      { method: "HEAD", url: "/api/public/files/waits", status: 503 },
      { method: "POST", url: "/api/public/files/waits/verify", body: { password: "x" }, status: 400 },
      { method: "POST", url: "/api/public/files/locked/verify", body: { password: "x" }, status: 401 },
      { method: "POST", url: "/api/public/files/locked/verify", body: { password: "sesame" }, ...uploading },
      {
        ...{ method: "POST", url: "/api/public/files/once/verify?peek=1", body: { password: "sesame" }, status: 200 },
        has: ['"state":"uploading"', '"requires_password":false'],
        hasNot: ["once.txt"],
      },
      { method: "GET", url: "/api/file-view/waits", ...uploading },
      { method: "GET", url: "/api/file-view/waits?grant=a.b", ...uploading },
      { method: "GET", url: "/api/file-view/locked", status: 401, has: ["password"] },
      { method: "GET", url: "/api/file-view/locked?password=x", status: 401 },
      { method: "GET", url: "/api/file-view/locked?password=sesame", ...uploading },
      { method: "GET", url: "/api/file-download/waits", headers: { range: "bytes=0-1" }, ...uploading },
      { method: "HEAD", url: "/api/file-download/waits", status: 503 },
      { method: "GET", url: "/api/file-thumb/waits", ...uploading },
      { method: "GET", url: "/api/office-preview/waits", status: 503, has: ["share.uploading"] },
      { method: "HEAD", url: "/api/shares/waits/events", status: 200 },
      { method: "GET", url: "/api/shares/nothing/events", status: 404, has: ["share.missing"] },
      { method: "HEAD", url: "/api/shares/nothing/events", status: 404 },
      { as: "admin", method: "GET", url: "/api/files", status: 200, has: ['"total":0'] },
    ],
    async (house) => {
      await presign(house, { slug: "waits", filename: "waits.txt" });
      await presign(house, { slug: "locked", filename: "locked.txt", password: "sesame" });
      await presign(house, { slug: "once", filename: "once.txt", password: "sesame", max_views: 1 });
    },
  );

  test("tells programs when to ask again, and gives up no view for that", async () => {
    await using house = await openTestHouse();
    const { data } = await presign(house, { slug: "once", max_views: 1 });
    const early = await house.request("/api/file-download/once");
    expect([early.status, early.headers.get("retry-after"), early.headers.get("cache-control")]).toEqual([
      503,
      "5",
      "no-store",
    ]);
    expect((await put(house, data.upload_url, "hello")).status).toBe(200);
    expect((await house.request("/api/file-download/once")).status).toBe(503);
    expect((await commit(house, data.file_id)).status).toBe(200);
    expect(await (await house.request("/api/file-download/once")).text()).toBe("hello");
    expect((await house.request("/api/file-download/once")).status).toBe(410);
  });

  test("without a limit opens as soon as its file is there, also for whoever has asked before", async () => {
    await using house = await openTestHouse();
    const { data } = await presign(house, { slug: "waits" });
    for (const _ of [1, 2]) expect((await house.request("/api/file-view/waits")).status).toBe(503);
    await put(house, data.upload_url, "hello");
    await commit(house, data.file_id);
    expect(await (await house.request("/api/file-view/waits")).text()).toBe("hello");
    expect(await peek(house, "waits")).toMatchObject({ filename: "note.txt", views: 2 });
    expect(await peek(house, "waits")).not.toHaveProperty("state");
  });

  test("is no guess: who asks for it again and again may open the next link", async () => {
    await using house = await openTestHouse();
    await presign(house, { slug: "waits" });
    for (let asked = 0; asked < 100; asked++) {
      const { status } = await house.request("/api/file-view/waits");
      expect(status).toBe(503);
    }
  });

  test("tells the bytes of the parts that are whole, and that nothing comes any more", async () => {
    await using house = await openTestHouse();
    const { slug, send } = await inParts(house);
    const size = PART_SIZE + 5;
    expect(await peek(house, slug)).toMatchObject({ state: "uploading", received: 0, size });
    await send(1);
    house.clock.advance(1001);
    expect(await peek(house, slug)).toMatchObject({ state: "uploading", received: PART_SIZE, size });
    house.clock.advance(minutes(2) + 1);
    expect(await peek(house, slug)).toMatchObject({ state: "stalled", received: PART_SIZE });
    await send(2);
    house.clock.advance(1001);
    expect(await peek(house, slug)).toMatchObject({ state: "uploading", received: size });
  });

  test("is told of as it stands when it has expired", async () => {
    await using house = await openTestHouse();
    await presign(house, { slug: "waits", expires_in: 1 });
    house.clock.advance(minutes(61));
    expect((await house.request("/api/public/files/waits?peek=1")).status).toBe(410);
    expect((await follow(house, "waits")).status).toBe(410);
  });

  test("keeps the slug that a file is to take over with its own old file until then", async () => {
    await using house = await openTestHouse();
    await shareFile(house, { slug: "kept", content: "first" });
    const slow = slowBody("sec", "ond");
    const headers = { authorization: `Bearer ${await house.signIn()}` };
    const sending = house.request("/api/upload-direct/b.txt?slug=kept&override=true", {
      ...{ method: "PUT", headers, body: slow.body },
    });
    await slow.begun;
    expect(await (await house.request("/api/file-view/kept")).text()).toBe("first");
    expect(await peek(house, "kept")).not.toHaveProperty("state");
    slow.finish();
    expect((await sending).status).toBe(201);
    expect(await (await house.request("/api/file-view/kept")).text()).toBe("second");
  });
});

describe("the events of a share", () => {
  const events = (response: Response) => readEvents<FileProgress>(response, "file");

  test("begin with how its file stands, follow it, and end when it is there", async () => {
    await using house = await openTestHouse();
    const { slug, send, complete } = await inParts(house, { password: "sesame", max_views: 1 });
    const response = await follow(house, slug);
    for (const [name, value] of Object.entries(eventHeaders)) expect(response.headers.get(name)).toBe(value);
    const read = events(response);
    const size = PART_SIZE + 5;
    expect(await read.next()).toEqual({ state: "uploading", received: 0, size });
    const first = await send(1);
    house.clock.advance(1001);
    expect(await read.next()).toEqual({ state: "uploading", received: PART_SIZE, size });
    const second = await send(2);
    expect((await complete([first, second])).status).toBe(200);
    house.clock.advance(1001);
    expect(await read.last()).toEqual({ state: "ready", received: size, size });
    // Who has watched has opened nothing.
    expect(await peek(house, slug)).toMatchObject({ views: 0, views_left: 1 });
  });

  test("end when the sender gives up, and are one when the file is there already", async () => {
    await using house = await openTestHouse();
    const { slug, abort } = await inParts(house);
    const read = events(await follow(house, slug));
    expect(await read.next()).toMatchObject({ state: "uploading" });
    expect((await abort()).status).toBe(200);
    expect(await read.last()).toEqual({ state: "failed", size: null });
    expect((await follow(house, slug)).status).toBe(404);

    const { data } = await presign(house, { slug: "there" });
    await put(house, data.upload_url, "hello");
    await commit(house, data.file_id);
    expect(await (await follow(house, "there")).text()).toBe(
      'event: file\ndata: {"state":"ready","received":5,"size":5}\n\n',
    );
  });

  test("tell of a file that begins anew under the slug of one that was given up", async () => {
    await using house = await openTestHouse();
    const { abort } = await inParts(house, { slug: "again" });
    const old = events(await follow(house, "again"));
    expect(await old.next()).toMatchObject({ state: "uploading" });
    await abort();
    expect(await old.next()).toMatchObject({ state: "failed" });
    await presign(house, { slug: "again" });
    // The old stream has not been read to its end.
    const fresh = events(await follow(house, "again"));
    expect(await fresh.next()).toEqual({ state: "uploading", size: 5 });
    expect(await old.next()).toBeUndefined();
  });

  test("are so many for an address and no more, and free again when their reader has gone", async () => {
    await using house = await openTestHouse();
    await presign(house, { slug: "waits" });
    const open: Response[] = [];
    for (let one = 0; one < 20; one++) open.push(await follow(house, "waits"));
    expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
    expect((await follow(house, "waits")).status).toBe(503);
    const elsewhere = await follow(house, "waits", "198.51.100.7");
    expect(elsewhere.status).toBe(200);
    await open.pop()?.body?.cancel();
    open.push(await follow(house, "waits"));
    expect(open.at(-1)?.status).toBe(200);
    for (const { body } of [...open, elsewhere]) await body?.cancel();
  });

  test("end when the server stops", async () => {
    await using house = await openTestHouse();
    await presign(house, { slug: "waits" });
    const read = events(await follow(house, "waits"));
    expect(await read.next()).toMatchObject({ state: "uploading" });
    await house.house.shares.files.progress.close();
    expect(await read.last()).toMatchObject({ state: "uploading" });
  });
});
