import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { explorerPage } from "../support/explorer-page.ts";
import { seen, startJourney, until } from "../support/journey.ts";
import { photo } from "../support/picture.ts";
import { treeSeeds } from "../support/tree-seeds.ts";

/** A folder of photographs, of which the explorer fetches thumbnails. */

const journey = await startJourney();
const names = ["a.jpg", "b.jpg", "c.jpg"];
const seeds = treeSeeds(journey);
await seeds.folder("/drive/photos");
for (const [seed, name] of names.entries())
  await seeds.file(`/drive/photos/${name}`, Buffer.from(await photo(2000, 1500, seed + 1)), "image/jpeg");

/** What a page asks the server for: thumbnails by their width, and the photographs as they are. */
function fetchedBy(page: Page) {
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === "/api/fs/thumb") asked.push(`${searchParams.get("w")} ${searchParams.get("path")}`);
    else if (request.resourceType() === "image" && request.url().includes(".jpg")) asked.push("whole");
  });
  return asked;
}

/** Waits for a picture that is drawn, and answers how many pixels it has across. */
async function widthOf(page: Page, selector: string): Promise<number> {
  const picture = page.locator(selector).first();
  await seen(picture);
  return await picture.evaluate((element) => (element as HTMLImageElement).naturalWidth);
}

describe("the explorer", () => {
  test.each(["Grid", "Gallery"])("draws thumbnails and no photograph in its %s", async (view) => {
    await using visit = await journey.admin();
    const { page } = visit;
    const asked = fetchedBy(page);
    await explorerPage(page).open("/drive/photos");
    await page.getByRole("button", { name: view, exact: true }).click();
    expect(await widthOf(page, "[data-index='0'] img")).toBe(320);
    await until(
      async () => new Set(asked).size,
      (size) => size === 3,
    );
    expect(new Set(asked)).toEqual(new Set(names.map((name) => `320 /drive/photos/${name}`)));
  });

  test("shows 1280 pixels over the whole window, and the photograph when somebody looks closer", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await explorerPage(page).open("/drive/photos");
    await page.getByRole("button", { name: "Gallery", exact: true }).click();
    await seen(page.locator("[data-index='1'] img"));
    const asked = fetchedBy(page);
    await page.locator("[data-index='1']").dblclick();
    expect(await widthOf(page, "dialog img")).toBe(1280);
    expect(asked).toEqual(["1280 /drive/photos/b.jpg"]);
    const size = () =>
      page.locator("dialog img").evaluate(({ clientWidth, clientHeight }) => [clientWidth, clientHeight]);
    const before = await size();
    await page.keyboard.press("+");
    await until(
      () => widthOf(page, "dialog img"),
      (width) => width === 2000,
    );
    expect(await size()).toEqual(before);
  });
});
