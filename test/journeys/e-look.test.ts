import { test } from "bun:test";
import { seen, startJourney } from "../support/journey.ts";

const journey = await startJourney();
const text =
  "# Title one\n\nSome **bold** and *italic* and ==marked== text with `code` and [a link](https://example.org).\n\n## Second\n\n- [ ] task\n- [x] done\n\n```js\nconst a = 1; // hello\n```\n\n$$\nE = mc^2\n$$\n\n```mermaid\ngraph LR\n  A --> B\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nA note[^1].\n\n[^1]: here\n\n![remote](https://evil.example/x.png)\n\n### Third\n\n" +
  "Lorem ipsum dolor. ".repeat(60) +
  "\n\n## Last\n\nend";
test("look", async () => {
  for (const [name, o] of Object.entries({
    desk: {},
    dark: { theme: "dark" as const, locale: "zh-CN" as const },
    phone: { width: 390, height: 844 },
    phonedark: { width: 390, height: 844, theme: "dark" as const, locale: "zh-CN" as const },
  })) {
    await using visit = await journey.admin(o);
    const { page } = visit;
    await page.goto("/");
    await seen(page.getByRole("textbox").first());
    await page.screenshot({ path: `/tmp/e-shots/home-${name}-0.png` });
    await seen(page.locator(".cm-content"));
    await page.screenshot({ path: `/tmp/e-shots/home-${name}-1.png` });
    await page.locator(".cm-content").fill(text);
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `/tmp/e-shots/home-${name}-2.png` });
    if (name.startsWith("phone")) {
      await page.getByRole("button", { name: /^(Read|预览)$/ }).click();
      await page.waitForTimeout(800);
      await page.screenshot({ path: `/tmp/e-shots/home-${name}-3.png` });
    } else {
      await page.getByRole("button", { name: /^(Outline|目录)$/ }).click();
      await page.getByRole("button", { name: /^(More|更多)$/ }).click();
      await page.waitForTimeout(300);
      await page.screenshot({ path: `/tmp/e-shots/home-${name}-3.png` });
    }
  }
}, 120000);
