import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { files } from "#contract/files";
import { uploads } from "#contract/uploads";
import type { Asset } from "../../../src/fronts/site/assets.ts";
import { siteAt } from "../../../src/fronts/site/base-path.ts";
import { createSite } from "../../../src/fronts/site/index.ts";
import { createSigner, encodeKey } from "../../../src/lib/signatures/sigv4.ts";
import { asAdmin, davCalls, resources } from "../../support/clients/dav.ts";
import { makeKey, withKey } from "../../support/make-key.ts";
import { root } from "../../support/sources.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";

/** A server below a path of its host (BASE_PATH): every door is there, and none is beside it. */

const BASE = "/shared/satchel-1";
const page =
  '<!doctype html><html lang="en"><head><script src="/config.js"></script><link href="/assets/a.css"><a href="//elsewhere.test/"></a></head></html>';

const manifest = await Bun.file(join(root, "web/public/manifest.webmanifest")).text();

const assetOf = (path: string, text: string, packed = false): Asset => {
  const bytes = Buffer.from(text);
  const kept = new Blob([packed ? brotliCompressSync(bytes) : bytes]);
  return {
    path,
    type: path.endsWith(".html") ? "text/html; charset=utf-8" : "text/javascript; charset=utf-8",
    etag: `"${path}"`,
    immutable: false,
    ...(packed && { encoding: "br" as const }),
    stored: () => kept,
  };
};

const assets = new Map(
  [
    assetOf("/index.html", page),
    assetOf("/file.html", page, true),
    assetOf("/sw.js", "worker"),
    { ...assetOf("/manifest.webmanifest", manifest), type: "application/manifest+json" },
  ].map((asset) => [asset.path, asset]),
);

async function open(options: Parameters<typeof openTestHouse>[0] = {}): Promise<TestHouse> {
  const site = createSite(await siteAt(assets, BASE), { basePath: BASE });
  return await openTestHouse({ basePath: BASE, site, ...options });
}

let house: TestHouse;
beforeAll(async () => {
  house = await open();
});
afterAll(async () => await house[Symbol.asyncDispose]());

const at = (path: string, init?: RequestInit) => house.request(BASE + path, init);
const signer = createSigner();
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

interface S3Request {
  /** The path of the endpoint that its client knows. */
  readonly endpoint?: string;
  /** Where a proxy has put the path. */
  readonly sentTo?: string;
  readonly body?: string;
  readonly query?: string;
}

/** A request to S3 as clients with this endpoint sign it. */
async function s3(method: string, path: string, { endpoint = BASE, sentTo, body = "", query = "" }: S3Request = {}) {
  const { s3_access_key_id: accessKey, key: secret } = await makeKey(house);
  const options = { credentials: { accessKey, secret }, region: "us-east-1", now: house.clock.now(), headers: {} };
  const payloadHash = body === "" ? EMPTY : new Bun.CryptoHasher("sha256").update(body).digest("hex");
  const url = `http://satchel.test${endpoint}${encodeKey(path)}${query}`;
  const signed = signer.sign(method, url, { ...options, payloadHash });
  const arrived = signed.url.replace(`satchel.test${endpoint}`, `satchel.test${sentTo ?? endpoint}`);
  const length = { "content-length": String(Buffer.byteLength(body)) };
  return await house.request(arrived, {
    method,
    headers: { ...signed.headers, ...(method === "GET" ? {} : length) },
    body: body === "" ? null : body,
  });
}

describe("every door", () => {
  const doors: readonly (readonly [door: string, path: string, init: RequestInit, status: number])[] = [
    ["a page", "/", {}, 200],
    ["a deep link", "/file/x", {}, 200],
    ["the worker", "/sw.js", {}, 200],
    ["the configuration", "/config.js", {}, 200],
    ["health", "/api/health", {}, 200],
    ["the API", "/api/fs/list?path=/", { headers: asAdmin }, 200],
    ["its description", "/docs/json", {}, 200],
    ["raw text", "/api/raw/nothing", {}, 404],
    ["WebDAV", "/dav/", { method: "PROPFIND", headers: { ...asAdmin, depth: "0" } }, 207],
    ["WebDAV's OPTIONS", "/dav/", { method: "OPTIONS", headers: asAdmin }, 200],
    ["a preflight", "/api/fs/list", { method: "OPTIONS", headers: { origin: "http://a.test" } }, 204],
    ["metrics", "/metrics", {}, 404],
  ];

  test.each(doors)("%s is below the path", async (_, path, init, status) => {
    expect((await at(path, init)).status).toBe(status);
  });

  test.each(doors)("%s is not beside it", async (_, path, init) => {
    for (const place of [
      "",
      "/shared",
      "/shared/satchel-1x",
      "/shared//satchel-1",
      "/Shared/satchel-1",
      "/%73hared/satchel-1",
    ]) {
      const answer = await house.request(place + path, init);
      expect([place, answer.status]).toEqual([place, 404]);
      const text = init.method === "HEAD" ? "" : await answer.text();
      expect(text).toContain("Nothing is here. This server answers below /shared/satchel-1/.");
      expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    }
  });

  test("S3 is below the path, as its clients sign it", async () => {
    expect((await s3("PUT", "/drive/below 1.txt", { body: "hello" })).status).toBe(200);
    expect(await (await s3("GET", "/drive/below 1.txt")).text()).toBe("hello");
    for (const service of ["", "/"]) expect((await s3("GET", service)).status).toBe(200);
    expect((await s3("GET", "/drive/below 1.txt", { endpoint: "" })).status).toBe(404);
  });

  test("a proxy that takes the path away is told of, and no signature holds for another path", async () => {
    const stripped = await s3("GET", "/drive/below 1.txt", { sentTo: "" });
    expect([stripped.status, await stripped.text()]).toEqual([404, expect.stringContaining("answers below")]);
    const added = await s3("GET", "/drive/below 1.txt", { endpoint: "", sentTo: BASE });
    expect([added.status, await added.text()]).toEqual([403, expect.stringContaining("SignatureDoesNotMatch")]);
  });
});

