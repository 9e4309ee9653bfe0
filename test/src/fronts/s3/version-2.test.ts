import { describe, expect, test } from "bun:test";
import { answerOf, s3Calls, textsOf } from "../../../support/clients/s3.ts";
import { type PresignV2Options, presignV2 } from "../../../support/clients/sigv2.ts";
import { makeKey } from "../../../support/make-key.ts";
import { openTestHouse } from "../../../support/test-house.ts";

/** Addresses that are presigned by AWS Signature Version 2. */

async function open() {
  const house = await openTestHouse();
  const key = await makeKey(house);
  const soon = () => Math.floor(house.clock.now() / 1000) + 900;
  const address = (method: string, path: string, more: Partial<PresignV2Options> = {}) =>
    presignV2(key, { method, path, expires: soon(), ...more });
  const send = async (url: string, init: RequestInit = {}) => await answerOf(await house.request(url, init));
  /** Sends what an address is for. */
  const call = (method: string, path: string, more: Partial<PresignV2Options> & { body?: string } = {}) =>
    send(address(method, path, more), { method, headers: { ...more.headers }, body: more.body ?? null });
  const s3 = s3Calls(house, key);
  return { house, key, s3, soon, address, send, call, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

test("objects are written, read, looked at and removed by addresses of version 2", async () => {
  await using here = await open();
  for (const path of ["/drive/a", "/drive/a b/数 据+~(1)'&=%.txt"]) {
    const headers = { "content-type": "text/x-own", "x-amz-acl": "private", "x-amz-meta-a": "one" };
    expect((await here.call("PUT", path, { headers, body: "hello" })).status).toBe(200);
    const got = await here.call("GET", path);
    expect([got.status, got.text, got.headers.get("x-amz-meta-a")]).toEqual([200, "hello", "one"]);
    const head = await here.call("HEAD", path);
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/x-own"]);
    expect((await here.call("DELETE", path)).status).toBe(204);
    expect(await here.s3.text(path)).toBe("NoSuchKey");
  }
});

test("the operations of version 2 that subresources name: a list of uploads, parts, their end", async () => {
  await using here = await open();
  await here.s3.put("/drive/a");
  expect(textsOf(await here.call("GET", "/drive"), "Key")).toEqual(["a"]);
  const begun = await here.call("POST", "/drive/b", { signed: { uploads: undefined } });
  const [uploadId = ""] = textsOf(begun, "UploadId");
  expect(textsOf(await here.call("GET", "/drive", { signed: { uploads: "" } }), "Key")).toEqual(["b"]);
  const part = await here.send(here.address("PUT", "/drive/b", { signed: { partNumber: "1", uploadId } }), {
    method: "PUT",
    headers: { "content-length": "3" },
    body: "abc",
  });
  expect(part.status).toBe(200);
  const body = `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${part.headers.get("etag")}</ETag></Part></CompleteMultipartUpload>`;
  expect((await here.call("POST", "/drive/b", { signed: { uploadId }, body })).status).toBe(200);
  expect(await here.s3.text("/drive/b")).toBe("abc");
});

test("headers of the answer that an address asks for are signed with it", async () => {
  await using here = await open();
  await here.s3.put("/drive/a", "hello");
  const signed = {
    "response-cache-control": "no-store",
    "response-content-disposition": 'attachment; filename="a & b=c.txt"',
    "response-content-type": "text/x-own",
  };
  const { headers } = await here.call("GET", "/drive/a", { signed });
  expect(Object.keys(signed).map((name) => headers.get(name.replace("response-", "")))).toEqual(Object.values(signed));
  const url = here.address("GET", "/drive/a", { signed });
  expect((await here.send(url.replace("x-own", "html"))).code).toBe("SignatureDoesNotMatch");
  expect((await here.send(`${here.address("GET", "/drive/a")}&response-content-type=text/html`)).code).toBe(
    "SignatureDoesNotMatch",
  );
});

test("what boto3 puts into the query of an address counts as a header", async () => {
  await using here = await open();
  const headers = { "content-type": "text/x-own", "x-amz-meta-a": "one", "x-amz-meta-b": "ü" };
  const asSigned = { ...headers, "x-amz-meta-b": Buffer.from("ü").toString() };
  const url = here.address("PUT", "/drive/a", { headers: asSigned });
  const inQuery = Object.entries(headers).map(([name, value]) => `&${name}=${encodeURIComponent(value)}`);
  expect((await here.send(`${url}${inQuery.join("")}`, { method: "PUT", body: Buffer.from("hello") })).status).toBe(
    200,
  );
  const head = await here.s3.send("HEAD", "/drive/a");
  expect([head.headers.get("content-type"), head.headers.get("x-amz-meta-a")]).toEqual(["text/x-own", "one"]);
  expect(Buffer.from(head.headers.get("x-amz-meta-b") ?? "", "latin1").toString()).toBe("ü");
});

test("so does what the SDK of JavaScript puts into the query of an address of version 4", async () => {
  await using here = await open();
  const query = { "x-amz-meta-a": "one", "x-amz-checksum-crc32": "AAAAAA==", "x-amz-sdk-checksum-algorithm": "CRC32" };
  const url = here.s3.presign("PUT", "/drive/a", query);
  expect((await here.send(url, { method: "PUT", body: "hello" })).status).toBe(200);
  expect((await here.s3.send("HEAD", "/drive/a")).headers.get("x-amz-meta-a")).toBe("one");
  const open_ = here.s3.presign("PUT", "/drive/b", { "x-amz-acl": "public-read" });
  expect((await here.send(open_, { method: "PUT", body: "hello" })).code).toBe("AccessControlListNotSupported");
});

describe("an address of version 2 is refused", () => {
  const sign = (method = "GET", path = "/drive/a", more: Partial<PresignV2Options> = {}) => ({ method, path, more });
  const chunked = {
    "x-amz-content-sha256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
    "x-amz-decoded-content-length": "0",
  };
  type Alter = (url: string) => readonly [url: string, init?: RequestInit];
  const rows: readonly (readonly [string, string, ReturnType<typeof sign>, Alter])[] = [
    ["with another path", "SignatureDoesNotMatch", sign(), (url) => [url.replace("/a?", "/b?")]],
    ["with another bucket", "SignatureDoesNotMatch", sign(), (url) => [url.replace("/drive/", "/other/")]],
    ["with another method", "SignatureDoesNotMatch", sign(), (url) => [url, { method: "DELETE" }]],
    ["with a later end", "SignatureDoesNotMatch", sign(), (url) => [url.replace(/Expires=/, "Expires=9")]],
    [
      "with an x-amz- header more",
      "SignatureDoesNotMatch",
      sign(),
      (url) => [url, { headers: { "x-amz-acl": "private" } }],
    ],
    ["with one more in its query", "SignatureDoesNotMatch", sign(), (url) => [`${url}&x-amz-meta-a=1`]],
    ["with an operation of its own", "SignatureDoesNotMatch", sign(), (url) => [`${url}&tagging`]],
    ["with one that is written in another way", "SignatureDoesNotMatch", sign(), (url) => [`${url}&taggin%67`]],
    [
      "as a copy",
      "SignatureDoesNotMatch",
      sign("PUT"),
      (url) => [url, { method: "PUT", headers: { "x-amz-copy-source": "/drive/b" } }],
    ],
    [
      "with another Content-Type",
      "SignatureDoesNotMatch",
      sign("PUT"),
      (url) => [url, { method: "PUT", headers: { "content-type": "text/html" } }],
    ],
    [
      "with two parameters made one",
      "AccessDenied",
      sign("PUT", "/drive/a", { signed: { partNumber: "1", uploadId: "x" } }),
      (url) => [url.replace("&uploadId=x", "%26uploadId%3Dx"), { method: "PUT" }],
    ],
    ["with a parameter twice", "AccessDenied", sign(), (url) => [`${url}&Expires=9999999999`]],
    ["without a signature", "AccessDenied", sign(), (url) => [url.replace(/&Signature=[^&]+/, "")]],
    ["without an end", "AccessDenied", sign(), (url) => [url.replace(/&Expires=\d+/, "")]],
    ["with an end that is none", "AccessDenied", sign(), (url) => [url.replace(/Expires=\d+/, "Expires=never")]],
    ["with an escape that is none", "AccessDenied", sign(), (url) => [`${url}&a=%ff`]],
    ["that is over", "AccessDenied", sign("GET", "/drive/a", { expires: 1 }), (url) => [url]],
    [
      "of another key",
      "InvalidAccessKeyId",
      sign(),
      (url) => [url.replace(/AWSAccessKeyId=\w+/, "AWSAccessKeyId=AKIA")],
    ],
    [
      "of the internal pair",
      "InvalidAccessKeyId",
      sign(),
      (url) => [url.replace(/AWSAccessKeyId=\w+/, "AWSAccessKeyId=satchel-internal")],
    ],
    [
      "with chunks that nothing seeds",
      "NotImplemented",
      sign("PUT", "/drive/a", { headers: chunked }),
      (url) => [url, { method: "PUT", body: "0\r\n\r\n", headers: chunked }],
    ],
  ];
  test.each(rows)("%s -> %s", async (_, code, { method, path, more }, alter) => {
    await using here = await open();
    await here.s3.put("/drive/a", "hello");
    const [url, init] = alter(here.address(method, path, more));
    expect((await here.send(url, { method, ...init })).code).toBe(code);
    expect(await here.s3.text("/drive/a")).toBe("hello");
    expect(await here.s3.list("drive")).toEqual(["a"]);
  });

  test("once its time is over, once its key is gone, and in a header as before", async () => {
    await using here = await open();
    await here.s3.put("/drive/a", "hello");
    const url = here.address("GET", "/drive/a");
    expect((await here.send(url)).text).toBe("hello");
    here.house.clock.advance(901_000);
    expect((await here.send(url)).code).toBe("AccessDenied");
    const later = here.address("GET", "/drive/a");
    await here.house.house.access.keys.remove(here.key.id);
    expect((await here.send(later)).code).toBe("InvalidAccessKeyId");
    const header = { authorization: `AWS ${here.key.s3_access_key_id}:c2lnbmF0dXJl` };
    expect((await here.send("/drive/a", { headers: header })).code).toBe("InvalidRequest");
  });

  test("of a chosen key, whose guesses are limited by address as those of version 4 are", async () => {
    await using here = await open();
    const chosen = await makeKey(here.house, { custom_key: "a-key-of-20-letters" });
    const wrong = (key: string) =>
      presignV2({ ...chosen, key }, { method: "GET", path: "/drive", expires: here.soon() });
    const codes = new Set<string | undefined>();
    for (let tries = 0; tries < 40; tries++) codes.add((await here.send(wrong(`wrong ${tries}`))).code);
    expect(codes).toEqual(new Set(["SignatureDoesNotMatch", "SlowDown"]));
  });
});
