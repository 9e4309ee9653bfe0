import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { CreatedPaste } from "#contract/pastes";
import { choose, coloured, field, forgiveBlocked, preview, tool, until } from "../../support/browser/editor-page.ts";
import { gone, PIXEL, seen, startJourney } from "../../support/browser/journey.ts";
import { textsIn } from "../../support/files/read-zip.ts";

const journey = await startJourney();

const everything = `# Title\n\n**bold** ==mark== \`code\` ![away](https://elsewhere.example/x.png)\n\n- [x] done\n\n\`\`\`js\nlet a = 1;\n\`\`\`\n\n$$\nE = mc^2\n$$\n\n\`\`\`mermaid\ngraph LR\n  A --> B\n\`\`\`\n\n| a |\n|---|\n| b |\n\nnote[^1]\n\n[^1]: below`;

describe("the text goes out", () => {
  const written = async (page: Page) => {
    await page.goto("/");
    await seen(coloured(page));
    await coloured(page).fill(everything);
    await seen(preview(page).locator(".md-diagram svg"));
  };
  const saved = async (page: Page, item: string) => {
    const [download] = await Promise.all([page.waitForEvent("download"), choose(page, item)]);
    return { name: download.suggestedFilename(), bytes: await Bun.file(await download.path()).bytes() };
  };

  test("copied as Markdown, HTML and plain text", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await written(page);
    const copied = async (item: string, has: RegExp) => {
      await choose(page, item);
      await until(async () => has.test(await page.evaluate(() => navigator.clipboard.readText())));
      return await page.evaluate(() => navigator.clipboard.readText());
    };
    expect(await copied("Copy as Markdown", /==mark==/)).toBe(everything);
    const html = await copied("Copy as HTML", /<h1/);
    expect(html).toContain("<mark>mark</mark>");
    expect(html).toContain("<math");
    expect(html).not.toContain("<button");
    const plain = await copied("Copy as plain text", /^Title/);
    expect(plain).not.toContain("**");
    expect(plain).toContain("let a = 1;");
  });

  test("as a page that stands for itself, and as a picture", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await written(page);
    const html = await saved(page, "Save as web page");
    expect(html.name).toMatch(/^markdown-\d{8}-\d{6}\.html$/);
    const text = new TextDecoder().decode(html.bytes);
    expect(text).toContain("default-src 'none'");
    expect(text).toContain(".md-code");
    expect(text).not.toContain("<script");
    const png = await saved(page, "Save as picture");
    expect(png.name).toEndWith(".png");
    const size = new DataView(png.bytes.buffer);
    expect([...png.bytes.slice(1, 4)]).toEqual([0x50, 0x4e, 0x47]);
    expect(size.getUint32(16)).toBe(760 * 4);
    await seen(page.getByText("Images of other sites are not in the picture"));
  });

  test("as a Word document, which our own viewer reads", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await page.goto("/");
    await seen(coloured(page));
    const nested = "1. first\n   - within 在内\n2. second\n\n> said\n\n[leads](https://example.org/?a=1&b=2)";
    const own = `![own](data:image/png;base64,${PIXEL.toString("base64")})`;
    await coloured(page).fill(`${everything}\n\n${nested}\n\n${own}\n\n<b> & "signs"\u0001`);
    await seen(preview(page).locator(".md-diagram svg"));
    const { name, bytes } = await saved(page, "Save as Word document");
    expect(name).toMatch(/^markdown-\d{8}-\d{6}\.docx$/);
    const { url } = await journey.shareFile(new File([bytes], "taken.docx"));
    await using reader = await journey.visitor();
    await reader.page.goto(url);
    const word = reader.page.frameLocator("main iframe");
    for (const words of ["Title", "bold", "let a = 1;", "within 在内", "said", '<b> & "signs"', "E = mc^2", "below"])
      await seen(word.getByText(words).first());
    await seen(word.locator("table").getByText("a", { exact: true }));
    expect(await word.getByRole("link", { name: "leads" }).getAttribute("href")).toBe("https://example.org/?a=1&b=2");
    // The diagram, drawn, and the picture of the text; that of another site is a link.
    await until(async () => (await word.locator("img").count()) === 2);
    expect(await word.getByRole("link", { name: "away" }).getAttribute("href")).toBe("https://elsewhere.example/x.png");
    const broken = await page.evaluate(
      (documents) =>
        documents.filter((xml) => new DOMParser().parseFromString(xml, "application/xml").querySelector("parsererror")),
      Object.entries(textsIn(bytes)).flatMap(([part, xml]) => (/\.(?:xml|rels)$/.test(part) ? [xml] : [])),
    );
    expect(broken).toEqual([]);
  });

  test("to the printer, in a frame in which nothing runs", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await page.addInitScript(() => {
      const printed: string[] = [];
      Object.assign(window, { printed });
      const watch = () =>
        new MutationObserver((records) => {
          for (const added of records.flatMap(({ addedNodes }) => [...addedNodes]))
            if (added instanceof HTMLIFrameElement) printed.push(added.sandbox.value, added.srcdoc);
        }).observe(document.body, { childList: true });
      document.addEventListener("DOMContentLoaded", watch);
    });
    await written(page);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
    const { slug } = await journey.shareFile(new File([svg], "drawn.svg", { type: "image/svg+xml" }));
    await coloured(page).fill(`${everything}\n\n![drawn](/api/file-view/${slug})`);
    await until(() => preview(page).locator('img[src^="data:image/svg"]').isVisible());
    await choose(page, "Print…");
    const printed = () => page.evaluate(() => (window as unknown as { printed: string[] }).printed);
    await until(async () => (await printed()).length > 0);
    const [sandbox, page_ = ""] = await printed();
    expect(sandbox).toBe("allow-same-origin allow-modals");
    expect(page_).toContain("<h1");
    expect(page_).not.toContain("elsewhere.example");
    expect(page_).toContain('src="data:image/svg');
    const others = () => visit.problems.filter((problem) => !problem.includes("406"));
    await until(async () => others().length > 0);
    // A drawing comes once it was read; what the browser tells of the answer before that is no fault.
    visit.forgive(/406/);
    forgiveBlocked(visit);
  });
});

