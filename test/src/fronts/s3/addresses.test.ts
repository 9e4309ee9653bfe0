import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { sql } from "../../../../src/database/sql.ts";
import { streamed } from "../../../suites/store-bodies.ts";
import { refusal, signedAddress } from "../../../support/clients/signed-address.ts";
import { commit, filesOf, presign, put, remains } from "../../../support/share-file.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { openTestHouse, type TestHouse, type TestHouseOptions } from "../../../support/test-house.ts";

/** A house with the address of an upload of five bytes. */
async function begun(options: TestHouseOptions = {}) {
  const house = await openTestHouse(options);
  const { data } = await presign(house, { slug: "s" });
  return {
    house,
    fileId: data.file_id,
    url: data.upload_url,
    key: data.storage_path,
    content: async () => (await house.request("/api/file-download/s")).text(),
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
}

const headers = { "content-type": "text/plain", "content-length": "5" };

/** A body that does not say how long it is, as `Transfer-Encoding: chunked` brings it. */
const chunked = (house: TestHouse, url: string, text: string) =>
  house.request(url, {
    method: "PUT",
    body: streamed(Buffer.from(text), 2).body,
    headers: { "content-type": "text/plain" },
  });

const otherDigit = (text: string) => text.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));

describe("PUT to the address of an upload", () => {
  test("takes the body and answers its ETag", async () => {
    await using here = await begun();
    const response = await put(here.house, here.url, "hello");
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
    expect(response.headers.get("etag")).toMatch(/^"[0-9a-f]{32}-1"$/);
    expect((await commit(here.house, here.fileId)).status).toBe(200);
    expect(await here.content()).toBe("hello");
  });

  test("takes a body that does not say how long it is", async () => {
    await using here = await begun();
    expect((await chunked(here.house, here.url, "hello")).status).toBe(200);
    expect((await commit(here.house, here.fileId)).data.size).toBe(5);
  });

  test("of nothing at all is an empty file", async () => {
    await using house = await openTestHouse();
    const { data } = await presign(house, { size: 0, slug: "s" });
    expect((await put(house, data.upload_url, "")).status).toBe(200);
    expect((await commit(house, data.file_id)).data.size).toBe(0);
    expect(await (await house.request("/api/file-download/s")).text()).toBe("");
  });

  const lengths: [string, string, (house: TestHouse, url: string) => Promise<Response>][] = [
    ["longer, as it says", "400 IncompleteBody", (house, url) => put(house, url, "hello!")],
    ["shorter, as it says", "400 IncompleteBody", (house, url) => put(house, url, "hell")],
    ["longer, in chunks", "400 IncompleteBody", (house, url) => chunked(house, url, "hello!")],
    ["shorter, in chunks", "400 IncompleteBody", (house, url) => chunked(house, url, "hell")],
    ["nothing", "400 IncompleteBody", (house, url) => put(house, url, "")],
  ];
  test.each(lengths)("with a body %s -> %s, and nothing is stored", async (_, expected, attempt) => {
    await using here = await begun();
    expect(await refusal(await attempt(here.house, here.url))).toBe(expected);
    expect(filesOf(here.house)).toEqual([]);
    expect((await commit(here.house, here.fileId)).error).toBe("upload.incomplete");
    expect((await put(here.house, here.url, "right")).status).toBe(200);
    expect((await commit(here.house, here.fileId)).status).toBe(200);
    expect(await here.content()).toBe("right");
  });

  test("over the limit of an upload whose size nobody said -> 413, in either way", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "satchel.db");
    {
      await using before = await openTestHouse({ file });
      await before.db.run(sql`update settings set value = '1' where name = 'max_upload_size'`);
    }
    await using house = await openTestHouse({ file });
    const { data } = await presign(house, { size: null });
    const tooMuch = "x".repeat(1024 * 1024 + 1);
    expect(await refusal(await put(house, data.upload_url, tooMuch))).toBe("413 EntityTooLarge");
    expect(await refusal(await chunked(house, data.upload_url, tooMuch))).toBe("413 EntityTooLarge");
    expect(filesOf(house)).toEqual([]);
    expect((await put(house, data.upload_url, tooMuch.slice(1))).status).toBe(200);
  });

  const altered: [string, string, (url: string, house: TestHouse) => string][] = [
    ["path", "403 SignatureDoesNotMatch", (url) => url.replace("note.txt", "nose.txt")],
    ["path, out of its folder", "403 SignatureDoesNotMatch", (url) => url.replace("/shares/", "/shares/%2e%2e/")],
    ["bucket", "403 SignatureDoesNotMatch", (url) => url.replace("/store-", "/drive-")],
    ["signature", "403 SignatureDoesNotMatch", otherDigit],
    ["signature's length", "400 AuthorizationQueryParametersError", (url) => url.slice(0, -1)],
    ["expiry", "403 SignatureDoesNotMatch", (url) => url.replace("Expires=3600", "Expires=604800")],
    [
      "expiry, to nonsense",
      "400 AuthorizationQueryParametersError",
      (url) => url.replace("Expires=3600", "Expires=-1"),
    ],
    ["date", "403 SignatureDoesNotMatch", (url) => url.replace("T030405Z", "T030406Z")],
    ["key", "403 InvalidAccessKeyId", (url) => url.replace("satchel-internal", "satchel-external")],
    [
      "headers that were signed",
      "403 SignatureDoesNotMatch",
      (url) => url.replace("SignedHeaders=host", "SignedHeaders=host%3Brange"),
    ],
    [
      "headers that were signed, Host left out",
      "403 AccessDenied",
      (url) => url.replace("SignedHeaders=host", "SignedHeaders=range"),
    ],
    ["algorithm", "400 AuthorizationQueryParametersError", (url) => url.replace("AWS4-HMAC-SHA256", "AWS4-HMAC-SHA1")],
    ["parameters, one more", "403 SignatureDoesNotMatch", (url) => `${url}&partNumber=1`],
    ["parameters, one twice", "400 AuthorizationQueryParametersError", (url) => `${url}&X-Amz-Expires=3600`],
    ["parameters, one missing", "400 AuthorizationQueryParametersError", (url) => url.replace(/X-Amz-Date=\w+&/, "")],
  ];
  test.each(altered)("with an altered %s -> %s, and nothing is stored", async (_, expected, alter) => {
    await using here = await begun();
    const url = alter(here.url, here.house);
    expect(url).not.toBe(here.url);
    expect(await refusal(await put(here.house, url, "hello"))).toBe(expected);
    expect(filesOf(here.house)).toEqual([]);
    expect(here.house.log()).not.toContain('"event":"unhandled error"');
  });

  test("holds until it expires, to the second", async () => {
    await using here = await begun();
    // The date of a signature knows no milliseconds.
    here.house.clock.advance(3_600_000 - 678);
    expect((await put(here.house, here.url, "first")).status).toBe(200);
    here.house.clock.advance(1);
    expect(await refusal(await put(here.house, here.url, "later"))).toBe("403 AccessDenied");
    expect((await commit(here.house, here.fileId)).status).toBe(200);
    expect(await here.content()).toBe("first");
  });

  test.each([["GET"], ["HEAD"], ["DELETE"], ["POST"]])("is no address for %s", async (method) => {
    await using here = await begun();
    expect((await put(here.house, here.url, "hello")).status).toBe(200);
    const body = method === "POST" ? "hello" : undefined;
    const response = await here.house.request(here.url, { method, headers, ...(body && { body }) });
    expect(response.status).toBe(403);
    if (method !== "HEAD") expect(await refusal(response)).toBe("403 SignatureDoesNotMatch");
    expect(filesOf(here.house)).toEqual([`drive/${here.key}`]);
  });

  test("after the commit -> 409, and the bytes stay", async () => {
    await using here = await begun();
    await put(here.house, here.url, "hello");
    await commit(here.house, here.fileId);
    expect(await refusal(await put(here.house, here.url, "other"))).toBe("409 OperationAborted");
    expect(await refusal(await chunked(here.house, here.url, "other"))).toBe("409 OperationAborted");
    expect(await here.content()).toBe("hello");
    expect(filesOf(here.house)).toEqual([`drive/${here.key}`]);
  });

  test("twice before the commit: the last one counts", async () => {
    await using here = await begun();
    const first = await put(here.house, here.url, "first");
    const last = await put(here.house, here.url, "last!");
    expect(last.headers.get("etag")).not.toBe(first.headers.get("etag"));
    await commit(here.house, here.fileId);
    expect(await here.content()).toBe("last!");
  });

  test("twice at once: one counts, whole, and the other is told", async () => {
    await using here = await begun();
    const answers = await Promise.all([put(here.house, here.url, "first"), put(here.house, here.url, "later")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await commit(here.house, here.fileId);
    expect(await here.content()).toBe(answers[0]?.status === 200 ? "first" : "later");
  });

  test("after the share was deleted -> 404, and nothing comes back", async () => {
    await using here = await begun();
    await put(here.house, here.url, "hello");
    await here.house.house.shares.files.remove({ kind: "admin", sessionId: "" }, [here.fileId], false);
    expect(await refusal(await put(here.house, here.url, "hello"))).toBe("404 NoSuchUpload");
    expect(await remains(here.house)).toMatchObject({ shares: 0, uploads: 0, attributes: 0, files: [] });
  });

  test("for a key that no upload has, or a bucket that is none -> 404", async () => {
    await using house = await openTestHouse();
    const send = async (fields: { key: string; bucket?: string }) =>
      refusal(
        await put(
          house,
          await signedAddress(house, { method: "PUT", headers: { "content-type": "text/plain" }, ...fields }),
          "hello",
        ),
      );
    expect(await send({ key: "shares/none.txt" })).toBe("404 NoSuchUpload");
    expect(await send({ key: "a", bucket: "drive" })).toBe("404 NoSuchBucket");
    expect(await send({ key: "a", bucket: "store-none" })).toBe("404 NoSuchUpload");
    expect(await send({ key: "" })).toBe("400 InvalidURI");
    expect(filesOf(house)).toEqual([]);
  });
});

