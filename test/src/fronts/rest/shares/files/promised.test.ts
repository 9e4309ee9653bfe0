import { describe, expect, test } from "bun:test";
import { fs } from "#contract/fs/fs";
import { links } from "#contract/links";
import { storage } from "#contract/storage";
import { makeKey, withKey } from "../../../../../support/make-key.ts";
import { builtInStorage } from "../../../../../support/make-mount.ts";
import { credentialOf } from "../../../../../support/scenario.ts";
import { ask, put, remains } from "../../../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";
import { until } from "../../../../../support/until.ts";

/** Room of a storage that uploads reserve for files that have not come. */

const minutes = (count: number) => count * 60_000;

/** A house with a visitors' key, whose storage takes a hundred bytes. */
async function openSmall(): Promise<TestHouse> {
  const house = await openTestHouse();
  await makeKey(house, { is_guest: true, permissions: ["file_share"] });
  const params = { id: await builtInStorage(house) };
  await ask(house, storage.update, { params, body: { total_storage_bytes: 100 } });
  return house;
}

interface Begun {
  readonly upload_url: string;
  readonly file_id: string;
  readonly contentType: string;
}

/** Begins a share of so many bytes, as a visitor unless headers say otherwise. */
async function begin(house: TestHouse, size: number, headers: Record<string, string> = {}) {
  const body = JSON.stringify({ filename: `${crypto.randomUUID()}.bin`, size });
  const response = await house.request("/api/s3/presign", { method: "POST", headers, body });
  return { status: response.status, ...((await response.json()) as { error?: string; message: string; data: Begun }) };
}

async function said(house: TestHouse, size: number, headers?: Record<string, string>): Promise<string> {
  const { status, error } = await begin(house, size, headers);
  return error === undefined ? String(status) : `${status} ${error}`;
}

test("visitors together leave others half of it, and keys take what is free", async () => {
  await using house = await openSmall();
  expect(await said(house, 101)).toBe("507 storage.full");
  expect([await said(house, 25), await said(house, 25)]).toEqual(["200", "200"]);
  const refused = await begin(house, 1);
  expect([refused.status, refused.error]).toEqual([507, "storage.reserved"]);
  expect(refused.message).toContain("have reserved 50 B of this storage, and the limit is 50 B");
  const key = withKey(await makeKey(house));
  expect([await said(house, 20, key), await said(house, 30, key)]).toEqual(["200", "200"]);
  expect(await said(house, 1, key)).toBe("507 storage.full");
});

/** Begins an upload in parts of so many bytes by a link. */
async function saidByLink(house: TestHouse, size: number, headers: Record<string, string>): Promise<string> {
  const body = JSON.stringify({ path: "/1/", fileName: `${crypto.randomUUID()}.bin`, fileSize: size });
  const response = await house.request("/api/fs/multipart/init", { method: "POST", headers, body });
  const { error } = (await response.json()) as { error?: string };
  return error === undefined ? String(response.status) : `${response.status} ${error}`;
}

test("visitors of links leave others half of it as well, together with those of the key", async () => {
  await using house = await openSmall();
  const links = [
    await credentialOf(house, { link: ["upload"] }),
    await credentialOf(house, { link: ["upload"] }),
  ] as const;
  expect([await saidByLink(house, 25, links[0]), await said(house, 10)]).toEqual(["200", "200"]);
  expect(await saidByLink(house, 16, links[1])).toBe("507 storage.reserved");
  expect(await said(house, 16)).toBe("507 storage.reserved");
  expect(await saidByLink(house, 15, links[1])).toBe("200");
  expect(await said(house, 50, withKey(await makeKey(house)))).toBe("200");
});

test("what a visitor of a link reserved goes once nothing can come to it", async () => {
  await using house = await openSmall();
  expect(await saidByLink(house, 100, await credentialOf(house, { link: ["upload"] }))).toBe("200");
  const key = withKey(await makeKey(house));
  expect(await said(house, 1, key)).toBe("507 storage.full");
  house.clock.advance(minutes(61));
  await house.house.system.sweeper.sweep();
  expect(await said(house, 100, key)).toBe("200");
});

test("one file may need all of it", async () => {
  await using house = await openSmall();
  expect(await said(house, 100)).toBe("200");
});

