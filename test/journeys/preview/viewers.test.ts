import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { findings } from "../../support/browser/axe.ts";
import { screenshot } from "../../support/browser/chromium.ts";
import { basePath, gone, overhang, PIXEL, seen, startJourney, until } from "../../support/browser/journey.ts";
import { makePng, makeWav, recordFilm } from "../../support/files/media.ts";
import { makeDocx, makeWorkbook } from "../../support/files/office.ts";
import { makePdf } from "../../support/files/pdf.ts";
import { makeZip } from "../../support/files/zip.ts";

/** Each viewer with a small real file of its kind, on a share's page. */

const journey = await startJourney();

const film = await (async () => {
  await using visit = await journey.visitor();
  await visit.page.goto("/");
  return await recordFilm(visit.page);
})();

const pages = Array.from({ length: 12 }, (_, index) => ({
  lines: [`Page number ${index + 1}`, index === 7 ? "A needle is hidden here." : "Nothing but hay."],
  chinese: "中文内容",
}));
const gbk = Buffer.from("d5e2cac7d2bbb8f6b2e2cad4cec4bcfea3acd3c3c0b4bcecb2e9b1e0c2eba1a3", "hex");
const rows = Array.from({ length: 5000 }, (_, index) => `${index + 1},name ${index + 1},"a, quoted"`);

interface Shown {
  readonly name: string;
  readonly content: BlobPart;
  /** Waits for what is to be seen of it. */
  shows(page: Page): Promise<unknown>;
}

const text = (words: string) => (page: Page) => seen(page.getByText(words).first());
const framed = (words: string) => (page: Page) => seen(page.frameLocator("main iframe").getByText(words).first());

const files: readonly Shown[] = [
  {
    name: "report.pdf",
    content: makePdf(pages),
    async shows(page) {
      await seen(page.getByText("Page number 1", { exact: true }));
      await seen(page.getByText("中文内容").first());
      await seen(page.getByText("/ 12"));
    },
  },
  {
    name: "letter.docx",
    content: makeDocx("A letter 一封信", ["Dear reader,", "this is a paragraph that somebody wrote."]),
    shows: framed("this is a paragraph"),
  },
  {
    name: "budget.xlsx",
    content: makeWorkbook({
      Budget: [
        ["What", "How much"],
        ["Rent", 1200],
        ["纸张", 35.5],
      ],
      Notes: [["A note"]],
    }),
    shows: text("纸张"),
  },
  { name: "old.xls", content: makeWorkbook({ Old: [["An old cell", 7]] }, "biff8"), shows: text("An old cell") },
  { name: "open.ods", content: makeWorkbook({ Open: [["An open cell", 7]] }, "ods"), shows: text("An open cell") },
  { name: "data.csv", content: `id,name,note\n${rows.join("\n")}`, shows: text("a, quoted") },
  {
    name: "package.json",
    content: JSON.stringify({ name: "satchel", id: 1, list: [1, 2, { deep: { deeper: "found" } }] }).replace(
      '"id":1',
      '"id":12345678901234567890',
    ),
    shows: text("12345678901234567890"),
  },
  {
    name: "readme.md",
    content: "# A title\n\nSome *text*.",
    shows: (page) => seen(page.getByRole("heading", { name: "A title" })),
  },
  {
    name: "script.py",
    content: 'def hello(name):\n    """A\n    docstring"""\n    return f"Hello {name}"  # a comment\n',
    shows: (page) => seen(page.locator(".hljs-keyword", { hasText: "def" })),
  },
  {
    name: "编码 gbk.txt",
    content: gbk,
    shows: async (page) => {
      await seen(page.getByText("这是一个测试文件"));
      await page.getByText("1 line, 16 characters").waitFor({ state: "attached" });
    },
  },
  { name: "Dockerfile", content: "FROM debian:12\nRUN true\n", shows: text("FROM") },
  { name: "no-name-tells", content: "#!/bin/sh\necho found out\n", shows: text("echo found out") },
  {
    name: "bundle.zip",
    content: makeZip({ "folder/": "", "folder/hello.txt": "Hello from the archive.", "图片/a.png": PIXEL }),
    shows: async (page) => {
      await page.getByRole("button", { name: "folder" }).click();
      await seen(page.getByText("hello.txt"));
    },
  },
  {
    name: "film.webm",
    content: film,
    shows: (page) =>
      until(
        () => page.locator("video").evaluate((video: HTMLVideoElement) => video.videoWidth),
        (width) => width === 320,
      ),
  },
  {
    name: "tone.wav",
    content: makeWav(),
    shows: (page) =>
      until(
        () => page.locator("audio").evaluate((audio: HTMLAudioElement) => audio.duration),
        (duration) => duration === 1,
      ),
  },
  { name: "slides.pptx", content: "PK", shows: text("Open in an online viewer") },
  {
    name: "picture.png",
    content: makePng(64, 48),
    shows: (page) => seen(page.getByRole("img", { name: "picture.png" })),
  },
  {
    name: "drawing.svg",
    content:
      '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><rect width="64" height="48" fill="#c2410c"/></svg>',
    shows: (page) => seen(page.getByRole("img", { name: "drawing.svg" })),
  },
  {
    name: "page.html",
    content: "<h1>A page</h1><p>of somebody</p>",
    async shows(page) {
      await framed("of somebody")(page);
      await page.getByRole("button", { name: "Source" }).click();
      await seen(page.locator("[data-line]", { hasText: "<h1>A page</h1>" }));
    },
  },
  {
    name: "program.bin",
    content: new Uint8Array([0, 1, 2, 3, 255, 254]),
    async shows(page) {
      await seen(page.getByRole("link", { name: "Download" }));
      await seen(page.getByText("6 B"));
    },
  },
];

