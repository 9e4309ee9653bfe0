import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { findings } from "../../support/browser/axe.ts";
import { coloured, draft, fromMenu, preview, tool, until } from "../../support/browser/editor-page.ts";
import { gone, overhang, seen, startJourney } from "../../support/browser/journey.ts";

const journey = await startJourney();

const text = `# First\n\n${"word ".repeat(900)}\n\n## Second *one*\n\n${"word ".repeat(900)}\n\n# Third\n\nend`;

/** Opens Home in a view, with a text. */
async function writing(page: Page, content: string, view = "Live"): Promise<void> {
  await page.goto("/");
  await seen(coloured(page));
  await page.getByRole("button", { name: view, exact: true }).click();
  await coloured(page).fill(content);
}

const isFocused = (page: Page) => coloured(page).evaluate((element) => document.activeElement === element);

describe("the outline", () => {
  test("stands beside the live view and beside what is written, and moves caret and text", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await writing(page, text);
    await page.getByRole("button", { name: "Outline" }).click();
    const outline = page.getByRole("navigation", { name: "Outline" });
    await outline.getByRole("link", { name: "Second one" }).click();
    await until(() => coloured(page).getByText("## Second *one*").isVisible());
    await page.keyboard.type("!");
    expect(await draft(page)).toContain("## Second *one*!\n");
    await seen(outline.getByRole("link", { name: "Second one!" }));
    await page.getByRole("button", { name: "Write", exact: true }).click();
    await outline.getByRole("link", { name: "First" }).click();
    await page.keyboard.type("?");
    expect(await draft(page)).toContain("# First?\n");
  });

  test("says so while a text has no headings", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await writing(page, "none");
    await page.getByRole("button", { name: "Outline" }).click();
    await seen(page.getByText("No headings"));
  });
});

describe("the preview", () => {
  test("is as wide as a phone or a tablet, also where there is no room for it, and that is remembered", async () => {
    await using visit = await journey.admin({ bypassPolicy: true });
    const { page } = visit;
    await writing(page, "# Small\n\n| a | b |\n|---|---|\n| 1 | 2 |", "Split");
    const frame = preview(page).locator("> div");
    const widthOf = () => frame.evaluate((element) => Math.round(element.getBoundingClientRect().width));
    await page.getByRole("button", { name: "Preview width: Desktop" }).click();
    await page.getByRole("radio", { name: "Phone" }).press("Space");
    await until(async () => (await widthOf()) === 390);
    expect(await findings(page)).toEqual([]);
    await page.getByRole("radio", { name: "Tablet" }).press("Space");
    await page.keyboard.press("Escape");
    await gone(page.getByRole("dialog"));
    // Half of the window has no room for a tablet: all of it is shown, smaller.
    await until(() =>
      preview(page).evaluate((pane) => {
        const { width } = pane.firstElementChild?.getBoundingClientRect() ?? { width: 0 };
        return width > 400 && width < 600 && pane.scrollWidth <= pane.clientWidth;
      }),
    );
    await page.getByRole("button", { name: "Read", exact: true }).click();
    await until(async () => (await widthOf()) === 768);
    await page.reload();
    await seen(page.getByRole("button", { name: "Preview width: Tablet" }));
    await until(async () => (await widthOf()) === 768);
  });

  test("of a phone has no such choice", async () => {
    await using visit = await journey.admin({ width: 390, height: 844 });
    const { page } = visit;
    await writing(page, "# Small");
    await page.getByRole("button", { name: "Read", exact: true }).click();
    await seen(preview(page).getByRole("heading", { name: "Small" }));
    expect(await page.getByRole("button", { name: /^Preview width/ }).count()).toBe(0);
    expect(await overhang(page)).toBe(0);
  });

  test("lists the headings where [toc] stands, as the reader's page does", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    const content = "# Title\n\n[toc]\n\n## A & B\n\n### Below\n\n## <b>Last</b>";
    await writing(page, content, "Split");
    const links = preview(page).getByRole("listitem").getByRole("link");
    await seen(links.last());
    const headings = ["Title", "A & B", "Below", "<b>Last</b>"];
    expect(await links.allTextContents()).toEqual(headings);
    const { slug } = await journey.share({ content: `${content}\n\n${"word\n\n".repeat(60)}` });
    await page.goto(`/paste/${slug}`);
    const article = page.getByRole("article");
    await article.getByRole("listitem").getByRole("link", { name: "Below" }).click();
    await until(async () => new URL(page.url()).hash === "#h-2");
    await seen(article.getByRole("heading", { name: "<b>Last</b>" }));
  });
});

