import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Visit } from "../../support/browser/chromium.ts";
import { basePath, gone, seen, startJourney } from "../../support/browser/journey.ts";
import { shiftsOf, watchShifts } from "../../support/browser/layout-shifts.ts";

/** A text that stands in its page before the scripts of the page do, and where none run. */

const journey = await startJourney();

const paragraphs = Array.from({ length: 30 }, (_, at) => `Paragraph ${at + 1} of *some* length, which goes on and on.`);
const content = `# The title

Two lines
of one paragraph, a [link](https://example.com/) and \`code\`.

- [x] done
- [ ] open

| Name | Value |
|------|------:|
| one  |     1 |

\`\`\`js
const one = 1;
const two = 2;
\`\`\`

## A second part

> quoted

![A picture](https://pictures.example/a.png)

${paragraphs.join("\n\n")}

## The last part

The end.`;

await journey.share({ content, slug: "markdown" });
/** One that the page takes as it is. */
const alike = content.replace(/- \[x\][\s\S]*?\n\n/, "").replace(/!\[.*\n/, "> [!NOTE]\n> Noted.\n");
await journey.share({ content: alike, slug: "alike" });
await journey.share({ content, slug: "noted", remark: "A note of its owner" });
await journey.share({ content: "plain <b>text</b>\n  with its spaces\n\nand lines", slug: "plain", plain: true });

const path = (slug: string) => `${basePath}/paste/${slug}`;

/** Keeps the app from coming, or lets it come: what is held comes as soon as `release` is called. */
async function heldApp({ page }: Visit) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const html = await (await fetch(`${journey.server.address}/paste/markdown`)).text();
  const app = /<script type="module"[^>]* src="([^"]+)"/.exec(html)?.[1] ?? "";
  await page.route(`**${app}`, async (route) => {
    await promise;
    await route.continue();
  });
  return { release: resolve };
}

/** Where some words are drawn. */
const placeOf = (page: Page, words: string) =>
  page.evaluate((wanted) => {
    const walker = document.createTreeWalker(document.querySelector("main") ?? document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.nodeValue?.indexOf(wanted) ?? -1;
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      const { left, top, width } = range.getBoundingClientRect();
      return [left, top, width].map(Math.round);
    }
    return undefined;
  }, words);

const app = (page: Page) => page.getByRole("toolbar");

