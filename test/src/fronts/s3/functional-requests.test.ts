import { describe, expect, test } from "bun:test";
import { answerOf, callsOf, type S3Init, textsOf } from "../../../support/clients/s3.ts";
import { listen, openConnection } from "../../../support/servers/listening.ts";
import { openTestHouse } from "../../../support/test-house.ts";

/** Behaviours of the functional suite of ceph/s3-tests that are about requests as a whole, buckets and names of keys. */

async function open() {
  const house = await openTestHouse();
  return { house, s3: await callsOf(house), [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

type Row = readonly [name: string, method: string, path: string, outcome: string, init?: S3Init];

const rows: readonly Row[] = [
  ["bucket_create_exists", "PUT", "/drive", "409 BucketAlreadyOwnedByYou"],
  ["bucket_create_naming_bad_short_one", "PUT", "/a", "404 NoSuchBucket"],
  ["bucket_create_naming_bad_ip", "PUT", "/192.168.5.123", "404 NoSuchBucket"],
  ["bucket_delete_nonempty", "DELETE", "/drive", "501 NotImplemented"],
  ["bucket_get_location", "GET", "/drive", "200", { query: { location: "" } }],
  ["bucket_head_notexist", "HEAD", "/none", "404"],
  ["object_delete_key_bucket_gone", "DELETE", "/none/a", "404 NoSuchBucket"],
  ["object_acl_default", "GET", "/drive/a", "501 NotImplemented", { query: { acl: "" } }],
  ["object_acl_canned_private", "PUT", "/drive/a", "200", { body: "a", headers: { "x-amz-acl": "private" } }],
  [
    "object_acl_canned_publicread",
    "PUT",
    "/drive/a",
    "400 AccessControlListNotSupported",
    { body: "a", headers: { "x-amz-acl": "public-read" } },
  ],
  [
    "object_header_acl_grants",
    "PUT",
    "/drive/a",
    "400 AccessControlListNotSupported",
    { body: "a", headers: { "x-amz-grant-read": 'id="somebody"' } },
  ],
  [
    "put_object_ifmatch_nonexisted_failed",
    "PUT",
    "/drive/none",
    "404 NoSuchKey",
    { body: "a", headers: { "if-match": "*" } },
  ],
  ["put_object_ifmatch_good", "PUT", "/drive/a", "200", { body: "b", headers: { "if-match": "*" } }],
  [
    "put_object_ifnonmatch_overwrite_existed_failed",
    "PUT",
    "/drive/a",
    "412 PreconditionFailed",
    { body: "b", headers: { "if-none-match": "*" } },
  ],
  [
    "a condition that holds and a date that does not",
    "GET",
    "/drive/a",
    "200",
    { headers: { "if-match": "*", "if-unmodified-since": "Sat, 29 Oct 1994 19:43:31 GMT" } },
  ],
  [
    "a condition that does not hold and a date that does",
    "GET",
    "/drive/a",
    "304",
    { headers: { "if-none-match": "*", "if-modified-since": "Sat, 29 Oct 1994 19:43:31 GMT" } },
  ],
  ["a range of the end that is longer than the object", "GET", "/drive/a", "206", { headers: { range: "bytes=-100" } }],
  ["no bytes of the end", "GET", "/drive/a", "416 InvalidRange", { headers: { range: "bytes=-0" } }],
  [
    "the end of an empty object (RFC 9110 section 14.1.2)",
    "GET",
    "/drive/empty",
    "200",
    { headers: { range: "bytes=-5" } },
  ],
];

// What a row leaves out Bun takes for a callback.
const whole = rows.map(([name, method, path, outcome, init = {}]) => [name, method, path, outcome, init] as const);

test.each(whole)("%s", async (_name, method, path, outcome, init) => {
  await using here = await open();
  await here.s3.put("/drive/a", "a");
  await here.s3.put("/drive/empty", "");
  expect(await here.s3.outcome(method, path, init)).toBe(outcome);
});

test.each([
  ["object_raw_get", "GET", "/drive/a"],
  ["object_raw_put", "PUT", "/drive/a"],
  ["object_anon_put", "PUT", "/drive/b"],
  ["bucket_list_objects_anonymous_fail", "GET", "/drive?list-type=2"],
  ["list_buckets_anonymous", "GET", "/?max-buckets=10"],
  ["DeleteObject of nobody", "DELETE", "/drive/a"],
])("%s: what nobody has signed is for the pages, and changes nothing", async (_name, method, path) => {
  await using here = await open();
  await here.s3.put("/drive/a", "kept");
  const body = method === "PUT" ? "other" : null;
  const answer = await answerOf(await here.house.request(path, { method, body }));
  expect(answer.text).toBe("site");
  expect([await here.s3.list("drive"), await here.s3.text("/drive/a")]).toEqual([["a"], "kept"]);
});

test("object_write_expect_continue", async () => {
  await using here = await open();
  await using server = listen(here.house);
  const { host, pathname, search } = new URL(here.s3.presign("PUT", "/drive/a"));
  using connection = await openConnection(server.port);
  await connection.send(
    `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n`,
  );
  expect(await connection.answer()).toStartWith("HTTP/1.1 100 ");
  await connection.send("hello");
  while ((await here.s3.text("/drive/a")) !== "hello") await new Promise(setImmediate);
});

describe("names of keys", () => {
  test.each([
    "_",
    ":",
    " ",
    "a b",
    "a+b",
    "a%b",
    "ÿ",
    "日本語",
    "🙂",
    '"',
    "'",
    "<&>",
    "#",
    "?x=y",
    "a;b",
    "~",
    "a=b",
    "(1)",
    "!*",
    "$",
  ])("bucket_create_special_key_names: %p", async (key) => {
    await using here = await open();
    expect((await here.s3.put(`/drive/${key}`, key)).status).toBe(200);
    expect([await here.s3.text(`/drive/${key}`), await here.s3.list("drive")]).toEqual([key, [key]]);
    expect(await here.s3.outcome("DELETE", `/drive/${key}`)).toBe("204");
    expect(await here.s3.list("drive")).toEqual([]);
  });
});

test("ListParts in pages", async () => {
  await using here = await open();
  const { s3 } = here;
  const [uploadId = ""] = textsOf(await s3.send("POST", "/drive/a", { query: { uploads: "" } }), "UploadId");
  for (const number of [1, 2, 5])
    await s3.send("PUT", "/drive/a", { query: { uploadId, partNumber: `${number}` }, body: "x" });
  const page = async (query: Readonly<Record<string, string>>) => {
    const answer = await s3.send("GET", "/drive/a", { query: { uploadId, ...query } });
    const one = (name: string) => textsOf(answer, name)[0];
    return answer.code ?? [textsOf(answer, "PartNumber"), one("IsTruncated"), one("NextPartNumberMarker")];
  };
  expect(await page({})).toEqual([["1", "2", "5"], "false", undefined]);
  expect(await page({ "max-parts": "2" })).toEqual([["1", "2"], "true", "2"]);
  expect(await page({ "max-parts": "2", "part-number-marker": "2" })).toEqual([["5"], "false", undefined]);
  expect(await page({ "max-parts": "0" })).toEqual([[], "false", undefined]);
  expect(await page({ "part-number-marker": "5" })).toEqual([[], "false", undefined]);
  expect(await page({ "max-parts": "many" })).toBe("InvalidArgument");
  expect(await page({ "part-number-marker": "many" })).toBe("InvalidArgument");
  expect(await page({ "part-number-marker": "-1" })).toBe("InvalidArgument");
});

test.each([1, 2])(
  "atomic_read, atomic_write: a slow reader gets the old object or the new one, %p MiB and more",
  async (size) => {
    await using here = await open();
    await using server = listen(here.house);
    const bytes = size * 1024 * 1024 + 1;
    const all = (letter: string) => new Uint8Array(bytes).fill(letter.charCodeAt(0));
    await here.s3.put("/drive/a", all("a"));
    const address = here.s3.presign("GET", "/drive/a");
    const url = new URL(address);
    const response = await fetch(`${server.address}${url.pathname}${url.search}`, { headers: { host: url.host } });
    const reader = response.body?.getReader();
    const chunks = [(await reader?.read())?.value ?? new Uint8Array()];
    await here.s3.put("/drive/a", all("b"));
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) chunks.push(next.value);
    const read = Buffer.concat(chunks);
    expect(read.byteLength).toBe(bytes);
    expect(read.equals(all("a"))).toBe(true);
    expect((await here.s3.send("GET", "/drive/a")).text).toBe("b".repeat(bytes));
  },
);
