import { describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import type { Visit } from "../../support/browser/chromium.ts";
import { seen, startJourney, until } from "../../support/browser/journey.ts";
import { photo } from "../../support/files/picture.ts";

/** What the pages load that people come to first, and when. */

const journey = await startJourney();
await journey.share({ content: "# A title\n\nA text.", slug: "readable" });
await journey.share({ content: "# A title\n\nA text.", slug: "limited", maxViews: 100 });
await journey.shareFile(new File([new Uint8Array([0, 1, 2, 3])], "data.bin"), { slug: "bytes" });

await journey.shareFile(new File([await photo(800, 600)], "holiday.jpg", { type: "image/jpeg" }), { slug: "picture" });
await journey.shareFile(new File(["a,b\n1,2\n"], "report.csv", { type: "text/csv" }), { slug: "report" });
// Whoever sees it first has its thumbnail made.
await fetch(`${journey.server.address}/api/file-thumb/picture?w=1280`);

const pages = [
  // The text itself is there before the app.
  { path: "/paste/readable", later: 0, shown: (page: Page) => page.getByRole("toolbar") },
  // What looks into a file of no known kind.
  { path: "/file/bytes", later: 1, shown: (page: Page) => page.getByRole("heading", { name: "data.bin" }) },
] as const;

const textOf = async (path: string): Promise<string> => (await fetch(journey.server.address + path)).text();

/** A dictionary imports nothing and runs nothing: it is one object. */
const hasCode = (script: string): boolean => /\bimport\b|=>|\bfunction\b/.test(script);

/** The scripts that a page names, as paths. */
async function named(path: string): Promise<string[]> {
  const html = await textOf(path);
  return [...html.matchAll(/(?:src|rel="modulepreload"[^>]* href)="(\/assets\/[^"]+\.js)"/g)].map(
    ([, script = ""]) => script,
  );
}

/** Opens a page: the scripts that were asked for until it was there, and those of them that ran. */
async function scriptsOf(path: string, shown: (page: Page) => ReturnType<Page["getByRole"]>) {
  await using visit = await journey.visitor({ locale: "en-US" });
  const { page } = visit;
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/assets/") && pathname.endsWith(".js")) asked.push(pathname);
  });
  await page.coverage.startJSCoverage();
  await page.goto(path);
  await seen(shown(page));
  const ran = (await page.coverage.stopJSCoverage())
    .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    .map(({ url }) => new URL(url).pathname);
  return { asked, ran };
}

test.each(pages)(
  "$path names at once all scripts but words, and runs every one of them",
  async ({ path, later, shown }) => {
    const scripts = await named(path);
    const { asked, ran } = await scriptsOf(path, shown);
    expect(scripts.filter((script) => !ran.includes(script))).toEqual([]);
    expect(scripts.length).toBeGreaterThan(2);
    expect(asked.length).toBe(new Set(asked).size);
    const others = asked.filter((script) => !scripts.includes(script));
    const isCode = await Promise.all(others.map(async (script) => hasCode(await textOf(script))));
    expect(others.filter((_, index) => isCode[index])).toHaveLength(later);
  },
);

test("the page of a text that asks first names what asks, which a text that does not never loads", async () => {
  const [limited, readable] = await Promise.all(["/paste/limited", "/paste/readable"].map(named));
  const asks = await scriptsOf("/paste/limited", (page) => page.getByRole("button", { name: "Open" }));
  const reads = await scriptsOf("/paste/readable", (page) => page.getByRole("toolbar"));
  const asking = asks.asked.filter((script) => !script.includes("/words/") && !readable?.includes(script));
  expect(asking).not.toEqual([]);
  expect(asking.filter((script) => !limited?.includes(script))).toEqual([]);
  expect(asking.filter((script) => reads.asked.includes(script))).toEqual([]);
});

test.each([
  ["/", (page: Page) => page.getByLabel("Text to share")],
  ["/upload", (page: Page) => page.getByRole("tabpanel", { name: "From this device" })],
] as const)("%s names at once its scripts and words, and runs every one of them", async (path, shown) => {
  const scripts = await named(path);
  const spoken = /data-en="([^"]+)"/.exec(await textOf(path))?.[1]?.split(" ") ?? [];
  const { asked, ran } = await scriptsOf(path, shown);
  expect([...scripts, ...spoken].filter((script) => !ran.includes(script))).toEqual([]);
  expect(scripts.length).toBeGreaterThan(4);
  expect(asked.length).toBe(new Set(asked).size);
});

const looks = { "/paste/readable": "/api/paste/readable", "/file/bytes": "/api/public/files/bytes" } as const;

/** Notes who asked for the share of a page, and in which language. */
function notesOf({ page }: Visit, path: keyof typeof looks) {
  const asked: (string | undefined)[][] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname !== looks[path]) return;
    const { authorization, "accept-language": language } = request.headers();
    asked.push([authorization && "signed in", language]);
  });
  return asked;
}

