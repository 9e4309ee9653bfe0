import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import { nameAt } from "#contract/base-path";
import { pathsAt, readTarget } from "../../../../src/fronts/context.ts";
import { assetList, packedAssets, readAssets } from "../../../../src/fronts/site/assets.ts";
import { firstScript } from "../../../../src/fronts/site/head.ts";
import { createSite } from "../../../../src/fronts/site/index.ts";
import { sizeOf } from "../../../../src/lib/counting.ts";
import { createLog } from "../../../../src/lib/log.ts";
import { initialSettings } from "../../../support/pages/initial-settings.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const script = "console.log(1);".repeat(100);
await Bun.write(join(folder.path, "index.html"), "<!doctype html>");
await Bun.write(join(folder.path, "docs.html"), "<!doctype html>docs");
await Bun.write(join(folder.path, "a-12345678.js"), script);
await Bun.write(join(folder.path, "a-12345678.js.br"), brotliCompressSync(script));
await Bun.write(join(folder.path, "all.pack"), `<!doctype html>${script}`);
await Bun.write(
  join(folder.path, assetList),
  JSON.stringify([
    {
      path: "/index.html",
      type: "text/html; charset=utf-8",
      etag: '"i"',
      immutable: false,
      file: "index.html",
    },
    {
      path: "/open-pages/home.en.html",
      type: "text/html; charset=utf-8",
      etag: '"h"',
      immutable: false,
      file: "index.html",
    },
    {
      path: "/docs.html",
      type: "text/html; charset=utf-8",
      etag: '"d"',
      immutable: false,
      file: "docs.html",
    },
    ...["docx.worker", "heic.worker", "archive.worker", "music.worker", "pdf.worker.min"].map((name) => ({
      path: `/assets/${name}-12345678.js`,
      type: "text/javascript; charset=utf-8",
      etag: '"w"',
      immutable: true,
      file: "a-12345678.js",
    })),
    {
      path: "/assets/a-12345678.js",
      type: "text/javascript; charset=utf-8",
      etag: '"a"',
      immutable: true,
      file: "a-12345678.js.br",
      encoding: "br",
    },
  ]),
);
const assets = await readAssets(folder.path);
const site = createSite(assets);
/** A request as the entry point has read it. */
const asked = (path: string, hosts: readonly string[] = ["satchel.test"]) => ({
  ...readTarget(`http://satchel.test${path}`),
  ...pathsAt(""),
  pageHosts: () => hosts,
  base: () => "http://satchel.test",
  address: "192.0.2.1",
});
/** Nothing is public here; share-pages.test.ts is about what is. */
const rooms = {
  shares: { publicFacts: async () => undefined, sealedAt: async () => false },
  log: createLog("silent", () => undefined),
  settings: initialSettings,
};
const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  site(new Request(`http://satchel.test${path}`, { method, headers }), asked(path), rooms);

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
    ["/.well-known/oauth-protected-resource/mcp", 404, "no-store"],
    ["/@theme/all.css", 404, "no-store"],
    ["/favicon.ico", 404, "no-store"],
  ])("%s is answered %i and kept %s", async (path, status, cache) => {
    const response = await get(path);
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
    const response = await get("/assets/a-12345678.js", { "accept-encoding": accepted });
    expect(response.headers.get("content-encoding")).toBe(encoding);
    expect(response.headers.get("vary")).toBe("accept-encoding");
    const bytes = Buffer.from(await response.arrayBuffer());
    const unpack = encoding === "br" ? brotliDecompressSync : encoding === "gzip" ? gunzipSync : Buffer.from;
    expect(unpack(bytes).toString()).toBe(script);
    expect(sizeOf(response)).toBe(bytes.length);
  });

  test("the runtime configuration says where the source is, when somebody said so", async () => {
    expect(await (await get("/config.js")).text()).toStartWith(
      'window.appConfig = {"backendUrl":"","site":{"name":"Satchel"},"sharing":{"defaultHours":0,',
    );
    const known = createSite(assets, { sourceUrl: "https://code.example/satchel" });
    const address = "http://satchel.test/config.js";
    const text = await (await known(new Request(address), asked("/config.js"), rooms)).text();
    expect(text).toStartWith('window.appConfig = {"backendUrl":"","sourceUrl":"https://code.example/satchel",');
  });

  test.each([
    ["/paste/a%20%E6%96%87?raw", "/api/raw/a%20%E6%96%87"],
    ["/file/abc/?raw=", "/api/file-download/abc?proxy=1"],
    ["/paste/abc?edit", null],
    ["/mount-explorer/paste/abc?raw", null],
    ["/paste/?raw", null],
  ])("%s leads to %p", async (path, location) => {
    const response = await get(path);
    expect(response.status).toBe(location === null ? 200 : 303);
    expect(response.headers.get("location")).toBe(location);
  });

  test.each([
    ["/", '"h"'],
    ["/?text=a", '"h"'],
    // No file of its own was built.
    ["/upload", '"i"'],
    ["/admin", '"i"'],
  ])("%s has the page %p", async (path, etag) => {
    expect((await get(path)).headers.get("etag")).toBe(etag);
  });

  test("an unchanged file is not sent again", async () => {
    expect((await get("/assets/a-12345678.js", { "if-none-match": '"x", "a"' })).status).toBe(304);
    expect((await get("/assets/a-12345678.js", { "if-none-match": '"b"' })).status).toBe(200);
  });

  test("files in a pack are sent from where they begin to where they end", async () => {
    const [page, code] = ["<!doctype html>", script].map((text) => text.length) as [number, number];
    const head = { etag: '"p"', immutable: false };
    const packed = packedAssets(join(folder.path, "all.pack"), [
      { path: "/index.html", type: "text/html; charset=utf-8", ...head, start: 0, end: page },
      { path: "/a.js", type: "text/javascript", ...head, start: page, end: page + code },
    ]);
    const answer = await createSite(packed)(new Request("http://satchel.test/a.js"), asked("/a.js"), rooms);
    expect(await answer.text()).toBe(script);
    expect(answer.headers.get("content-type")).toBe("text/javascript");
  });

  const digest = new Bun.CryptoHasher("sha256").update(firstScript).digest("base64");
  const inline = `'wasm-unsafe-eval' 'sha256-${digest}'`;

  test.each([
    ["", "dark", false, "dark"],
    ["", "light", true, "light"],
    ["", null, true, "dark"],
    ["", "auto", false, "light"],
    ["/shared", "dark", false, "dark"],
    ["/shared", undefined, true, "dark"],
  ])("at %p the theme %p of a system that is dark: %p is %s", (basePath, kept, isDark, shown) => {
    const root = { dataset: { ...(basePath && { basePath }), theme: "" } };
    const storage = {
      getItem(name: string) {
        if (kept === undefined) throw new Error("No storage here.");
        return name === nameAt(basePath, "themeMode") ? kept : null;
      },
    };
    const run = new Function("document", "localStorage", "matchMedia", firstScript);
    run({ documentElement: root }, storage, () => ({ matches: isDark }));
    expect(root.dataset.theme).toBe(shown);
  });

  test.each([
    ["", ["satchel-draft"], ""],
    ["", ["/shared satchel-draft"], undefined],
    ["/shared", ["/shared satchel-draft"], ""],
    ["/shared", ["satchel-draft"], undefined],
    ["", [], undefined],
  ])("at %p with %p in the browser's storage the page is told of a draft: %p", (basePath, names, told) => {
    const dataset: Record<string, string> = { ...(basePath && { basePath }) };
    const storage = { getItem: () => null, ...Object.fromEntries(names.map((name) => [name, "text"])) };
    const run = new Function("document", "localStorage", "matchMedia", firstScript);
    run({ documentElement: { dataset } }, storage, () => ({ matches: false }));
    expect(dataset.draft).toBe(told as string);
  });

  const policyOf = async (path: string, hosts?: readonly string[]) => {
    const answer = await site(new Request(`http://satchel.test${path}`), asked(path, hosts), rooms);
    return answer.headers.get("content-security-policy") ?? "";
  };

  test("pages let no foreign or stored script run, none inline but that of the first paint, and are framed by nobody else", async () => {
    const policy = await policyOf("/paste/abc");
    expect(policy).toContain(`; script-src satchel.test/assets/ satchel.test/config.js ${inline};`);
    expect(policy).toContain("; worker-src satchel.test/assets/ satchel.test/sw.js blob:;");
    expect(policy).toContain("object-src 'none'");
    expect(policy).toContain("frame-ancestors 'self'");
  });

  test("pages name scripts by each host that they may be known by, and as their own where nobody knows", async () => {
    expect(await policyOf("/", ["a.test", "b.test:81"])).toContain(
      `script-src a.test/assets/ a.test/config.js b.test:81/assets/ b.test:81/config.js ${inline};`,
    );
    expect(await policyOf("/", [])).toContain(`script-src 'self' ${inline};`);
    expect(await policyOf("/", [])).toContain("worker-src 'self' blob:;");
  });

  test("a worker that is handed what it reads reaches nothing, one that asks for it by pieces does", async () => {
    const worker = (name: string) => policyOf(`/assets/${name}`);
    expect(await worker("docx.worker-12345678.js")).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(await worker("heic.worker-12345678.js")).toBe(
      "default-src 'none'; frame-ancestors 'none'; script-src 'wasm-unsafe-eval'",
    );
    for (const name of ["archive.worker-12345678.js", "music.worker-12345678.js", "pdf.worker.min-12345678.js"])
      expect(await worker(name)).toContain("; connect-src * blob:;");
  });

  test("the documentation asks nobody but this server", async () => {
    expect(await policyOf("/docs")).toContain("; connect-src 'self';");
    expect(await policyOf("/docs")).toContain("; img-src 'self' data:;");
  });

  test("names no file on disk, and only reads", async () => {
    expect((await get("/")).headers.get("content-disposition")).toBe("inline");
    expect((await get("/", {}, "POST")).status).toBe(405);
    const dropped = await get("/admin", {}, "PUT");
    expect([dropped.status, await dropped.text()]).toEqual([405, expect.stringContaining("-F file=@FILE")]);
    expect((await get("/", {}, "HEAD")).status).toBe(200);
  });
});
