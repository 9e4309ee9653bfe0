import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createSite } from "../../src/fronts/site/index.ts";
import { asAdmin } from "../support/clients/dav.ts";
import { s3Calls } from "../support/clients/s3.ts";
import { signedAddress } from "../support/clients/signed-address.ts";
import { makeKey } from "../support/make-key.ts";
import { filesOf, presign, put, shareFile } from "../support/share-file.ts";
import { shareText } from "../support/share-text.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { openTestHouse, type TestHouse, type TestHouseOptions } from "../support/test-house.ts";

/** What every kind of answer tells a browser, on every front. */

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const files = { page: join(folder.path, "index.html"), script: join(folder.path, "a-12345678.js") };
await Promise.all([Bun.write(files.page, "<!doctype html>"), Bun.write(files.script, "1")]);
const html = { type: "text/html; charset=utf-8", etag: '"i"', immutable: false, stored: () => Bun.file(files.page) };
const js = { type: "text/javascript", etag: '"a"', immutable: true, stored: () => Bun.file(files.script) };
const site = createSite(
  new Map(
    [
      { path: "/index.html", ...html },
      { path: "/docs.html", ...html },
      { path: "/assets/a-12345678.js", ...js },
    ].map((asset) => [asset.path, asset]),
  ),
);

type Wanted = Readonly<Record<string, string | RegExp | null>>;

const always: Wanted = {
  "x-content-type-options": "nosniff",
  "strict-transport-security": null,
  "access-control-allow-origin": "*",
  "access-control-allow-credentials": null,
  "x-powered-by": null,
  server: null,
};

