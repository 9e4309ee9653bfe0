import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { callsOf, textsOf } from "../../../support/clients/s3.ts";
import { createHaltingDatabase } from "../../../support/database/halting-database.ts";
import { mountOther } from "../../../support/make-mount.ts";
import { openTestHouse } from "../../../support/test-house.ts";

async function open() {
  const house = await openTestHouse();
  return { s3: await callsOf(house), [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

const md5 = (content: string) => createHash("md5").update(content).digest("hex");

test("objects are written, read and removed under conditions", async () => {
  await using here = await open();
  const { s3 } = here;
  const tag = md5("a");
  const put = (headers: Record<string, string>) => s3.outcome("PUT", "/drive/a", { body: "a", headers });
  expect(await put({ "if-match": tag })).toBe("404 NoSuchKey");
  expect(await put({ "if-none-match": "*" })).toBe("200");
  expect(await put({ "if-none-match": "*" })).toBe("412 PreconditionFailed");
  expect(await put({ "if-none-match": tag })).toBe("501 NotImplemented");
  expect(await put({ "if-match": "no" })).toBe("412 PreconditionFailed");
  expect(await put({ "if-match": `"${tag}"` })).toBe("200");
  const get = (headers: Record<string, string>, method = "GET") => s3.outcome(method, "/drive/a", { headers });
  expect(await get({ "if-none-match": `"${tag}"` })).toBe("304");
  expect(await get({ "if-match": '"no"' })).toBe("412 PreconditionFailed");
  expect(await get({ "if-match": '"no"' }, "HEAD")).toBe("412");
  expect(await get({ range: "bytes=5-" })).toBe("416 InvalidRange");
  expect(await get({ range: "bytes=0-0" })).toBe("206");
  expect(await s3.outcome("DELETE", "/drive/a", { headers: { "if-match": "no" } })).toBe("412 PreconditionFailed");
  expect(await s3.outcome("DELETE", "/drive/a", { headers: { "if-match": tag } })).toBe("204");
  expect(await s3.outcome("DELETE", "/drive/a")).toBe("204");
});

test("objects are removed only of the size and the time that are said, one by one and together", async () => {
  await using here = await open();
  const { s3 } = here;
  await s3.put("/drive/a", "hello");
  const { headers } = await s3.send("HEAD", "/drive/a");
  const modified = headers.get("last-modified") ?? "";
  const early = new Date(Date.parse(modified) - 1000);
  const remove = (given: Record<string, string>) => s3.outcome("DELETE", "/drive/a", { headers: given });
  const [size, time] = ["x-amz-if-match-size", "x-amz-if-match-last-modified-time"];
  const refused = [
    { [size]: "4" },
    { [size]: "0" },
    { [time]: early.toUTCString() },
    { [time]: early.toISOString() },
    { [size]: "5", [time]: early.toUTCString() },
    { [size]: "5", "if-match": "no" },
    { [size]: "4", "if-match": "*" },
  ];
  for (const given of refused) expect([given, await remove(given)]).toEqual([given, "412 PreconditionFailed"]);
  for (const given of [{ [size]: "five" }, { [size]: "-1" }, { [time]: "yesterday" }])
    expect([given, await remove(given)]).toEqual([given, "400 InvalidArgument"]);
  expect(await s3.text("/drive/a")).toBe("hello");
  expect(await remove({ [size]: "5", [time]: modified, "if-match": md5("hello") })).toBe("204");

  for (const key of ["a", "b", "c", "d"]) await s3.put(`/drive/${key}`, "hello");
  const date = Date.parse((await s3.send("HEAD", "/drive/d")).headers.get("last-modified") ?? "");
  const objects = [
    "<Key>a</Key><Size>4</Size>",
    "<Key>b</Key><Size>5</Size>",
    `<Key>c</Key><LastModifiedTime>${new Date(date - 60_000).toUTCString()}</LastModifiedTime>`,
    `<Key>d</Key><Size>5</Size><LastModifiedTime>${new Date(date).toISOString()}</LastModifiedTime>`,
  ].map((object) => `<Object>${object}</Object>`);
  const body = (of: readonly string[]) => ({ query: { delete: "" }, body: `<Delete>${of.join("")}</Delete>` });
  const answer = await s3.send("POST", "/drive", body(objects));
  expect(textsOf(answer, "Code")).toEqual(["PreconditionFailed", "PreconditionFailed"]);
  expect(await s3.list("drive")).toEqual(["a", "c"]);
  const wrong = "<Object><Key>a</Key><Size>many</Size></Object>";
  expect(await s3.outcome("POST", "/drive", body([wrong]))).toBe("400 MalformedXML");
});

test("objects are copied over, and made of parts, under conditions", async () => {
  await using here = await open();
  const { s3 } = here;
  await s3.put("/drive/a", "hello");
  const copy = (headers: Record<string, string>) =>
    s3.outcome("PUT", "/drive/b", { headers: { "x-amz-copy-source": "/drive/a", ...headers } });
  expect(await copy({ "if-match": md5("other") })).toBe("404 NoSuchKey");
  await s3.put("/drive/b", "other");
  expect(await copy({ "if-match": md5("hello") })).toBe("412 PreconditionFailed");
  expect(await s3.text("/drive/b")).toBe("other");
  expect(await copy({ "if-match": `"${md5("other")}"` })).toBe("200");
  expect(await copy({ "if-none-match": "*" })).toBe("412 PreconditionFailed");
  const [uploadId = ""] = textsOf(await s3.send("POST", "/drive/b", { query: { uploads: "" } }), "UploadId");
  const part = await s3.send("PUT", "/drive/b", { query: { uploadId, partNumber: "1" }, body: "parts" });
  const tag = part.headers.get("etag");
  const body = `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${tag}</ETag></Part></CompleteMultipartUpload>`;
  const complete = (headers: Record<string, string>) =>
    s3.outcome("POST", "/drive/b", { query: { uploadId }, body, headers });
  expect(await complete({ "if-none-match": "*" })).toBe("412 PreconditionFailed");
  expect(await complete({ "if-match": md5("other") })).toBe("412 PreconditionFailed");
  expect(await s3.text("/drive/b")).toBe("hello");
  expect(await complete({ "if-match": `"${md5("hello")}"` })).toBe("200");
  expect(await s3.text("/drive/b")).toBe("parts");
});

describe.each(["/drive/to", "/other/to"])("CopyObject to %s, while somebody writes its source,", (to) => {
  const long = "written meanwhile, and longer than it was";
  test.each([
    ["if-match", md5("hello"), ["412 PreconditionFailed", "target"]],
    ["if-none-match", md5(long), ["412 PreconditionFailed", "target"]],
    ["if-none-match", md5("another"), ["200", long]],
  ])("asks %s of what it copies", async (name, value, expected) => {
    const database = createHaltingDatabase();
    await using house = await openTestHouse({ engine: database.engine });
    await mountOther(house, "/other", true);
    const s3 = await callsOf(house);
    await s3.put("/drive/from", "hello");
    await s3.put(to, "target");
    const { reached, goOn } = database.haltAt("state <> 'ready' or exists");
    const headers = { "x-amz-copy-source": "/drive/from", [`x-amz-copy-source-${name}`]: value };
    const copied = s3.outcome("PUT", to, { headers });
    await reached;
    await s3.put("/drive/from", long);
    goOn();
    expect([await copied, await s3.text(to)]).toEqual(expected);
    expect(await s3.text("/drive/from")).toBe(long);
  });
});

describe.each([undefined, "bytes=1-3"])("UploadPartCopy of %p, while somebody", (range) => {
  const long = "written meanwhile, and longer than it was";
  const [before, after] = ["hello", long].map((text) => md5(range === undefined ? text : text.slice(1, 4)));
  test.each([
    ["writes its source, asks if-match of what it copies", "if-match", md5("hello"), "412 PreconditionFailed", before],
    ["writes its source, asks if-none-match of it", "if-none-match", md5(long), "412 PreconditionFailed", before],
    ["writes its source, copies that", "if-none-match", md5("another"), "200", after],
    ["removes its source, finds none", "if-match", md5("hello"), "404 NoSuchKey", before],
  ])("%s", async (what, name, value, outcome, part) => {
    const database = createHaltingDatabase();
    await using house = await openTestHouse({ engine: database.engine });
    const s3 = await callsOf(house);
    await s3.put("/drive/from", "hello");
    const [uploadId = ""] = textsOf(await s3.send("POST", "/drive/to", { query: { uploads: "" } }), "UploadId");
    const ranged: Record<string, string> = range === undefined ? {} : { "x-amz-copy-source-range": range };
    const copy = (condition: Record<string, string> = {}) => {
      const headers = { "x-amz-copy-source": "/drive/from", ...ranged, ...condition };
      return s3.outcome("PUT", "/drive/to", { query: { uploadId, partNumber: "1" }, headers });
    };
    expect(await copy()).toBe("200");
    const { reached, goOn } = database.haltAt("update disk_multiparts set part_size");
    const copied = copy({ [`x-amz-copy-source-${name}`]: value });
    await reached;
    if (what.startsWith("writes")) await s3.put("/drive/from", long);
    else await s3.send("DELETE", "/drive/from");
    goOn();
    expect(await copied).toBe(outcome);
    const parts = await s3.send("GET", "/drive/to", { query: { uploadId } });
    expect(textsOf(parts, "ETag")).toEqual([`"${part}"`]);
  });
});
