import { describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import type { CreatedPaste } from "#contract/pastes";
import type { Visit } from "../support/chromium.ts";
import { until as becomes, gone, PIXEL, seen, startJourney } from "../support/journey.ts";
import { peopleOf } from "../support/people.ts";

const journey = await startJourney();
const people = peopleOf(journey);

const until = (read: () => Promise<boolean>) => becomes(read, Boolean);

const field = (page: Page): Locator => page.getByRole("textbox", { name: "Text to share" });
const coloured = (page: Page): Locator => page.locator(".cm-content");
const preview = (page: Page): Locator => page.getByRole("region", { name: "Preview" });
const tool = (page: Page, name: string): Locator =>
  page.getByRole("toolbar", { name: "Formatting" }).getByRole("button", { name, exact: true });

/** The browser tells of scripts that it did not run in a frame without any: those that this test brings to every frame. */
function forgiveBlocked({ problems }: Visit): void {
  for (const problem of problems.splice(0)) expect(problem).toContain("the 'allow-scripts' permission is not set");
}

/** What stands in the editor, as the draft keeps it. */
async function draft(page: Page): Promise<string> {
  await page.evaluate(() => window.dispatchEvent(new Event("pagehide")));
  return await page.evaluate(() => localStorage.getItem("satchel-draft") ?? "");
}

async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

/** Puts a picture on the page as somebody would who drops or pastes it. */
const bring = (target: Locator, how: "drop" | "paste", name: string): Promise<void> =>
  target.evaluate(
    (element, { how, name, bytes }) => {
      const transfer = new DataTransfer();
      const picture = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([picture], name, { type: "image/png" }));
      const options = { bubbles: true, cancelable: true };
      const event =
        how === "drop"
          ? new DragEvent("drop", { ...options, dataTransfer: transfer })
          : new ClipboardEvent("paste", { ...options, clipboardData: transfer });
      element.dispatchEvent(event);
    },
    { how, name, bytes: PIXEL.toString("base64") },
  );

describe("Home opens as the Markdown editor", () => {
  test("the text area is Markdown already; what takes its place moves nothing", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    const held = Promise.withResolvers<void>();
    // CodeMirror waits until somebody has written, marked and scrolled.
    await page.route("**/assets/code-surface-*.js", async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto("/");
    await seen(field(page));
    await seen(tool(page, "Bold"));
    expect(await field(page).evaluate((element) => element.tagName)).toBe("TEXTAREA");
    const text = Array.from({ length: 60 }, (_, line) => `line ${line} ${"word ".repeat(line % 30)}`).join("\n");
    await field(page).fill(text);
    await field(page).evaluate((area: HTMLTextAreaElement) => {
      area.setSelectionRange(400, 460, "backward");
      area.scrollTop = 700;
    });
    // As it stands there at this height: the first lines take one row each, those from the eleventh on two.
    const first = text.split("\n")[17] ?? "";
    held.resolve();
    await seen(coloured(page));
    expect(await page.evaluate(() => document.activeElement?.className)).toContain("cm-content");
    expect(await page.evaluate(() => window.getSelection()?.toString())).toBe(text.slice(400, 460));
    expect(await draft(page)).toBe(text);
    // The letter that was the first in sight still is.
    const top = await page.evaluate(
      ([x = 0, y = 0]) => document.elementFromPoint(x, y)?.closest(".cm-line")?.textContent ?? "",
      [130, 180],
    );
    expect(top).toBe(first);
  });

  test("the toolbar writes Markdown in the text area and after it, by key too, and undoes it", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await page.goto("/");
    await seen(coloured(page));
    await coloured(page).fill("word");
    await page.keyboard.press("ControlOrMeta+a");
    await tool(page, "Bold").click();
    await page.keyboard.press("ControlOrMeta+i");
    expect(await draft(page)).toBe("***word***");
    await tool(page, "Undo").click();
    expect(await draft(page)).toBe("**word**");
    await page.keyboard.press("End");
    await tool(page, "Heading").click();
    await page.getByRole("menuitem", { name: "Heading 2" }).click();
    expect(await draft(page)).toBe("## **word**");
    await tool(page, "Table").click();
    expect(await draft(page)).toContain("| A | B |\n| --- | --- |");
    await seen(preview(page).getByRole("heading", { name: "word" }));
    await seen(preview(page).getByRole("table"));
  });

  test("split, write and read are one press apart and remembered; the outline leads through the text", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await page.goto("/");
    await seen(coloured(page));
    const text = `# First\n\n${"word ".repeat(900)}\n\n## Second\n\n${"word ".repeat(900)}\n\n# Third\n\nend`;
    await coloured(page).fill(text);
    await seen(preview(page).getByRole("heading", { name: "Third" }));
    await page.getByRole("button", { name: "Outline" }).click();
    await page.getByRole("navigation", { name: "Outline" }).getByRole("link", { name: "Third" }).click();
    await until(() => preview(page).evaluate(({ scrollTop }) => scrollTop > 200));
    await page.getByRole("button", { name: "Fold “First”" }).click();
    expect(await page.getByRole("link", { name: "Second" }).count()).toBe(0);
    await page.getByRole("button", { name: "Read", exact: true }).click();
    await gone(coloured(page));
    await page.reload();
    await seen(preview(page));
    await page.getByRole("button", { name: "Write", exact: true }).click();
    await gone(preview(page));
    await seen(coloured(page));
  });

  test("on a phone it writes or reads, never both", async () => {
    await using visit = await journey.admin({ width: 390, height: 844 });
    const { page } = visit;
    await page.goto("/");
    await seen(coloured(page));
    expect(await page.getByRole("button", { name: "Split", exact: true }).count()).toBe(0);
    await coloured(page).fill("# Small");
    await page.getByRole("button", { name: "Read", exact: true }).click();
    await seen(preview(page).getByRole("heading", { name: "Small" }));
  });

  test("clearing asks, and Undo brings the text back", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await page.goto("/");
    await seen(coloured(page));
    await coloured(page).fill("precious");
    await choose(page, "Clear");
    await page.getByRole("dialog").getByRole("button", { name: "Clear" }).click();
    await until(async () => (await draft(page)) === "");
    await tool(page, "Undo").click();
    expect(await draft(page)).toBe("precious");
  });

  test("ten megabytes go in without a preview and can be typed into", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await page.goto("/");
    await seen(coloured(page));
    await page.getByLabel("Import file").setInputFiles({
      name: "long.md",
      mimeType: "text/markdown",
      buffer: Buffer.from("# a line of a long text\n".repeat(430_000)),
    });
    await seen(page.getByText("there is no preview of it"));
    await coloured(page).click();
    const began = Date.now();
    await page.keyboard.type("typed");
    await seen(coloured(page).getByText(/typed/).first());
    expect(Date.now() - began).toBeLessThan(10_000);
  }, 60_000);
});