describe.each(pages)("$path", ({ path, shown }) => {
  test.each([
    ["en-US", "en"],
    ["zh-CN", "zh"],
  ] as const)("is asked for before the app is there, once, in %s", async (locale, language) => {
    await using visit = await journey.visitor({ locale });
    const { page } = visit;
    const asked = notesOf(visit, path);
    const look = page.waitForRequest((request) => new URL(request.url()).pathname === looks[path]);
    const html = await textOf(path);
    const spoken = new RegExp(`data-${language}="([^"]+)"`).exec(html)?.[1]?.split(" ") ?? [];
    expect(spoken).toHaveLength(path === "/paste/readable" ? 1 : 2);
    const words = spoken.map((script) => page.waitForRequest(`**${script}`));
    const app = /<script type="module"[^>]* src="([^"]+)"/.exec(html)?.[1] ?? "";
    await page.route(`**${app}`, async (route) => {
      await Promise.all([look, ...words]);
      await seen(page.getByText("Satchel", { exact: true }));
      await route.continue();
    });
    await page.goto(path);
    await seen(shown(page));
    expect(await page.getByText("Satchel", { exact: true }).count()).toBe(1);
    expect(asked).toEqual([[undefined, language]]);
  });

  test("is asked for by the app, once, for somebody who is signed in", async () => {
    await using visit = await journey.admin({ locale: "en-US" });
    const asked = notesOf(visit, path);
    await visit.page.goto(path);
    await seen(shown(visit.page));
    expect(asked).toEqual([["signed in", "en"]]);
  });

  test("says that it did not come, and asks again when it is told to", async () => {
    await using visit = await journey.visitor({ locale: "en-US" });
    const { page } = visit;
    const asked = notesOf(visit, path);
    // Not by `times`: what the page asks for at the moment in which a route ends may hang.
    let isRefusing = true;
    await page.route(`**${looks[path]}*`, (route) => (isRefusing ? route.abort() : route.continue()));
    await page.goto(path);
    const again = page.getByRole("button", { name: "Try again" });
    await seen(again);
    isRefusing = false;
    await again.click();
    await seen(shown(page));
    // An app that is there before the early request has failed waits for that one, another asks by itself.
    const refused = asked.length - 1;
    expect([1, 2]).toContain(refused);
    const unloaded = expect.stringContaining("Failed to load resource");
    expect(visit.problems.splice(0)).toEqual(Array.from({ length: refused }, () => unloaded));
  });
});

describe("before the app is there", () => {
  /** Opens a page whose scripts come when it is told to. */
  async function withoutApp(path: string, options: Parameters<typeof journey.visitor>[0] = {}) {
    const visit = await journey.visitor({ locale: "en-US", ...options });
    const come = Promise.withResolvers<void>();
    await visit.page.route("**/assets/*.js", async (route) => {
      await come.promise;
      await route.continue();
    });
    await visit.page.goto(path, { waitUntil: "commit" });
    return { visit, come: come.resolve };
  }

  const topOf = async (shown: Locator) => Math.round((await shown.boundingBox())?.y ?? Number.NaN);

  test.each([390, 1280])("a picture stands where it stays, and is fetched once; %d pixels", async (width) => {
    const { visit, come } = await withoutApp("/file/picture", { width, height: 844 });
    await using _ = visit;
    const { page } = visit;
    const fetched: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/file-thumb/")) fetched.push(request.url());
    });
    const picture = page.getByRole("img", { name: "holiday.jpg" });
    const loaded = () => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth);
    await until(loaded, (pixels) => pixels === 800);
    await seen(page.getByRole("heading", { name: "holiday.jpg" }));
    await seen(page.getByRole("button", { name: "Download" }));
    const [before, first] = [await topOf(picture), fetched.length];
    come();
    await seen(page.getByRole("toolbar", { name: "Actions" }));
    expect(await page.getByRole("button", { name: "Enlarge holiday.jpg" }).isEnabled()).toBe(true);
    expect(await topOf(picture)).toBe(before);
    expect(fetched.length).toBe(first);
    expect(await page.getByRole("heading", { name: "holiday.jpg" }).count()).toBe(1);
  });

  test("a file is called by its name, its button has it downloaded, and the app comes all the same", async () => {
    const { visit, come } = await withoutApp("/file/report");
    await using _ = visit;
    const { page } = visit;
    await seen(page.getByRole("heading", { name: "report.csv" }));
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("report.csv");
    come();
    await seen(page.getByRole("toolbar", { name: "Actions" }));
  });

  test.each([
    ["en-US", 390, "Write or paste text here"],
    ["zh-CN", 1280, "在这里写下或粘贴文字"],
  ] as const)("Home says what it is for, in %s where the editor says it; %d pixels", async (locale, width, words) => {
    const { visit, come } = await withoutApp("/", { locale, width, height: 844 });
    await using _ = visit;
    const { page } = visit;
    const hint = page.getByText(words);
    await seen(hint);
    const top = await topOf(hint);
    come();
    // The text area, and what takes its place when it has come.
    await until(
      async () => await topOf(page.locator(".fills-screen :is(textarea, .cm-scroller)").first()),
      (found) => found === top,
    );
  });
});

