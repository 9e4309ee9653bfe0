import { describe, expect, test } from "bun:test";
import { findings } from "../../support/browser/axe.ts";
import type { Visit } from "../../support/browser/chromium.ts";
import { seen, startJourney, until } from "../../support/browser/journey.ts";
import { makeEpub } from "../../support/files/epub.ts";
import { bothThemes, browserOf, look } from "../../support/screens/screen.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

const journey = await startJourney();
const TYPE = "application/epub+zip";

async function shared(book: Uint8Array<ArrayBuffer>, name = "book.epub"): Promise<string> {
  return (await journey.shareFile(new File([book], name, { type: TYPE }))).url;
}

async function open(book: Uint8Array<ArrayBuffer>): Promise<Visit> {
  const visit = await journey.visitor();
  await visit.page.goto(await shared(book));
  return visit;
}

const long = Array.from(
  { length: 80 },
  (_, at) => `<p id="p${at}">Paragraph ${at} of a story that goes on&#160;and on.</p>`,
);
const novel = makeEpub({
  chapters: {
    one: `<h1>The beginning</h1><p>Once<a href="notes.xhtml#n1">1</a> there was a harbour.</p><p><img src="../images/pixel%201.png" alt="A map"/></p>${long.join("")}`,
    two: "<h1>The middle</h1><p>The ships came back.</p>",
    notes: `<h1>Notes</h1>${long.join("")}<p id="n1">In the year 1702.</p>`,
  },
  css: "h1 { letter-spacing: 1px; color: rgb(1, 2, 3) } p { background: url('images/pixel%201.png') }",
});

describe("a book", () => {
  test("is read chapter by chapter, by buttons, keys, contents and links, and opened again where it was left", async () => {
    await using visit = await open(novel);
    const { page } = visit;
    const text = page.frameLocator("iframe");
    await seen(text.getByRole("heading", { name: "The beginning" }));
    const map = text.getByAltText("A map");
    await until(
      () => map.evaluate((image: HTMLImageElement) => image.naturalWidth),
      (width) => width === 1,
    );
    await page.getByRole("button", { name: "Next chapter" }).click();
    await seen(text.getByRole("heading", { name: "The middle" }));
    await text.getByText("The ships came back.").click();
    await page.keyboard.press("ArrowLeft");
    await text.getByRole("link", { name: "1" }).click();
    const note = text.getByText("In the year 1702.");
    await until(() => note.evaluate((element) => element.getBoundingClientRect().top < window.innerHeight), Boolean);
    await page.getByRole("button", { name: "Contents" }).click();
    await page.getByRole("button", { name: "Chapter two" }).click();
    await seen(text.getByRole("heading", { name: "The middle" }));
    await page.getByRole("button", { name: "Larger text" }).click();
    await page.reload();
    await seen(text.getByRole("heading", { name: "The middle" }));
    await until(
      () => text.locator("html").evaluate((root) => root.style.fontSize),
      (size) => size === "120%",
    );
  });

  test("is read in the explorer too, where its keys turn its chapters and not the files of the folder", async () => {
    const seeds = treeSeeds(journey);
    await seeds.folder("/drive/books");
    await seeds.file("/drive/books/novel.epub", novel, TYPE);
    await seeds.text("/drive/books/other.txt");
    await using visit = await journey.admin();
    const { page } = visit;
    await page.goto("/mount-explorer/drive/books?preview=novel.epub");
    const text = page.frameLocator("iframe");
    await seen(text.getByRole("heading", { name: "The beginning" }));
    await page.getByRole("button", { name: "Contents" }).focus();
    await page.keyboard.press("ArrowRight");
    await seen(text.getByRole("heading", { name: "The middle" }));
    expect(page.url()).toContain("novel.epub");
  });

  test("written from the top to the bottom and turned from the right keeps its ways", async () => {
    const book = makeEpub({
      chapters: { a: `<h1>一</h1><p>${"港口的故事。".repeat(300)}</p>`, b: "<h1>二</h1>" },
      css: "html { writing-mode: vertical-rl }",
      spine: 'page-progression-direction="rtl"',
    });
    await using visit = await open(book);
    const { page } = visit;
    const text = page.frameLocator("iframe");
    await seen(text.getByRole("heading", { name: "一" }));
    expect(await text.locator("html").evaluate((root) => root.scrollWidth > root.clientWidth)).toBe(true);
    // A press would wait for a turn of the frame, which runs no script.
    await text.locator("html").evaluate((root) => root.ownerDocument.defaultView?.focus());
    await page.keyboard.press("ArrowLeft");
    await seen(text.getByRole("heading", { name: "二" }));
  });
});

