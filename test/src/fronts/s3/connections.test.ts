import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { files } from "#contract/files";
import { uploads } from "#contract/uploads";
import { bytesOf, MiB, same } from "../../../suites/store-bodies.ts";
import { listen, openConnection, putHead } from "../../../support/servers/listening.ts";
import { ask, commit, filesOf } from "../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";
import { until } from "../../../support/until.ts";

/** Uploads over real connections, which break, stall and lie as no test of a function can. */

const incoming = (house: TestHouse) => readdirSync(join(house.objects, ".incoming"));

/** Everything that is written so far of what is not whole, in bytes. */
const half = (house: TestHouse) =>
  filesOf(house)
    .filter((path) => path.startsWith("."))
    .reduce((sum, path) => sum + Bun.file(join(house.objects, path)).size, 0);

async function begun(size: number | null) {
  const house = await openTestHouse();
  const server = listen(house);
  const { data } = await ask(
    house,
    uploads.presign,
    { body: { filename: "a.txt", size, slug: "s" } },
    { host: server.host },
  );
  return {
    house,
    server,
    url: data.upload_url,
    fileId: data.file_id,
    connect: () => openConnection(server.port),
    download: async () => new Uint8Array(await (await fetch(`${server.address}/api/file-download/s`)).arrayBuffer()),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await house[Symbol.asyncDispose]();
    },
  };
}

async function begunParts(size: number, part_size: number) {
  const house = await openTestHouse();
  const server = listen(house);
  const body = { filename: "a.txt", size, part_size, slug: "s" };
  const { data } = await ask(house, uploads.begin, { body }, { host: server.host });
  return {
    house,
    server,
    own: { file_id: data.file_id, upload_id: data.upload_id },
    urls: data.presigned_urls.map(({ url }) => url),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await house[Symbol.asyncDispose]();
    },
  };
}

const length = (size: number) => ({ "content-length": String(size) });
const chunks = { "transfer-encoding": "chunked" };
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

test("16 MB arrive and are fetched as they were sent", async () => {
  await using here = await begun(16 * MiB + 3);
  const bytes = bytesOf(16 * MiB + 3);
  const sent = await fetch(here.url, { method: "PUT", body: bytes, headers: { "content-type": "text/plain" } });
  expect(sent.status).toBe(200);
  expect((await commit(here.house, here.fileId)).data.size).toBe(bytes.length);
  expect(same(await here.download(), bytes)).toBe(true);
  expect(incoming(here.house)).toEqual([]);
});

test.each([
  ["of a declared length", 8 * MiB, (url: string) => putHead(url, length(8 * MiB))],
  ["in chunks", null, (url: string) => `${putHead(url, chunks)}${(8 * MiB).toString(16)}\r\n`],
] as const)("a connection that breaks in the middle of a body %s leaves nothing", async (_, size, head) => {
  await using here = await begun(size);
  using connection = await here.connect();
  await connection.send(head(here.url));
  await connection.send(bytesOf(3 * MiB));
  await until(
    () => half(here.house),
    (bytes) => bytes > MiB,
  );
  await connection.cut();
  await until(
    () => incoming(here.house),
    (names) => names.length === 0,
  );
  expect(filesOf(here.house)).toEqual([]);
  expect((await commit(here.house, here.fileId)).error).toBe("upload.incomplete");
  await until(here.house.log, (log) => log.includes('"method":"PUT"'));
  expect(here.house.log()).not.toMatch(/"unhandled error"|"level":"error"/);
  const again = bytesOf(8 * MiB, 2);
  const sent = await fetch(here.url, { method: "PUT", body: again, headers: { "content-type": "text/plain" } });
  expect(sent.status).toBe(200);
  await commit(here.house, here.fileId);
  expect(same(await here.download(), again)).toBe(true);
});

test.each([
  ["more chunks than were declared", chunk("hello") + chunk("!")],
  ["fewer chunks than were declared", `${chunk("hel")}0\r\n\r\n`],
  ["no chunk at all", "0\r\n\r\n"],
])("%s -> 400, at once, and nothing is stored", async (_, body) => {
  await using here = await begun(5);
  using connection = await here.connect();
  await connection.send(putHead(here.url, chunks) + body);
  const answer = await connection.answer();
  expect(answer).toStartWith("HTTP/1.1 400 ");
  expect(answer).toContain("<Code>IncompleteBody</Code>");
  expect(filesOf(here.house)).toEqual([]);
  expect(here.house.log()).not.toContain('"unhandled error"');
});

test("an endless body is refused as soon as it passes its limit", async () => {
  await using here = await begun(5);
  using connection = await here.connect();
  await connection.send(putHead(here.url, chunks));
  await connection.send(chunk("x".repeat(64)));
  expect(await connection.answer()).toStartWith("HTTP/1.1 400 ");
  expect(filesOf(here.house)).toEqual([]);
});

test("a body of two lengths at once is taken for neither", async () => {
  await using here = await begun(5);
  using connection = await here.connect();
  await connection.send(`${putHead(here.url, { ...length(5), ...chunks })}${chunk("hello!")}0\r\n\r\n`);
  expect(await connection.answer()).not.toStartWith("HTTP/1.1 200");
  expect(filesOf(here.house)).toEqual([]);
});

test("a length that is none is refused", async () => {
  await using here = await begun(null);
  for (const value of ["-1", "five", "5, 5", "0x5", "99999999999999999999999"]) {
    using connection = await here.connect();
    await connection.send(`${putHead(here.url, { "content-length": value })}hello`);
    expect(await connection.answer()).not.toStartWith("HTTP/1.1 200");
  }
  expect(filesOf(here.house)).toEqual([]);
  expect(here.house.log()).not.toContain('"unhandled error"');
});