describe("addresses that it hands out", () => {
  const opened = async (of = house) => {
    const authorized = withKey(await makeKey(of));
    const body = new FormData();
    body.set("file", new File(["hello"], "a.txt"));
    const answer = await of.request(`${BASE}/api/upload`, { method: "POST", headers: authorized, body });
    const { data } = uploads.form.response.parse(await answer.json());
    const read = await of.request(`${BASE}/api/files/${data.id}`, { headers: authorized });
    const { data: owned } = files.read.response.parse(await read.json());
    const shared = await of.request(`${BASE}/api/public/files/${data.slug}`);
    const { data: found } = (await shared.json()) as { data: { downloadUrl: string; previewUrl: string } };
    const own = Object.values(owned.urls ?? {}).filter((url) => typeof url === "string" && url.includes("/api/"));
    return { data, urls: [...own.map(String), found.downloadUrl, found.previewUrl] };
  };

  test("of a share lead back to it", async () => {
    const { data, urls } = await opened();
    expect(data.url).toBe(`${BASE}/file/${data.slug}`);
    expect(urls.length).toBeGreaterThan(2);
    for (const url of urls) {
      expect(url).toStartWith(`http://satchel.test${BASE}/api/file-`);
      expect(await (await house.request(url)).text()).toBe("hello");
    }
  });

  test("of a text lead to its page", async () => {
    const body = JSON.stringify({ content: "hello", slug: "below" });
    const headers = { ...asAdmin, "content-type": "application/json", "content-length": String(body.length) };
    const made = (await (await at("/api/paste", { method: "POST", headers, body })).json()) as { url: string };
    expect(made.url).toBe(`http://satchel.test${BASE}/paste/below`);
    expect((await house.request(made.url)).status).toBe(200);
  });

  test("begin with PUBLIC_URL", async () => {
    await using other = await open({ publicUrl: `https://share.example${BASE}` });
    for (const url of (await opened(other)).urls) expect(url).toStartWith(`https://share.example${BASE}/api/file-`);
  });

  test("for an upload take the bytes, and none at another path", async () => {
    const body = JSON.stringify({ path: "/drive/", fileName: "put.txt", fileSize: 5 });
    const headers = { ...asAdmin, "content-type": "application/json", "content-length": String(body.length) };
    const asked = await at("/api/fs/presign", { method: "POST", headers, body });
    const { data } = (await asked.json()) as { data: { presignedUrl: string } };
    expect(data.presignedUrl).toStartWith(`http://satchel.test${BASE}/`);
    const put = (url: string) =>
      house.request(url, { method: "PUT", headers: { "content-length": "5" }, body: "hello" });
    expect((await put(data.presignedUrl.replace(BASE, ""))).status).toBe(404);
    expect((await put(data.presignedUrl)).status).toBe(200);
  });

  test("of redirects and of the description have the path", async () => {
    const { data } = await opened();
    const raw = await at(`/file/${data.slug}?raw`, { headers: { "user-agent": "Mozilla/5.0" } });
    expect([raw.status, raw.headers.get("location")]).toEqual([303, `${BASE}/api/file-download/${data.slug}?proxy=1`]);
    const { servers } = (await (await at("/docs/json")).json()) as { servers: unknown };
    expect(servers).toEqual([{ url: BASE }]);
  });

  test("of WebDAV have the path, in both directions", async () => {
    const dav = davCalls(house);
    const url = (path: string) => `${BASE}/dav/drive/${path}`;
    expect((await dav.at("PUT", url("one.txt"), { body: "one", headers: { "content-length": "3" } })).status).toBe(201);
    for (const [destination, status] of [
      [url("two.txt"), 201],
      [`http://satchel.test${url("three.txt")}`, 201],
      ["/dav/drive/four.txt", 502],
      ["http://satchel.test/dav/drive/four.txt", 502],
      [`${BASE}/../../dav/drive/four.txt`, 502],
      [`${BASE}x/dav/drive/four.txt`, 502],
    ] as const)
      expect([destination, (await dav.at("COPY", url("one.txt"), { headers: { destination } })).status]).toEqual([
        destination,
        status,
      ]);
    const listed = resources(await dav.at("PROPFIND", url(""), { headers: { depth: "1" } }));
    expect(listed.map(({ href }) => href)).toContain(url("two.txt"));
    for (const { href } of listed) expect(href).toStartWith(`${BASE}/dav/drive/`);
    expect(await dav.at("GET", url("four.txt"))).toMatchObject({ status: 404 });
  });

  test("of locks hold in If, with the path alone", async () => {
    const dav = davCalls(house);
    const url = `${BASE}/dav/drive/locked.txt`;
    const body =
      '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>';
    const lock = await dav.at("LOCK", url, { body });
    expect(lock.text).toContain(`<D:lockroot><D:href>${url}</D:href>`);
    const token = lock.headers.get("lock-token");
    const put = async (tag: string) =>
      (await dav.at("PUT", url, { body: "1", headers: { "content-length": "1", if: `<${tag}> (${token})` } })).status;
    expect(await put("http://satchel.test/dav/drive/locked.txt")).not.toBe(204);
    expect(await put(`http://satchel.test${url}`)).toBe(204);
  });

  test("of S3's multipart uploads have the path", async () => {
    const between = async (name: string, answer: Promise<Response>) =>
      new RegExp(`<${name}>(.*?)</${name}>`).exec(await (await answer).text())?.[1];
    const id = await between("UploadId", s3("POST", "/drive/parts.bin", { query: "?uploads=" }));
    const put = await s3("PUT", "/drive/parts.bin", { query: `?partNumber=1&uploadId=${id}`, body: "part" });
    const part = `<Part><PartNumber>1</PartNumber><ETag>${put.headers.get("etag")}</ETag></Part>`;
    const body = `<CompleteMultipartUpload>${part}</CompleteMultipartUpload>`;
    const location = between("Location", s3("POST", "/drive/parts.bin", { query: `?uploadId=${id}`, body }));
    expect(await location).toBe(`http://satchel.test${BASE}/drive/parts.bin`);
  });
});