describe("the hosts that an address may name", () => {
  const toHost = (here: Awaited<ReturnType<typeof begun>>, sent: Record<string, string>, peer?: string) =>
    here.house.request(here.url, { method: "PUT", body: "hello", headers: { ...headers, ...sent } }, peer);

  test("another Host than the signed one -> 403", async () => {
    await using here = await begun();
    expect(await refusal(await toHost(here, { host: "evil.test" }))).toBe("403 SignatureDoesNotMatch");
    expect(await refusal(await toHost(here, { host: "satchel.test:81" }))).toBe("403 SignatureDoesNotMatch");
    const disguised = { host: "inside:8787", "x-forwarded-host": "satchel.test" };
    expect(await refusal(await toHost(here, disguised))).toBe("403 SignatureDoesNotMatch");
  });

  test("PUBLIC_URL's, whatever Host a proxy sends on", async () => {
    await using here = await begun({ publicUrl: "https://share.example" });
    expect(here.url).toStartWith("https://share.example/");
    expect((await toHost(here, { host: "inside:8787" })).status).toBe(200);
  });

  test("what a trusted proxy says, and only a trusted one", async () => {
    await using here = await begun({ trustedProxies: ["192.0.2.1"] });
    const forwarded = { host: "inside:8787", "x-forwarded-host": "satchel.test" };
    expect((await toHost(here, forwarded)).status).toBe(200);
    expect(await refusal(await toHost(here, forwarded, "192.0.2.7"))).toBe("403 SignatureDoesNotMatch");
  });
});
