import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { findings } from "../../support/browser/axe.ts";
import { UNLOADED } from "../../support/browser/chromium.ts";
import { coloured, preview, until } from "../../support/browser/editor-page.ts";
import { overhang, seen, startJourney } from "../../support/browser/journey.ts";
import { makePng, makeWav } from "../../support/files/media.ts";

const journey = await startJourney();

const open = async (page: Page, content: string) => {
  const { slug } = await journey.share({ content });
  await page.goto(`/paste/${slug}`);
};
const addressOf = async (bytes: Uint8Array<ArrayBuffer>, name: string, type: string) =>
  `/api/file-view/${(await journey.shareFile(new File([bytes], name, { type }))).slug}`;

describe("a table of contents", () => {
  const content = `[toc]\n\n${"word ".repeat(2000)}\n\n# One\n\n${"word ".repeat(2000)}\n\n## Two\n\n${"word ".repeat(2000)}`;
  const isAtTop = (page: Page) =>
    page
      .getByRole("heading", { name: "Two" })
      .evaluate((heading) => heading.getBoundingClientRect().top >= 0 && heading.getBoundingClientRect().top < 300);

  test("leads to the headings of a shared text, in both languages", async () => {
    for (const [locale, name] of [
      ["en-US", "Outline"],
      ["zh-CN", "目录"],
    ] as const) {
      await using visit = await journey.visitor({ locale, width: 390, height: 844 });
      const { page } = visit;
      await open(page, content);
      await page.locator("main nav.md-toc").getByRole("link", { name: "Two" }).click();
      await until(() => isAtTop(page));
      expect(page.url()).toEndWith("#h-1");
      expect(await page.locator("nav.md-toc").getAttribute("aria-label")).toBe(name);
      // The address leads there too, as soon as the text is there.
      await page.reload();
      await until(() => isAtTop(page));
    }
  });

  test("leads to the headings of the preview, and leaves the address alone", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await page.goto("/");
    await seen(coloured(page));
    await coloured(page).fill(content);
    await preview(page).locator(".md-toc").getByRole("link", { name: "Two" }).click();
    await until(() => preview(page).evaluate((pane) => pane.scrollTop > 500));
    expect(new URL(page.url()).hash).toBe("");
  });
});

test("what is said of a diagram speaks the other language too, and what says nothing stays", async () => {
  await using visit = await journey.visitor({ locale: "en-US" });
  const { page } = visit;
  await open(page, "Before it.\n\n```mermaid\ngraph LR\n  A --> B\n```\n\n```mermaid\nno such diagram\n```\n");
  await seen(page.getByRole("img", { name: "Diagram" }));
  await seen(page.getByText("The diagram has an error"));
  await page.getByText("Before it.").evaluate((paragraph) => {
    paragraph.dataset.stays = "1";
  });
  await page.getByRole("combobox", { name: "Language" }).selectOption("中文");
  await seen(page.getByRole("img", { name: "图表" }));
  await seen(page.getByText("图表有语法错误"));
  expect(await page.getByText("Before it.").getAttribute("data-stays")).toBe("1");
});

describe("drawings", () => {
  const groups = Array.from({ length: 9 }, (_, at) => `<g id="a${at + 1}">${`<use href="#a${at}"/>`.repeat(10)}</g>`);
  const drawn = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60">${inside}</svg>`;
  const tower = drawn(`<g id="a0"><rect width="9" height="9"/></g>${groups.join("")}`);
  const light = drawn('<rect width="90" height="60"/>');

  test("of this server are drawn when that is little, and otherwise leave the page alive", async () => {
    const bytes = (svg: string) => new Uint8Array(Buffer.from(svg));
    const [one, other] = [
      await addressOf(bytes(light), "light.svg", "image/svg+xml"),
      await addressOf(bytes(tower), "tower.svg", "image/svg+xml"),
    ];
    await using visit = await journey.visitor();
    const { page } = visit;
    await open(page, `![light](${one})\n\n![tower](${other})`);
    const image = (alt: string) => page.locator(`main img[alt="${alt}"]`);
    await until(() => image("light").evaluate((element) => (element as HTMLImageElement).naturalWidth === 90));
    await page.waitForLoadState("networkidle");
    expect(await image("tower").getAttribute("src")).toBe(other);
    // What the browser tells of the answers that were refused.
    expect(visit.problems.splice(0).filter((problem) => !problem.includes("406"))).toEqual([]);
  });

  test("in a block of code that are much say so, and can be copied", async () => {
    await using visit = await journey.visitor();
    const { page } = visit;
    await open(page, `\`\`\`svg\n${tower}\n\`\`\``);
    await page.getByRole("button", { name: "Preview" }).click();
    const dialog = page.getByRole("dialog", { name: "Picture" });
    await seen(dialog.getByRole("alert"));
    expect(await dialog.locator("iframe").count()).toBe(0);
    await seen(dialog.getByRole("button", { name: "Copy code" }));
  });
});