describe("pictures", () => {
  test("that are pasted or dropped into the text are uploaded and stand in it", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await page.goto("/");
    await seen(coloured(page));
    await coloured(page).fill("before ");
    await bring(coloured(page), "paste", "a [strange] name.png");
    await until(async () =>
      /!\[a {1,2}strange {1,2}name\.png\]\(http.*\/api\/file-view\/\w+\)/.test(await draft(page)),
    );
    await bring(coloured(page), "drop", "second.png");
    await until(async () => /second\.png\]\(http/.test(await draft(page)));
    expect(new URL(page.url()).pathname).toBe("/");
    const pictures = preview(page).locator("img");
    await until(() =>
      pictures.evaluateAll((all) => all.length === 2 && all.every((one) => (one as HTMLImageElement).naturalWidth > 0)),
    );
    await preview(page)
      .getByRole("button", { name: /^Enlarge a/ })
      .press("Enter");
    await seen(page.getByRole("dialog"));
    await page.keyboard.press("Escape");
  });

  test("that the server does not take are told, leave nothing behind and can be tried again", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await page.goto("/");
    await seen(coloured(page));
    await coloured(page).fill("text ");
    await page.route("**/api/s3/presign", (route) =>
      route.fulfill({
        status: 400,
        json: { code: 400, error: "body.invalid", message: "not today", success: false, data: null },
      }),
    );
    await bring(coloured(page), "paste", "lost.png");
    await seen(page.getByRole("alert").filter({ hasText: "lost.png" }));
    expect((await draft(page)).trim()).toBe("text");
    await page.unroute("**/api/s3/presign");
    await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
    await until(async () => /lost\.png\]\(http/.test(await draft(page)));
  });

  test("of who may not upload are left out with a sentence", async () => {
    const key = await people.makeKey(["text"]);
    await using visit = await people.holder(key);
    const { page } = visit;
    await page.goto("/");
    await seen(coloured(page));
    await coloured(page).fill("text");
    await bring(coloured(page), "drop", "no.png");
    await seen(page.getByText("This key may not upload files, so the picture was left out."));
    expect(await draft(page)).toBe("text");
  });
});

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
    await choose(page, "Print…");
    const printed = () => page.evaluate(() => (window as unknown as { printed: string[] }).printed);
    await until(async () => (await printed()).length > 0);
    const [sandbox, page_ = ""] = await printed();
    expect(sandbox).toBe("allow-same-origin allow-modals");
    expect(page_).toContain("<h1");
    expect(page_).not.toContain("elsewhere.example");
    await until(async () => visit.problems.length > 0);
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
