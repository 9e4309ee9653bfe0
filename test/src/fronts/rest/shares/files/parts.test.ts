import { describe, expect, test } from "bun:test";
import { files } from "#contract/files";
import { MAX_PARTS, PART_SIZE, PART_URLS } from "#contract/limits";
import { uploads } from "#contract/uploads";
import { sql } from "../../../../../../src/database/sql.ts";
import { scenarios } from "../../../../../support/scenario.ts";
import { ask, filesOf, nothing, presign, put, remains, shareFile } from "../../../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";

const MiB = 1024 * 1024;
const octets = "application/octet-stream";

interface Own {
  readonly file_id: string;
  readonly upload_id: string;
}

const begin = (house: TestHouse, more: object = {}) =>
  ask(house, uploads.begin, { body: { filename: "big.bin", size: 11 * MiB, part_size: PART_SIZE, ...more } });
const arrived = (house: TestHouse, own: Own, part_numbers: number[] = []) =>
  ask(house, uploads.parts, { body: { ...own, part_numbers } });
const complete = (house: TestHouse, own: Own, parts: { partNumber: number; etag: string }[]) =>
  ask(house, uploads.complete, { body: { ...own, parts } });
const abort = (house: TestHouse, own: Own) => ask(house, uploads.abort, { body: own });

/** Bytes that tell where in a file they belong. */
const content = (size: number) => new Uint8Array(size).map((_, index) => (index >> 8) * 31 + index);

/** Begins an upload of three parts and sends those that are named. */
async function sent(house: TestHouse, numbers: readonly number[] = [1, 2, 3], more: object = {}) {
  const { data } = await begin(house, more);
  const own: Own = { file_id: data.file_id, upload_id: data.upload_id };
  const bytes = content(11 * MiB);
  const parts = [];
  for (const number of numbers) {
    const body = bytes.slice((number - 1) * PART_SIZE, number * PART_SIZE);
    const response = await put(house, data.presigned_urls[number - 1]?.url ?? "", body, octets);
    expect(response.status).toBe(200);
    parts.push({ partNumber: number, etag: response.headers.get("etag") ?? "" });
  }
  return { own, parts, bytes, slug: data.slug };
}

