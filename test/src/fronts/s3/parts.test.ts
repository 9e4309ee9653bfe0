import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { uploads } from "#contract/uploads";
import { bytesOf, MiB, same } from "../../../suites/store-bodies.ts";
import { refusal, signedAddress } from "../../../support/clients/signed-address.ts";
import { slowBody } from "../../../support/clients/slow-body.ts";
import { ask, presign, put, remains } from "../../../support/share-file.ts";
import { openTestHouse } from "../../../support/test-house.ts";

const PART = 5 * MiB;
const bytes = bytesOf(2 * PART + 11);
const slice = (number: number) => bytes.slice((number - 1) * PART, number * PART);

/** A house with an upload in three parts. */
async function begun() {
  const house = await openTestHouse();
  const body = { filename: "big.bin", slug: "big", size: bytes.length, part_size: PART };
  const { data } = await ask(house, uploads.begin, { body });
  const own = { file_id: data.file_id, upload_id: data.upload_id };
  const url = (number: number) => data.presigned_urls[number - 1]?.url ?? "";
  const send = (number: number, content = slice(number)) =>
    put(house, url(number), content, "application/octet-stream");
  return {
    house,
    own,
    key: data.storagePath,
    url,
    send,
    /** Sends the last part, of 11 bytes, as they come. */
    slow(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
      const headers = { "content-type": "application/octet-stream", "content-length": "11" };
      return house.request(url(3), { method: "PUT", headers, body });
    },
    /** Sends a part and answers what completing asks for. */
    async part(number: number, content = slice(number)) {
      const response = await send(number, content);
      expect(response.status).toBe(200);
      return { partNumber: number, etag: response.headers.get("etag") ?? "" };
    },
    parts: async () => (await ask(house, uploads.parts, { body: { ...own } })).data?.parts,
    complete: (parts: { partNumber: number; etag: string }[]) =>
      ask(house, uploads.complete, { body: { ...own, parts } }),
    async content() {
      return new Uint8Array(await (await house.request("/api/file-download/big")).arrayBuffer());
    },
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
}

test("parts in any order, one of them twice, become the file", async () => {
  await using here = await begun();
  const third = await here.part(3);
  const first = await here.part(1, bytesOf(PART, 9));
  const second = await here.part(2);
  const again = await here.part(1);
  expect((await here.parts())?.map(({ partNumber, size }) => [partNumber, size])).toEqual([
    [1, PART],
    [2, PART],
    [3, 11],
  ]);
  expect((await here.complete([first, second, third])).error).toBe("upload.parts");
  expect((await here.complete([again, second, third])).data.size).toBe(bytes.length);
  expect(same(await here.content(), bytes)).toBe(true);
  expect(readdirSync(join(here.house.objects, ".multipart"))).toEqual([]);
});

test("a part may carry any Content-Type, because its address names none", async () => {
  await using here = await begun();
  const response = await put(here.house, here.url(3), slice(3), "image/png");
  expect(response.status).toBe(200);
});

test.each([
  ["longer", 3, 12],
  ["shorter", 3, 10],
  ["longer than the part size", 1, PART + 1],
  ["empty", 2, 0],
])("a part %s than it must be -> 400, and an earlier one stays", async (_, number, size) => {
  await using here = await begun();
  const before = await here.part(number);
  expect(await refusal(await here.send(number, bytesOf(size)))).toBe("400 IncompleteBody");
  expect(await here.parts()).toMatchObject([{ ...before, etag: before.etag.replaceAll('"', "") }]);
});

test("the same part twice at once: one counts, whole, and the other is told", async () => {
  await using here = await begun();
  const slow = slowBody("hello", "world!");
  const first = here.slow(slow.body);
  await slow.begun;
  const second = await here.send(3);
  slow.finish();
  const answers = [await first, second];
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const etag = answers.find(({ status }) => status === 200)?.headers.get("etag") ?? "";
  expect((await here.complete([await here.part(1), await here.part(2), { partNumber: 3, etag }])).status).toBe(200);
  const last = answers[0]?.status === 200 ? Buffer.from("helloworld!") : bytes.subarray(2 * PART);
  expect(same(await here.content(), Buffer.concat([bytes.subarray(0, 2 * PART), last]))).toBe(true);
});

test("a part number that the file has not -> 400, and one that is none", async () => {
  await using here = await begun();
  const send = async (partNumber: string) => {
    const ticket = new URL(here.url(1)).searchParams.get("ticket") ?? "";
    const query = { partNumber, uploadId: here.own.upload_id, ticket };
    return refusal(
      await put(here.house, await signedAddress(here.house, { method: "PUT", key: here.key, query }), "x"),
    );
  };
  expect(await send("4")).toBe("400 InvalidPart");
  for (const number of ["0", "-1", "10001", "1.5", "one", "", "1e9999", "1e0", "0x1", " 1"])
    expect(await send(number)).toBe("400 InvalidArgument");
  expect(await here.parts()).toEqual([]);
});

test("an upload that is none, or another file's -> 404", async () => {
  await using here = await begun();
  const other = await ask(here.house, uploads.begin, {
    body: { filename: "other.bin", size: bytes.length, part_size: PART },
  });
  const whole = await presign(here.house, { filename: "whole.txt" });
  const ticket = new URL(here.url(1)).searchParams.get("ticket") ?? "";
  const send = async (key: string, uploadId: string | undefined) => {
    const query: Record<string, string> = uploadId === undefined ? { ticket } : { ticket, partNumber: "1", uploadId };
    const address = await signedAddress(here.house, { method: "PUT", key, query });
    return refusal(await put(here.house, address, slice(1)));
  };
  expect(await send(here.key, other.data.upload_id)).toBe("404 NoSuchUpload");
  expect(await send(other.data.storagePath, here.own.upload_id)).toBe("404 NoSuchUpload");
  expect(await send(here.key, "nothing")).toBe("404 NoSuchUpload");
  expect(await send(here.key, "")).toBe("404 NoSuchUpload");
  expect(await send(whole.data.storage_path, here.own.upload_id)).toBe("404 NoSuchUpload");
  // In one piece it does not come either.
  expect(await send(here.key, undefined)).toBe("404 NoSuchUpload");
  expect(await here.parts()).toEqual([]);
});

test("after the upload was completed -> 409, and the bytes stay", async () => {
  await using here = await begun();
  const parts = [await here.part(1), await here.part(2), await here.part(3)];
  await here.complete(parts);
  expect(await refusal(await here.send(3, bytesOf(11, 5)))).toBe("409 OperationAborted");
  expect(same(await here.content(), bytes)).toBe(true);
});

test("completed twice, at once and later, it answers the same file", async () => {
  await using here = await begun();
  const parts = [await here.part(1), await here.part(2), await here.part(3)];
  const answers = await Promise.all([1, 2, 3].map(() => here.complete(parts)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await here.complete(parts)).toMatchObject({ status: 200, data: { id: here.own.file_id } });
  expect(same(await here.content(), bytes)).toBe(true);
});

test("completed while a part is missing -> 409, and it goes on", async () => {
  await using here = await begun();
  const [first, third] = [await here.part(1), await here.part(3)];
  expect(await here.complete([first, third])).toMatchObject({ status: 409, error: "upload.incomplete" });
  expect((await here.complete([first, await here.part(2), third])).status).toBe(200);
  expect(same(await here.content(), bytes)).toBe(true);
});

test("after it was given up -> 404, and nothing remains", async () => {
  await using here = await begun();
  await here.part(1);
  expect((await ask(here.house, uploads.abort, { body: here.own })).status).toBe(200);
  expect(await refusal(await here.send(2))).toBe("404 NoSuchUpload");
  expect(await remains(here.house)).toMatchObject({ shares: 0, uploads: 0, multiparts: 0, parts: 0, files: [] });
  expect(readdirSync(join(here.house.objects, ".multipart"))).toEqual([]);
});

test("given up in the middle of a part, it leaves nothing", async () => {
  await using here = await begun();
  const slow = slowBody("hello", "world!");
  const sending = here.slow(slow.body);
  await slow.begun;
  await ask(here.house, uploads.abort, { body: here.own });
  slow.finish();
  expect([404, 409]).toContain((await sending).status);
  expect(await remains(here.house)).toMatchObject({ shares: 0, uploads: 0, multiparts: 0, parts: 0, files: [] });
  expect(readdirSync(join(here.house.objects, ".multipart"))).toEqual([]);
  expect(here.house.log()).not.toContain('"unhandled error"');
});
