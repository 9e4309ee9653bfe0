import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { readTarget } from "../../../src/fronts/context.ts";
import { assetList, readAssets } from "../../../src/fronts/site/assets.ts";
import { createSite } from "../../../src/fronts/site/index.ts";
import { temporaryFolder } from "../../support/test-house.ts";

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const script = "console.log(1);".repeat(100);
await Bun.write(join(folder.path, "index.html"), "<!doctype html>");
await Bun.write(join(folder.path, "docs.html"), "<!doctype html>docs");
await Bun.write(join(folder.path, "a-12345678.js"), script);
await Bun.write(join(folder.path, "a-12345678.js.br"), brotliCompressSync(script));
await Bun.write(join(folder.path, "a-12345678.js.gz"), gzipSync(script));
await Bun.write(
  join(folder.path, assetList),
  JSON.stringify([
    {
      path: "/index.html",
      type: "text/html; charset=utf-8",
      etag: '"i"',
      immutable: false,
      files: { identity: "index.html" },
    },
    {
      path: "/docs.html",
      type: "text/html; charset=utf-8",
      etag: '"d"',
      immutable: false,
      files: { identity: "docs.html" },
    },
    ...["docx.worker", "archive.worker", "pdf.worker.min"].map((name) => ({
      path: `/assets/${name}-12345678.js`,
      type: "text/javascript; charset=utf-8",
      etag: '"w"',
      immutable: true,
      files: { identity: "a-12345678.js" },
    })),
    {
      path: "/assets/a-12345678.js",
      type: "text/javascript; charset=utf-8",
      etag: '"a"',
      immutable: true,
      files: { identity: "a-12345678.js", br: "a-12345678.js.br", gzip: "a-12345678.js.gz" },
    },
  ]),
);
const assets = await readAssets(folder.path);
const site = createSite(assets);
/** A request as the entry point has read it. */
const asked = (path: string, hosts: readonly string[] = ["satchel.test"]) => ({
  ...readTarget(`http://satchel.test${path}`),
  pageHosts: () => hosts,
});
const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  site(new Request(`http://satchel.test${path}`, { method, headers }), asked(path));

describe("the site", () => {
  test.each([
    ["/", 200, "no-cache"],
    ["/paste/abc", 200, "no-cache"],
    ["/mount-explorer/notes/readme.txt", 200, "no-cache"],
    ["/anything", 200, "no-cache"],
    ["/docs", 200, "no-cache"],
    ["/config.js", 200, "no-cache"],
    ["/assets/a-12345678.js", 200, "public, max-age=31536000, immutable"],
    ["/assets/gone-12345678.js", 404, "no-store"],
    ["/@theme/all.css", 404, "no-store"],
    ["/favicon.ico", 404, "no-store"],
  ])("%s is answered %i and kept %s", (path, status, cache) => {
    const response = get(path);
    expect(response.status).toBe(status);
    expect(response.headers.get("cache-control")).toBe(cache);
  });

  test.each([
    ["br, gzip", "br"],
    ["gzip, deflate", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["zstd", null],
    ["", null],
  ])("a client that takes %p gets %p", async (accepted, encoding) => {
    const response = get("/assets/a-12345678.js", { "accept-encoding": accepted });
    expect(response.headers.get("content-encoding")).toBe(encoding);
    expect(response.headers.get("vary")).toBe("accept-encoding");
    if (encoding === null) expect(await response.text()).toBe(script);
  });

  test("the runtime configuration says where the source is, when somebody said so", async () => {
    expect(await get("/config.js").text()).toStartWith('window.appConfig = {"backendUrl":""};');
    const known = createSite(assets, "https://code.example/satchel");
    const address = "http://satchel.test/config.js";
    const text = await known(new Request(address), asked("/config.js")).text();
    expect(text).toStartWith('window.appConfig = {"backendUrl":"","sourceUrl":"https://code.example/satchel"};');
  });

  test.each([
    ["/paste/a%20%E6%96%87?raw", "/api/raw/a%20%E6%96%87"],
    ["/file/abc/?raw=", "/api/file-download/abc?proxy=1"],
    ["/paste/abc?edit", null],
    ["/mount-explorer/paste/abc?raw", null],
    ["/paste/?raw", null],
  ])("%s leads to %p", (path, location) => {
    const response = get(path);
    expect(response.status).toBe(location === null ? 200 : 303);
    expect(response.headers.get("location")).toBe(location);
  });

  test("an unchanged file is not sent again", () => {
    expect(get("/assets/a-12345678.js", { "if-none-match": '"x", "a"' }).status).toBe(304);
    expect(get("/assets/a-12345678.js", { "if-none-match": '"b"' }).status).toBe(200);
  });

  const policyOf = (path: string, hosts?: readonly string[]) =>
    site(new Request(`http://satchel.test${path}`), asked(path, hosts)).headers.get("content-security-policy") ?? "";

  test("pages let no foreign, inline or stored script run and are framed by nobody else", () => {
    const policy = policyOf("/paste/abc");
    expect(policy).toContain("; script-src satchel.test/assets/ satchel.test/config.js 'wasm-unsafe-eval';");
    expect(policy).toContain("; worker-src satchel.test/assets/ satchel.test/sw.js blob:;");
    expect(policy).toContain("object-src 'none'");
    expect(policy).toContain("frame-ancestors 'self'");
  });

  test("pages name scripts by each host that they may be known by, and as their own where nobody knows", () => {
    expect(policyOf("/", ["a.test", "b.test:81"])).toContain(
      "script-src a.test/assets/ a.test/config.js b.test:81/assets/ b.test:81/config.js 'wasm-unsafe-eval';",
    );
    expect(policyOf("/", [])).toContain("script-src 'self' 'wasm-unsafe-eval';");
    expect(policyOf("/", [])).toContain("worker-src 'self' blob:;");
  });

  test("a worker that is handed what it reads reaches nothing, one that asks for it by pieces does", () => {
    const worker = (name: string) => policyOf(`/assets/${name}`);
    expect(worker("docx.worker-12345678.js")).toBe("default-src 'none'; frame-ancestors 'none'");
    for (const name of ["archive.worker-12345678.js", "pdf.worker.min-12345678.js"])
      expect(worker(name)).toContain("; connect-src *;");
  });

  test("the documentation asks nobody but this server", () => {
    expect(policyOf("/docs")).toContain("; connect-src 'self';");
    expect(policyOf("/docs")).toContain("; img-src 'self' data:;");
  });

  test("names no file on disk, and only reads", () => {
    expect(get("/").headers.get("content-disposition")).toBe("inline");
    expect(get("/", {}, "POST").status).toBe(405);
    expect(get("/", {}, "HEAD").status).toBe(200);
  });
});