const shared = new Map<string, string>();
for (const { name, content } of files) shared.set(name, (await journey.shareFile(new File([content], name))).url);

const looks = [
  { theme: "light", width: 1280, height: 800 },
  // What a viewer looks like does not depend on the path of its server.
  ...(basePath === "" ? [{ theme: "dark", width: 390, height: 844 } as const] : []),
] as const;

describe.each(looks)("in $theme, $width pixels wide", (look) => {
  test.each(files.map((file) => [file.name, file] as const))("%s is shown", async (name, { shows }) => {
    await using visit = await journey.visitor(look);
    const { page } = visit;
    await page.goto(shared.get(name) ?? "");
    await shows(page);
    await screenshot(page, `viewer-${name}-${look.theme}`);
    expect(await overhang(page)).toBe(0);
    expect(await findings(page)).toEqual([]);
  });
});

describe("a PDF", () => {
  test("is searched, turned over and enlarged", async () => {
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto(shared.get("report.pdf") ?? "");
    await seen(page.getByText("Page number 1", { exact: true }));
    expect(await page.locator("canvas").count()).toBeLessThan(8);
    await page.getByRole("searchbox", { name: "Search" }).fill("needle  is hid");
    await seen(page.getByText("1 / 1", { exact: true }));
    await seen(page.getByText("A needle is hidden here."));
    expect(await page.getByRole("textbox", { name: "Page", exact: true }).inputValue()).toBe("8");
    await page.getByRole("textbox", { name: "Page", exact: true }).fill("12");
    await page.keyboard.press("Enter");
    await seen(page.getByText("Page number 12"));
    const width = () => page.locator('[data-page="12"]').evaluate((element) => element.clientWidth);
    await page.getByRole("combobox", { name: "Zoom" }).selectOption("1");
    await until(width, (now) => now === 298);
    await page.getByRole("button", { name: "Zoom in" }).click();
    await until(width, (now) => Math.abs(now - 298 * 1.25) < 1);
  });
});

