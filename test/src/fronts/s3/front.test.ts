import { describe, expect, test } from "bun:test";
import { sql } from "../../../../src/database/sql.ts";
import { refusal, signedAddress } from "../../../support/clients/signed-address.ts";
import { noConnections } from "../../../support/servers/connections.ts";
import { filesOf, presign, put, shareFile } from "../../../support/share-file.ts";
import { openTestHouse } from "../../../support/test-house.ts";

/** A house with the address of an upload of five bytes. */
async function begun() {
  const house = await openTestHouse();
  const { data } = await presign(house);
  return { house, url: data.upload_url, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

const headers = { "content-type": "text/plain", "content-length": "5" };

describe("what else comes to this front", () => {
  test("a signature wins over any Authorization that comes along", async () => {
    await using here = await begun();
    const response = await here.house.request(here.url, {
      method: "PUT",
      body: "hello",
      headers: { ...headers, authorization: "Bearer not.a.token" },
    });
    expect(response.status).toBe(200);
  });

  test.each([["POST"], ["DELETE"]] as const)("a well signed %s -> 501", async (method) => {
    await using house = await openTestHouse();
    const { slug } = await shareFile(house, { slug: "s" });
    const [stored = ""] = filesOf(house);
    const key = stored.slice("drive/".length);
    const response = await house.request(await signedAddress(house, { method, key }), { method });
    expect(await refusal(response)).toBe("501 NotImplemented");
    expect(await (await house.request(`/api/file-download/${slug}`)).text()).toBe("hello");
  });

  test.each([
    ["/x/y?X-Amz-Algorithm=garbage", "400 AuthorizationQueryParametersError"],
    ["/x/y?X-Amz-Algorithm=AWS4-HMAC-SHA256", "400 AuthorizationQueryParametersError"],
    ["/?a=b&X-Amz-Algorithm=", "400 AuthorizationQueryParametersError"],
    ["/x?X-Amz-Algorithm=AWS4-HMAC-SHA256&a=%zz", "400 AuthorizationQueryParametersError"],
    [`/x?X-Amz-Algorithm=AWS4-HMAC-SHA256&a=${"x".repeat(40_000)}`, "400 AuthorizationQueryParametersError"],
  ])("nonsense that says it is signed: %.60s -> %s", async (path, expected) => {
    await using house = await openTestHouse();
    for (const method of ["GET", "PUT", "POST", "DELETE", "PATCH"])
      expect(await refusal(await house.request(path, { method }))).toBe(expected);
    expect(house.log()).not.toContain('"event":"unhandled error"');
  });

  test.each(["/X-Amz-Algorithm=x", "/search?q=X-Amz-Algorithm=x", "/?no-X-Amz-Algorithm=x"])(
    "a path or a word like a signature's is none: %s",
    async (path) => {
      await using house = await openTestHouse();
      expect(await (await house.request(path)).text()).toBe("site");
    },
  );

  test("a page of another origin may send to an address and read the ETag", async () => {
    await using here = await begun();
    const origin = "https://elsewhere.test";
    const asked = await here.house.request(here.url, { method: "OPTIONS", headers: { origin } });
    expect(asked.status).toBe(204);
    expect(asked.headers.get("access-control-allow-methods")).toContain("PUT");
    // A wildcard is for every header but Authorization.
    const allowed = asked.headers.get("access-control-allow-headers")?.split(", ");
    expect(allowed).toEqual(expect.arrayContaining(["Content-Type", "Authorization", "*"]));
    const response = await here.house.request(here.url, {
      method: "PUT",
      body: "hello",
      headers: { ...headers, origin },
    });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-expose-headers")).toContain("ETag");
  });

  test("what goes wrong inside is told by a number only", async () => {
    await using here = await begun();
    await here.house.db.run(sql`alter table uploads rename to hidden`);
    expect(await refusal(await put(here.house, here.url, "hello"))).toBe("500 InternalError");
    expect(here.house.log()).toContain('"event":"unhandled error"');
  });

  test("the log tells no signature", async () => {
    await using here = await begun();
    await put(here.house, here.url, "hello");
    expect(here.house.log()).toContain('"method":"PUT"');
    expect(here.house.log()).not.toContain("X-Amz");
  });
});

describe("GET and HEAD of an object by its address", () => {
  const CONTENT = "0123456789";

  /** A shared file, and how to ask for it by an address of the built-in store. */
  async function shared() {
    const house = await openTestHouse();
    await shareFile(house, { filename: "数 字's.txt", content: CONTENT });
    const key = (filesOf(house)[0] ?? "").slice("drive/".length);
    const { store } = await house.house.transfers.storage();
    const etag = `"${(await store.head(key))?.etag}"`;
    return {
      house,
      etag,
      key,
      ask: async (method: "GET" | "HEAD", sent: Record<string, string> = {}) =>
        house.request(await signedAddress(house, { method, key }), { method, headers: sent }),
      [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
    };
  }

  test("answers the bytes with all that is known of them, harmless to a browser", async () => {
    await using here = await shared();
    const response = await here.ask("GET");
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(CONTENT);
    expect(response.headers.get("etag")).toBe(here.etag);
    expect(response.headers.get("content-type")).toBe("text/plain");
    expect(response.headers.get("accept-ranges")).toBe("bytes");
    expect(response.headers.get("last-modified")).toBeString();
    expect(response.headers.get("content-security-policy")).toStartWith("sandbox");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("content-disposition")).toBe(
      "attachment; filename=\"_ _'s.txt\"; filename*=UTF-8''%E6%95%B0%20%E5%AD%97%27s.txt",
    );
  });

  test("HEAD answers the same without the bytes", async () => {
    await using here = await shared();
    const response = await here.ask("HEAD");
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
    expect(response.headers.get("content-length")).toBe("10");
    expect(response.headers.get("etag")).toBe(here.etag);
  });

  test.each([
    ["bytes=2-4", 206, "234", "bytes 2-4/10"],
    ["bytes=-3", 206, "789", "bytes 7-9/10"],
    ["bytes=8-100", 206, "89", "bytes 8-9/10"],
    ["bytes=10-", 416, "", "bytes */10"],
    ["bytes=0-1,3-4", 200, CONTENT, null],
    ["bytes=4-2", 200, CONTENT, null],
    ["lines=1-2", 200, CONTENT, null],
  ])("Range: %s -> %d", async (range, status, text, contentRange) => {
    await using here = await shared();
    const response = await here.ask("GET", { range });
    expect({ status: response.status, text: await response.text() }).toEqual({ status, text });
    expect(response.headers.get("content-range")).toBe(contentRange);
    expect((await here.ask("HEAD", { range })).status).toBe(200);
  });

  test("the conditions of a request count", async () => {
    await using here = await shared();
    const status = async (sent: Record<string, string>) => (await here.ask("GET", sent)).status;
    expect(await status({ "if-none-match": here.etag })).toBe(304);
    expect(await status({ "if-none-match": '"other"' })).toBe(200);
    expect(await status({ "if-match": '"other"' })).toBe(412);
    expect(await status({ "if-match": here.etag })).toBe(200);
    expect(await status({ "if-modified-since": "Fri, 01 Jan 2100 00:00:00 GMT" })).toBe(304);
    expect(await status({ range: "bytes=0-1", "if-range": here.etag })).toBe(206);
    expect(await status({ range: "bytes=0-1", "if-range": '"other"' })).toBe(200);
    expect(await status({ range: "bytes=0-1", "if-range": "Fri, 01 Jan 2100 00:00:00 GMT" })).toBe(200);
  });

  test("what is not there is missing, in S3's words", async () => {
    await using here = await shared();
    for (const key of ["nothing", "shares", `${here.key}/below`]) {
      const address = await signedAddress(here.house, { method: "GET", key });
      expect(await refusal(await here.house.request(address))).toBe("404 NoSuchKey");
    }
  });

  test.each(["a//b", "a\u0000b", "a\\b", "a\nb", "x".repeat(256)])("a key that cannot be -> 400: %p", async (key) => {
    await using here = await shared();
    const address = await signedAddress(here.house, { method: "GET", key });
    const [, path = ""] = address.split("satchel.test");
    // As it comes over a connection; a URL would be rewritten before it is sent.
    const request = new Request(`http://satchel.test${path}`, { headers: { host: "satchel.test" } });
    expect(await refusal(await here.house.app.fetch(request, "192.0.2.1", noConnections))).toBe("400 InvalidArgument");
  });

  test("an address that expired -> 403", async () => {
    await using here = await shared();
    const address = await signedAddress(here.house, { method: "GET", key: here.key });
    here.house.clock.advance(3_600_000);
    expect(await refusal(await here.house.request(address))).toBe("403 AccessDenied");
  });
});