/** An answer that a browser should never show as a page. */
const plain: Wanted = {
  ...always,
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

const asset: Wanted = {
  ...plain,
  "content-security-policy":
    /^default-src 'self'; script-src 'self' 'wasm-unsafe-eval'(?: 'sha256-[\w+/]{43}=')?;(?!.*script-src).* frame-ancestors 'self'$/,
  "cross-origin-opener-policy": null,
};

const page: Wanted = {
  ...asset,
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": /\bcamera=\(\).*\bmicrophone=\(\)/,
};

/** What a user stored. Pages of others may show it; it runs and loads nothing, and its address stays here. */
const stored: Wanted = {
  ...always,
  "content-security-policy": /^sandbox; default-src 'none';(?!.*script)/,
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "cross-origin",
  "content-disposition": /^(inline|attachment)/,
  vary: "Sec-Fetch-Dest, Sec-Fetch-Site",
};

interface Row {
  readonly name: string;
  readonly ask: (house: TestHouse) => Response | Promise<Response>;
  readonly status: number;
  readonly wanted: Wanted;
}

const get =
  (path: string, init: RequestInit = {}) =>
  (house: TestHouse) =>
    house.request(path, { ...init, headers: { origin: "http://elsewhere.test", ...init.headers } });

/** A presigned PUT of the built-in storage. */
const sent = async (house: TestHouse, body: string) => put(house, (await presign(house)).data.upload_url, body);

/** A presigned call for the object whose key ends like this, or that is not there. */
const signed = (method: "GET" | "HEAD" | "DELETE", name: string) => async (house: TestHouse) => {
  const [, ...folders] = filesOf(house)
    .find((file) => file.endsWith(`/${name}`))
    ?.split("/") ?? ["", name];
  return house.request(await signedAddress(house, { method, key: folders.join("/") }), { method });
};

/** Where the file of a share lies in the tree. */
const STORED = "/drive/shares/evil.html";

/** Bytes of that file over REST, as the administrator. */
const inTree =
  (call: "download" | "zip", headers: Record<string, string> = {}) =>
  async (house: TestHouse) => {
    const authorization = `Bearer ${await house.signIn()}`;
    return house.request(`/api/fs/${call}?path=${STORED}`, { headers: { ...headers, authorization } });
  };

const navigate = { "sec-fetch-mode": "navigate" };
const evil = { slug: "evil", filename: "evil.html", content: "<script>alert(1)</script>" };

const rows: readonly Row[] = [
  { name: "JSON", ask: get("/api/health"), status: 200, wanted: plain },
  { name: "a share's JSON", ask: get("/api/paste/text"), status: 200, wanted: plain },
  { name: "a failure", ask: get("/api/pastes"), status: 401, wanted: plain },
  {
    name: "a failure before the route",
    ask: get("/api/paste", { method: "POST", body: "{" }),
    status: 401,
    wanted: plain,
  },
  { name: "no such call", ask: get("/api/nothing"), status: 404, wanted: plain },
  { name: "no such share", ask: get("/api/raw/nothing"), status: 404, wanted: plain },
  { name: "a preflight", ask: get("/api/paste", { method: "OPTIONS" }), status: 204, wanted: plain },
  { name: "a preflight of a page", ask: get("/paste/text", { method: "OPTIONS" }), status: 204, wanted: plain },
  { name: "the description", ask: get("/docs/json"), status: 200, wanted: plain },
  { name: "a host that is none", ask: get("/", { headers: { host: "[[" } }), status: 400, wanted: plain },

  { name: "raw text", ask: get("/api/raw/text"), status: 200, wanted: stored },
  { name: "raw text's head", ask: get("/api/raw/text", { method: "HEAD" }), status: 200, wanted: stored },
  { name: "a viewed file", ask: get("/api/file-view/evil"), status: 200, wanted: stored },
  { name: "a viewed file's head", ask: get("/api/file-view/evil", { method: "HEAD" }), status: 200, wanted: stored },
  {
    name: "a range",
    ask: get("/api/file-view/evil", { headers: { range: "bytes=1-2" } }),
    status: 206,
    wanted: stored,
  },
  {
    name: "a bad range",
    ask: get("/api/file-view/evil", { headers: { range: "bytes=99-" } }),
    status: 416,
    wanted: stored,
  },
  {
    name: "a file that is another",
    ask: get("/api/file-view/evil", { headers: { "if-match": '"x"' } }),
    status: 412,
    wanted: stored,
  },
  { name: "a download", ask: get("/api/file-download/evil"), status: 200, wanted: stored },
  {
    name: "a link that is followed",
    ask: get("/api/file-view/evil", { headers: navigate }),
    status: 303,
    wanted: plain,
  },
  { name: "a missing file", ask: get("/api/file-download/nothing"), status: 404, wanted: plain },

  {
    name: "a file by WebDAV",
    ask: (house) => house.request(`/dav${STORED}`, { headers: asAdmin }),
    status: 200,
    wanted: stored,
  },
  { name: "a file of the tree", ask: inTree("download"), status: 200, wanted: stored },
  {
    name: "a file of the tree that is known",
    ask: inTree("download", { "if-none-match": "*" }),
    status: 304,
    wanted: stored,
  },
  { name: "an archive", ask: inTree("zip"), status: 200, wanted: stored },
  {
    name: "an object that is to be kept",
    ask: async (house) => {
      const kept = { "response-cache-control": "public, max-age=31536000, immutable" };
      return house.request(s3Calls(house, await makeKey(house)).presign("GET", STORED, kept));
    },
    status: 200,
    wanted: { ...stored, "cache-control": /immutable/ },
  },

  { name: "a signed GET", ask: signed("GET", "evil.html"), status: 200, wanted: stored },
  { name: "a signed HEAD", ask: signed("HEAD", "evil.html"), status: 200, wanted: stored },
  { name: "a signed PUT", ask: (house) => sent(house, "hello"), status: 200, wanted: plain },
  { name: "a signed PUT of other length", ask: (house) => sent(house, "hello!"), status: 400, wanted: plain },
  { name: "a missing object", ask: signed("GET", "nothing"), status: 404, wanted: plain },
  { name: "a signed call of another kind", ask: signed("DELETE", "evil.html"), status: 501, wanted: plain },
  { name: "a bad signature", ask: get("/store-x/k?X-Amz-Algorithm=AWS4-HMAC-SHA256"), status: 400, wanted: plain },

  { name: "the page", ask: get("/"), status: 200, wanted: page },
  { name: "a deep link", ask: get("/paste/text"), status: 200, wanted: page },
  { name: "an unchanged page", ask: get("/", { headers: { "if-none-match": '"i"' } }), status: 304, wanted: page },
  { name: "the documentation", ask: get("/docs"), status: 200, wanted: page },
  { name: "an asset", ask: get("/assets/a-12345678.js"), status: 200, wanted: asset },
  { name: "a missing asset", ask: get("/assets/gone.js"), status: 404, wanted: plain },
  { name: "the configuration", ask: get("/config.js"), status: 200, wanted: plain },
  { name: "a page that is sent to", ask: get("/admin", { method: "POST" }), status: 405, wanted: plain },
];

function told({ headers }: Response, wanted: Wanted): Record<string, string | null> {
  return Object.fromEntries(Object.keys(wanted).map((name) => [name, headers.get(name)]));
}

const matching = (wanted: Wanted) =>
  Object.fromEntries(
    Object.entries(wanted).map(([name, value]) => [
      name,
      value instanceof RegExp ? expect.stringMatching(value) : value,
    ]),
  );

describe("every answer carries its headers", () => {
  let house: TestHouse;
  beforeAll(async () => {
    house = await openTestHouse({ site });
    await shareText(house, { slug: "text", content: "<script>alert(1)</script>" });
    await shareFile(house, evil);
  });
  afterAll(() => house[Symbol.asyncDispose]());

  test.each(rows)("$name ($status)", async ({ ask, status, wanted }) => {
    const response = await ask(house);
    expect(response.status).toBe(status);
    expect(told(response, wanted)).toEqual(matching(wanted));
  });

  test("a bug's too", async () => {
    await using broken = await openTestHouse({ site });
    await broken.db.close();
    for (const path of ["/api/system/visitors", "/api/raw/text", "/api/paste/text"]) {
      const response = await broken.request(path);
      expect(response.status).toBe(500);
      expect(told(response, plain)).toEqual(matching(plain));
    }
  });

  test("an answer names whom it may be read by only to those who ask from elsewhere", async () => {
    const exposed = async (headers: Record<string, string>) =>
      (await house.request("/api/health", { headers })).headers.get("access-control-expose-headers");
    expect(await exposed({ origin: "http://elsewhere.test" })).toContain("ETag");
    expect(await exposed({})).toBeNull();
  });
});

describe("a browser is told to come by https only", () => {
  const proxies = { trustedProxies: ["10.0.0.1"] };
  const https = { "x-forwarded-proto": "https" };
  const lasting = "max-age=31536000";
  test.each<[string, TestHouseOptions, Record<string, string>, string, string | null]>([
    ["never without a word of it", {}, {}, "192.0.2.1", null],
    ["when PUBLIC_URL says so", { publicUrl: "https://share.test" }, {}, "192.0.2.1", lasting],
    ["not for another port", { publicUrl: "https://share.test:8443" }, {}, "192.0.2.1", null],
    ["not for http", { publicUrl: "http://share.test" }, {}, "192.0.2.1", null],
    ["when a trusted proxy says so", proxies, https, "10.0.0.1", lasting],
    ["by the first of several proxies", proxies, { "x-forwarded-proto": "HTTPS, http" }, "10.0.0.1", lasting],
    ["not when anybody else says so", proxies, https, "192.0.2.1", null],
    [
      "not when the proxy took plain http",
      { ...proxies, publicUrl: "https://share.test" },
      { "x-forwarded-proto": "http" },
      "10.0.0.1",
      null,
    ],
    ["not for the proxy's other port", proxies, { ...https, "x-forwarded-host": "nas.test:8443" }, "10.0.0.1", null],
  ])("%s", async (_, options, headers, peer, wanted) => {
    await using house = await openTestHouse({ ...options, site });
    for (const path of ["/", "/api/health", "/api/nothing"]) {
      const response = await house.request(path, { headers }, peer);
      expect(response.headers.get("strict-transport-security")).toBe(wanted);
    }
  });
});
