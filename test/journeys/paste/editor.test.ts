import { describe, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { choose, coloured, draft, field, fromMenu, preview, tool, until } from "../../support/browser/editor-page.ts";
import { until as becomes, gone, overhang, PIXEL, seen, startJourney } from "../../support/browser/journey.ts";
import { peopleOf } from "../../support/browser/people.ts";

const journey = await startJourney();
const people = peopleOf(journey);

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
  test("which comes when the connection is back, where it was lost before, with text and caret as they are", async () => {
    await using visit = await journey.visitor();
    const { page, context } = visit;
    // What is loaded at leisure waits until the connection is lost.
    await page.addInitScript(() => {
      const waiting: (() => void)[] = [];
      const leisure = () => {
        for (const run of waiting.splice(0)) run();
        Object.assign(window, { requestIdleCallback: (run: () => void) => setTimeout(run) });
      };
      Object.assign(window, { leisure, requestIdleCallback: (run: () => void) => waiting.push(run) });
    });
    await page.goto("/");
    await field(page).fill("one two");
    await context.setOffline(true);
    await page.waitForFunction(() => !navigator.onLine);
    await page.evaluate("leisure()");
    await seen(page.getByText("Part of the editor did not load; you can keep writing."));
    await field(page).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(3, 3));
    await page.keyboard.type(" and");
    await context.setOffline(false);
    await seen(coloured(page));
    await page.keyboard.type(" a half,");
    expect(await draft(page)).toBe("one and a half, two");
    await gone(page.getByText("Part of the editor did not load; you can keep writing."));
    visit.forgive(/ERR_INTERNET_DISCONNECTED/);
  });

  test("the text area is Markdown already; what takes its place moves nothing", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    const held = Promise.withResolvers<void>();
    // CodeMirror waits until somebody has written, marked and scrolled.
    await page.route("**/assets/*.js", async (route) => {
      const response = await route.fetch();
      const body = await response.text();
      if (body.includes("cm-content")) await held.promise;
      await route.fulfill({ response, body });
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
    // It draws its selection and its place in a frame of their own.
    await becomes(
      () => page.evaluate(() => [document.activeElement?.className, window.getSelection()?.toString()]),
      ([active, marked]) => active?.includes("cm-content") === true && marked === text.slice(400, 460),
    );
    expect(await draft(page)).toBe(text);
    // The letter that was the first in sight still is.
    await becomes(
      () =>
        page.evaluate(
          ([x = 0, y = 0]) => document.elementFromPoint(x, y)?.closest(".cm-line")?.textContent ?? "",
          [130, 180],
        ),
      (top) => top === first,
    );
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
    await fromMenu(page, "Table");
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

  test("the line that is written stays in sight at the end of a long text beside its preview", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await page.goto("/");
    await seen(coloured(page));
    await coloured(page).fill("A line.\n\n".repeat(60));
    await page.keyboard.press("Control+End");
    for (const word of ["alpha", "beta", "gamma"]) {
      await page.keyboard.type(`${word}\n\n`);
      await seen(preview(page).getByText(word, { exact: true }));
    }
    const [caret, pane] = await Promise.all(
      [".cm-cursor-primary", ".cm-scroller"].map((part) => page.locator(part).boundingBox()),
    );
    expect((caret?.y ?? Number.NaN) + (caret?.height ?? 0)).toBeLessThanOrEqual(
      (pane?.y ?? 0) + (pane?.height ?? 0) - 15,
    );
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

  test("a long text that is changed on a phone scrolls in its own box; Save stays in sight", async () => {
    const content = Array.from({ length: 130 }, (_, line) => `## Line ${line}\n\n${"word ".repeat(12)}`).join("\n\n");
    const { slug } = await journey.share({ content });
    await using visit = await journey.admin({ width: 390, height: 844 });
    const { page } = visit;
    await page.goto(`/paste/${slug}?edit`);
    await seen(coloured(page));
    const box = await coloured(page).locator("xpath=ancestor::form/div[1]").boundingBox();
    expect(box?.height).toBeLessThan(844 * 0.61);
    const save = page.getByRole("button", { name: "Save" });
    const isInSight = async () => {
      const at = await save.boundingBox();
      return at !== null && at.y > 0 && at.y + at.height <= 844;
    };
    expect(await isInSight()).toBe(true);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    expect(await isInSight()).toBe(true);
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
      buffer: Buffer.from("a line of one long paragraph\n".repeat(360_000)),
    });
    await seen(page.getByText("too long for a preview"));
    await coloured(page).click();
    // The seconds that the page computes: where the machine is busy it waits as well.
    const browser = await visit.context.newCDPSession(page);
    await browser.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.keyboard.type("typed");
    await seen(coloured(page).getByText(/typed/).first());
    const { metrics } = await browser.send("Performance.getMetrics");
    expect(metrics.find(({ name }) => name === "ThreadTime")?.value).toBeLessThan(5);
  });

  test("what is told of the editor is read whole on a phone", async () => {
    await using visit = await journey.admin({ width: 390, height: 844 });
    const { page } = visit;
    await page.goto("/");
    const buffer = Buffer.from("a line of one long paragraph\n".repeat(10_000));
    await page.getByLabel("Import file").setInputFiles({ name: "long.md", mimeType: "text/markdown", buffer });
    const told = page.getByText("too long for a preview");
    await seen(told);
    expect(await told.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect(await overhang(page)).toBe(0);
  });
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