describe("a hostile book", () => {
  const said = (visit: Visit, words: RegExp) => seen(visit.page.getByText(words));

  test("runs nothing, loads nothing from elsewhere, and leads out of nothing", async () => {
    const attack = `<script>top.document.title = "taken"</script><img src="x" onerror="top.document.title='taken'"/>
      <img src="https://elsewhere.example/a.png" alt="far"/><img src="../../../../etc/passwd" alt="up"/>
      <iframe src="https://elsewhere.example/"></iframe><object data="x.svg"/><a href="javascript:top.document.title='taken'">run</a>
      <form action="https://elsewhere.example/"><input name="a"/></form><meta http-equiv="refresh" content="0;url=https://elsewhere.example/"/>
      <div style="background:url(https://elsewhere.example/b.png)">x</div><svg xmlns="http://www.w3.org/2000/svg"><script>top.document.title="taken"</script></svg>
      <p id="__proto__">The end</p>`;
    const css =
      "@import url(https://elsewhere.example/c.css); p { background: url(https://elsewhere.example/d.png) } @font-face { font-family: x; src: url('http://elsewhere.example/e.woff') } p { font-family: x }";
    await using visit = await open(makeEpub({ chapters: { a: attack }, css }));
    const text = visit.page.frameLocator("iframe");
    await seen(text.getByText("The end"));
    const link = text.getByText("run");
    await link.click();
    expect(await text.locator("script, iframe, object, form, meta[http-equiv=refresh], [onerror]").count()).toBe(0);
    expect(await visit.page.title()).not.toBe("taken");
  });

  test.each([
    ["without a list of chapters", { "OEBPS/book.opf": "<package><manifest/></package>" }, /damaged/],
    ["without a package", { "META-INF/container.xml": "<container/>" }, /damaged/],
    [
      "of entities that grow",
      { "OEBPS/book.opf": '<!DOCTYPE x [<!ENTITY a "aaaa">]><package>&a;</package>' },
      /damaged/,
    ],
    ["of document types that do not end", { "OEBPS/book.opf": "<!DOCTYPE".repeat(400_000) }, /damaged/],
    [
      "of a package of megabytes",
      { "OEBPS/book.opf": `<package>${" ".repeat(5_000_000)}</package>` },
      /too large|damaged/,
    ],
    [
      "that is locked",
      {
        "META-INF/encryption.xml":
          '<encryption><EncryptedData><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/></EncryptedData></encryption>',
      },
      /is protected \(DRM\)/,
    ],
  ] as const)("%s is told in a sentence", async (_, files, words) => {
    await using visit = await open(makeEpub({ chapters: { a: "x" }, files }));
    await said(visit, words);
  });

  test("whose chapter unpacks to more than a page can bear says so, and the next one is read", async () => {
    const files = { "OEBPS/text/a.xhtml": Buffer.alloc(300 * 1024 * 1024, 0x20) };
    await using visit = await open(makeEpub({ chapters: { a: "x", b: "<h1>Safe</h1>" }, files }));
    await said(visit, /This chapter is damaged/);
    await visit.page.getByRole("button", { name: "Next chapter" }).click();
    await seen(visit.page.frameLocator("iframe").getByRole("heading", { name: "Safe" }));
  });

  test("whose lines of contents are within each other, with megabytes of text in the innermost, is read", async () => {
    const inner = `${'<a href="text/a.xhtml">'.repeat(250)}${"w ".repeat(1_900_000)}${"</a>".repeat(250)}`;
    const nav = `<html xmlns="http://www.w3.org/1999/xhtml"><body><nav><ol><li>${inner}</li></ol></nav></body></html>`;
    await using visit = await open(makeEpub({ chapters: { a: "<h1>Read</h1>" }, files: { "OEBPS/nav.xhtml": nav } }));
    await seen(visit.page.frameLocator("iframe").getByRole("heading", { name: "Read" }));
  });

  test("whose elements are within each other 50,000 times says so, and a chapter that is no XML is read", async () => {
    const deep = `${"<div>".repeat(50_000)}The bottom${"</div>".repeat(50_000)}`;
    await using visit = await open(makeEpub({ chapters: { one: deep, two: "<p>An open end" } }));
    const { page } = visit;
    await said(visit, /too complex to be shown here/);
    await page.getByRole("button", { name: "Next chapter" }).click();
    await seen(page.frameLocator("iframe").getByText("An open end"));
  });

  test("whose chapter is no XML, and grows where it is read, says so", async () => {
    const again = `<p>${Array.from({ length: 5000 }, (_, at) => `<b c${at}></i>`).join("")}${"<p>x".repeat(5000)}`;
    await using visit = await open(makeEpub({ chapters: { one: again } }));
    await said(visit, /too complex to be shown here/);
  });

  test("that is none is told in a sentence", async () => {
    await using visit = await open(new TextEncoder().encode("PK\u0003\u0004 no book"));
    await said(visit, /damaged/);
  });
});

describe("it fits", () => {
  test.each(bothThemes)("$locale, $size", async (one) => {
    const path = await shared(novel);
    await using visit = await journey.visitor(browserOf(one));
    const screen = {
      name: "share-book",
      path,
      signedIn: false,
      shows: (page: typeof visit.page) => page.frameLocator("iframe").getByRole("heading", { name: "The beginning" }),
    };
    await look(visit, screen, one, async (page) => {
      if (one.locale === "en-US") expect(await findings(page)).toEqual([]);
    });
  });
});