test("a body that is too large by its own word is refused before it comes", async () => {
  await using here = await begun(5);
  using connection = await here.connect();
  await connection.send(putHead(here.url, length(1024 ** 3)));
  expect(await connection.answer()).toStartWith("HTTP/1.1 400 ");
  expect(incoming(here.house)).toEqual([]);
});

test("a body that stalls gives way to another try, and counts no more when it comes after all", async () => {
  await using here = await begun(2 * MiB);
  using stalled = await here.connect();
  await stalled.send(putHead(here.url, length(2 * MiB)));
  await stalled.send(bytesOf(MiB, 1));
  await until(
    () => half(here.house),
    (bytes) => bytes > 0,
  );
  const bytes = bytesOf(2 * MiB, 2);
  const again = await fetch(here.url, { method: "PUT", body: bytes, headers: { "content-type": "text/plain" } });
  expect(again.status).toBe(200);
  await stalled.send(bytesOf(MiB, 1));
  expect(await stalled.answer()).toStartWith("HTTP/1.1 409 ");
  await commit(here.house, here.fileId);
  expect(same(await here.download(), bytes)).toBe(true);
  expect(incoming(here.house)).toEqual([]);
});

test("a body that is on its way when the upload is committed counts no more", async () => {
  await using here = await begun(2 * MiB);
  const bytes = bytesOf(2 * MiB, 2);
  const whole = await fetch(here.url, { method: "PUT", body: bytes, headers: { "content-type": "text/plain" } });
  expect(whole.status).toBe(200);
  using late = await here.connect();
  await late.send(putHead(here.url, length(2 * MiB)));
  await late.send(bytesOf(MiB, 1));
  await until(
    () => half(here.house),
    (size) => size > 0,
  );
  expect((await commit(here.house, here.fileId)).status).toBe(200);
  await late.send(bytesOf(MiB, 1));
  expect(await late.answer()).toStartWith("HTTP/1.1 409 ");
  expect(same(await here.download(), bytes)).toBe(true);
  expect(incoming(here.house)).toEqual([]);
});

test("a part that breaks does not count; one that stalls is told at once that another try took its place", async () => {
  const PART = 5 * MiB;
  const bytes = bytesOf(2 * PART);
  await using here = await begunParts(bytes.length, PART);
  const [first = "", second = ""] = here.urls;
  {
    using connection = await openConnection(here.server.port);
    await connection.send(putHead(first, length(PART)));
    await connection.send(bytesOf(3 * MiB, 9));
    await until(
      () => half(here.house),
      (size) => size > MiB,
    );
    await connection.cut();
    await until(here.house.log, (log) => log.includes('"method":"PUT"'));
  }
  using stalled = await openConnection(here.server.port);
  await stalled.send(putHead(second, length(PART)));
  await stalled.send(bytesOf(MiB, 9));
  await until(
    () => half(here.house),
    (size) => size >= PART + MiB / 2,
  );
  expect((await ask(here.house, uploads.parts, { body: here.own })).data.parts).toEqual([]);
  const put = async (url: string, body: Uint8Array<ArrayBuffer>, partNumber: number) => {
    const { headers } = await fetch(url, { method: "PUT", body });
    return { partNumber, etag: headers.get("etag") ?? "" };
  };
  const parts = [await put(first, bytes.slice(0, PART), 1), await put(second, bytes.slice(PART), 2)];
  expect(await stalled.answer()).toStartWith("HTTP/1.1 409 ");
  const done = await ask(here.house, uploads.complete, { body: { ...here.own, parts } });
  expect(done.data.size).toBe(bytes.length);
  const back = await fetch(`${here.server.address}/api/file-download/s`);
  expect(same(new Uint8Array(await back.arrayBuffer()), bytes)).toBe(true);
  expect(filesOf(here.house)).toEqual(["drive/shares/a.txt"]);
  expect(here.house.log()).not.toContain('"unhandled error"');
});

test("a connection goes on after a body that was refused", async () => {
  await using here = await begun(5);
  using connection = await here.connect();
  await connection.send(`${putHead(here.url, length(6))}hello!`);
  expect(await connection.answer()).toStartWith("HTTP/1.1 400 ");
  await connection.send(`${putHead(here.url, length(5))}hello`);
  await until(connection.answer, (text) => text.includes("HTTP/1.1 200 "));
});

test("of eight bodies of a declared length for one file only the last is still taken", async () => {
  await using here = await begun(8 * MiB);
  const connections: Awaited<ReturnType<typeof here.connect>>[] = [];
  for (let index = 0; index < 8; index++) {
    const before = connections.at(-1);
    const connection = await here.connect();
    connections.push(connection);
    await connection.send(putHead(here.url, length(8 * MiB)));
    await connection.send(bytesOf(2 * MiB));
    // So that the next one does not overtake this one.
    if (before) expect(await before.answer()).toContain("409 Conflict");
    await until(
      () => half(here.house),
      (bytes) => bytes >= 2 * MiB,
    );
  }
  await until(
    () => incoming(here.house).length,
    (count) => count === 1,
  );
  await ask(here.house, files.remove, { body: { ids: [here.fileId] } });
  expect(await connections.at(-1)?.answer()).toContain("409 Conflict");
  await until(
    () => incoming(here.house).length,
    (count) => count === 0,
  );
  for (const connection of connections) await connection.cut();
});
