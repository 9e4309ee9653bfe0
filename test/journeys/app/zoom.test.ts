import { describe, expect, test } from "bun:test";
import { screenshot } from "../../support/browser/chromium.ts";
import { overhang, seen, startJourney } from "../../support/browser/journey.ts";
import { coveredIn, spilled } from "../../support/browser/reach.ts";
import { forgetDown, seedFolder } from "../../support/screens/explorer.ts";
import { seedMainScreens } from "../../support/screens/main.ts";
import { openScreens } from "../../support/screens/overlays.ts";
import { words } from "../../support/screens/screen.ts";

/** What opens over a page, shown larger. */

const journey = await startJourney();
await seedMainScreens(journey);
await seedFolder(journey);

/** 1280 x 800 at 200 %, and 1280 x 1024 at 400 % (WCAG 2.2, 1.4.4 and 1.4.10). */
const zooms = [
  { width: 640, height: 400, zoom: 2 },
  { width: 320, height: 256, zoom: 4 },
] as const;

describe.each(zooms)("at $zoom times the size nothing that opens is cut off or covered:", (size) => {
  test.each(openScreens)("$name", async ({ name, path, open, shows, surface }) => {
    await using visit = await journey.admin(size);
    const { page } = visit;
    await page.goto(path);
    await open(page, words["en-US"]);
    await seen(shows(page, words["en-US"]).first());
    await screenshot(page, `open${size.zoom}-${name}`);
    expect(await overhang(page)).toBe(0);
    expect(await spilled(surface(page))).toEqual([]);
    expect(await coveredIn(surface(page))).toEqual([]);
    forgetDown(visit);
  });
});
