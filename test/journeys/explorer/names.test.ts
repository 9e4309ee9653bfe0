import { describe, expect, test } from "bun:test";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { seen, startJourney, until } from "../../support/browser/journey.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

/** Names of files as they are looked for and read: one piece of text each, however little room there is. */

const journey = await startJourney();
const seeds = treeSeeds(journey);
const LONG =
  "A very long report about the voyage of the Beagle to the Galapagos islands, with all figures 2026-final.pdf";
const TWO_LINES = "Quarterly report for 2026.pdf";
const NAMES = [LONG, TWO_LINES, "IMG_4187.txt", "短名字.txt"];
for (const name of NAMES) await seeds.text(`/drive/names/${name}`, "x");

describe.each([390, 1280])("a name at %i px", (width) => {
  test.each(["List", "Grid"])("is one piece of text, found and read once: %s", async (view) => {
    await using visit = await journey.admin({ width, height: 800 });
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open("/drive/names");
    await explorer.showAs(view);
    await seen(explorer.row("IMG_4187.txt"));
    // biome-ignore lint/performance/useDomNodeTextContent: it is about text as it is shown
    const shown = () => explorer.surface.evaluate((element) => (element as HTMLElement).innerText.split(/\s*\n\s*/));
    for (const name of NAMES) await until(shown, (lines) => lines.filter((line) => line === name).length === 1);
    // What a browser's search looks at; `window.find` finds nothing at all in this browser without windows.
    const pieces = await explorer.surface.evaluate((element) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      while (walker.nextNode()) found.push(walker.currentNode.nodeValue ?? "");
      return found;
    });
    for (const part of ["IMG_4187", "Beagle", "2026-final.pdf", "Quarterly", "短名字"])
      expect(pieces.filter((piece) => piece.includes(part))).toHaveLength(1);
  });
});

test("a name without room loses its middle, and its end is there", async () => {
  await using visit = await journey.admin({ width: 390, height: 800 });
  const { page } = visit;
  await explorerPage(page).open("/drive/names");
  const parts = await page.locator(`bdi[title="${LONG}"]`).evaluate((name) => {
    const [instead, whole] = name.firstElementChild?.children ?? [];
    const inside = (element: Element | undefined) =>
      element ? element.getBoundingClientRect().bottom <= name.getBoundingClientRect().bottom + 1 : undefined;
    const end = instead && getComputedStyle(instead, "::after").content;
    return { whole: inside(whole), instead: inside(instead), end };
  });
  expect(parts).toEqual({ whole: false, instead: true, end: '"-final.pdf"' });
  const short = await page.locator('bdi[title="IMG_4187.txt"]').evaluate((name) => {
    const [instead] = name.firstElementChild?.children ?? [];
    return (instead?.getBoundingClientRect().width ?? 9) < 0.1;
  });
  expect(short).toBe(true);
});

test("a name in the grid has two lines, and its end is there when it has no room in them", async () => {
  await using visit = await journey.admin({ width: 1280, height: 800 });
  const { page } = visit;
  const explorer = explorerPage(page);
  await explorer.open("/drive/names");
  await page.getByRole("button", { name: "Grid", exact: true }).click();
  await seen(explorer.row("IMG_4187.txt"));
  /** Lines of the name that can be seen; whether they are all of it, and what stands at the end in their place. */
  const linesOf = (name: string) =>
    page.locator(`bdi[title="${name}"]`).evaluate((element) => {
      const box = element.getBoundingClientRect();
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      if (walker.nextNode()) range.selectNodeContents(walker.currentNode);
      const tail = element.querySelector("[data-tail]");
      const end = tail?.checkVisibility() ? getComputedStyle(tail, "::before").content : undefined;
      const height = Number.parseFloat(getComputedStyle(element).lineHeight);
      // Letters may reach a little out of their line.
      const whole = range.getBoundingClientRect().bottom < box.bottom + height / 2;
      return { lines: Math.round(box.height / height), whole, end };
    });
  expect(await linesOf("IMG_4187.txt")).toEqual({ lines: 1, whole: true, end: undefined });
  expect(await linesOf(TWO_LINES)).toEqual({ lines: 2, whole: true, end: undefined });
  expect(await linesOf(LONG)).toEqual({ lines: 2, whole: false, end: '"…-final.pdf"' });
});
