import { readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import workers from "../../build.ts";
import { newIdentity } from "../../web/sealed/locks.ts";
import { sealFile } from "../../web/sealed/seal.ts";
import { closeBrowser, openBrowser } from "../support/browser/chromium.ts";
import { root } from "../support/sources.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { median } from "./curl.ts";

/**
 * `bun test/bench/sealed.ts [megabytes]`: what sealing costs in a browser. A page of Chromium sends a file in parts to a server that forgets it,
 * and downloads one to the disk, both on this machine: as they are, and sealed, with the browser's own ChaCha20-Poly1305 (a whole Chromium has it:
 * TEST_CHROMIUM) and with that of the script. Read the ratios: a network is slower than this one, so they are the worst. Then what the page's
 * process holds at most, beside the program itself, of which all pages have one. Linux only. Nothing here fails.
 */
const bytes = Number(process.argv[2] ?? 200) * 1_000_000;
const rounds = 3;
const MB = 1_000_000;
using folder = temporaryFolder();
const path = join(folder.path, "file");
await using file = await open(path, "w");
await file.truncate(bytes);
const say = (line: string) => process.stdout.write(`${line}\n`);

const identity = await newIdentity();
const sealed = await sealFile(Bun.file(path), { identity });
/** As uploads cut files. */
const PART = 80 * 65_552;
const sealedPath = join(folder.path, "sealed");
const writer = Bun.file(sealedPath).writer();
for (let from = 0; from < sealed.size; from += PART) {
  writer.write(await (await sealed.slice(from, Math.min(from + PART, sealed.size))).bytes());
  await writer.flush();
}
await writer.end();

async function bundled(name: string, format: "esm" | "iife"): Promise<string> {
  const built = await Bun.build({
    entrypoints: [join(root, "test/bench", name)],
    target: "browser",
    format,
    minify: true,
    plugins: [workers],
    // A service worker can make no addresses, and starts no workers.
    ...(format === "iife" && { banner: 'URL.createObjectURL=()=>"";' }),
  });
  return (await built.outputs[0]?.text()) ?? "";
}
const [script, worker] = [await bundled("sealed-page.ts", "esm"), await bundled("sealed-worker.ts", "iife")];

function sendFile(request: Request, from: string): Response {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get("range") ?? "") ?? [];
  if (first) return new Response(Bun.file(from).slice(Number(first), Number(last) + 1), { status: 206 });
  const headers = { "content-type": "application/octet-stream", "content-disposition": "attachment" };
  return new Response(Bun.file(from), { headers });
}
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  maxRequestBodySize: 2 ** 33,
  idleTimeout: 0,
  routes: {
    "/": () =>
      new Response(`<input type="file"><script type="module">${script}</script>`, {
        headers: { "content-type": "text/html" },
      }),
    "/sw.js": () => new Response(worker, { headers: { "content-type": "text/javascript" } }),
    "/up": async (request) => {
      for await (const _ of request.body ?? []);
      return new Response();
    },
    "/down": (request) => sendFile(request, path),
    "/sealed": (request) => sendFile(request, sealedPath),
  },
});

interface Functions {
  begin(cipher: "native" | "script"): Promise<void>;
  measureUp(isSealed: boolean): Promise<number>;
  openSealed(identity: string, size: number): Promise<string>;
  download(address: string): void;
}
type Global = typeof globalThis & Functions;
const browser = await openBrowser();

/** Both in turn, so that whatever else the machine does meets both. */
async function compare(name: string, plain: () => Promise<number>, withSeal: () => Promise<number>): Promise<void> {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const [without, with_] = [await plain(), await withSeal()];
    say(`  ${name}: ${with_.toFixed(0)} MB/s sealed, ${without.toFixed(0)} MB/s as it is`);
    ratios.push(with_ / without);
  }
  say(`${name}: ${median(ratios).toFixed(2)} of the speed without sealing`);
}

/** Downloads to the disk; answers how many MB in a second. */
async function download(page: Page, address: string): Promise<number> {
  const began = performance.now();
  const begun = page.waitForEvent("download");
  await page.evaluate((from) => (globalThis as Global).download(from), address);
  const kept = await begun;
  const { size } = Bun.file(await kept.path());
  const speed = size / 1000 / (performance.now() - began);
  await kept.delete();
  if (size !== bytes) throw new Error(`Of ${bytes} bytes ${size} have arrived.`);
  return speed;
}

/** The most private memory that one process with pages has while something is done, in MB. */
async function mostPrivate(page: Page, work: () => Promise<unknown>): Promise<number> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  const { processInfo = [] } = (await session?.send("SystemInfo.getProcessInfo")) ?? {};
  const renderers = processInfo.filter(({ type }) => type === "renderer");
  let most = 0;
  const look = () => {
    for (const { id } of renderers) {
      const [, kB = 0] = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8")) ?? [];
      most = Math.max(most, (Number(kB) * 1024) / MB);
    }
  };
  look();
  const timer = setInterval(look, 25);
  await work().finally(() => clearInterval(timer));
  return most;
}

for (const cipher of ["native", "script"] as const) {
  await using visit = await browser.newPage({ address: server.url.href, worker: true });
  const { page } = visit;
  await page.goto("/");
  await page.evaluate((name) => (globalThis as Global).begin(name), cipher);
  await page.setInputFiles("input", path);
  const up = (isSealed: boolean) => page.evaluate((is) => (globalThis as Global).measureUp(is), isSealed);
  const empty = await mostPrivate(page, async () => undefined);
  const upMemory = await mostPrivate(page, () => up(true));
  await compare(
    `up, ${cipher}`,
    () => up(false),
    () => up(true),
  );
  const opening = [identity, sealed.size] as const;
  const address = await page.evaluate(([key, size]) => (globalThis as Global).openSealed(key, size), opening);
  await compare(
    `down, ${cipher}`,
    () => download(page, "/down"),
    () => download(page, address),
  );
  const downMemory = await mostPrivate(page, () => download(page, address));
  const [before, ...during] = [empty, upMemory, downMemory].map((memory) => memory.toFixed(0));
  say(`memory, ${cipher}: ${during[0]} MB up, ${during[1]} MB down; ${before} MB before`);
}
await closeBrowser();
await server.stop(true);
