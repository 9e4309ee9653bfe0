import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { seen, startJourney, until } from "../../support/browser/journey.ts";
import { photo } from "../../support/files/picture.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

/** A folder of photographs, of which the explorer fetches thumbnails. */

const journey = await startJourney();
let attempts = 0;
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

  test("lays a gallery out once: nothing moves when its pictures load, and known shapes are there before", async () => {
    // Another attempt has other pictures, of which nothing is known.
    attempts += 1;
    const folder = `/drive/shapes-${attempts}`;
    await seeds.folder(folder);
    const shapes: readonly (readonly [number, number])[] = [
      [600, 900],
      [900, 600],
      [400, 1000],
      [800, 800],
    ];
    for (const [seed, [width, height]] of shapes.entries())
      await seeds.file(
        `${folder}/${seed}.jpg`,
        Buffer.from(await photo(width, height, 10 * attempts + seed)),
        "image/jpeg",
      );
    const shifted = async (page: Page) => {
      await page.addInitScript(() => {
        const shifts: number[] = [];
        Object.assign(window, { shifts });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
        }).observe({ type: "layout-shift", buffered: true });
      });
      await explorerPage(page).open(folder);
      await page.getByRole("button", { name: "Gallery", exact: true }).click();
      await seen(page.locator("[data-index='0'][role='option']"));
      await page.evaluate(() =>
        Object.assign(window, { from: (window as unknown as { shifts: number[] }).shifts.length }),
      );
      const drawn = () =>
        page
          .locator("[data-index] img")
          .evaluateAll((all) => all.filter((one) => (one as HTMLImageElement).naturalWidth > 0).length);
      await until(drawn, (count) => count === shapes.length);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      return await page.evaluate(() => {
        const { shifts, from } = window as unknown as { shifts: number[]; from: number };
        return shifts.slice(from);
      });
    };
    for (const isKnown of [false, true]) {
      await using visit = await journey.admin();
      expect(await shifted(visit.page)).toEqual([]);
      const heights = await visit.page
        .locator("[data-index][role='option']")
        .evaluateAll((all) =>
          all.map(({ clientWidth, clientHeight }) => Math.round((clientHeight / clientWidth) * 20)),
        );
      expect(heights).toEqual(isKnown ? [30, 13, 50, 20] : [15, 15, 15, 15]);
    }
  });

  test("draws thumbnails beside the names of its list", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    const asked = fetchedBy(page);
    await explorerPage(page).open("/drive/photos");
    expect(await widthOf(page, "[data-index='0'] img")).toBe(320);
    expect(asked).not.toContain("whole");
  });
});

describe("the page of a shared picture", () => {
  test("begins with 1280 pixels", async () => {
    const picture = await photo(2000, 1500, 77);
    const { slug, url } = await journey.shareFile(new File([picture], "lake.jpg", { type: "image/jpeg" }));
    await using visit = await journey.visitor();
    await visit.page.goto(url);
    const image = visit.page.getByRole("img", { name: "lake.jpg" });
    await seen(image);
    expect(await image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(1280);
    expect(await image.getAttribute("src")).toContain(`/api/file-thumb/${slug}`);
  });
});