test("what a visitor has begun counts until it has ended", async () => {
  await using house = await openSmall();
  const { data } = await begin(house, 10);
  house.clock.advance(minutes(1));
  await put(house, data.upload_url, "x".repeat(10), data.contentType);
  expect(await said(house, 41)).toBe("507 storage.reserved");
});

test("what a visitor reserved goes once nothing can come to it, and what a key reserved after a day", async () => {
  await using house = await openSmall();
  const key = withKey(await makeKey(house));
  await begin(house, 5, key);
  const { data } = await begin(house, 5);
  house.clock.advance(minutes(10));
  await put(house, data.upload_url, "12345", data.contentType);
  await begin(house, 5);
  const left = async () => {
    await house.house.system.sweeper.sweep();
    return (await remains(house)).uploads;
  };
  house.clock.advance(minutes(59));
  expect(await left()).toBe(3);
  house.clock.advance(minutes(1));
  expect(await left()).toBe(2);
  house.clock.advance(minutes(22 * 60 + 50));
  expect(await left()).toBe(1);
  house.clock.advance(minutes(10));
  expect(await left()).toBe(0);
});

describe("bodies that strangers send", () => {
  const MiB = 1024 * 1024;

  /** A house whose storage takes so many MiB, and a way to send a file by a link. */
  async function openInbox(room: number) {
    const house = await openTestHouse();
    const params = { id: await builtInStorage(house) };
    await ask(house, storage.update, { params, body: { total_storage_bytes: room * MiB } });
    await ask(house, fs.mkdir, { body: { path: "/drive/inbox/" } });
    const body = { items: ["/drive/inbox/"], rights: ["upload" as const] };
    const { slug } = (await ask(house, links.create, { body })).data;
    const send = (name: string, bytes: number, content: BodyInit) =>
      house.request(`/in/${slug}/${name}`, {
        method: "PUT",
        headers: { "content-length": String(bytes) },
        body: content,
      });
    return { house, send };
  }

  test("reserve of a quota what comes, not what they say", async () => {
    const { house, send } = await openInbox(100);
    await using _ = house;
    const key = withKey(await makeKey(house));
    const idle = await Promise.all(
      [1, 2, 3].map(async (name) => await begun((body) => send(`${name}`, 60 * MiB, body))),
    );
    expect(await said(house, 80 * MiB, key)).toBe("200");
    for (const { controller } of idle) controller.error(new DOMException("gone", "AbortError"));
    for (const { answer } of idle) expect((await answer).status).toBe(400);
  });

  test("have room for all once half has come", async () => {
    const { house, send } = await openInbox(100);
    await using _ = house;
    const key = withKey(await makeKey(house));
    const { answer, controller } = await begun((body) => send("long", 60 * MiB, body));
    for (const bytes of [15 * MiB - 1, 15 * MiB]) controller.enqueue(new Uint8Array(bytes));
    await until(
      async () => (await house.house.transfers.storages())[0]?.free,
      (free) => free === 40 * MiB,
    );
    expect([await said(house, 41 * MiB, key), await said(house, 40 * MiB, key)]).toEqual(["507 storage.full", "200"]);
    controller.enqueue(new Uint8Array(30 * MiB));
    controller.close();
    expect((await answer).status).toBe(201);
  });

  test("arrive whole, and are refused at once where they do not fit", async () => {
    const { house, send } = await openInbox(40);
    await using _ = house;
    expect((await send("long", 41 * MiB, "x")).status).toBe(507);
    expect((await send("right", 20 * MiB, new Uint8Array(20 * MiB))).status).toBe(201);
    expect((await send("more", 21 * MiB, new Uint8Array(21 * MiB))).status).toBe(507);
    expect((await send("rest", 20 * MiB, new Uint8Array(20 * MiB))).status).toBe(201);
  });
});

/** Begins to send a body, of which the first byte has come. */
async function begun(send: (body: ReadableStream<Uint8Array>) => Promise<Response>) {
  const asked = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
  let isSent = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (isSent) return asked.resolve(controller);
      isSent = true;
      controller.enqueue(new Uint8Array(1));
    },
  });
  return { answer: send(body), controller: await asked.promise };
}
