import { expect, test } from "bun:test";
import { listen, openConnection } from "../../support/servers/listening.ts";
import { shareFile } from "../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";
import { until } from "../../support/until.ts";

/** Bytes of bodies that a server says it has read and sent, over real connections. */

const TOKEN = "a token for tests only";
const LARGE = 300_000;

/** What was counted of a front. */
async function counted(house: TestHouse, front: string) {
  const text = await (await house.request("/metrics", { headers: { authorization: `Bearer ${TOKEN}` } })).text();
  const of = (name: string) =>
    Number(new RegExp(`^satchel_${name}_bytes_total\\{front="${front}"\\} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
  return { received: of("received"), sent: of("sent") };
}

async function openCounting() {
  const house = await openTestHouse({ metricsToken: TOKEN });
  const server = listen(house);
  const authorization = `Bearer ${await house.signIn()}`;
  return {
    house,
    server,
    authorization,
    fetch: (path: string, init: RequestInit = {}) =>
      fetch(`${server.address}${path}`, { ...init, headers: { authorization, ...init.headers } }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await house[Symbol.asyncDispose]();
    },
  };
}

/** A body of which nobody says how long it is. */
const inChunks = (size: number): ReadableStream<Uint8Array> => {
  let left = size;
  return new ReadableStream({
    pull(controller) {
      const chunk = new Uint8Array(Math.min(left, 50_000));
      left -= chunk.byteLength;
      controller.enqueue(chunk);
      if (left === 0) controller.close();
    },
  });
};

test.each([
  ["small", () => "x".repeat(1000), 1000],
  ["large", () => "x".repeat(LARGE), LARGE],
  ["of unknown length", () => inChunks(LARGE), LARGE],
] as const)("a body that is %s counts as it was read, and arrives whole", async (_, body, size) => {
  await using counting = await openCounting();
  const { house, fetch } = counting;
  const answer = await fetch("/dav/drive/a.bin", { method: "PUT", body: body() });
  expect(answer.status).toBe(201);
  expect(await counted(house, "dav")).toEqual({ received: size, sent: 0 });
  const file = await fetch("/dav/drive/a.bin");
  expect((await file.bytes()).byteLength).toBe(size);
  expect(await counted(house, "dav")).toEqual({ received: size, sent: size });
});

test("JSON counts in both directions, also that of a failure, and the answer to HEAD does not", async () => {
  await using counting = await openCounting();
  const { house, fetch } = counting;
  const body = JSON.stringify({ content: "é".repeat(100), slug: "a" });
  const texts = [
    await (await fetch("/api/paste", { method: "POST", body })).text(),
    await (await fetch("/api/paste", { method: "POST", body })).text(),
    await (await fetch("/api/raw/nothing-here")).text(),
  ];
  await fetch("/api/version", { method: "HEAD" });
  const sent = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  expect(await counted(house, "rest")).toEqual({ received: 2 * Buffer.byteLength(body), sent });
});

test("a larger body that is refused before anybody reads it is none", async () => {
  await using counting = await openCounting();
  const { house, server } = counting;
  const answer = await fetch(`${server.address}/api/paste`, {
    method: "POST",
    body: "x".repeat(17_000),
    headers: { authorization: "Bearer nobody" },
  });
  expect(answer.status).toBe(401);
  expect((await counted(house, "rest")).received).toBe(0);
});

test("of a body that breaks off what has arrived counts, while it arrives", async () => {
  await using counting = await openCounting();
  const { house, server, authorization } = counting;
  const connection = await openConnection(server.port);
  const head = `PUT /dav/drive/a.bin HTTP/1.1\r\nHost: ${server.host}\r\nAuthorization: ${authorization}\r\nContent-Length: 1000000\r\n\r\n`;
  await connection.send(head);
  await connection.send(new Uint8Array(LARGE));
  await until(
    async () => (await counted(house, "dav")).received,
    (received) => received === LARGE,
  );
  connection.cut();
  await until(
    () => house.request("/dav/drive/a.bin", { headers: { authorization } }).then(({ status }) => status),
    (status) => status === 404,
  );
  expect((await counted(house, "dav")).received).toBe(LARGE);
});

test("what is made while it is sent counts as it is sent: an archive, a long listing", async () => {
  await using counting = await openCounting();
  const { house, fetch } = counting;
  for (const name of ["a", "b"]) await fetch(`/dav/drive/${name}.txt`, { method: "PUT", body: name });
  const before = await counted(house, "dav");
  const listing = await fetch("/dav/drive/", { method: "PROPFIND", headers: { depth: "1" } });
  expect(listing.status).toBe(207);
  const { byteLength } = await listing.bytes();
  expect((await counted(house, "dav")).sent - before.sent).toBe(byteLength);
  const archive = await fetch("/api/fs/zip?path=/drive/a.txt&path=/drive/b.txt");
  expect(archive.status).toBe(200);
  const zip = await archive.bytes();
  expect((await counted(house, "rest")).sent).toBe(zip.byteLength);
});

test("a share's file counts whole or as its range", async () => {
  await using counting = await openCounting();
  const { house, fetch } = counting;
  const { slug } = await shareFile(house, { content: "0123456789" });
  const before = (await counted(house, "rest")).sent;
  for (const headers of [undefined, { range: "bytes=2-4" }])
    await (await fetch(`/api/file-download/${slug}`, headers && { headers })).bytes();
  await fetch(`/api/file-download/${slug}`, { method: "HEAD" });
  expect((await counted(house, "rest")).sent - before).toBe(10 + 3);
  expect((await counted(house, "s3")).received).toBe(10);
});