test("a page of the app that is no share names none of their scripts", async () => {
  const [app, text, file] = await Promise.all(["/admin", "/paste/readable", "/file/bytes"].map(named));
  const shared = app?.filter((script) => text?.includes(script) && file?.includes(script));
  expect(app).toEqual(shared ?? []);
  expect(app?.length).toBeLessThan(Math.min(text?.length ?? 0, file?.length ?? 0));
});

describe("where no scripts run", () => {
  /** Words in a <noscript>, in which Playwright's own selectors do not look. */
  const said = (page: Page, language: string, words: string) =>
    page.locator(`noscript [lang="${language}"] :is(p, button):text("${words}")`);

  test("a page of the app says so in both languages", async () => {
    await using visit = await journey.visitor({ scripts: false });
    const { page } = visit;
    await page.goto("/");
    await seen(said(page, "en", "This page needs JavaScript"));
    await seen(said(page, "zh-CN", "此页面需要 JavaScript"));
    expect(await page.locator("noscript button").count()).toBe(0);
  });

  test("a text that nobody may see without a view says so in both languages, nothing pretends to load, and its button leads to it", async () => {
    await using visit = await journey.visitor({ scripts: false });
    const { page } = visit;
    await page.goto("/paste/limited");
    await seen(said(page, "en", "This page needs JavaScript"));
    await seen(said(page, "zh-CN", "此页面需要 JavaScript"));
    expect(await page.locator(".animate-shimmer:visible").count()).toBe(0);
    await said(page, "en", "Open the text as it is").click();
    await seen(page.getByText("# A title"));
    expect(new URL(page.url()).pathname).toBe("/api/raw/limited");
  });

  test("a file that can be shown is told of and downloaded, and nothing pretends to load", async () => {
    await using visit = await journey.visitor({ scripts: false });
    const { page } = visit;
    await page.goto("/file/report");
    await seen(page.getByRole("heading", { name: "report.csv" }));
    expect(await page.locator(".animate-shimmer:visible").count()).toBe(0);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("report.csv");
  });

  test("a file of which nothing can be shown is downloaded by its button", async () => {
    await using visit = await journey.visitor({ scripts: false, width: 390, height: 844 });
    const { page } = visit;
    await page.goto("/file/bytes");
    await seen(said(page, "zh-CN", "此页面需要 JavaScript"));
    expect(await page.locator(".animate-shimmer:visible").count()).toBe(0);
    const [download] = await Promise.all([page.waitForEvent("download"), said(page, "zh-CN", "下载文件").click()]);
    expect(download.suggestedFilename()).toBe("data.bin");
  });
});

test("a share is loaded again by the browser that opened it, also after its last view, and no other one opens it", async () => {
  await journey.share({ content: "# For you alone", slug: "alone", maxViews: 1, password: "sesame" });
  await journey.shareFile(new File(["for you alone"], "alone.txt"), { slug: "alone-file", max_views: "1" });
  await using first = await journey.visitor();
  const { page } = first;
  await page.goto("/paste/alone");
  expect(await page.title()).not.toContain("For you");
  await page.getByRole("textbox", { name: "Password" }).fill("sesame");
  await page.getByRole("button", { name: /^Open/ }).click();
  await seen(page.getByText("reloading within 10 minutes does not count again"));
  await until(
    () => page.title(),
    (title) => title === "For you alone · Satchel",
  );
  await page.reload();
  await seen(page.getByRole("heading", { name: "For you alone" }));
  await page.goto("/file/alone-file");
  await page.getByRole("button", { name: /^Open/ }).click();
  await seen(page.locator("[data-line]", { hasText: "for you alone" }));
  await page.reload();
  await seen(page.locator("[data-line]", { hasText: "for you alone" }));
  await seen(page.getByText("reloading within 10 minutes does not count again"));
  // A script of the page sees no trace of it.
  expect(await page.evaluate(() => document.cookie)).toBe("");
  await using second = await journey.visitor();
  for (const path of ["/paste/alone", "/file/alone-file"]) {
    await second.page.goto(path);
    await seen(second.page.getByRole("heading", { name: "This share is gone" }));
    expect(await second.page.getByRole("link", { name: "Write an email" }).getAttribute("href")).toStartWith(
      "mailto:?",
    );
  }
  second.forgive(/410/);
});
