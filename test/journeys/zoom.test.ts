import { describe, expect, test } from "bun:test";
import { screenshot } from "../support/chromium.ts";
import { overhang, seen, startJourney } from "../support/journey.ts";
import { mainScreens, seedMainScreens } from "../support/main-screens.ts";
import { atEdges, covered, low, setInsets } from "../support/reach.ts";

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

describe("a finger hits everything on a phone:", () => {
  test.each(rows)("%s", async (name, { path, who, shows }) => {
    await using visit = await journey[who](phone);
    const { page } = visit;
    await page.goto(path);
    await seen(shows(page));
    await screenshot(page, `finger-${name}`);
    expect(await covered(page)).toEqual([]);
    expect(await low(page, 44)).toEqual([]);
  });
});

/** A phone without a frame, upright and lying: the line to swipe at, and the camera. */
const edges = [
  { lies: "upright", width: 390, height: 844, insets: { top: 0, right: 0, bottom: 34, left: 0 } },
  { lies: "on its side", width: 844, height: 390, insets: { top: 0, right: 47, bottom: 21, left: 47 } },
] as const;

describe.each(edges)("nothing to press lies at the edges of a phone $lies:", ({ width, height, insets }) => {
  test.each(rows)("%s", async (name, { path, who, shows }) => {
    await using visit = await journey[who]({ width, height });
    const { page } = visit;
    await setInsets(visit, insets);
    await page.goto(path);
    await seen(shows(page));
    await screenshot(page, `edges-${width}-${name}`);
    expect(await overhang(page)).toBe(0);
    expect(await atEdges(page, insets)).toEqual([]);
  });
});