describe("pictures", () => {
  test("that are too large are never drawn: a card says so, with ways to open and download them", async () => {
    const huge = await addressOf(makePng(20_000, 15_000), "huge.png", "image/png");
    const small = await addressOf(makePng(64, 48), "small.png", "image/png");
    for (const [locale, says, download] of [
      ["en-US", "20,000 × 15,000 pixels: too large to show here.", "Download"],
      ["zh-CN", "20,000 × 15,000 像素，太大，无法在此显示。", "下载"],
    ] as const) {
      await using visit = await journey.visitor({ locale });
      const { page } = visit;
      await open(page, `![huge](${huge})\n\n[![linked](${huge})](https://e.example/)\n\n![small](${small})`);
      await until(async () => (await page.getByText(says).count()) === 2);
      expect(await page.locator("main img").count()).toBe(1);
      await until(() =>
        page
          .locator("main img")
          .evaluate(
            (image: HTMLImageElement) => image.naturalWidth === 64 && getComputedStyle(image).visibility === "visible",
          ),
      );
      const link = page.getByRole("link", { name: download });
      expect(await link.count()).toBe(1);
      const [file] = await Promise.all([page.waitForEvent("download"), link.click()]);
      expect(file.suggestedFilename()).toBe("huge.png");
    }
  });

  test("that are gone leave their words", async () => {
    await using visit = await journey.visitor();
    await open(visit.page, "![what was there](/api/file-view/nowhere)");
    await until(() =>
      visit.page
        .locator("main img")
        .evaluate((image: HTMLImageElement) => image.complete && image.style.visibility === ""),
    );
    visit.forgive(UNLOADED);
  });

  test("of other sites that are too large are held back after the press as well", async () => {
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.route("https://elsewhere.example/**", (route) =>
      route.fulfill({ contentType: "image/png", body: Buffer.from(makePng(20_000, 15_000)) }),
    );
    await open(page, "![far](https://elsewhere.example/far.png)");
    await page.getByRole("button", { name: /elsewhere\.example/ }).click();
    await seen(page.getByText("20,000 × 15,000 pixels"));
    expect(await page.locator("main img").count()).toBe(0);
    expect(visit.strangers.splice(0)).toEqual(["https://elsewhere.example/far.png"]);
  });

  test("that are too large are held back while a text is written: in the preview, and in the live view", async () => {
    const huge = await addressOf(makePng(20_000, 15_000), "huge.png", "image/png");
    await using visit = await journey.admin();
    const { page } = visit;
    await page.goto("/");
    await seen(coloured(page));
    await coloured(page).fill(`# Title\n\n![huge](${huge})\n\nend`);
    await seen(preview(page).getByText("20,000 × 15,000 pixels"));
    await page.getByRole("button", { name: "Live", exact: true }).click();
    await seen(coloured(page).getByText("20,000 × 15,000 pixels"));
    expect(await coloured(page).locator("img.live-picture").count()).toBe(0);
  });
});

describe("videos and sound", () => {
  test("of this server play where they stand, and are not asked for before", async () => {
    const sound = await addressOf(makeWav(), "beep.wav", "audio/wav");
    await using visit = await journey.visitor();
    const { page } = visit;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await open(page, `[beep.wav](${sound})\n\n![clip.mp4](${sound})\n\nsee [beep.wav](${sound})`);
    await seen(page.locator("audio"));
    await seen(page.locator("video"));
    await page.waitForLoadState("networkidle");
    expect(asked).not.toContain(sound);
    for (const kind of ["audio", "video"])
      expect(await page.locator(kind).evaluate((one: HTMLMediaElement) => [one.controls, one.preload])).toEqual([
        true,
        "none",
      ]);
    await page.locator("audio").evaluate((one: HTMLMediaElement) => one.play());
    await until(() => page.locator("audio").evaluate((one: HTMLMediaElement) => one.currentTime > 0 || one.ended));
    expect(asked).toContain(sound);
    expect(await page.locator(".markdown a").count()).toBe(3);
  });

  test("that cannot be played leave their link, and say so", async () => {
    const broken = await addressOf(new Uint8Array(100), "broken.mp4", "video/mp4");
    await using visit = await journey.visitor();
    const { page } = visit;
    await open(page, `[broken.mp4](${broken})`);
    await page.locator("video").evaluate((one: HTMLMediaElement) => one.play().catch(() => null));
    await seen(page.getByText("Your browser cannot play this."));
    await seen(page.getByRole("link", { name: "broken.mp4" }));
    visit.forgive(UNLOADED);
  });

  test("of other sites wait for a press, or stay links", async () => {
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.route("https://elsewhere.example/**", (route) => route.abort());
    await open(page, "![far](https://elsewhere.example/far.mp3)\n\n[link](https://elsewhere.example/far.mp4)");
    const button = page.getByRole("button", { name: "far Load media from elsewhere.example" });
    await seen(button);
    await page.waitForLoadState("networkidle");
    expect(visit.strangers).toEqual([]);
    expect(await page.locator("audio, video").count()).toBe(0);
    await button.click();
    await seen(page.locator("audio"));
    expect(await page.locator("audio").getAttribute("src")).toBe("https://elsewhere.example/far.mp3");
    expect(await page.locator("audio").evaluate((one) => document.activeElement === one)).toBe(true);
    expect(visit.strangers).toEqual([]);
  });
});

