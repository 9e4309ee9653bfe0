import { describe, expect, spyOn, test } from "bun:test";
import { createHash } from "node:crypto";
import { createDigests, type DigestName } from "../../../../src/lib/digests/digests.ts";
import { answerOf, callsOf, type S3Calls, s3Calls } from "../../../support/clients/s3.ts";
import { makeKey } from "../../../support/make-key.ts";
import { remains } from "../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";

/** What must be refused with S3's own error, and nothing stored. */

async function open() {
  const house = await openTestHouse();
  const key = await makeKey(house);
  return { house, key, s3: s3Calls(house, key), [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

type Signed = ReturnType<S3Calls["signed"]>;

const sent = async (house: TestHouse, { url, headers }: Signed, method = "PUT", body: string | null = "hello") =>
  (await answerOf(await house.request(url, { method, headers: { "content-length": "5", ...headers }, body }))).code;

const nothing = async (house: TestHouse, s3: S3Calls) => {
  expect(await s3.list("drive")).toEqual([]);
  expect(await remains(house)).toMatchObject({ attributes: 0, multiparts: 0 });
  expect(house.log()).not.toContain('"event":"unhandled error"');
};

describe("a signature in the header", () => {
  const altered: readonly (readonly [string, string, (signed: Signed) => Partial<Signed>])[] = [
    ["no secret of ours", "SignatureDoesNotMatch", () => ({})],
    ["another path", "SignatureDoesNotMatch", ({ url }) => ({ url: url.replace("/a", "/b") })],
    ["another query", "SignatureDoesNotMatch", ({ url }) => ({ url: `${url}?x` })],
    ["an altered header", "SignatureDoesNotMatch", ({ headers }) => ({ headers: { ...headers, "x-amz-meta-a": "2" } })],
    ["an x-amz- header more", "AccessDenied", ({ headers }) => ({ headers: { ...headers, "x-amz-meta-b": "2" } })],
    ["another Host", "SignatureDoesNotMatch", ({ headers }) => ({ headers: { ...headers, host: "elsewhere.test" } })],
    [
      "another hash",
      "SignatureDoesNotMatch",
      ({ headers }) => ({ headers: { ...headers, "x-amz-content-sha256": "UNSIGNED-PAYLOAD" } }),
    ],
    [
      "no signed Host",
      "AccessDenied",
      ({ headers }) => ({ headers: { ...headers, authorization: headers.authorization?.replace("host;", "") ?? "" } }),
    ],
    [
      "another key",
      "InvalidAccessKeyId",
      ({ headers }) => ({
        headers: { ...headers, authorization: headers.authorization?.replace(/=[A-Z\d]{20}/, "=AAAA") ?? "" },
      }),
    ],
    [
      "the internal pair",
      "InvalidAccessKeyId",
      ({ headers }) => ({
        headers: {
          ...headers,
          authorization: headers.authorization?.replace(/=[A-Z\d]{20}/, "=satchel-internal") ?? "",
        },
      }),
    ],
    [
      "nonsense",
      "AuthorizationHeaderMalformed",
      ({ headers }) => ({ headers: { ...headers, authorization: "AWS4-HMAC-SHA256 nonsense" } }),
    ],
    [
      "one of version 2",
      "InvalidRequest",
      ({ headers }) => ({ headers: { ...headers, authorization: "AWS AKIA:c2lnbmF0dXJl" } }),
    ],
    [
      "a giant one",
      "AuthorizationHeaderMalformed",
      ({ headers }) => ({ headers: { ...headers, authorization: `${headers.authorization}${"x".repeat(100_000)}` } }),
    ],
  ];
  test.each(altered)("with %s -> %s", async (what, code, alter) => {
    await using here = await open();
    const { key } = here;
    const wrong = what === "no secret of ours" ? s3Calls(here.house, { ...key, key: "x".repeat(40) }) : here.s3;
    const signed = wrong.signed("PUT", "/drive/a", { body: "hello", headers: { "x-amz-meta-a": "1" } });
    expect(await sent(here.house, { ...signed, ...alter(signed) })).toBe(code);
    await nothing(here.house, here.s3);
  });

  test.each([
    [16 * 60_000, "RequestTimeTooSkewed"],
    [-16 * 60_000, "RequestTimeTooSkewed"],
  ])("from %d ms away -> %s", async (away, code) => {
    await using here = await open();
    const signed = here.s3.signed("PUT", "/drive/a", { body: "hello" });
    here.house.clock.advance(away);
    expect(await sent(here.house, signed)).toBe(code);
  });
});

describe("a presigned address", () => {
  test("is for its method, key, host and time alone", async () => {
    await using here = await open();
    await here.s3.put("/drive/a", "hello");
    const url = here.s3.presign("GET", "/drive/a");
    const get = async (address: string, init: RequestInit = {}) =>
      (await answerOf(await here.house.request(address, init))).code ?? "well";
    expect(await get(url)).toBe("well");
    expect(await get(url, { headers: { authorization: "Bearer nonsense" } })).toBe("well");
    for (const method of ["PUT", "DELETE", "POST"]) expect(await get(url, { method })).toBe("SignatureDoesNotMatch");
    expect(await get(url.replace("/a?", "/b?"))).toBe("SignatureDoesNotMatch");
    expect(await get(url.replace("/drive/", "/other/"))).toBe("SignatureDoesNotMatch");
    expect(await get(url.replace("satchel.test", "elsewhere.test"))).toBe("SignatureDoesNotMatch");
    expect(await get(`${url}&response-content-type=text/html`)).toBe("SignatureDoesNotMatch");
    expect(await get(url.replace("Expires=900", "Expires=9000"))).toBe("SignatureDoesNotMatch");
    here.house.clock.advance(901_000);
    expect(await get(url)).toBe("AccessDenied");
  });

  test("for every operation: a list, parts, and a removal", async () => {
    await using here = await open();
    const call = async (method: string, path: string, query: Record<string, string> = {}, body: string | null = null) =>
      await answerOf(await here.house.request(here.s3.presign(method, path, query), { method, body }));
    expect((await call("PUT", "/drive/a", {}, "by address")).status).toBe(200);
    expect((await call("GET", "/drive", { "list-type": "2" })).text).toContain("<Key>a</Key>");
    const id = /<UploadId>([^<]+)/.exec((await call("POST", "/drive/b", { uploads: "" })).text)?.[1] ?? "";
    const part = await answerOf(
      await here.house.request(here.s3.presign("PUT", "/drive/b", { uploadId: id, partNumber: "1" }), {
        method: "PUT",
        headers: { "content-length": "3" },
        body: "abc",
      }),
    );
    expect(part.status).toBe(200);
    const done = `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${part.headers.get("etag")}</ETag></Part></CompleteMultipartUpload>`;
    expect((await call("POST", "/drive/b", { uploadId: id }, done)).status).toBe(200);
    expect((await call("DELETE", "/drive/a")).status).toBe(204);
    expect(await here.s3.list("drive")).toEqual(["b"]);
  });
});

describe("bytes that are not what is said of them", () => {
  const digest = (name: DigestName, text: string) => {
    const digests = createDigests([name]);
    digests.update(Buffer.from(text));
    return digests.finish()[name]?.toString("base64") ?? "";
  };
  const names = ["sha1", "sha256", "crc32", "crc32c", "crc64nvme"] as const;

  test.each(names)("a wrong %s is refused, a right one is answered", async (name) => {
    await using here = await open();
    const header = `x-amz-checksum-${name}`;
    const put = (value: string, body = "hello") => here.s3.put("/drive/a", body, { [header]: value });
    expect((await put(digest(name, "hallo"))).code).toBe("BadDigest");
    expect((await put("nonsense")).code).toBe("InvalidRequest");
    await nothing(here.house, here.s3);
    expect((await put(digest(name, "hello"))).headers.get(header)).toBe(digest(name, "hello"));
    const long = "x".repeat(600_000);
    expect((await put(digest(name, `${long}y`), long)).code).toBe("BadDigest");
    expect((await put(digest(name, long), long)).status).toBe(200);
  });

  test.each([
    ["a wrong Content-MD5", "BadDigest", { headers: { "content-md5": digest("md5", "hallo") } }],
    ["no Content-MD5", "InvalidDigest", { headers: { "content-md5": "nonsense" } }],
    ["a wrong SHA-256", "XAmzContentSHA256Mismatch", { hash: createHash("sha256").update("x").digest("hex") }],
    ["chunks of a kind that nobody knows", "NotImplemented", { hash: "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD" }],
    ["too much of what is kept", "MetadataTooLarge", { headers: { "x-amz-meta-a": "x".repeat(2048) } }],
    ["an ACL that opens it", "AccessControlListNotSupported", { headers: { "x-amz-acl": "public-read" } }],
    ["encryption that nobody makes", "NotImplemented", { headers: { "x-amz-server-side-encryption": "AES256" } }],
  ] as const)("%s -> %s", async (_, code, init) => {
    await using here = await open();
    expect((await here.s3.send("PUT", "/drive/a", { body: "hello", ...init })).code).toBe(code);
    await nothing(here.house, here.s3);
  });
});

describe("requests that make no sense", () => {
  const rows: readonly (readonly [string, string, string, object?])[] = [
    ["GET", "/drive/a//b", "InvalidArgument"],
    ["PUT", "/drive//a", "InvalidArgument", { body: "x" }],
    ["PUT", `/drive/${"x".repeat(256)}`, "InvalidArgument", { body: "x" }],
    ["PUT", `/drive/${"x/".repeat(512)}y`, "KeyTooLongError", { body: "x" }],
    ["PUT", "/drive/a\\b", "InvalidArgument", { body: "x" }],
    ["PUT", "/drive/a\nb", "InvalidArgument", { body: "x" }],
    ["GET", "/drive/a", "NotImplemented", { query: { acl: "" } }],
    ["PUT", "/drive/a", "MalformedXML", { query: { tagging: "" }, body: "x" }],
    ["GET", "/drive", "NotImplemented", { query: { policy: "" } }],
    ["DELETE", "/drive", "NotImplemented"],
    ["PUT", "/drive", "BucketAlreadyOwnedByYou"],
    ["PUT", "/new", "NoSuchBucket"],
    ["PATCH", "/drive/a", "NotImplemented"],
    ["POST", "/drive/a", "NotImplemented"],
    ["GET", "/drive/a", "NoSuchVersion", { query: { versionId: "1" } }],
    ["GET", "/api/admin/api-keys", "NoSuchBucket"],
    ["GET", "/dav/drive", "NoSuchBucket"],
    ["POST", "/drive", "MalformedXML", { query: { delete: "" }, body: "<Delete/>" }],
    ["POST", "/drive", "MalformedXML", { query: { delete: "" }, body: '<!DOCTYPE a [<!ENTITY b "c">]><Delete/>' }],
    [
      "POST",
      "/drive",
      "MalformedXML",
      { query: { delete: "" }, body: `<Delete>${"<Object><Key>a</Key></Object>".repeat(1001)}</Delete>` },
    ],
    ["POST", "/drive", "EntityTooLarge", { query: { delete: "" }, body: "x".repeat(4 * 1024 * 1024 + 1) }],
    ["POST", "/drive", "InvalidRequest", { query: { delete: "" }, body: "<Delete/>", hash: "UNSIGNED-PAYLOAD" }],
  ];
  const complete = rows.map(
    ([method, path, code, init = {}]) => [method, path.slice(0, 40), code, path, init] as const,
  );
  test.each(complete)("%s %s -> %s", async (method, _, code, path, init) => {
    await using here = await open();
    const answer = await here.s3.send(method, path, init as never);
    expect({ code: answer.code, text: answer.text.slice(0, 200) }).toMatchObject({ code });
    expect(answer.headers.get("x-amz-request-id")).toBeString();
    expect(answer.text).not.toMatch(/objects\/|\/tmp|\.ts\b|SQLITE/);
    await nothing(here.house, here.s3);
  });

  test("are told by no id how many requests there were", async () => {
    await using here = await open();
    const idOf = async () => (await here.s3.send("GET", "/drive/missing")).headers.get("x-amz-request-id") ?? "";
    const [one, next] = [await idOf(), await idOf()];
    expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}$/);
    expect(next.split("-")[0]).not.toBe(one.split("-")[0]);
  });

  test("lead nowhere by the keys of a DeleteObjects", async () => {
    await using here = await open();
    for (const key of ["..", "../x", "a/../../b", ".", "a//b", "/a", "a\\b", "x".repeat(1025)]) {
      const body = `<Delete><Object><Key>${key}</Key></Object></Delete>`;
      const { text } = await here.s3.send("POST", "/drive", { query: { delete: "" }, body });
      expect(text).toContain("<Code>InvalidArgument</Code>");
    }
  });

  test("ask of no lock that lies elsewhere, however many they name in a DeleteObjects", async () => {
    await using here = await open();
    const { house, s3 } = here;
    const keys = Array.from({ length: 300 }, (_, index) => `<Object><Key>none/${index}</Key></Object>`).join("");
    const asked = async () => {
      const steps = spyOn(String.prototype, "startsWith");
      try {
        const removal = { query: { delete: "" }, body: `<Delete>${keys}</Delete>` };
        expect(await s3.outcome("POST", "/drive", removal)).toBe("200");
        return steps.mock.calls.length;
      } finally {
        steps.mockRestore();
      }
    };
    const without = await asked();
    const lock = { deep: false, shared: true, holder: "admin", owner: "", life: 60_000 };
    for (let index = 0; index < 300; index++)
      await house.house.vfs.locks.acquire({ ...lock, path: `/drive/a/${index}` });
    expect((await asked()) - without).toBeLessThan(3000);
  });

  test("are answered to HEAD without a body", async () => {
    await using here = await open();
    const s3 = await callsOf(here.house);
    for (const path of ["/drive/none", "/none", "/none/a"]) {
      const { status, text, headers } = await s3.send("HEAD", path);
      expect([status, text, headers.has("x-amz-request-id")]).toEqual([404, "", true]);
    }
  });
});
