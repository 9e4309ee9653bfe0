import { expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { uploads } from "#contract/uploads";
import { sql } from "../../../src/database/sql.ts";
import { bytesOf, MiB, same } from "../../suites/store-bodies.ts";
import { openClient } from "../../support/clients/upload-client.ts";
import { startServer, type TestServer } from "../../support/server.ts";
import { openConnection, putHead } from "../../support/servers/listening.ts";
import { filesOf, remains } from "../../support/share-file.ts";
import { root } from "../../support/sources.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { days } from "../../support/test-clock.ts";
import { openTestHouse } from "../../support/test-house.ts";
import { until } from "../../support/until.ts";

const SECRET = "a secret for tests only";
const ROUNDS = 10;
const PART = 5 * MiB;
const SINGLE = 4 * MiB;
const bytes = bytesOf(ROUNDS * PART + 12345);
const slice = (number: number) => bytes.slice((number - 1) * PART, number * PART);

/** Files below a folder of the data folder, with their sizes. */
const filesIn = (dataDir: string, folder: string): [path: string, size: number][] => {
  const path = join(dataDir, "objects", folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [file.slice(path.length + 1), Bun.file(file).size]);
};

const sum = (files: readonly [string, number][]) => files.reduce((total, [, size]) => total + size, 0);

/** Sends the head of a PUT and so much of its body, and goes on when the server has written some of it. */
async function beginPut(server: TestServer, url: string, body: Uint8Array, sent: number, folder: string) {
  const before = sum(filesIn(server.dataDir, folder));
  const connection = await openConnection(Number(new URL(server.address).port));
  const head = putHead(url, { "content-type": "application/octet-stream", "content-length": String(body.length) });
  await connection.send(head);
  await connection.send(body.subarray(0, sent));
  const written = () => sum(filesIn(server.dataDir, folder)) - before;
  // Of the first bytes none need to be on the disk yet; of a whole body it may be gone from there already.
  if (sent >= MiB && sent < body.length) await until(written, (size) => size >= MiB / 2);
  return connection;
}

test("kill -9 during uploads, ten times: nothing half is seen, and what was acknowledged goes on", async () => {
  using folder = temporaryFolder();
  const start = () => startServer({ dataDir: folder.path, environment: { SECRET_KEY: SECRET } });
  const visible = () => filesIn(folder.path, "drive");
  const singles = Array.from({ length: ROUNDS }, (_, round) => ({
    slug: `single-${round}`,
    bytes: bytesOf(SINGLE, round + 2),
    url: "",
    fileId: "",
    done: false,
  }));
  let own = { file_id: "", upload_id: "" };
  const acknowledged: { partNumber: number; etag: string }[] = [];
  let cut = 0;

  const expectClean = (server: TestServer) => {
    expect(filesIn(folder.path, ".incoming")).toEqual([]);
    // Bytes that arrived to the last may have been published; a part of them never.
    for (const [, size] of visible()) expect(size).toBe(SINGLE);
    expect(server.stdout()).not.toContain('"level":"error"');
  };

  for (const [round, single] of singles.entries()) {
    const server = await start();
    const client = await openClient(server);
    expectClean(server);
    if (round === 0) {
      const begun = await client.call(uploads.begin, {
        filename: "big.bin",
        slug: "big",
        size: bytes.length,
        part_size: PART,
      });
      own = { file_id: begun.data.file_id, upload_id: begun.data.upload_id };
    }
    const listed = await client.call(uploads.parts, { ...own, part_numbers: [round + 1, round + 2], list: true });
    expect(listed.data.parts).toMatchObject(acknowledged.map(({ partNumber }) => ({ partNumber, size: PART })));
    expect(listed.data.parts.map(({ etag }) => `"${etag}"`)).toEqual(acknowledged.map(({ etag }) => etag));

    // Every other upload that was cut off in the round before goes on, the others are left lying.
    const before = singles[round - 1];
    if (before && round % 2 === 0) {
      expect((await client.download(before.slug)).status).toBe(503);
      expect((await client.put(before.url, before.bytes)).status).toBe(200);
      expect((await client.call(uploads.commit, { file_id: before.fileId })).status).toBe(200);
      expect(same((await client.download(before.slug)).bytes, before.bytes)).toBe(true);
      before.done = true;
    }

    const [part, next] = listed.data.presigned_urls;
    const put = await client.put(part?.url ?? "", slice(round + 1));
    expect(put.status).toBe(200);
    acknowledged.push({ partNumber: round + 1, etag: put.headers.get("etag") ?? "" });

    const begun = await client.call(uploads.presign, {
      filename: `${single.slug}.bin`,
      slug: single.slug,
      size: SINGLE,
    });
    single.url = begun.data.upload_url;
    single.fileId = begun.data.file_id;
    const share = round / (ROUNDS - 1);
    const body = slice(round + 2);
    using one = await beginPut(server, single.url, single.bytes, Math.floor(share * SINGLE), ".incoming");
    using other = await beginPut(server, next?.url ?? "", body, Math.floor(share * (body.length - 1)), ".multipart");
    await server.kill();
    for (const connection of [one, other]) if ((await connection.answer()) === "") cut += 1;
  }
  expect(cut).toBeGreaterThanOrEqual(2 * ROUNDS - 1);

  {
    await using server = await start();
    const client = await openClient(server);
    expectClean(server);
    const last = ROUNDS + 1;
    const { data } = await client.call(uploads.parts, { ...own, part_numbers: [last], list: true });
    expect(data.parts.map(({ partNumber }) => partNumber)).toEqual(acknowledged.map(({ partNumber }) => partNumber));
    const put = await client.put(data.presigned_urls[0]?.url ?? "", slice(last));
    acknowledged.push({ partNumber: last, etag: put.headers.get("etag") ?? "" });
    expect((await client.call(uploads.complete, { ...own, parts: acknowledged })).status).toBe(200);
    expect(same((await client.download("big")).bytes, bytes)).toBe(true);
    expect(await server.stop()).toBe(0);
  }

  await using house = await openTestHouse({
    file: join(folder.path, "satchel.db"),
    objects: join(folder.path, "objects"),
  });
  expect((await remains(house)).uploads).toBe(ROUNDS + 1);
  house.clock.advance(days(1.1));
  await house.house.system.sweeper.sweep();
  const shared = singles.filter(({ done }) => done).length + 1;
  expect(shared).toBe(5);
  expect(await remains(house)).toMatchObject({
    shares: shared,
    uploads: shared,
    attributes: shared,
    multiparts: 0,
    parts: 0,
  });
  const keys = await house.db.all<{ key: string; state: string }>(sql`select key, state from uploads order by key`);
  expect(keys.every(({ state }) => state === "ready")).toBe(true);
  expect(filesOf(house)).toEqual(keys.map(({ key }) => `drive/${key}`));
  expect(readdirSync(join(house.objects, ".multipart"))).toEqual([]);
  expect(house.log()).not.toContain('"level":"error"');
});

const KILLS = 8;
const PARTS = 16;

test("kill -9 while an upload of many parts is completed: its parts are still listed, and completing it again ends it", async () => {
  using folder = temporaryFolder();
  const start = () => startServer({ dataDir: folder.path, environment: { SECRET_KEY: SECRET } });
  const whole = bytesOf(PARTS * PART);
  const partOf = (number: number) => whole.subarray((number - 1) * PART, number * PART);
  let server = await start();
  for (let kill = 0; kill < KILLS; kill++) {
    const slug = `many-${kill}`;
    const client = await openClient(server);
    const fields = { filename: `${slug}.bin`, slug, size: whole.length, part_size: PART };
    const { data } = await client.call(uploads.begin, fields);
    const own = { file_id: data.file_id, upload_id: data.upload_id };
    const numbers = Array.from({ length: PARTS }, (_, index) => index + 1);
    const listed = await client.call(uploads.parts, { ...own, part_numbers: numbers, list: false });
    const parts: { partNumber: number; etag: string }[] = [];
    for (const { partNumber, url } of listed.data.presigned_urls) {
      const etag = (await client.put(url, partOf(partNumber))).headers.get("etag") ?? "";
      parts.push({ partNumber, etag });
    }
    let over = false;
    const answered = client
      .call(uploads.complete, { ...own, parts })
      .catch(() => undefined)
      .finally(() => {
        over = true;
      });
    // Every other time the file is there already, and the records are not.
    const seen = () => filesIn(folder.path, "drive").some(([path]) => path.includes(slug));
    for (let turn = 0; !over && (kill % 2 === 0 ? !seen() : turn < kill * 8); turn++) await new Promise(setImmediate);
    await server.kill();
    await answered;

    server = await start();
    const again = await openClient(server);
    const { status, error, data: rest } = await again.call(uploads.parts, { ...own, part_numbers: [], list: true });
    const came = status === 200 ? rest.parts.length : error;
    expect({ kill, came }).toEqual({ kill, came: status === 200 ? PARTS : "upload.finished" });
    const ended = await again.call(uploads.complete, { ...own, parts });
    expect({ kill, status: ended.status }).toEqual({ kill, status: 200 });
    expect(same((await again.download(slug)).bytes, whole)).toBe(true);
    // Its bytes are not needed any more.
    for (const [path] of filesIn(folder.path, "drive")) rmSync(join(folder.path, "objects/drive", path));
  }
  expect(await server.stop()).toBe(0);
  expect(readdirSync(join(folder.path, "objects/.multipart"))).toEqual([]);
});

/** A server whose files may not grow beyond 8 MiB, which is how a full disk looks to it. */
const limited = [
  "sh",
  "-c",
  // In blocks of 512 bytes. The signal would end it before it meets the error.
  'trap "" XFSZ; ulimit -f 16384; exec "$0" "$@"',
  process.execPath,
  join(root, "src/main.ts"),
];

test("a full disk: 507, nothing left, and the server lives on", async () => {
  await using server = await startServer({ command: limited });
  const client = await openClient(server);
  const expectNothing = () => {
    expect(filesIn(server.dataDir, ".incoming")).toEqual([]);
    expect(filesIn(server.dataDir, "drive")).toEqual([]);
  };
  const expectFull = async (response: Response) => {
    const text = await response.text();
    expect({ status: response.status, text }).toMatchObject({
      status: 507,
      text: expect.stringContaining("<Code>InsufficientStorage</Code>"),
    });
    expect(text).not.toContain(server.dataDir);
  };
  const begin = async (filename: string, size: number | null) =>
    (await client.call(uploads.presign, { filename, size, slug: filename.split(".")[0] })).data;

  const large = await begin("large.bin", 12 * MiB);
  await expectFull(await client.put(large.upload_url, bytesOf(12 * MiB)));
  expectNothing();
  expect(await client.call(uploads.commit, { file_id: large.file_id })).toMatchObject({ error: "upload.incomplete" });

  const unknown = await begin("unknown.bin", null);
  await expectFull(await client.put(unknown.upload_url, bytesOf(12 * MiB)));
  expectNothing();

  const fields = { filename: "parts.bin", slug: "parts", size: 3 * PART, part_size: PART };
  const { data } = await client.call(uploads.begin, fields);
  const [first, second] = data.presigned_urls;
  expect((await client.put(first?.url ?? "", bytesOf(PART))).status).toBe(200);
  await expectFull(await client.put(second?.url ?? "", bytesOf(PART)));
  const own = { file_id: data.file_id, upload_id: data.upload_id };
  const { parts } = (await client.call(uploads.parts, { ...own, part_numbers: [], list: true })).data;
  expect(parts.map(({ partNumber }) => partNumber)).toEqual([1]);
  expect((await client.call(uploads.abort, own)).status).toBe(200);
  expect(filesIn(server.dataDir, ".multipart")).toEqual([]);

  const form = new FormData();
  form.set("file", new File([bytesOf(12 * MiB)], "form.bin"));
  const headers = { authorization: `Bearer ${client.token}` };
  const sent = await fetch(`${server.address}/api/upload`, { method: "POST", headers, body: form });
  expect(await sent.json()).toMatchObject({ code: 507, error: "storage.full" });
  expectNothing();

  const small = await begin("small.txt", 5);
  expect((await client.put(small.upload_url, bytesOf(5), "text/plain")).status).toBe(200);
  expect((await client.call(uploads.commit, { file_id: small.file_id })).status).toBe(200);
  expect(same((await client.download("small")).bytes, bytesOf(5))).toBe(true);
  expect(server.stdout()).not.toContain('"level":"error"');
});
