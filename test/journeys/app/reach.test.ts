import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { screenshot } from "../../support/browser/chromium.ts";
import { overhang, seen, startJourney } from "../../support/browser/journey.ts";
import { atEdges, covered, coveredIn, low, setInsets, spilled } from "../../support/browser/reach.ts";
import { smallTargets } from "../../support/browser/small-targets.ts";
import { mainScreens, seedMainScreens } from "../../support/screens/main.ts";

/** Screens that are shown larger, and screens under a finger. */

const journey = await startJourney();
await seedMainScreens(journey);

const rows = Object.entries(mainScreens);

/** 1280 x 800 at 200 %, and 1280 x 1024 at 400 % (WCAG 2.2, 1.4.4 and 1.4.10). */
const zooms = [
  { width: 640, height: 400, zoom: 2 },
  { width: 320, height: 256, zoom: 4 },
] as const;

describe.each(zooms)("at $zoom times the size nothing is cut off or covered:", (size) => {
  test.each(rows)("%s", async (name, { path, who, shows }) => {
    await using visit = await journey[who](size);
    const { page } = visit;
    await page.goto(path);
    await seen(shows(page));
    await screenshot(page, `zoom${size.zoom}-${name}`);
    expect(await overhang(page)).toBe(0);
    expect(await covered(page)).toEqual([]);
  });
});

const phone = { width: 390, height: 844 } as const;

/** The line to swipe at of a phone without a frame. */
const swipe = { top: 0, right: 0, bottom: 34, left: 0 };

describe("a finger hits everything on a phone, small targets and its edges too:", () => {
  test.each(rows)("%s", async (name, { path, who, shows }) => {
    await using visit = await journey[who](phone);
    const { page } = visit;
    await page.goto(path);
    await seen(shows(page));
    await screenshot(page, `finger-${name}`);
    expect(await covered(page)).toEqual([]);
    expect(await low(page, 44)).toEqual([]);
    expect(await smallTargets(page)).toEqual([]);
    await setInsets(visit, swipe);
    await screenshot(page, `edges-${name}`);
    expect(await overhang(page)).toBe(0);
    expect(await atEdges(page, swipe)).toEqual([]);
  });
});

test("targets have 24 pixels where there is room for more, too", async () => {
  await journey.share({ content: "# One\n\n## Two\n\n- [ ] a\n\n# Four\n", slug: "outlined" });
  await using visit = await journey.admin({ width: 1280, height: 800 });
  const { page } = visit;
  const found = async () => expect(await smallTargets(page)).toEqual([]);
  await page.goto("/paste/outlined");
  await seen(
    page
      .getByRole("button", { name: /Two|One/ })
      .or(page.getByRole("link", { name: "Four" }))
      .first(),
  );
  await found();
  await page.goto("/");
  await page.getByRole("textbox", { name: "Text to share" }).fill("ok");
  await page.getByRole("button", { name: "Create link" }).click();
  await seen(page.getByRole("region", { name: "Your link" }));
  await found();
  await page.goto("/");
  await seen(page.getByRole("region", { name: "Recent texts" }));
  await found();
  await page.goto("/mount-explorer/drive");
  await page.getByRole("button", { name: "Grid", exact: true }).click();
  await seen(page.getByRole("gridcell", { name: /^notes\.txt/ }));
  await found();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("notes");
  await seen(page.locator("[data-hit]").first());
  await found();
});

/** A phone without a frame that lies on its side: the line to swipe at, and the camera. */
const camera = { top: 0, right: 47, bottom: 21, left: 47 };

describe("nothing to press lies at the edges of a phone on its side:", () => {
  test.each(rows)("%s", async (name, { path, who, shows }) => {
    await using visit = await journey[who]({ width: 844, height: 390 });
    const { page } = visit;
    await setInsets(visit, camera);
    await page.goto(path);
    await seen(shows(page));
    await screenshot(page, `edges-on-its-side-${name}`);
    expect(await overhang(page)).toBe(0);
    expect(await atEdges(page, camera)).toEqual([]);
  });
});

test("the menu of the pages fits where it opens, at 4 times the size", async () => {
  await using visit = await journey.admin(zooms[1]);
  const { page } = visit;
  await page.goto("/");
  await page.getByRole("button", { name: "Open menu" }).click();
  const menu = page.locator("#menu");
  await seen(menu.getByRole("link", { name: "Upload" }));
  expect(await overhang(page)).toBe(0);
  expect(await spilled(menu)).toEqual([]);
  expect(await coveredIn(menu)).toEqual([]);
});

describe("the dashboard widens no page,", () => {
  const cards = (page: Page) => page.getByText("Uptime");

  test("not while its chart still has the size of a wider screen", async () => {
    await using visit = await journey.admin({ width: 640, height: 400, zoom: 2 });
    const { page } = visit;
    // As on a busy machine, where the observer's turn comes later.
    await page.addInitScript(() => {
      ResizeObserver.prototype.observe = () => undefined;
    });
    await page.goto("/admin/dashboard");
    await seen(cards(page));
    await page.setViewportSize({ width: 320, height: 256 });
    expect(await overhang(page)).toBe(0);
  });

  test("nor by long names and large numbers", async () => {
    await journey.call("POST", "/api/s3-configs", {
      ...{ name: `Storage-${"of-a-long-name-".repeat(4)}`, provider_type: "MinIO", path_style: true },
      ...{ endpoint_url: "http://127.0.0.1:1", bucket_name: "files" },
      ...{ access_key_id: "AKIAEXAMPLE", secret_access_key: "not-so-secret", total_storage_bytes: 123_456_789_012 },
    });
    await using visit = await journey.admin(zooms[1]);
    const { page } = visit;
    await page.route("**/api/admin/dashboard/stats", async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      Object.assign(body.data, {
        ...{ totalPastes: 123_456_789_012, totalFiles: 123_456_789_012, totalStorageUsed: 2 ** 60 },
        ...{ lastWeekPastes: Array(7).fill(1_234_567), lastWeekFiles: Array(7).fill(1_234_567) },
      });
      await route.fulfill({ response, json: body });
    });
    await page.goto("/admin/dashboard");
    await seen(cards(page));
    await seen(page.getByText("123,456,789,012").first());
    await screenshot(page, "zoom4-dashboard-large");
    expect(await overhang(page)).toBe(0);
  });
});
