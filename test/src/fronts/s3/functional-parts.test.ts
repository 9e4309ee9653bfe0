import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { sql } from "../../../../src/database/sql.ts";
import { answerOf, callsOf, type S3Calls, textsOf } from "../../../support/clients/s3.ts";
import { openTestHouse } from "../../../support/test-house.ts";

/** More behaviours of the functional suite of ceph/s3-tests: uploads in parts, copies and requests that nobody signed. */

type Parts = readonly (readonly [number: number, etag: string])[];

const PART = 5 * 1024 * 1024;

async function begun() {
  const house = await openTestHouse();
  const s3 = await callsOf(house);
  const path = "/drive/whole";
  const [uploadId = ""] = textsOf(await s3.send("POST", path, { query: { uploads: "" } }), "UploadId");
  return {
    s3,
    house,
    uploadId,
    path,
    async part(partNumber: number, body: string | Uint8Array<ArrayBuffer>): Promise<string> {
      const { headers } = await s3.send("PUT", path, { query: { uploadId, partNumber: String(partNumber) }, body });
      return headers.get("etag") ?? "";
    },
    complete: (parts: Parts) => {
      const said = parts.map(([number, etag]) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`);
      const body = `<CompleteMultipartUpload>${said.join("")}</CompleteMultipartUpload>`;
      return s3.outcome("POST", path, { query: { uploadId }, body });
    },
    abort: () => s3.outcome("DELETE", path, { query: { uploadId } }),
    text: () => s3.text(path),
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
}

const OTHER = '"ffffffffffffffffffffffffffffffff"';

const badParts: readonly (readonly [name: string, parts: (one: string, two: string) => Parts, outcome: string])[] = [
  ["multipart_upload_empty", () => [], "400 MalformedXML"],
  ["multipart_upload_missing_part", (one: string) => [[9999, one]], "400 InvalidPart"],
  ["multipart_upload_incorrect_etag", () => [[1, OTHER]], "400 InvalidPart"],
  [
    "parts in the wrong order",
    (one: string, two: string) => [
      [2, two],
      [1, one],
    ],
    "400 InvalidPartOrder",
  ],
  [
    "multipart_upload_size_too_small",
    (one: string, two: string) => [
      [1, one],
      [2, two],
    ],
    "400 EntityTooSmall",
  ],
];

test.each(badParts)("%s", async (_name, parts, outcome) => {
  await using here = await begun();
  const [one, two] = [await here.part(1, "first"), await here.part(2, "second")];
  expect(await here.complete(parts(one, two))).toBe(outcome);
  expect(await here.text()).toBe("NoSuchKey");
  expect([await here.abort(), await here.abort()]).toEqual(["204", "404 NoSuchUpload"]);
});

test("multipart_upload_resend_part: the last one counts", async () => {
  await using here = await begun();
  const old = await here.part(1, new Uint8Array(PART).fill(97));
  const one = await here.part(1, new Uint8Array(PART).fill(98));
  const two = await here.part(2, "end");
  expect(
    await here.complete([
      [1, old],
      [2, two],
    ]),
  ).toBe("400 InvalidPart");
  expect(
    await here.complete([
      [1, one],
      [2, two],
    ]),
  ).toBe("200");
  expect(await here.text()).toBe(`${"b".repeat(PART)}end`);
});

type Begun = Awaited<ReturnType<typeof begun>>;

/** As a restored backup does, which leaves out uploads that are under way. */
async function loseUpload({ house: { db } }: Begun): Promise<void> {
  for (const lost of [sql`delete from disk_parts`, sql`delete from disk_multiparts`]) await db.run(lost);
}

const loseFile = ({ house, uploadId }: Begun): void => rmSync(join(house.objects, ".multipart", uploadId, "object"));

test.each([
  ["an upload that its storage has lost", loseUpload],
  ["an upload whose file is lost", loseFile],
])("%s makes nothing of what others have written to its key", async (_name, lose) => {
  for (const order of [["others", "part"], ["part", "others"], ["part"]]) {
    await using here = await begun();
    const parts: [number, string][] = [];
    for (const what of order) {
      if (what === "part") parts.push([1, await here.part(1, new Uint8Array(PART).fill(97))]);
      else await here.s3.put(here.path, "somebody else's bytes");
    }
    await lose(here);
    for (let tries = 0; tries < 2; tries++)
      expect({ order, outcome: await here.complete(parts) }).toEqual({ order, outcome: "404 NoSuchUpload" });
    expect(await here.text()).toBe(order.includes("others") ? "somebody else's bytes" : "NoSuchKey");
  }
});

test("an upload that was begun over another file is no part of that file", async () => {
  await using before = await begun();
  const { s3, path } = before;
  await s3.put(path, "the old bytes");
  const [uploadId = ""] = textsOf(await s3.send("POST", path, { query: { uploads: "" } }), "UploadId");
  const sent = await s3.send("PUT", path, { query: { uploadId, partNumber: "1" }, body: "the new ones" });
  rmSync(join(before.house.objects, ".multipart", uploadId, "object"));
  const part = `<Part><PartNumber>1</PartNumber><ETag>${sent.headers.get("etag")}</ETag></Part>`;
  const body = `<CompleteMultipartUpload>${part}</CompleteMultipartUpload>`;
  expect(await s3.outcome("POST", path, { query: { uploadId }, body })).toBe("404 NoSuchUpload");
  expect(await before.text()).toBe("the old bytes");
});

test.each([
  ["object_copy_versioned: of the only version", "drive/a?versionId=null", "200"],
  ["of another one", "drive/a?versionId=abc", "404 NoSuchVersion"],
  ["object_copy_key_not_found", "drive/none", "404 NoSuchKey"],
  ["object_copy_bucket_not_found", "none/a", "404 NoSuchBucket"],
  ["of a bucket", "drive", "400 InvalidArgument"],
])("%s", async (_name, source, outcome) => {
  await using here = await begun();
  await here.s3.put("/drive/a", "a");
  expect(await here.s3.outcome("PUT", "/drive/b", { headers: { "x-amz-copy-source": source } })).toBe(outcome);
  expect(await here.s3.text("/drive/b")).toBe(outcome === "200" ? "a" : "NoSuchKey");
});

const presigned = (s3: S3Calls, expires: string): string =>
  s3.presign("GET", "/drive/a").replace(/X-Amz-Expires=\d+/, `X-Amz-Expires=${expires}`);

test.each(["0", "-7", "604801", "many", "", "409600000000000000000"])(
  "object_raw_get_x_amz_expires_out_range: %p is refused",
  async (expires) => {
    await using here = await begun();
    await here.s3.put("/drive/a", "a");
    const { status, code } = await answerOf(await here.house.request(presigned(here.s3, expires)));
    expect([status, code]).toEqual([400, "AuthorizationQueryParametersError"]);
  },
);