describe("a file share in parts", () => {
  const post = (path: string, body: object) => ({ method: "POST" as const, url: `/api/s3/multipart/${path}`, body });
  const fields = (more: object = {}) =>
    post("init", { filename: "a.bin", size: 11 * MiB, part_size: PART_SIZE, ...more });
  const own = (more: object = {}) => ({ file_id: "waits", upload_id: "upload", ...more });
  const admin = { as: "admin" } as const;

  scenarios(
    [
      { ...fields(), status: 401, has: ["auth.required"] },
      { ...fields(), as: "wrong token", status: 401, has: ["auth.expired"] },
      { ...post("parts", own()), status: 401, has: ["auth.required"] },
      { ...post("parts", own()), as: "wrong token", status: 401, has: ["auth.expired"] },
      { ...post("complete", own({ parts: [] })), status: 401, has: ["auth.required"] },
      { ...post("complete", own({ parts: [] })), as: "wrong token", status: 401, has: ["auth.expired"] },
      { ...post("abort", own()), status: 401, has: ["auth.required"] },
      { ...post("abort", own()), as: "wrong token", status: 401, has: ["auth.expired"] },
      {
        ...fields({ slug: "big", password: "sesame" }),
        ...admin,
        status: 200,
        has: ['"upload_id"', '"file_id"', '"slug":"big"', '"partCount":3', `"partSize":${PART_SIZE}`, '"grant"'],
        hasNot: ["sesame"],
      },
      {
        ...fields(),
        ...admin,
        status: 200,
        has: [`"totalSize":${11 * MiB}`, '"storagePath":"shares/a.bin"', '"partNumber":3', "X-Amz-Signature"],
        hasNot: ['"partNumber":4'],
      },
      { ...fields({ size: "1000", part_size: String(PART_SIZE) }), ...admin, status: 200, has: ['"partCount":1'] },
      { ...fields({ size: 0 }), ...admin, status: 200, has: ['"partCount":1'] },
      { ...fields({ part_size: PART_SIZE - 1 }), ...admin, status: 400, has: ["body.invalid", "part_size"] },
      { ...fields({ part_size: undefined }), ...admin, status: 400, has: ["body.invalid", "part_size"] },
      { ...fields({ size: undefined }), ...admin, status: 400, has: ["body.invalid", "size"] },
      { ...fields({ size: PART_SIZE * MAX_PARTS + 1 }), ...admin, status: 400, has: ["upload.parts"] },
      { ...fields({ size: 11 * 1024 * MiB }), ...admin, status: 413, has: ["file.tooLarge", "10.00 GB"] },
      { ...fields({ filename: "../a" }), ...admin, status: 400, has: ["filename.invalid"] },
      { ...fields({ path: "../a" }), ...admin, status: 400, has: ["path.invalid"] },
      { ...fields({ slug: "waits" }), ...admin, status: 409, has: ["slug.taken"] },
      { ...fields({ slug: "a b" }), ...admin, status: 400, has: ["slug.invalid"] },
      { ...post("parts", own()), ...admin, status: 200, has: ['"parts":[]', '"partCount":3', '"presigned_urls":[]'] },
      {
        ...post("parts", own({ part_numbers: [2] })),
        ...admin,
        status: 200,
        has: ['"partNumber":2', "X-Amz-Signature"],
      },
      { ...post("parts", own({ part_numbers: [4] })), ...admin, status: 400, has: ["upload.parts"] },
      { ...post("parts", own({ part_numbers: [0] })), ...admin, status: 400, has: ["body.invalid", "part_numbers"] },
      { ...post("parts", own({ part_numbers: ["1"] })), ...admin, status: 400, has: ["body.invalid"] },
      {
        ...post("parts", own({ part_numbers: Array(PART_URLS + 1).fill(1) })),
        ...admin,
        status: 400,
        has: ["body.invalid", "part_numbers"],
      },
      { ...post("parts", own({ upload_id: "other" })), ...admin, status: 404, has: ["upload.missing"] },
      { ...post("parts", own({ upload_id: "" })), ...admin, status: 404, has: ["upload.missing"] },
      { ...post("parts", own({ file_id: "nothing" })), ...admin, status: 404, has: ["upload.missing"] },
      { ...post("parts", { file_id: "waits" }), ...admin, status: 400, has: ["body.invalid", "upload_id"] },
      { name: "of one piece", ...post("parts", own({ file_id: "whole" })), ...admin, status: 404 },
      { ...post("complete", own({ parts: [] })), ...admin, status: 409, has: ["upload.incomplete"] },
      { ...post("complete", own()), ...admin, status: 400, has: ["body.invalid", "parts"] },
      {
        ...post("complete", own({ parts: [{ partNumber: 1, etag: "made up" }] })),
        ...admin,
        status: 409,
        has: ["upload.incomplete"],
      },
      { ...post("complete", own({ upload_id: "other", parts: [] })), ...admin, status: 404, has: ["upload.missing"] },
      { ...post("abort", own()), ...admin, status: 200, has: ['"fileId":"waits"', '"success":true'] },
      { ...post("abort", { file_id: "waits" }), ...admin, status: 200, has: ['"fileId":"waits"'] },
      { ...post("abort", { file_id: "whole" }), ...admin, status: 200, has: ['"fileId":"whole"'] },
      { name: "of one piece", ...post("abort", own({ file_id: "whole" })), ...admin, status: 404 },
      { ...post("abort", own({ upload_id: "other" })), ...admin, status: 404, has: ["upload.missing"] },
      { ...post("abort", own({ file_id: "nothing" })), ...admin, status: 404, has: ["upload.missing"] },
      {
        name: "one that comes in parts",
        method: "POST",
        url: "/api/s3/commit",
        body: { file_id: "waits" },
        ...admin,
        status: 404,
        has: ["upload.missing"],
      },
    ],
    async (house) => {
      await begin(house, { slug: "waits" });
      await presign(house, { slug: "whole", filename: "whole.txt" });
      await house.db.run(sql`update files set id = slug`);
      await house.db.run(sql`update uploads set multipart = 'upload' where multipart is not null`);
      await house.db.run(sql`update disk_multiparts set id = 'upload'`);
    },
  );

  test("is what its parts were, in whatever order they came", async () => {
    await using house = await openTestHouse();
    const { own, parts, bytes, slug } = await sent(house, [3, 1, 2]);
    expect((await house.request(`/api/public/files/${slug}`)).status).toBe(503);
    const listed = await arrived(house, own);
    expect(listed.data.parts.map(({ partNumber, size }) => [partNumber, size])).toEqual([
      [1, PART_SIZE],
      [2, PART_SIZE],
      [3, MiB],
    ]);
    const ordered = parts.toSorted((one, other) => one.partNumber - other.partNumber);
    const first = await complete(house, own, ordered);
    expect(first).toMatchObject({ status: 200, data: { size: 11 * MiB, filename: "big.bin", slug } });
    expect(await complete(house, own, ordered)).toEqual(first);
    const stored = await (await house.request(`/api/file-download/${slug}`)).bytes();
    expect(Bun.hash(stored)).toBe(Bun.hash(bytes));
    expect(await remains(house)).toMatchObject({ multiparts: 0, parts: 0, files: ["drive/shares/big.bin"] });
    expect(await arrived(house, own)).toMatchObject({ status: 409, error: "upload.finished" });
    expect(await abort(house, own)).toMatchObject({ status: 409, error: "upload.finished" });
    expect((await house.request(`/api/public/files/${slug}`)).status).toBe(200);
  });

  test("completed by many at once is one share", async () => {
    await using house = await openTestHouse();
    const { own, parts } = await sent(house);
    const answers = await Promise.all(Array.from({ length: 8 }, () => complete(house, own, parts)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await remains(house)).toMatchObject({
      shares: 1,
      uploads: 1,
      multiparts: 0,
      files: ["drive/shares/big.bin"],
    });
  });

  test("with parts that are missing, named twice or not those that came is not made, and goes on", async () => {
    await using house = await openTestHouse();
    const { own, parts } = await sent(house, [1, 2]);
    const [one, two] = parts;
    if (!one || !two) throw new Error("two parts were sent");
    expect(await complete(house, own, parts)).toMatchObject({ status: 409, error: "upload.incomplete" });
    const { data } = await arrived(house, own, [3]);
    const last = await put(house, data.presigned_urls[0]?.url ?? "", content(11 * MiB).slice(2 * PART_SIZE), octets);
    const three = { partNumber: 3, etag: last.headers.get("etag") ?? "" };
    const refused = { status: 400, error: "upload.parts" };
    expect(await complete(house, own, [one, one, two, three])).toMatchObject(refused);
    expect(await complete(house, own, [one, { ...two, etag: "other" }, three])).toMatchObject(refused);
    expect(await complete(house, own, [one, { ...two, etag: one.etag }, three])).toMatchObject(refused);
    expect(await complete(house, own, [one, three])).toMatchObject({ status: 409 });
    expect(filesOf(house).filter((path) => path.startsWith("drive/"))).toEqual([]);
    // Clients note the parts as they end.
    expect(await complete(house, own, [three, one, two])).toMatchObject({ status: 200, data: { size: 11 * MiB } });
  });

  test("goes on with fresh addresses for the parts that are missing", async () => {
    await using house = await openTestHouse();
    const { own, slug, bytes } = await sent(house, [2]);
    house.clock.advance(3_600_001);
    const { data } = await arrived(house, own, [1, 3]);
    expect(data.parts.map(({ partNumber }) => partNumber)).toEqual([2]);
    for (const { partNumber, url } of data.presigned_urls) {
      const body = bytes.slice((partNumber - 1) * PART_SIZE, partNumber * PART_SIZE);
      expect((await put(house, url, body, octets)).status).toBe(200);
    }
    const { parts } = (await arrived(house, own)).data;
    expect((await complete(house, own, parts)).status).toBe(200);
    const stored = await (await house.request(`/api/file-download/${slug}`)).bytes();
    expect(Bun.hash(stored)).toBe(Bun.hash(bytes));
  });

  test("is told its parts only when it asks for them", async () => {
    await using house = await openTestHouse();
    const { own } = await sent(house, [1]);
    const { data } = await ask(house, uploads.parts, { body: { ...own, part_numbers: [2], list: false } });
    expect([data.parts, data.presigned_urls.length]).toEqual([[], 1]);
  });

  test("of more than a hundred parts gets the other addresses as it asks", async () => {
    await using house = await openTestHouse();
    const { data } = await begin(house, { size: 250 * PART_SIZE - 1 });
    expect(data.partCount).toBe(250);
    expect(data.presigned_urls.map(({ partNumber }) => partNumber)).toEqual(
      Array.from({ length: PART_URLS }, (_, index) => index + 1),
    );
    const own = { file_id: data.file_id, upload_id: data.upload_id };
    const more = await arrived(house, own, [101, 250]);
    expect(more.data.presigned_urls.map(({ partNumber }) => partNumber)).toEqual([101, 250]);
    expect((await arrived(house, own, [251])).status).toBe(400);
    const last = more.data.presigned_urls[1]?.url ?? "";
    expect((await put(house, last, new Uint8Array(PART_SIZE), octets)).status).toBe(400);
    expect((await put(house, last, new Uint8Array(PART_SIZE - 1), octets)).status).toBe(200);
  });

  test("that is empty has one empty part", async () => {
    await using house = await openTestHouse();
    const { data } = await begin(house, { size: 0, slug: "empty" });
    const response = await put(house, data.presigned_urls[0]?.url ?? "", "", octets);
    expect(response.status).toBe(200);
    const parts = [{ partNumber: 1, etag: response.headers.get("etag") ?? "" }];
    expect(await complete(house, data, parts)).toMatchObject({ status: 200, data: { size: 0 } });
    expect(await (await house.request("/api/file-download/empty")).text()).toBe("");
  });

  test("given up leaves nothing, and cannot be given up or used again", async () => {
    await using house = await openTestHouse();
    const { own, parts } = await sent(house, [1, 3]);
    const { data } = await arrived(house, own, [2]);
    expect((await abort(house, own)).status).toBe(200);
    expect(await remains(house)).toEqual(nothing);
    const missing = { status: 404, error: "upload.missing" };
    expect(await abort(house, own)).toMatchObject(missing);
    expect(await complete(house, own, parts)).toMatchObject(missing);
    expect(await arrived(house, own)).toMatchObject(missing);
    const late = await put(house, data.presigned_urls[0]?.url ?? "", new Uint8Array(PART_SIZE), octets);
    expect(late.status).toBe(404);
    expect(await remains(house)).toEqual(nothing);
  });

  test("deleted by its id leaves nothing", async () => {
    await using house = await openTestHouse();
    const { own } = await sent(house, [1, 3]);
    await ask(house, files.remove, { body: { ids: [own.file_id] } });
    expect(await remains(house)).toEqual(nothing);
  });

  test.each([{ slug: "taken" }, { slug: "a b" }, { path: ".." }, { size: 11 * 1024 * MiB }])(
    "that is refused leaves nothing: %j",
    async (more) => {
      await using house = await openTestHouse();
      await shareFile(house, { slug: "taken" });
      const before = await remains(house);
      expect((await begin(house, more)).data).toBeNull();
      expect(await remains(house)).toEqual(before);
    },
  );
});
