import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Visit } from "../../support/browser/chromium.ts";
import { PIXEL, seen, startJourney, until } from "../../support/browser/journey.ts";

/** How many files a page asks for on an empty cache until it has come to rest, and how many bytes of script they bring. */

const journey = await startJourney();
await journey.share({ content: "# Title\n\nSome *text*.", slug: "text" });
await journey.shareFile(new File([PIXEL], "pixel.png", { type: "image/png" }), { slug: "picture" });

const heading = (name: string) => (page: Page) => seen(page.getByRole("heading", { name }).first());
const editor = (page: Page) => seen(page.locator("[contenteditable=true]"));
const picture = (page: Page) => page.locator("main img").evaluate((image: HTMLImageElement) => image.decode());

interface Opened {
  /** Files of the page: what it asks of the API ends before the last of them or behind it. */
  readonly files: number;
  readonly script: number;
}

/** Opens a page; one that is no share gets ready to work without a connection once it has come to rest, and is waited for. */
async function open({ page }: Visit, path: string, shown: (page: Page) => Promise<unknown>): Promise<Opened> {
  const sizes: Promise<number>[] = [];
  const paths: string[] = [];
  page.on("requestfinished", (request) => {
    paths.push(new URL(request.url()).pathname);
    const size = request.sizes().then(({ responseBodySize }) => responseBodySize);
    if (request.resourceType() === "script") sizes.push(size);
  });
  await page.goto(path, { waitUntil: "commit" });
  await shown(page);
  const isShare = /^\/(paste|file)\//.test(path);
  if (isShare) await page.waitForLoadState("networkidle");
  else await until(() => paths.some((one) => one.includes("/words/en/offline-")), Boolean);
  const files = paths.filter((one) => !one.startsWith("/api/"));
  return { files: files.length, script: (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) };
}

test.each([
  ["Home", "/", editor, 20, 312_000],
  ["the explorer", "/mount-explorer", heading("Files"), 28, 245_000],
  ["the admin area", "/admin", heading("Dashboard"), 30, 240_000],
] as const)("%s", async (_, path, shown, files, script) => {
  await using visit = await journey.admin();
  const opened = await open(visit, path, shown);
  expect(opened.files).toBeLessThanOrEqual(files);
  expect(opened.script).toBeLessThanOrEqual(script);
});

test.each([
  ["a text", "/paste/text", heading("Title"), 13],
  ["a picture", "/file/picture", picture, 17],
] as const)("the page of %s", async (_, path, shown, files) => {
  await using visit = await journey.visitor();
  expect((await open(visit, path, shown)).files).toBeLessThanOrEqual(files);
});