describe("help", () => {
  test("opens by key and by button, tells what can be written and every key, and gives the focus back", async () => {
    await using visit = await journey.admin({ bypassPolicy: true });
    const { page } = visit;
    await writing(page, "text");
    await page.keyboard.press("ControlOrMeta+/");
    const help = page.getByRole("dialog", { name: "Help" });
    await seen(help.getByRole("region", { name: "Tables" }).getByRole("table"));
    await seen(help.getByRole("region", { name: "Formulas" }).locator(".katex").first());
    await seen(help.getByRole("region", { name: "Tasks" }).getByRole("checkbox").first());
    await seen(help.getByRole("region", { name: "Table of contents" }).getByRole("link", { name: "Detail" }));
    expect(await findings(page)).toEqual([]);
    await help.getByRole("button", { name: "Shortcuts" }).click();
    const row = (name: string, keys: string) =>
      seen(help.locator("dl > div").filter({ hasText: name }).getByText(keys, { exact: true }));
    await row("Bold", "Ctrl+B");
    await row("Help", "Ctrl+/");
    await row("Find and replace", "Ctrl+F");
    await row("Move the line up", "Alt+↑");
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await gone(help);
    expect(await isFocused(page)).toBe(true);
    expect(await draft(page)).toBe("text");
    await fromMenu(page, "Help");
    await seen(help);
  });

  test("fits a phone, in Chinese too", async () => {
    await using visit = await journey.admin({ width: 390, height: 844, locale: "zh-CN", theme: "dark" });
    const { page } = visit;
    await page.goto("/");
    await seen(coloured(page));
    await page.getByRole("toolbar", { name: "格式" }).getByRole("button", { name: "更多格式" }).click();
    await page.getByRole("menuitem", { name: "帮助" }).click();
    const help = page.getByRole("dialog", { name: "帮助" });
    await seen(help.getByRole("region", { name: "表格" }).getByRole("table"));
    expect(await overhang(page)).toBe(0);
    expect(await help.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  });

  test("that did not load says so and can be asked for again", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await writing(page, "text");
    await page.route("**/assets/*.js", (route) => route.abort());
    await fromMenu(page, "Help");
    await seen(page.getByRole("dialog", { name: "Help" }).getByRole("alert"));
    await page.keyboard.press("Escape");
    await gone(page.getByRole("dialog"));
    for (const problem of visit.problems.splice(0)) expect(problem).toContain("net::ERR_FAILED");
  });
});

describe("emoji", () => {
  const hints = (page: Page) => page.getByRole("listbox").getByRole("option");

  test("are offered while a name is typed: Enter and Tab take one, Escape closes, other colons stay", async () => {
    await using visit = await journey.admin({ bypassPolicy: true });
    const { page } = visit;
    await writing(page, "");
    await coloured(page).focus();
    await page.keyboard.type("so :rocke");
    await seen(hints(page).filter({ hasText: "🚀" }));
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await gone(hints(page).first());
    expect(await draft(page)).toBe("so 🚀");
    await page.keyboard.type(" :smil");
    await seen(hints(page).nth(1));
    const second = (await hints(page).nth(1).textContent()) ?? "";
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Tab");
    await gone(hints(page).first());
    const [sign = ""] = second.split(" ");
    expect(await draft(page)).toBe(`so 🚀 ${sign}`);
    await page.keyboard.type(" :rocke");
    await seen(hints(page).first());
    await page.keyboard.press("Escape");
    await gone(hints(page).first());
    expect(await isFocused(page)).toBe(true);
    await page.keyboard.press("Enter");
    await page.keyboard.type(":D");
    await page.keyboard.press("Enter");
    await page.keyboard.type("12:rocket `:rocket");
    await page.keyboard.press("Enter");
    await page.keyboard.type("ends:");
    await page.keyboard.press("Enter");
    expect(await draft(page)).toBe(`so 🚀 ${sign} :rocke\n:D\n12:rocket \`:rocket\nends:\n`);
    expect(await hints(page).count()).toBe(0);
  });

  test("are offered by Chinese names too", async () => {
    await using visit = await journey.admin({ locale: "zh-CN" });
    const { page } = visit;
    await page.goto("/");
    await seen(coloured(page));
    await coloured(page).focus();
    await page.keyboard.type("你好:火箭");
    await seen(hints(page).filter({ hasText: "🚀" }));
    await page.keyboard.press("Enter");
    await gone(hints(page).first());
    expect(await draft(page)).toBe("你好🚀");
  });

  test.each(["light", "dark"] as const)(
    "in their picker leave the text where it was when Escape closes it, and a link can be made (%s)",
    async (theme) => {
      await using visit = await journey.admin({ theme, bypassPolicy: true });
      const { page } = visit;
      await writing(page, "# words\n\n**more**");
      await tool(page, "Emoji").click();
      const picker = page.getByRole("dialog", { name: "Emoji" });
      await seen(picker.getByRole("button", { name: "grinning face" }));
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("ArrowUp");
      expect(await picker.getByRole("searchbox").evaluate((field) => document.activeElement === field)).toBe(true);
      await page.keyboard.press("Escape");
      await gone(picker);
      expect(await isFocused(page)).toBe(true);
      await page.getByRole("button", { name: "Create link" }).click();
      await seen(page.getByRole("region", { name: "Your link" }));
    },
  );

  test("in their picker give the focus back to the button when a key has opened it", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await writing(page, "words");
    await tool(page, "Emoji").focus();
    await page.keyboard.press("Enter");
    await seen(page.getByRole("dialog", { name: "Emoji" }).getByRole("button", { name: "grinning face" }));
    await page.keyboard.press("Escape");
    expect(await tool(page, "Emoji").evaluate((button) => document.activeElement === button)).toBe(true);
  });
});
