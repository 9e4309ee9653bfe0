import { afterAll, describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { screenshot, type Visit } from "../../support/browser/chromium.ts";
import { gone, overhang, seen, startJourney, until } from "../../support/browser/journey.ts";
import { openWebSource } from "../../support/servers/web-source.ts";
import { root } from "../../support/sources.ts";

const journey = await startJourney({
  command: [process.execPath, join(root, "test/support/servers/serve-local-sources.ts")],
});
const MiB = 1024 * 1024;

const bytesOf = (size: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(size);
  for (let start = 0; start < size; start += 65_536) crypto.getRandomValues(bytes.subarray(start, start + 65_536));
  return bytes;
};
const files = { small: bytesOf(300_000), large: bytesOf(17 * MiB) };
const open = { "access-control-allow-origin": "*" };

/** A body that goes on only as long as somebody reads it. */
const slowly = (milliseconds: number) =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      await Bun.sleep(milliseconds);
      controller.enqueue(new Uint8Array(200_000));
    },
  });

const source = openWebSource((request, { pathname }) => {
  const named = (name: string) => ({
    "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
  });
  if (pathname === "/open/small") return new Response(files.small, { headers: { ...open, ...named("报告 2026.bin") } });
  if (pathname === "/closed/small.bin") return new Response(files.small);
  if (pathname === "/closed/large.bin") return new Response(files.large);
  if (pathname === "/open/large.bin") return new Response(files.large, { headers: open });
  if (pathname === "/open/slow.bin") {
    const length = { "content-length": String(50 * MiB) };
    return new Response(request.method === "HEAD" ? null : slowly(100), { headers: { ...open, ...length } });
  }
  return new Response("not here", { status: 404 });
});
afterAll(() => source[Symbol.asyncDispose]());

const address = (page: Page) => page.getByRole("textbox", { name: "Address of the file" });

async function analyze(page: Page, url: string): Promise<void> {
  await address(page).fill(url);
  await page.getByRole("button", { name: "Analyze" }).click();
}

const upload = (page: Page) => page.getByRole("button", { name: "Upload", exact: true }).click();

/** The file behind the link that the page shows. */
async function fetched(page: Page): Promise<Buffer> {
  const result = page.getByRole("region", { name: "Your link" });
  await seen(result);
  const link = (await result.getByRole("link").first().getAttribute("href")) ?? "";
  const response = await fetch(new URL(`/api/file-download/${link.slice(link.lastIndexOf("/") + 1)}`, page.url()));
  return Buffer.from(await response.arrayBuffer());
}

/** Asking the source itself is what the person chose; forgets that the visit noted it. */
function forgive({ strangers }: Visit, url: string): void {
  expect(new Set(strangers)).toEqual(new Set([url]));
  strangers.length = 0;
}

/** What stands below the data folder's objects. */
const objects = async () =>
  (await readdir(join(journey.server.dataDir, "objects"), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

describe("a file on the web", () => {
  test("comes from its source itself where that lets pages in, and is asked for no sooner than a button is pressed", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await page.goto("/upload");
    await page.getByRole("tab", { name: "From a URL" }).click();
    expect(new URL(page.url()).search).toBe("?tab=url");
    const url = source.url("/open/small");
    await analyze(page, url);
    await seen(page.getByText("报告 2026.bin").first());
    expect(visit.strangers).toEqual([]);
    await page.getByRole("textbox", { name: "File name" }).fill("renamed.bin");
    await upload(page);
    expect(Buffer.compare(await fetched(page), files.small)).toBe(0);
    await seen(page.getByTitle("renamed.bin").first());
    await screenshot(page, "url-done");
    forgive(visit, url);
    await page.getByRole("button", { name: "Upload another" }).click();
    await seen(address(page));
    // It stands among the recent ones too.
    await seen(page.getByTitle("renamed.bin"));
  });

  test.each(["closed", "open"])("in parts, from a source that is %s", async (kind) => {
    await using visit = await journey.admin();
    const { page } = visit;
    await page.goto("/upload?tab=url");
    const url = source.url(`/${kind}/large.bin`);
    await analyze(page, url);
    await page.getByText("In parts", { exact: true }).click();
    const parts: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "PUT") parts.push(new URL(request.url()).searchParams.get("partNumber") ?? "");
    });
    await upload(page);
    expect(Buffer.compare(await fetched(page), files.large)).toBe(0);
    expect(parts.toSorted()).toEqual(["1", "2", "3", "4"]);
    if (kind === "open") forgive(visit, url);
    else expect(visit.strangers).toEqual([]);
  });

  test("through the server where its source lets no page in", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await page.goto("/upload?tab=url");
    await analyze(page, source.url("/closed/small.bin"));
    await seen(page.getByText("so the server fetches it"));
    await page.keyboard.press("Control+Enter");
    expect(Buffer.compare(await fetched(page), files.small)).toBe(0);
  });

  test("that is slow shows how far it is, follows to other pages, and is cancelled without a rest", async () => {
    await using visit = await journey.admin({ width: 390, height: 844 });
    const { page } = visit;
    await page.goto("/upload?tab=url");
    const before = await objects();
    const url = source.url("/open/slow.bin");
    await analyze(page, url);
    await seen(page.getByRole("textbox", { name: "File name" }));
    await screenshot(page, "url-found-phone");
    await upload(page);
    const bar = page.getByRole("progressbar");
    await until(
      async () => Number(await bar.getAttribute("aria-valuenow")),
      (percent) => percent > 1,
    );
    await seen(page.getByText("Downloading from its source").last());
    expect(await overhang(page)).toBe(0);
    await screenshot(page, "url-moving-phone");
    await page
      .getByRole("link", { name: "Home" })
      .or(page.getByRole("link", { name: "Satchel" }))
      .first()
      .click();
    await page.getByRole("link", { name: /^Uploading, \d+%$/ }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    const dialog = page.getByRole("dialog");
    if (await dialog.isVisible()) await dialog.getByRole("button", { name: "Stop" }).click();
    await seen(page.getByText("Cancelled; what had arrived is deleted.").last());
    await gone(bar);
    await until(objects, (now) => now.length === before.length);
    forgive(visit, url);
  });

  test("that cannot be had is said to be so beside its address", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await page.goto("/upload?tab=url");
    await analyze(page, "files.test/x");
    await seen(page.getByText("Enter a full address that starts with"));
    await analyze(page, "http://10.0.0.1/secret");
    await seen(page.getByText("This server fetches files from public web addresses only"));
    await analyze(page, "http://127.0.0.1:47/");
    await seen(page.getByText("This server fetches files from public web addresses only"));
    await screenshot(page, "url-refused");
  });
});
