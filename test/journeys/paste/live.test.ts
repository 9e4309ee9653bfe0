import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { choose, coloured, draft, tool, until } from "../../support/browser/editor-page.ts";
import { until as becomes, gone, PIXEL, seen, startJourney } from "../../support/browser/journey.ts";

const journey = await startJourney();

const text = `# Heading

Some **bold** and a [link](https://example.org) with \`code\`.

- [ ] first
- [x] second

> said

![far](https://pictures.example/far.png)

\`\`\`js
let a
\`\`\`

---

end`;

/** The lines as they are to be read. */
const lines = (page: Page): Promise<string[]> =>
  coloured(page)
    .locator(".cm-line")
    .evaluateAll((all) => all.map((line) => (line.textContent ?? "").replaceAll("\u200b", "").trim()));

/** Opens Home with a text, in the live view. */
async function writing(page: Page, content: string): Promise<void> {
  await page.goto("/");
  await seen(coloured(page));
  await coloured(page).fill(content);
  await page.getByRole("button", { name: "Live", exact: true }).click();
  await until(() => coloured(page).evaluate((element) => element.querySelector(".live-h") !== null));
}

describe("the live view", () => {
  test("hides marks but on the caret's line, by mouse and by key, and keeps the text", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await writing(page, text);
    await becomes(
      () => lines(page),
      (shown) => shown[0] === "Heading" && shown[2] === "Some bold and a link with code.",
    );
    await coloured(page).getByText("Some").click();
    await becomes(
      () => lines(page),
      (shown) => shown[2]?.includes("**bold**") === true && shown[0] === "Heading",
    );
    await page.keyboard.press("ControlOrMeta+Home");
    await becomes(
      () => lines(page),
      (shown) => shown[0] === "# Heading" && shown[2] === "Some bold and a link with code.",
    );
    await page.keyboard.press("End");
    await page.keyboard.type(" more");
    await page.keyboard.press("ControlOrMeta+z");
    expect(await draft(page)).toBe(text);
    // Down into the block of code, which then shows its fences.
    await coloured(page).getByText("let a").click();
    await becomes(
      () => lines(page),
      (shown) => shown.includes("```js"),
    );
  });

  test("a task is ticked by a press and by key, which can be undone", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await writing(page, text);
    const box = page.getByRole("checkbox", { name: "first" });
    await box.click();
    expect(await draft(page)).toBe(text.replace("[ ] first", "[x] first"));
    await box.press("Space");
    expect(await draft(page)).toBe(text);
    expect(await box.evaluate((element) => document.activeElement === element)).toBe(true);
    await page.getByRole("checkbox", { name: "second" }).click();
    expect(await draft(page)).toBe(text.replace("[x] second", "[ ] second"));
    await page.getByRole("toolbar").getByRole("button", { name: "Undo", exact: true }).click();
    expect(await draft(page)).toBe(text);
  });

  test("a picture of another host waits for a press, one of our own is there", async () => {
    await using visit = await journey.admin();
    const { page, context } = visit;
    const asked: string[] = [];
    await context.route("https://pictures.example/**", (route) => {
      asked.push(route.request().url());
      return route.fulfill({ contentType: "image/png", body: PIXEL });
    });
    await writing(page, `${text}\n\n![own](data:image/png;base64,${PIXEL.toString("base64")})`);
    await until(() => page.locator("img[alt=own]").evaluate((image: HTMLImageElement) => image.naturalWidth > 0));
    expect(asked).toEqual([]);
    await page.getByRole("button", { name: "far Load image from pictures.example" }).click();
    await until(() => page.locator("img[alt=far]").evaluate((image: HTMLImageElement) => image.naturalWidth > 0));
    expect(asked).toEqual(["https://pictures.example/far.png"]);
    visit.strangers.splice(0);
  });

  test("an input method writes into a line whose marks stand there", async () => {
    await using visit = await journey.admin();
    const { page, context } = visit;
    await writing(page, "# One\n\n**two**");
    await coloured(page).getByText("two").click();
    await page.keyboard.press("End");
    const input = await context.newCDPSession(page);
    await input.send("Input.imeSetComposition", { text: "ni", selectionStart: 2, selectionEnd: 2 });
    await input.send("Input.imeSetComposition", { text: "你", selectionStart: 1, selectionEnd: 1 });
    await input.send("Input.insertText", { text: "你好" });
    expect(await draft(page)).toBe("# One\n\n**two**你好");
    await page.keyboard.press("ControlOrMeta+Home");
    await becomes(
      () => lines(page),
      (shown) => shown.at(-1) === "two你好",
    );
  });

  test("is what a phone opens with, and there is no more of it in plain text", async () => {
    await using visit = await journey.admin({ width: 390, height: 844 });
    const { page } = visit;
    await page.goto("/");
    await seen(coloured(page));
    await coloured(page).fill("# Small\n\ntext");
    await becomes(
      () => lines(page),
      (shown) => shown[0] === "Small",
    );
    await page.getByRole("button", { name: "Plain text", exact: true }).click();
    await gone(coloured(page));
    expect(await draft(page)).toBe("# Small\n\ntext");
  });
});

describe("emoji", () => {
  test("are found by name, chosen by key and by press, and stand where the caret was", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await page.goto("/");
    await seen(coloured(page));
    await coloured(page).fill("ab");
    await page.keyboard.press("ArrowLeft");
    await tool(page, "Emoji").click();
    const picker = page.getByRole("dialog", { name: "Emoji" });
    await seen(picker.getByRole("button", { name: "grinning face" }));
    await page.keyboard.type("rock");
    await gone(picker.getByRole("button", { name: "grinning face" }));
    await page.keyboard.press("Enter");
    await gone(picker);
    expect(await draft(page)).toBe("a🚀b");
    await tool(page, "Emoji").click();
    await seen(picker.getByRole("button", { name: "grinning face" }));
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    expect(await draft(page)).toBe("a🚀😄b");
    await tool(page, "Emoji").click();
    await seen(picker);
    await page.keyboard.type("no such sign");
    await seen(picker.getByRole("status"));
    await page.keyboard.press("Escape");
    await gone(picker);
    await page.keyboard.press("ControlOrMeta+z");
    expect(await draft(page)).not.toContain("😄");
  });
});

test("typewriter mode keeps the caret's line in the middle, and is remembered", async () => {
  await using visit = await journey.admin();
  const { page } = visit;
  await page.goto("/");
  await seen(coloured(page));
  await coloured(page).fill("line\n".repeat(100));
  await choose(page, "Typewriter mode");
  await coloured(page).focus();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type("end");
  const isMiddle = () =>
    page.evaluate(() => {
      const caret = document.querySelector(".cm-cursor-primary")?.getBoundingClientRect();
      const box = document.querySelector(".cm-scroller")?.getBoundingClientRect();
      return caret && box ? Math.abs((caret.top + caret.bottom) / 2 - (box.top + box.bottom) / 2) < 20 : false;
    });
  await until(isMiddle);
  await page.reload();
  await seen(coloured(page));
  await page.getByRole("button", { name: "More", exact: true }).click();
  await seen(page.getByRole("menuitem", { name: "Leave typewriter mode" }));
});
