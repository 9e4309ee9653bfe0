import { describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { files } from "#contract/files";
import { ask, shareFile } from "../../../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";

/** A view is one opening that was answered with its content: what the bytes of a file share cost, and what costs nothing. */

const navigation = { "sec-fetch-mode": "navigate" };
const small = "0123456789";
const large = small.repeat(10_000);

const viewsOf = async (house: TestHouse, id: string) => (await ask(house, files.read, { params: { id } })).data.views;
const removeFile = async (house: TestHouse) => {
  await rm(join(house.objects, "drive/shares/note.txt"));
  // Small files stay in memory for a second.
  house.clock.advance(1000);
};

describe.each([
  ["file-view", small],
  ["file-view", large],
  ["file-download", small],
  ["file-download", large],
])("%s", (way, content) => {
  test("costs nothing when the answer has no bytes, and one view when it has", async () => {
    await using house = await openTestHouse();
    const { id, etag } = await shareFile(house, { slug: "few", content, max_views: 2, password: "sesame" });
    const get = async (headers: Record<string, string> = {}) =>
      (await house.request(`/api/${way}/few?password=sesame`, { headers })).status;
    const idle: [status: number, headers: Record<string, string>][] = [
      [416, { range: "bytes=999999-" }],
      [412, { "if-match": '"other"' }],
      [412, { "if-unmodified-since": "Tue, 01 Jan 2019 00:00:00 GMT" }],
      [304, { "if-none-match": `"${etag}"` }],
      [304, { "if-none-match": "*", range: "bytes=0-1" }],
      [304, { "if-modified-since": "Thu, 03 Jan 2030 00:00:00 GMT" }],
    ];
    for (const [status, headers] of idle) expect(await get(headers)).toBe(status);
    expect(await viewsOf(house, id)).toBe(0);
    expect(await get({ range: "bytes=0-0" })).toBe(206);
    expect(await viewsOf(house, id)).toBe(1);
    expect(await get({ "if-none-match": '"other"' })).toBe(200);
    for (const [, headers] of idle) expect(await get(headers)).toBe(410);
    expect(await viewsOf(house, id)).toBe(2);
  });

  test("costs nothing when the file is gone, whoever asks", async () => {
    await using house = await openTestHouse();
    const { id } = await shareFile(house, { slug: "few", content, max_views: 2 });
    await removeFile(house);
    const sent: Record<string, string>[] = [{}, navigation, { range: "bytes=0-1" }, { "if-none-match": "*" }];
    for (const headers of sent) {
      const response = await house.request(`/api/${way}/few`, { headers });
      expect([response.status, await response.text()]).toEqual([410, expect.stringContaining("storage")]);
    }
    expect(await viewsOf(house, id)).toBe(0);
  });

  test("of fifty at once, however they ask, exactly five are answered with bytes", async () => {
    await using house = await openTestHouse();
    const { id, etag } = await shareFile(house, { slug: "five", content, max_views: 5 });
    const kinds: Record<string, string>[] = [
      { "if-none-match": `"${etag}"` },
      { range: "bytes=0-3" },
      {},
      navigation,
      { range: "bytes=999999-" },
    ];
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        return (await house.request(`/api/${way}/five`, { headers: kinds[index % kinds.length] ?? {} })).status;
      }),
    );
    expect(statuses.filter((status) => [200, 206, 303].includes(status)).length).toBe(5);
    expect(statuses.every((status) => [200, 206, 303, 304, 410, 416].includes(status))).toBe(true);
    expect(await viewsOf(house, id)).toBe(5);
  });
});

test("an empty file is content too", async () => {
  await using house = await openTestHouse();
  const { id } = await shareFile(house, { slug: "empty", content: "", max_views: 1 });
  const status = async (headers: Record<string, string> = {}) =>
    (await house.request("/api/file-view/empty", { headers })).status;
  expect(await status({ range: "bytes=0-" })).toBe(416);
  expect(await viewsOf(house, id)).toBe(0);
  expect([await status(), await status()]).toEqual([200, 410]);
});

test("views of a share without limit are those that were answered with bytes", async () => {
  await using house = await openTestHouse();
  const { id, etag } = await shareFile(house, { slug: "plain", content: small });
  const get = (headers: Record<string, string>) => house.request("/api/file-view/plain", { headers });
  await get({});
  await get({ "if-none-match": `"${etag}"` });
  await get({ range: "bytes=99-" });
  await get({ range: "bytes=0-1" });
  expect(await viewsOf(house, id)).toBe(2);
});

test("a player spends one view, whatever it asks for in pieces", async () => {
  await using house = await openTestHouse();
  const { id } = await shareFile(house, { slug: "film", content: large, max_views: 1 });
  const player = { "sec-fetch-dest": "video", "sec-fetch-mode": "no-cors" };
  const led = await house.request("/api/file-view/film", { headers: { ...player, range: "bytes=0-" } });
  expect(led.status).toBe(303);
  const piece = async (range: string) =>
    (await house.request(led.headers.get("location") ?? "", { headers: { ...player, range } })).status;
  expect([await piece("bytes=0-9"), await piece("bytes=99000-"), await piece("bytes=50-60")]).toEqual([206, 206, 206]);
  expect(await viewsOf(house, id)).toBe(1);
});

test("a drawing goes to no page of this server that would draw it unread, and that costs nothing", async () => {
  await using house = await openTestHouse();
  const { id } = await shareFile(house, { slug: "drawn", filename: "a.svg", content: "<svg/>", max_views: 1 });
  const asks = async (dest: string, site: string) =>
    await house.request("/api/file-view/drawn", { headers: { "sec-fetch-dest": dest, "sec-fetch-site": site } });
  expect((await asks("image", "same-origin")).status).toBe(406);
  expect(await viewsOf(house, id)).toBe(0);
  expect((await asks("empty", "same-origin")).status).toBe(200);
  expect(await viewsOf(house, id)).toBe(1);
});
