import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { seen, startJourney, until } from "../../support/browser/journey.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

const journey = await startJourney();
const seeds = treeSeeds(journey);

/** What has the focus, and whether one sees that it has. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const row = document.getElementById(element.getAttribute("aria-activedescendant") ?? "");
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(row ?? element);
    return {
      name: row?.querySelector("[title]")?.getAttribute("title") ?? element.ariaLabel ?? element.textContent ?? "",
      visible: (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none",
    };
  });

/** Each attempt has a folder of its own: the first one may have changed what it found. */
let attempts = 0;

test("what was done is read out once, and again where the same is done again", async () => {
  const folder = `/drive/spoken-${++attempts}`;
  for (const name of ["alpha.txt", "beta.txt"]) await seeds.text(`${folder}/${name}`, "x");
  await using visit = await journey.admin();
  const { page } = visit;
  // Each sentence that comes into a live region, as a screen reader takes it.
  await page.addInitScript(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    const isLive = (node: Node) => {
      const element = node instanceof Element ? node : node.parentElement;
      return element?.closest("[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]") != null;
    };
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes)
        for (const node of type === "characterData" ? [target] : addedNodes)
          if (isLive(node) && node.textContent) heard.push(node.textContent);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  const heard = async (sentence: string) =>
    (await page.evaluate(() => (window as unknown as { heard: string[] }).heard)).filter((text) => text === sentence)
      .length;
  const explorer = explorerPage(page);
  await explorer.open(folder);
  await explorer.shows(["alpha.txt", "beta.txt"]);
  await explorer.choose("alpha.txt");
  await page.keyboard.press("Control+c");
  for (const times of [1, 2]) {
    await page.keyboard.press("Control+v");
    await until(
      () => heard("1 item copied"),
      (count) => count === times,
    );
  }
  await explorer.choose("beta.txt");
  await page.keyboard.press("Delete");
  await page.keyboard.press("Enter");
  await seen(page.getByText("1 item moved to the trash"));
  expect(await heard("1 item deleted")).toBe(0);
});

test("letters typed in a row are one name, however long the page is busy in between", async () => {
  const folder = `/drive/busy-${++attempts}`;
  for (const name of ["a.txt", "a b.txt", "b.txt"]) await seeds.text(`${folder}/${name}`, "x");
  await using visit = await journey.admin();
  const { page } = visit;
  const explorer = explorerPage(page);
  await explorer.open(folder);
  await explorer.shows(["a b.txt", "a.txt", "b.txt"]);
  await explorer.choose("b.txt");
  await explorer.surface.evaluate((surface) => {
    const keys = ["a", " ", "b"].map((key) => new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    for (const key of keys) {
      surface.dispatchEvent(key);
      // Longer than the pause that ends a name.
      for (const began = performance.now(); performance.now() - began < 900; );
    }
  });
  await until(explorer.chosen, (chosen) => chosen.join() === "a b.txt");
  expect(new URL(page.url()).search).toBe("");
});

describe("by keys alone", () => {
  test("one goes, chooses, looks, renames, copies, cuts and deletes, and always sees where one is", async () => {
    const folder = `/drive/keyed-${++attempts}`;
    for (const name of ["alpha.txt", "beta.txt", "gamma.txt"]) await seeds.text(`${folder}/${name}`, `I am ${name}.`);
    await seeds.folder(`${folder}/target`);
    await using visit = await journey.admin();
    const { page } = visit;
    const { press } = page.keyboard;
    const key = press.bind(page.keyboard);
    const explorer = explorerPage(page);
    const focusIsOn = (wanted: string) =>
      until(
        () => focused(page),
        ({ name, visible }) => name === wanted && visible,
      );
    await explorer.open(folder);
    await explorer.shows(["target", "alpha.txt", "beta.txt", "gamma.txt"]);
    await page.keyboard.type("be");
    expect(await focused(page)).toEqual({ name: "beta.txt", visible: true });
    await key("Shift+ArrowUp");
    expect(await explorer.chosen()).toEqual(["alpha.txt", "beta.txt"]);
    await key("Control+ArrowDown");
    await key("Control+ArrowDown");
    await key("Control+Space");
    expect(await explorer.chosen()).toEqual(["alpha.txt", "beta.txt", "gamma.txt"]);
    await key("Escape");
    await key("Home");
    expect(await focused(page)).toEqual({ name: "target", visible: true });
    await key("End");
    expect(await focused(page)).toEqual({ name: "gamma.txt", visible: true });

    await key("Space");
    await seen(page.getByText("I am gamma.txt."));
    await key("ArrowLeft");
    await seen(page.getByText("I am beta.txt."));
    await key("Escape");
    await until(explorer.chosen, (chosen) => chosen.join() === "beta.txt");
    await focusIsOn("beta.txt");

    await key("F2");
    await seen(explorer.dialog);
    await page.keyboard.type("delta");
    await key("Enter");
    await explorer.shows(["target", "alpha.txt", "delta.txt", "gamma.txt"]);
    await focusIsOn("delta.txt");

    await key("ContextMenu");
    await seen(page.getByRole("menu"));
    expect(await focused(page)).toMatchObject({ name: expect.stringContaining("Preview") });
    await page.keyboard.type("dd");
    await key("Enter");
    await seen(page.getByRole("complementary", { name: "Details" }));
    await focusIsOn("delta.txt");

    await key("Control+c");
    await key("Home");
    await key("Enter");
    await seen(page.getByText("This folder is empty"));
    await key("Control+v");
    await explorer.shows(["delta.txt"]);
    await key("Backspace");
    await explorer.shows(["target", "alpha.txt", "delta.txt", "gamma.txt"]);
    await page.keyboard.type("alp");
    await key("Control+x");
    await key("Home");
    await key("Enter");
    await explorer.shows(["delta.txt"]);
    await key("Control+v");
    await explorer.shows(["alpha.txt", "delta.txt"]);
    await key("Control+a");
    await key("Delete");
    await seen(explorer.dialog.getByText("Delete 2 items?"));
    await key("Enter");
    await seen(page.getByText("This folder is empty"));
    expect(await seeds.names(folder)).toEqual(["delta.txt", "gamma.txt", "target"]);
  });
});