describe("a table and a text", () => {
  test("a table of thousands of rows draws those in sight, and is a source as well", async () => {
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto(shared.get("data.csv") ?? "");
    await seen(page.getByText("name 1", { exact: true }));
    expect(await page.getByRole("row").count()).toBeLessThan(80);
    await page
      .getByRole("region", { name: /data\.csv/ })
      .evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await seen(page.getByText("name 5000", { exact: true }));
    await page.getByRole("button", { name: "Source" }).click();
    await seen(page.locator('[data-line="2"]', { hasText: "1,name 1" }));
  });

  test("a sheet is one press away", async () => {
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto(shared.get("budget.xlsx") ?? "");
    await page.getByRole("tab", { name: "Notes" }).click();
    await seen(page.getByText("A note"));
  });

  test("a text is read in the encoding that is chosen", async () => {
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto(shared.get("编码 gbk.txt") ?? "");
    const chooser = page.getByRole("combobox", { name: "Encoding" });
    const text = page.getByText("这是一个测试文件");
    await until(
      () => chooser.locator(":checked").textContent(),
      (chosen) => chosen === "GB18030 (auto)",
    );
    await seen(text.first());
    await chooser.selectOption("Big5");
    await gone(text);
    // Back to what is found out.
    await chooser.selectOption({ index: 0 });
    await seen(text.first());
  });

  test("ten megabytes open, scroll and wrap without a pause that is felt", async () => {
    const line = "The quick brown fox jumps over the lazy dog; 敏捷的棕色狐狸跳过懒狗。\n";
    const lines = Math.floor((10 * 1024 * 1024) / Buffer.byteLength(line));
    const { url } = await journey.shareFile(new File([line.repeat(lines)], "large.txt"));
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto(url);
    await seen(page.locator('[data-line="1"]'));
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await seen(page.locator(`[data-line="${lines}"]`));
    await page.evaluate(() => window.scrollTo(0, 0));
    await seen(page.locator('[data-line="1"]'));
  });

  test("a log that is larger is read from its beginning, without the rest of it", async () => {
    const line = (at: number) => `line ${at} 敏捷的棕色狐狸\n`;
    const log = Array.from({ length: 500_000 }, (_, at) => line(at + 1)).join("");
    const { url } = await journey.shareFile(new File([log], "server.log"));
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto(url);
    await seen(page.getByText(/^Only the first 1 MB of [\d.]+ MB is shown\. Download the file to see everything\.$/));
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    // A mebibyte of them, and none that is cut.
    const shown =
      Buffer.from(log)
        .subarray(0, 1024 * 1024)
        .toString()
        .split("\n").length - 1;
    await seen(page.locator(`[data-line="${shown}"]`, { hasText: line(shown).trim() }));
    expect(await page.locator(`[data-line="${shown + 1}"]`).count()).toBe(0);
  });
});

test("a film answers to its keys", async () => {
  await using visit = await journey.visitor();
  const { page } = visit;
  await page.goto(shared.get("film.webm") ?? "");
  const video = page.locator("video");
  await until(
    () => video.evaluate((element: HTMLVideoElement) => element.readyState),
    (state) => state > 0,
  );
  await page.keyboard.press(" ");
  await until(
    () => video.evaluate((element: HTMLVideoElement) => element.currentTime),
    (time) => time > 0,
  );
  await page.keyboard.press("m");
  expect(await video.evaluate((element: HTMLVideoElement) => element.muted)).toBe(true);
  await page.getByRole("combobox", { name: "Speed" }).selectOption("2");
  expect(await video.evaluate((element: HTMLVideoElement) => element.playbackRate)).toBe(2);
  await page.getByRole("button", { name: "Loop" }).click();
  expect(await video.evaluate((element: HTMLVideoElement) => element.loop)).toBe(true);
  const [still] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save this frame as a picture" }).click(),
  ]);
  expect(still.suggestedFilename()).toMatch(/^film \d+\.\d\.png$/);
  const size = new DataView(await Bun.file(await still.path()).arrayBuffer());
  expect([size.getUint32(16), size.getUint32(20)]).toEqual([320, 180]);
});

test("an office file goes to a provider only after a press that says so, by an address that opens it", async () => {
  await using visit = await journey.visitor();
  const { page } = visit;
  await visit.context.route(/officeapps|docs\.google/, (route) =>
    route.fulfill({ contentType: "text/html", body: "<p>The provider's viewer</p>" }),
  );
  await page.goto(shared.get("slides.pptx") ?? "");
  await page.getByRole("button", { name: "Open in an online viewer" }).click();
  await seen(page.getByText("The file leaves this server", { exact: false }));
  expect(visit.strangers).toEqual([]);
  await page.getByRole("button", { name: "Microsoft Office" }).click();
  await seen(page.frameLocator("main iframe").getByText("The provider's viewer"));
  await page.getByRole("button", { name: "Google Docs" }).click();
  await until(
    () => visit.strangers.length,
    (count) => count === 2,
  );
  const [microsoft = "", google = ""] = visit.strangers.splice(0).map((url) => new URL(url));
  expect([(microsoft as URL).host, (google as URL).host]).toEqual(["view.officeapps.live.com", "docs.google.com"]);
  const handed = (microsoft as URL).searchParams.get("src") ?? "";
  expect(await (await fetch(handed)).text()).toBe("PK");
});
