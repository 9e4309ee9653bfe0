import { describe, expect, test } from "bun:test";
import type { Locator, Page, Request } from "playwright-core";
import { PIXEL, seen, startJourney, until } from "../../support/browser/journey.ts";

/** Nothing on a page moves by itself: the scrollbars here take room, as on most desks. */
const journey = await startJourney({ scrollbars: true });

const textOf = (parts: number) =>
  Array.from({ length: parts }, (_, at) => `## Part ${at}\n\n${"Words of a long text. ".repeat(40)}`).join("\n\n");
await journey.share({ content: textOf(120), slug: "long" });
await journey.share({ content: textOf(3), slug: "short" });
await journey.shareFile(new File([PIXEL], "picture.png"), { slug: "picture" });
await journey.shareFile(new File([textOf(20)], "words.md"), { slug: "words" });
await journey.shareFile(new File(["x"], "data.bin"), { slug: "data" });
for (let at = 0; at < 30; at++) await journey.share({ content: `text ${at}`, slug: `text${at}` });
for (let at = 0; at < 40; at++) await journey.call("POST", "/api/fs/mkdir", { path: `/drive/folder ${at}` });

interface Opened {
  readonly name: string;
  readonly path: string;
  readonly who: "admin" | "visitor";
  readonly shows: (page: Page) => Locator;
}

const part = (page: Page) => page.getByRole("heading", { name: "Part 1", exact: true });

const pages: readonly Opened[] = [
  { name: "home", path: "/", who: "admin", shows: (page) => page.locator(".cm-line").first() },
  { name: "a long text", path: "/paste/long", who: "visitor", shows: part },
  { name: "a short text", path: "/paste/short", who: "visitor", shows: part },
  { name: "a picture", path: "/file/picture", who: "visitor", shows: (page) => page.getByRole("img") },
  { name: "a file of words", path: "/file/words", who: "visitor", shows: part },
  { name: "any file", path: "/file/data", who: "visitor", shows: (page) => page.getByText("data.bin") },
  { name: "the upload page", path: "/upload", who: "admin", shows: (page) => page.getByText("words.md") },
  { name: "the mounts", path: "/mount-explorer", who: "admin", shows: (page) => page.locator("[data-index]") },
  {
    name: "a folder",
    path: "/mount-explorer/drive",
    who: "admin",
    shows: (page) => page.locator("[data-index='1']"),
  },
  { name: "the dashboard", path: "/admin/dashboard", who: "admin", shows: (page) => page.getByText("Uptime") },
  {
    name: "the texts",
    path: "/admin/text-management",
    who: "admin",
    shows: (page) => page.getByText("/text29", { exact: true }),
  },
  {
    name: "the files",
    path: "/admin/file-management",
    who: "admin",
    shows: (page) => page.getByText("words.md").first(),
  },
];

const frames = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Waits until nothing is on its way any more but what the server says by and by. */
async function opened(page: Page, { path, shows }: Opened): Promise<void> {
  const underway = new Set<Request>();
  const ended = (request: Request) => underway.delete(request);
  page.on("request", (request) => {
    if (!/events/.test(new URL(request.url()).pathname)) underway.add(request);
  });
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);
  await page.goto(path);
  await seen(shows(page).first());
  const quiet = async () => {
    await frames(page);
    return underway.size === 0;
  };
  // What one answer asks for goes out with the next frames.
  for (let times = 0; times < 3; times++) await until(quiet, (is) => is);
}

/** Notes what moves by itself (Layout Instability), with what moved. */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    interface Shift extends PerformanceEntry {
      readonly value: number;
      readonly sources: readonly { readonly node?: Node | null }[];
    }
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Shift[]) {
        const moved = sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 120) : "a text"));
        shifts.push(`${value.toFixed(4)}: ${moved.join(", ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });

const shiftsOf = (page: Page) => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);

describe.each([390, 1280])("at %i pixels", (width) => {
  test.each(pages)("$name moves nothing while it loads", async (one) => {
    await using visit = await journey[one.who]({ width, height: 800 });
    // A desk that is far away: what comes by and by would move what is there.
    const session = await visit.context.newCDPSession(visit.page);
    const slow = { offline: false, latency: 60, downloadThroughput: 1_000_000, uploadThroughput: -1 };
    await session.send("Network.emulateNetworkConditions", slow);
    await watchShifts(visit.page);
    await opened(visit.page, one);
    await frames(visit.page);
    expect(await shiftsOf(visit.page)).toEqual([]);
  });
});

test("the header stands at the same place on every page, with and without a scrollbar", async () => {
  await using visit = await journey.admin();
  const places = new Set<number>();
  for (const one of pages) {
    await visit.page.goto(one.path);
    await seen(one.shows(visit.page).first());
    places.add((await visit.page.locator("header a").first().boundingBox())?.x ?? Number.NaN);
  }
  expect(places.size).toBe(1);
});

test("a page that is shorter than its window stays where it is below a dialog", async () => {
  await using visit = await journey.admin({ width: 1280, height: 1600 });
  const { page } = visit;
  await page.goto("/admin/key-management");
  await seen(page.getByRole("heading", { name: "Keys", level: 1 }));
  const right = () => page.getByRole("main").evaluate((main) => main.getBoundingClientRect().right);
  const before = await right();
  expect(before).toBeLessThan(1280);
  await page.getByRole("button", { name: "Create the first key" }).click();
  await seen(page.getByRole("dialog"));
  expect(await right()).toBe(before);
});

test("a sheet reaches the edge, and the page below it has no scrollbar", async () => {
  await using visit = await journey.admin();
  const { page } = visit;
  await page.goto("/admin/text-management");
  const brand = page.locator("header a").first();
  await seen(page.getByText("/text29", { exact: true }));
  const before = await brand.boundingBox();
  await page.getByRole("button", { name: "Edit" }).first().click();
  await seen(page.getByRole("dialog"));
  const edges = () =>
    page.evaluate(() => [
      document.querySelector("dialog[open]")?.getBoundingClientRect().right,
      document.documentElement.clientWidth,
    ]);
  await until(edges, ([sheet, room]) => sheet === 1280 && room === 1280);
  expect(await brand.boundingBox()).toEqual(before);
});