/** Waits for the styles and fonts without which nobody sees anything of a page, although its words have come. */
const styled = (page: Page) =>
  page.waitForFunction(() => {
    const sheets = [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")];
    return sheets.length > 0 && sheets.every(({ sheet }) => sheet) && document.fonts.status === "loaded";
  });

describe("where no scripts run", () => {
  test.each([
    ["en-US", "never expires", "Open the text as it is"],
    ["zh-CN", "永不过期", "直接打开文本"],
  ] as const)("in %s it reads as with them, and its button leads to the text as it is", async (locale, never, open) => {
    await using visit = await journey.visitor({ scripts: false, locale });
    const { page } = visit;
    await page.goto("/paste/markdown");
    await seen(page.getByRole("heading", { name: "The title" }));
    await seen(page.getByText("The end."));
    await seen(page.getByText(never));
    expect(await page.getByText("JavaScript").count()).toBe(0);
    expect(await page.locator(".animate-shimmer").count()).toBe(0);
    expect(await page.locator("main img").count()).toBe(0);
    await page.getByRole("button", { name: open }).click();
    await seen(page.getByText("# The title"));
    expect(new URL(page.url()).pathname).toBe(`${basePath}/api/raw/markdown`);
  });

  test("a text as it was written keeps its spaces and lines, and makes nothing of marks", async () => {
    await using visit = await journey.visitor({ scripts: false });
    await visit.page.goto("/paste/plain");
    const pre = visit.page.locator("main pre");
    expect(await pre.evaluate((element) => getComputedStyle(element).whiteSpaceCollapse)).toBe("preserve");
    expect(await pre.textContent()).toBe("plain <b>text</b>\n  with its spaces\n\nand lines");
  });

  test.each(["light", "dark"] as const)("the system chooses the theme: %s", async (theme) => {
    await using visit = await journey.visitor({ scripts: false, theme });
    const { page } = visit;
    await page.goto("/paste/markdown");
    const [paper, ink] = await page.evaluate(() => {
      const { backgroundColor, color } = getComputedStyle(document.body);
      return [backgroundColor, color];
    });
    expect([paper, ink]).toEqual(
      theme === "dark" ? ["rgb(23, 21, 19)", "rgb(242, 239, 235)"] : ["rgb(250, 249, 247)", "rgb(28, 25, 23)"],
    );
  });
});

describe.each([
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
])("where the app comes, at %j", (size) => {
  test.each(["markdown", "alike", "noted", "plain"])("nothing jumps: %s", async (slug) => {
    await using visit = await journey.visitor({ ...size, locale: "en-US" });
    const { page } = visit;
    await watchShifts(visit);
    const { release } = await heldApp(visit);
    await page.goto(path(slug).slice(basePath.length), { waitUntil: "commit" });
    const words = slug === "plain" ? "with its spaces" : "Two lines";
    await seen(page.getByText(words));
    await styled(page);
    const before = await placeOf(page, words);
    expect(before).toBeDefined();
    release();
    await seen(app(page));
    await gone(page.locator("[data-served]"));
    expect(await placeOf(page, words)).toEqual(before);
    expect(await shiftsOf(page)).toEqual([]);
  });

  test("who has scrolled stays there", async () => {
    await using visit = await journey.visitor({ ...size, locale: "en-US" });
    const { page } = visit;
    const { release } = await heldApp(visit);
    await page.goto("/paste/markdown", { waitUntil: "commit" });
    const last = page.getByText("Paragraph 20 of");
    await last.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => scrollY);
    expect(before).toBeGreaterThan(100);
    release();
    await seen(page.locator(".md-code [data-act=copy]"));
    await gone(page.locator("[data-served]"));
    expect(await page.evaluate(() => scrollY)).toBe(before);
  });
});

test.each([
  ["in one line", 412],
  ["in two lines", 360],
])("on a phone nothing moves below what is known of a shared file, %s, when the app comes", async (_, width) => {
  const { slug } = await journey.shareFile(new File(["a,b\n1,2\n"], "a.csv"));
  await using visit = await journey.visitor({ width, height: 844, locale: "en-US" });
  const { page } = visit;
  const { release } = await heldApp(visit);
  await page.goto(`/file/${slug}`, { waitUntil: "commit" });
  await seen(page.getByRole("button", { name: "Download" }));
  await styled(page);
  const before = await placeOf(page, "Download");
  release();
  await seen(page.getByRole("cell", { name: "2" }));
  await gone(page.locator("#served"));
  expect(await placeOf(page, "Download")).toEqual(before);
});

test("a text that the server has rendered whole needs nothing that renders, and its code can be copied and is coloured", async () => {
  await using visit = await journey.visitor({ locale: "en-US" });
  const { page } = visit;
  await page.goto("/paste/alike");
  await seen(page.locator(".md-code [class^=hljs]").first());
  await page.getByRole("button", { name: "Copy", exact: true }).last().click();
  await seen(page.locator(".md-code").getByText("Copied"));
  const served = await page.locator("[data-whole]").getAttribute("data-whole");
  expect(served).toMatch(/^\S+ 1 en$/);
});

test("a visit counts one view, and what shows the text is the app", async () => {
  const { id } = await journey.share({ content: "# Counted", slug: "counted" });
  await using visit = await journey.visitor({ locale: "en-US" });
  const { page } = visit;
  await page.goto("/paste/counted");
  await seen(app(page));
  const { data } = await journey.call<{ data: { views: number } }>("GET", `/api/pastes/${id}`);
  expect(data.views).toBe(1);
});

test("the page that was served is no other page's", async () => {
  await using visit = await journey.visitor({ locale: "en-US" });
  const { page } = visit;
  await page.goto("/paste/noted");
  await seen(app(page));
  await page.route("**/api/paste/markdown*", () => undefined);
  await page.evaluate((to) => {
    history.pushState({}, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, path("markdown"));
  await seen(page.getByRole("status", { name: "Opening…" }));
  expect(await page.getByText("A note of its owner").count()).toBe(0);
});