describe("pages", () => {
  test("say where they are, and what they name is below the path", async () => {
    for (const path of ["/", "/file/x"]) {
      const answer = await at(path, { headers: { "accept-encoding": "br" } });
      const bytes = Buffer.from(await answer.arrayBuffer());
      const text = (answer.headers.get("content-encoding") === "br" ? brotliDecompressSync(bytes) : bytes).toString();
      expect(text).toContain(`<html data-base-path="${BASE}" lang="en">`);
      expect(text).toContain(`src="${BASE}/config.js"`);
      expect(text).toContain(`href="${BASE}/assets/a.css"`);
      expect(text).toContain('href="//elsewhere.test/"');
    }
  });

  test("are installed as an app of their own, with all its addresses below the path", async () => {
    const text = await (await at("/manifest.webmanifest")).text();
    const whole = JSON.parse(text) as Record<string, unknown>;
    expect(whole).toMatchObject({ id: `${BASE}/`, start_url: `${BASE}/`, scope: `${BASE}/` });
    expect(whole).toMatchObject({ share_target: { action: `${BASE}/share-target` } });
    expect(text).not.toMatch(/"\/(?!shared\/satchel-1\/)/);
    expect(text.replaceAll(`"${BASE}/`, '"/')).toBe(manifest);
  });

  test("are not what they are at the root, and nothing else is changed", async () => {
    const moved = await siteAt(assets, BASE);
    expect(moved.get("/sw.js")).toBe(assets.get("/sw.js") as Asset);
    expect(moved.get("/index.html")?.etag).not.toBe(assets.get("/index.html")?.etag);
    expect(await siteAt(assets, "")).toBe(assets);
  });

  test("the path without its slash leads to the page, with its query, and to no other host", async () => {
    const locationOf = async (path: string, init?: RequestInit) =>
      (await house.request(path, init)).headers.get("location");
    expect(await locationOf(BASE)).toBe(`${BASE}/`);
    expect(await locationOf(`${BASE}?a=1&b=//evil.test`)).toBe(`${BASE}/?a=1&b=//evil.test`);
    expect(await locationOf(`${BASE}/`)).toBeNull();
    for (const path of [`/${BASE}`, `//evil.test${BASE}`])
      expect((await house.request(`http://satchel.test${path}`)).headers.get("location")).toBeNull();
  });

  test("may run what is below the path alone, where the host is known", async () => {
    await using known = await open({ publicUrl: `https://share.example${BASE}` });
    const policy = (await known.request(`${BASE}/`, { headers: { host: "share.example" } })).headers.get(
      "content-security-policy",
    );
    expect(policy).toContain(`share.example${BASE}/assets/`);
    expect(policy).not.toContain("share.example/assets/");
  });
});
