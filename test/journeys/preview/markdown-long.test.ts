import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { RICH_TEXT_CHARACTERS } from "#contract/limits";
import { until } from "../../support/browser/editor-page.ts";
import { startJourney } from "../../support/browser/journey.ts";

/** Long texts in Markdown, which come in slices. */

const journey = await startJourney();

const open = async (page: Page, content: string) => {
  const { slug } = await journey.share({ content });
  await page.goto(`/paste/${slug}`);
};

/** Each is a single block, and comes in several tasks: a browser tells of each by itself what it has changed. */
test.each(["> a\n", "> - a\n", "# a\n", "- [ ] a\n", "[", "$a$ ", "**a *b "])(
  "a text of nothing but %j is there whole, and in slices",
  async (piece) => {
    const text = piece.repeat(Math.floor(RICH_TEXT_CHARACTERS / piece.length / 4));
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.addInitScript(() => {
      const slices = { count: 0 };
      Object.assign(window, { slices });
      const isText = ({ target }: MutationRecord) => target instanceof Element && target.closest(".markdown") !== null;
      new MutationObserver((changes) => {
        if (changes.some(isText)) slices.count += 1;
      }).observe(document, { childList: true, subtree: true });
    });
    // On a fast machine all of it may come in a moment, and so at once: here time passes with each look at the clock.
    await page.addInitScript(() => {
      const now = performance.now.bind(performance);
      let ahead = 0;
      performance.now = () => {
        ahead += 5;
        return now() + ahead;
      };
    });
    await open(page, `${text}\n\nTHE END`);
    await until(() =>
      page.evaluate(
        () => document.querySelector("main .markdown")?.lastElementChild?.textContent?.trim() === "THE END",
      ),
    );
    const slices = await page.evaluate(() => (window as unknown as { slices: { count: number } }).slices.count);
    expect(slices).toBeGreaterThan(1);
  },
);

test("a hash in the address of a long text leads to its heading, which comes late", async () => {
  const { slug } = await journey.share({
    content: `${"words of a text\n\n".repeat(8000)}# Late\n\n${"end\n\n".repeat(50)}`,
  });
  await using visit = await journey.visitor();
  const { page } = visit;
  await page.goto(`/paste/${slug}#h-0`);
  await until(() =>
    page.evaluate(() => {
      const top = document.getElementById("h-0")?.getBoundingClientRect().top ?? -1;
      return top >= 0 && top < innerHeight;
    }),
  );
});

test("an outline of very many headings shows some, and more when it is asked", async () => {
  await using visit = await journey.visitor();
  const { page } = visit;
  await open(page, "# a\n".repeat(1200));
  const links = page.locator("aside").getByRole("link");
  await until(async () => (await links.count()) === 500);
  await page.getByRole("button", { name: "Show 700 more" }).click();
  await until(async () => (await links.count()) === 1000);
});