describe("a text that was changed meanwhile", () => {
  const begin = async (slug: string) => {
    const share = await journey.share({ content: "the first", slug });
    const visit = await journey.admin();
    await visit.page.goto(`/paste/${slug}?edit`);
    await seen(visit.page.locator(".cm-content"));
    await visit.page.locator(".cm-content").fill("mine");
    await journey.call("PUT", `/api/pastes/${share.id}`, { content: "theirs" });
    await visit.page.getByRole("button", { name: "Save", exact: true }).click();
    await seen(visit.page.getByRole("dialog", { name: "There is a newer version" }));
    return { share, visit };
  };
  const whole = async ({ id }: CreatedPaste) =>
    (await journey.call<{ data: { content: string } }>("GET", `/api/pastes/${id}`)).data.content;

  test("is shown beside mine, and mine goes over it only when I say so", async () => {
    const { share, visit } = await begin("conflict-one");
    await using _visit = visit;
    const dialog = visit.page.getByRole("dialog");
    await seen(dialog.getByText("theirs", { exact: true }));
    await seen(dialog.getByText("mine", { exact: true }));
    expect(await whole(share)).toBe("theirs");
    await dialog.getByRole("button", { name: "Overwrite with mine" }).click();
    await gone(dialog);
    await gone(field(visit.page));
    await seen(visit.page.getByText("mine", { exact: true }));
    expect(await whole(share)).toBe("mine");
  });

  test("can be taken in its place, and mine is an Undo away", async () => {
    const { share, visit } = await begin("conflict-two");
    await using _visit = visit;
    const { page } = visit;
    await page.getByRole("button", { name: "Use the newer one" }).click();
    await seen(page.locator(".cm-content").getByText("theirs"));
    await tool(page, "Undo").click();
    await seen(page.locator(".cm-content").getByText("mine"));
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await until(async () => (await whole(share)) === "mine");
  });
});
