import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { callsOf, type S3Answer, textsOf } from "../../../support/clients/s3.ts";
import { openTestHouse } from "../../../support/test-house.ts";

/**
 * Behaviours that the functional suite of ceph/s3-tests asks for (test_s3.py, test_headers.py), as far as there are such things here.
 * Its names stand in the rows.
 */

async function open() {
  const house = await openTestHouse();
  return { house, s3: await callsOf(house), [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

const first = (answer: S3Answer, name: string) => textsOf(answer, name)[0];
const md5 = (text: string, encoding: "hex" | "base64" = "hex") => createHash("md5").update(text).digest(encoding);

type Query = Readonly<Record<string, string>>;

/** A list as `keys | prefixes`, and what else it must say. */
type ListRow = readonly [name: string, keys: readonly string[], query: Query, found: string, says?: Query];

const foos = ["foo/bar", "foo/baz", "quux"];
const bars = ["bar", "baz", "cab", "foo"];
const deep = ["asdf", "boo/bar", "boo/baz/xyzzy", "cquux/thud", "cquux/bla"];

const lists: readonly ListRow[] = [
  [
    "bucket_list_delimiter_basic",
    ["foo/bar", "foo/b/xyzzy", "quux/thud", "asdf"],
    { delimiter: "/" },
    "asdf | foo/ quux/",
    { Delimiter: "/" },
  ],
  ["bucket_list_delimiter_alt", bars, { delimiter: "a" }, "foo | ba ca"],
  [
    "bucket_list_delimiter_percentage",
    ["b%ar", "b%az", "c%ab", "foo"],
    { delimiter: "%" },
    "foo | b% c%",
    { Delimiter: "%" },
  ],
  [
    "bucket_list_delimiter_whitespace",
    ["b ar", "b az", "c ab", "foo"],
    { delimiter: " " },
    "foo | b  c ",
    { Delimiter: " " },
  ],
  ["bucket_list_delimiter_dot", ["b.ar", "b.az", "c.ab", "foo"], { delimiter: "." }, "foo | b. c.", { Delimiter: "." }],
  [
    "bucket_list_delimiter_unreadable",
    bars,
    { delimiter: "\n", "encoding-type": "url" },
    "bar baz cab foo | ",
    { Delimiter: "%0A" },
  ],
  ["bucket_list_delimiter_not_exist", bars, { delimiter: "/" }, "bar baz cab foo | ", { Delimiter: "/" }],
  ["bucket_list_delimiter_empty", bars, { delimiter: "" }, "bar baz cab foo | ", { Delimiter: "" }],
  ["bucket_list_delimiter_prefix", deep, { delimiter: "/", prefix: "boo/" }, "boo/bar | boo/baz/", { Prefix: "boo/" }],
  ["bucket_list_delimiter_prefix_ends_with_delimiter", ["asdf/x"], { delimiter: "/", prefix: "asdf/" }, "asdf/x | "],
  ["bucket_list_prefix_basic", foos, { prefix: "foo/" }, "foo/bar foo/baz | ", { Prefix: "foo/" }],
  ["bucket_list_prefix_alt", ["bar", "baz", "foo"], { prefix: "ba" }, "bar baz | "],
  ["bucket_list_prefix_not_exist", foos, { prefix: "d" }, " | ", { Prefix: "d" }],
  ["bucket_list_prefix_unreadable", foos, { prefix: "\n", "encoding-type": "url" }, " | ", { Prefix: "%0A" }],
  ["bucket_list_prefix_delimiter_alt", ["bar", "bazar", "cab", "foo"], { prefix: "ba", delimiter: "a" }, "bar | baza"],
  [
    "bucket_list_prefix_delimiter_prefix_not_exist",
    ["b/a/r", "b/a/c", "b/a/g", "g"],
    { prefix: "d", delimiter: "/" },
    " | ",
  ],
  [
    "bucket_list_prefix_delimiter_delimiter_not_exist",
    ["b/a/c", "b/a/g", "g"],
    { prefix: "b", delimiter: "z" },
    "b/a/c b/a/g | ",
  ],
  ["bucket_list_maxkeys_zero", foos, { "max-keys": "0" }, " | ", { IsTruncated: "false", MaxKeys: "0" }],
  ["bucket_list_maxkeys_one", foos, { "max-keys": "1" }, "foo/bar | ", { IsTruncated: "true", MaxKeys: "1" }],
  ["bucket_list_maxkeys_none", foos, {}, "foo/bar foo/baz quux | ", { IsTruncated: "false", MaxKeys: "1000" }],
];

/** Rows that say where a list begins, which the versions of it do with parameters of their own. */
const beginnings: readonly ListRow[] = [
  ["bucket_list_marker_none", foos, { start: "" }, "foo/bar foo/baz quux | "],
  ["bucket_list_marker_unreadable", foos, { start: "\n", "encoding-type": "url" }, "foo/bar foo/baz quux | "],
  ["bucket_list_marker_not_in_list", foos, { start: "foo/bb" }, "quux | "],
  ["bucket_list_marker_after_list", foos, { start: "zzz" }, " | ", { IsTruncated: "false" }],
];

describe("lists", () => {
  const begin = (query: Query, version: string): Query => {
    const { start, ...rest } = query;
    if (start === undefined) return rest;
    return version === "2" ? { ...rest, "start-after": start } : { ...rest, marker: start };
  };
  const rows = [...lists, ...beginnings].flatMap((row) => [["1", ...row] as const, ["2", ...row] as const]);
  test.each(rows)("of version %s: %s", async (version, _name, keys, query, found, says = {}) => {
    await using here = await open();
    for (const key of keys) await here.s3.put(`/drive/${key}`);
    const kind: Query = version === "2" ? { "list-type": "2" } : {};
    const answer = await here.s3.send("GET", "/drive", { query: { ...kind, ...begin(query, version) } });
    const listed = `${textsOf(answer, "Key").join(" ")} | ${textsOf(answer, "Prefix").slice(1).join(" ")}`;
    expect([answer.status, listed]).toEqual([200, found]);
    for (const [name, value] of Object.entries(says)) expect([name, first(answer, name) ?? ""]).toEqual([name, value]);
    if (version === "2") {
      const count = textsOf(answer, "Key").length + textsOf(answer, "Prefix").length - 1;
      expect(first(answer, "KeyCount")).toBe(String(count));
    }
  });

  test("bucket_list_encoding_basic, bucket_listv2_fetchowner, bucket_list_return_data, bucket_notexist", async () => {
    await using here = await open();
    const { s3 } = here;
    for (const key of ["foo+1/bar", "foo/bar/xyzzy", "quux ab/thud", "asdf+b"]) await s3.put(`/drive/${key}`);
    const encoded = await s3.send("GET", "/drive", { query: { delimiter: "/", "encoding-type": "url" } });
    expect([textsOf(encoded, "Key"), textsOf(encoded, "Prefix").slice(1), first(encoded, "EncodingType")]).toEqual([
      ["asdf%2Bb"],
      ["foo%2B1/", "foo/", "quux%20ab/"],
      "url",
    ]);
    const second = { "list-type": "2" };
    expect(textsOf(await s3.send("GET", "/drive", { query: second }), "Owner")).toEqual([]);
    const owned = await s3.send("GET", "/drive", { query: { ...second, "fetch-owner": "true" } });
    expect(textsOf(owned, "DisplayName").length).toBe(4);
    const head = await s3.send("HEAD", "/drive/asdf+b");
    const [listed] = [await s3.send("GET", "/drive", { query: { prefix: "asdf" } })];
    expect([first(listed, "ETag"), first(listed, "Size")]).toEqual([
      head.headers.get("etag") ?? "",
      head.headers.get("content-length") ?? "",
    ]);
    for (const [method, path] of [
      ["GET", "/none"],
      ["PUT", "/none/a"],
      ["GET", "/none/a"],
      ["DELETE", "/none/a"],
    ] as const)
      expect([method, await s3.outcome(method, path)]).toEqual([method, "404 NoSuchBucket"]);
    expect(await s3.outcome("HEAD", "/none")).toBe("404");
    for (const query of [{ "max-keys": "blah" }, { "list-type": "2", "max-keys": "blah" }])
      expect(await s3.outcome("GET", "/drive", { query: query as Query })).toBe("400 InvalidArgument");
  });
});

describe("objects", () => {
  test("object_requestid_matches_header_on_error, object_read_not_exist", async () => {
    await using here = await open();
    const answer = await here.s3.send("GET", "/drive/none");
    expect([answer.status, answer.code]).toEqual([404, "NoSuchKey"]);
    expect(first(answer, "RequestId")).toBe(answer.headers.get("x-amz-request-id") ?? "");
  });

  test("object_set_get_metadata: none, overwritten, emptied, of other letters", async () => {
    await using here = await open();
    const { s3 } = here;
    const of = async (name: string) => (await s3.send("HEAD", "/drive/a")).headers.get(name);
    await s3.put("/drive/a", "bar", { "x-amz-meta-meta1": "mymeta", "cache-control": "public, max-age=14400" });
    expect([await of("x-amz-meta-meta1"), await of("cache-control")]).toEqual(["mymeta", "public, max-age=14400"]);
    await s3.put("/drive/a", "bar", { "x-amz-meta-meta1": "" });
    expect([await of("x-amz-meta-meta1"), await of("cache-control")]).toEqual(["", null]);
    await s3.put("/drive/a", "bar");
    expect(await of("x-amz-meta-meta1")).toBeNull();
  });

  test.each([
    ["ranged_request_response_code", "bytes=4-7", 206, "cont", "bytes 4-7/11"],
    ["ranged_request_skip_leading_bytes", "bytes=4-", 206, "content", "bytes 4-10/11"],
    ["ranged_request_return_trailing_bytes", "bytes=-7", 206, "content", "bytes 4-10/11"],
    ["ranged_request_invalid_range", "bytes=40-50", 416, "InvalidRange", "bytes */11"],
    ["a range that ends behind the object", "bytes=8-100", 206, "ent", "bytes 8-10/11"],
    ["a unit that nobody knows", "lines=1-2", 200, "testcontent", null],
  ])("%s", async (_name, range, status, text, told) => {
    await using here = await open();
    await here.s3.put("/drive/a", "testcontent");
    const answer = await here.s3.send("GET", "/drive/a", { headers: { range } });
    expect([answer.status, answer.code ?? answer.text, answer.headers.get("content-range")]).toEqual([
      status,
      text,
      told,
    ]);
  });

  test("ranged_request_empty_object", async () => {
    await using here = await open();
    await here.s3.put("/drive/a", "");
    expect(await here.s3.outcome("GET", "/drive/a", { headers: { range: "bytes=40-50" } })).toBe("416 InvalidRange");
  });

  test("get_object_ifmatch, ifnonematch, ifmodifiedsince, ifunmodifiedsince: good and failed", async () => {
    await using here = await open();
    await here.s3.put("/drive/a", "bar");
    const get = (headers: Query) => here.s3.outcome("GET", "/drive/a", { headers });
    const tag = `"${md5("bar")}"`;
    const [early, late] = ["Sat, 29 Oct 1994 19:43:31 GMT", "Sat, 29 Oct 2100 19:43:31 GMT"];
    expect(await get({ "if-match": tag })).toBe("200");
    expect(await get({ "if-match": '"ABCORZ"' })).toBe("412 PreconditionFailed");
    expect(await get({ "if-none-match": tag })).toBe("304");
    expect(await get({ "if-none-match": "ABCORZ" })).toBe("200");
    expect(await get({ "if-modified-since": early })).toBe("200");
    expect(await get({ "if-unmodified-since": early })).toBe("412 PreconditionFailed");
    expect(await get({ "if-unmodified-since": late })).toBe("200");
  });

  test.each([
    ["object_create_bad_md5_invalid_short", { "content-md5": "YWJyYWNhZGFicmE=" }, "400 InvalidDigest"],
    ["object_create_bad_md5_invalid_garbage", { "content-md5": "AWS4 HAHAHA" }, "400 InvalidDigest"],
    ["object_create_bad_md5_bad", { "content-md5": "rL0Y20xC+Fzt72VPzMSk2A==" }, "400 BadDigest"],
    ["object_create_bad_md5_empty", { "content-md5": "" }, "400 InvalidDigest"],
    ["object_create_bad_md5_none", {}, "200"],
    ["a good one", { "content-md5": md5("bar", "base64") }, "200"],
    ["object_create_bad_contenttype_empty", { "content-type": "" }, "200"],
    ["object_create_bad_contenttype_unreadable", { "content-type": "\x08" }, "200"],
    ["object_create_date_and_amz_date", { date: "Tue, 07 Jul 2010 21:53:04 GMT" }, "200"],
  ])("%s", async (_name, headers, outcome) => {
    await using here = await open();
    expect(await here.s3.outcome("PUT", "/drive/a", { body: "bar", headers: headers as Query })).toBe(outcome);
    expect(await here.s3.text("/drive/a")).toBe(outcome === "200" ? "bar" : "NoSuchKey");
  });

  test("object_copy: of zero size, with its type, with metadata retained and replaced, onto itself, from nowhere", async () => {
    await using here = await open();
    const { s3 } = here;
    const copy = (to: string, source: string, headers: Query = {}) =>
      s3.outcome("PUT", to, { headers: { "x-amz-copy-source": source, ...headers } });
    await s3.put("/drive/foo123bar", "");
    expect(await copy("/drive/bar321foo", "drive/foo123bar")).toBe("200");
    expect((await s3.send("HEAD", "/drive/bar321foo")).headers.get("content-length")).toBe("0");
    await s3.put("/drive/typed", "foo", { "content-type": "text/bla", "x-amz-meta-key1": "value1" });
    await copy("/drive/same", "drive/typed");
    await copy("/drive/other", "drive/typed", {
      "x-amz-metadata-directive": "REPLACE",
      "x-amz-meta-key3": "value3",
      "content-type": "audio/mpeg",
    });
    const said = async (path: string) => {
      const { headers } = await s3.send("HEAD", path);
      return ["content-type", "x-amz-meta-key1", "x-amz-meta-key3"].map((name) => headers.get(name));
    };
    expect(await said("/drive/same")).toEqual(["text/bla", "value1", null]);
    expect(await said("/drive/other")).toEqual(["audio/mpeg", null, "value3"]);
    expect(await copy("/drive/typed", "drive/typed")).toBe("400 InvalidRequest");
    expect(await copy("/drive/x", "no-such-bucket/foo")).toBe("404 NoSuchBucket");
    expect(await copy("/drive/x", "drive/no-such-key")).toBe("404 NoSuchKey");
    const tag = md5("foo");
    expect(await copy("/drive/x", "drive/typed", { "x-amz-copy-source-if-match": tag })).toBe("200");
    expect(await copy("/drive/x", "drive/typed", { "x-amz-copy-source-if-match": "ABCORZ" })).toBe(
      "412 PreconditionFailed",
    );
    expect(await copy("/drive/x", "drive/typed", { "x-amz-copy-source-if-none-match": tag })).toBe(
      "412 PreconditionFailed",
    );
    expect(await copy("/drive/x", "drive/typed", { "x-amz-copy-source-if-none-match": "ABCORZ" })).toBe("200");
  });

  test("multi_object_delete: quiet or not, again, and with more keys than it takes", async () => {
    await using here = await open();
    const { s3 } = here;
    const remove = (keys: readonly string[], quiet = false) =>
      s3.send("POST", "/drive", {
        query: { delete: "" },
        body: `<Delete>${quiet ? "<Quiet>true</Quiet>" : ""}${keys.map((key) => `<Object><Key>${key}</Key></Object>`).join("")}</Delete>`,
      });
    for (const key of ["key0", "key1", "key2"]) await s3.put(`/drive/${key}`);
    for (let times = 0; times < 2; times++)
      expect(textsOf(await remove(["key0", "key1"]), "Key")).toEqual(["key0", "key1"]);
    expect(textsOf(await remove(["key2", "none"], true), "Key")).toEqual([]);
    expect(await s3.list("drive")).toEqual([]);
    const many = Array.from({ length: 1001 }, (_, index) => `key-${index}`);
    expect((await remove(many)).code).toBe("MalformedXML");
  });
});

describe("uploads in parts", () => {
  const begin = async (s3: Awaited<ReturnType<typeof open>>["s3"], path: string) =>
    first(await s3.send("POST", path, { query: { uploads: "" } }), "UploadId") ?? "";

  test("abort_multipart_upload, its parts, and one that is not there", async () => {
    await using here = await open();
    const { s3 } = here;
    const uploadId = await begin(s3, "/drive/mymultipart");
    await s3.send("PUT", "/drive/mymultipart", { query: { uploadId, partNumber: "1" }, body: "x" });
    expect(await s3.outcome("DELETE", "/drive/mymultipart", { query: { uploadId } })).toBe("204");
    expect(await s3.outcome("GET", "/drive/mymultipart", { query: { uploadId } })).toBe("404 NoSuchUpload");
    expect(await s3.outcome("DELETE", "/drive/mymultipart", { query: { uploadId: "56788" } })).toBe("404 NoSuchUpload");
    expect(await s3.list("drive")).toEqual([]);
  });

  test.each([
    ["multipart_copy_without_range", undefined, "200"],
    ["multipart_copy_small", "bytes=0-0", "200"],
    ["multipart_copy_invalid_range", "bytes=0-21", "416 InvalidRange"],
    ["multipart_copy_improper_range: one number", "2-4", "400 InvalidArgument"],
    ["multipart_copy_improper_range: no beginning", "bytes=-9", "400 InvalidArgument"],
    ["multipart_copy_improper_range: no end", "bytes=2-", "400 InvalidArgument"],
    ["multipart_copy_improper_range: backwards", "bytes=3-2", "416 InvalidRange"],
    ["multipart_copy_improper_range: hexadecimal", "bytes=0-f", "400 InvalidArgument"],
  ])("%s", async (_name, range, outcome) => {
    await using here = await open();
    const { s3 } = here;
    await s3.put("/drive/source", "hello");
    const uploadId = await begin(s3, "/drive/dest");
    const said: Query = range === undefined ? {} : { "x-amz-copy-source-range": range };
    const headers = { "x-amz-copy-source": "drive/source", ...said };
    expect(await s3.outcome("PUT", "/drive/dest", { query: { uploadId, partNumber: "1" }, headers })).toBe(outcome);
  });
});

// What there is not here: who may read is said by keys and mounts, and nothing is kept that was replaced.
test.each(
  [
    "accelerate acl cors encryption lifecycle logging notification object-lock ownershipControls policy policyStatus publicAccessBlock replication requestPayment versions website".split(
      " ",
    ),
  ].flat(),
)("the %s of a bucket is NotImplemented", async (name) => {
  await using here = await open();
  for (const method of ["GET", "PUT"])
    expect(await here.s3.outcome(method, "/drive", { query: { [name]: "" } })).toBe("501 NotImplemented");
});

test.each(["acl", "legal-hold", "retention", "torrent", "restore", "select"])(
  "the %s of an object is NotImplemented",
  async (name) => {
    await using here = await open();
    await here.s3.put("/drive/a", "kept");
    for (const method of ["GET", "PUT", "POST"])
      expect(await here.s3.outcome(method, "/drive/a", { query: { [name]: "" } })).toBe("501 NotImplemented");
    expect(await here.s3.text("/drive/a")).toBe("kept");
  },
);
