import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { explorerPage } from "../support/explorer-page.ts";
import { recordFilm } from "../support/files/media.ts";
import { makePdf } from "../support/files/pdf.ts";
import { seen, startJourney, until } from "../support/journey.ts";
import { root } from "../support/sources.ts";
import { treeSeeds } from "../support/tree-seeds.ts";

/** Small pictures that browsers draw, of files which the server does not decode. */

const journey = await startJourney();
const seeds = treeSeeds(journey);
let attempts = 0;

const sample = (name: string) => Bun.file(join(root, "test/support/files/pictures", name)).bytes();

/** A film, a PDF, an AVIF and a HEIC in a folder that no test had before. */
async function fill(): Promise<string> {
  attempts += 1;
  const folder = `/drive/drawn-${attempts}`;
  await seeds.folder(folder);
  await using visit = await journey.admin();
  await visit.page.goto("/");
  await seeds.file(`${folder}/a.webm`, await recordFilm(visit.page), "video/webm");
  await seeds.file(
    `${folder}/b.pdf`,
    makePdf([{ lines: ["The first page"] }, { lines: ["The second"] }]),
    "application/pdf",
  );
  await seeds.file(`${folder}/c.avif`, await sample("camera.avif"), "image/avif");
  await seeds.file(`${folder}/d.heic`, await sample("turned.heic"), "image/heic");
  return folder;
}

/** The pictures on view in their order: where each comes from, and its size. */
const shown = (page: Page) =>
  page.locator("[data-surface] [data-index] img").evaluateAll((all) =>
    all.map((one) => {
      const { src, naturalWidth: width, naturalHeight: height } = one as HTMLImageElement;
      return { from: new URL(src).protocol, width, height };
    }),
  );

const allShown = (page: Page) =>
  until(
    () => shown(page),
    (all) => all.length === 4 && all.every(({ width }) => width > 0),
  );

const shapes = [
  { width: 320, height: 180 },
  { width: 320, height: 451 },
  { width: 320, height: 240 },
  { width: 320, height: 427 },
];

test("are drawn by the first browser that looks, and kept for the others", async () => {
  const folder = await fill();
  {
    await using visit = await journey.admin();
    const { page } = visit;
    await explorerPage(page).open(folder);
    await page.getByRole("button", { name: "Grid", exact: true }).click();
    expect(await allShown(page)).toEqual(shapes.map((shape) => ({ from: "blob:", ...shape })));
  }
  const kept = () =>
    journey.call<{ data: { items: { name: string; picture?: { width: number } }[] } }>(
      "GET",
      `/api/fs/list?${new URLSearchParams({ path: folder, refresh: "true" })}`,
    );
  await until(kept, ({ data }) => data.items.every(({ picture }) => picture !== undefined));
  await using visit = await journey.admin();
  const { page } = visit;
  await explorerPage(page).open(folder);
  await page.getByRole("button", { name: "Grid", exact: true }).click();
  expect(await allShown(page)).toEqual(
    shapes.map((shape) => ({ from: new URL(journey.server.address).protocol, ...shape })),
  );
});