test("the letters of a Gantt chart can be read, on a phone by moving it sideways", async () => {
  const content = "```mermaid\ngantt\n  section Design\n  Sketch :a1, 2026-01-01, 10d\n  Review :after a1, 20d\n```";
  const { slug } = await journey.share({ content });
  for (const width of [390, 1280]) {
    await using visit = await journey.visitor({ width, height: 844 });
    const { page } = visit;
    await page.goto(`/paste/${slug}`);
    const chart = page.locator(".md-diagram[data-drawn]");
    await seen(chart.getByText("Sketch"));
    const sizes = await chart
      .locator("text")
      .evaluateAll((texts) =>
        texts.filter((text) => text.textContent).map((text) => text.getBoundingClientRect().height),
      );
    expect(Math.min(...sizes)).toBeGreaterThan(11);
    const dates = await chart.locator(".grid .tick text").evaluateAll((texts) =>
      texts.map((text) => {
        const { left, right } = text.getBoundingClientRect();
        return { left, right };
      }),
    );
    expect(dates.length).toBeGreaterThan(3);
    for (const [at, { left }] of dates.entries()) expect(left).toBeGreaterThan(dates[at - 1]?.right ?? 0);
    expect(await overhang(page)).toBe(0);
    expect(await findings(page)).toEqual([]);
  }
});

test("names of emoji become them, and what is none's stays as it is written", async () => {
  const { slug } = await journey.share({
    content: "# :rocket: Launch\n\nAll :white_check_mark:, :nobody_knows: and :+1:.",
  });
  await using visit = await journey.visitor();
  const { page } = visit;
  await page.goto(`/paste/${slug}`);
  await seen(page.getByRole("heading", { level: 1, name: "🚀 Launch" }));
  await seen(page.getByText("All ✅, :nobody_knows: and 👍."));
});

test("numbers stand beside code, and are no part of what is selected or copied", async () => {
  const code = "/* of\n   two lines */\n\nlet a = 1;";
  for (const size of [{}, { width: 390, height: 844 }]) {
    await using visit = await journey.visitor(size);
    const { page } = visit;
    await open(page, `\`\`\`js\n${code} // ${"long ".repeat(40)}\n\`\`\`\n\n\`\`\`\n${"line\n".repeat(40)}\`\`\``);
    await seen(page.locator(".md-numbered .hljs-keyword"));
    const lines = page.locator(".md-code").first().locator("code > span");
    expect(await lines.count()).toBe(4);
    expect(await lines.nth(3).evaluate((line) => getComputedStyle(line, "::before").content)).toBe("counter(line)");
    await page.getByRole("button", { name: "Copy", exact: true }).first().click();
    await until(async () => (await page.evaluate(() => navigator.clipboard.readText())).startsWith(`${code} // long`));
    const selected = await page
      .locator(".md-numbered")
      .first()
      .evaluate((pre) => {
        getSelection()?.selectAllChildren(pre);
        return String(getSelection());
      });
    expect(selected).toStartWith(`${code} // long`);
    // A phone wraps the line that a desk scrolls to.
    const scrolls = await page
      .locator(".md-numbered")
      .first()
      .evaluate((pre) => pre.scrollWidth > pre.clientWidth);
    expect(scrolls).toBe(!("width" in size));
    const folded = page.locator(".md-code[data-folded]");
    await folded.getByRole("button", { name: "Show all" }).click();
    await until(async () => (await folded.getAttribute("data-folded")) === "0");
    expect(await folded.locator("code > span").count()).toBe(40);
  }
});
