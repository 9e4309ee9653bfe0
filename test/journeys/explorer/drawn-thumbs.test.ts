import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { gone, seen, startJourney, until } from "../../support/browser/journey.ts";
import { peopleOf } from "../../support/browser/people.ts";
import { recordFilm } from "../../support/files/media.ts";
import { makePdf } from "../../support/files/pdf.ts";
import { root } from "../../support/sources.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

/** Small pictures that browsers draw, of files which the server does not decode. */

const journey = await startJourney();
const seeds = treeSeeds(journey);
const people = peopleOf(journey);
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
  page.locator("[data-entries] [data-index] img").evaluateAll((all) =>
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
    const kept = new Set<string>();
    page.on("response", (response) => {
      const { pathname, searchParams } = new URL(response.url());
      if (response.request().method() === "PUT" && pathname.endsWith("/api/fs/thumb") && response.ok())
        kept.add(`${searchParams.get("path")?.at(folder.length + 1)} ${searchParams.get("w")}`);
    });
    await explorerPage(page).open(folder);
    await page.getByRole("button", { name: "Grid", exact: true }).click();
    expect(await allShown(page)).toEqual(shapes.map((shape) => ({ from: "blob:", ...shape })));
    await until(
      async () => [...kept].sort().join(),
      (all) => all === "a 320,b 320,c 1280,c 320,d 1280,d 320",
    );
  }
  await using visit = await journey.admin();
  const { page } = visit;
  await explorerPage(page).open(folder);
  await page.getByRole("button", { name: "Grid", exact: true }).click();
  expect(await allShown(page)).toEqual(
    shapes.map((shape) => ({ from: new URL(journey.server.address).protocol, ...shape })),
  );
  // Over the whole window the kept form is there before the picture is decoded, which somebody sees who looks closer.
  await page.getByRole("button", { name: "Gallery", exact: true }).click();
  await page.getByRole("option", { name: "d.heic" }).dblclick();
  const large = page.locator("dialog img");
  await seen(large);
  expect(await large.getAttribute("src")).toContain("/api/fs/thumb");
  await page.keyboard.press("+");
  await until(
    () => large.getAttribute("src"),
    (src) => src?.startsWith("blob:") === true,
  );
});

test("are asked for once, and not offered by who may not write", async () => {
  attempts += 1;
  const folder = `/drive/reading-${attempts}`;
  await seeds.folder(folder);
  await seeds.file(`${folder}/a.mp4`, new Uint8Array(Buffer.from("no film at all")), "video/mp4");
  await seeds.file(`${folder}/b.avif`, await sample("camera.avif"), "image/avif");
  await seeds.file(`${folder}/c.heic`, (await sample("turned.heic")).slice(0, 1200), "image/heic");
  await using visit = await people.holder(await people.makeKey(["mount_view"]));
  const { page } = visit;
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (/\/api\/fs\/(?:thumb|download)$/.test(pathname)) asked.push(`${request.method()} ${searchParams.get("path")}`);
  });
  let decoders = 0;
  page.on("worker", (worker) => {
    if (worker.url().includes("heic.worker")) worker.on("close", () => (decoders += 1));
  });
  const isDrawn = () =>
    until(
      () => shown(page),
      (all) => all.length === 1 && all[0]?.width === 320,
    );
  await explorerPage(page).openByKey(folder);
  await isDrawn();
  // The damaged one was tried, and so was the film.
  await until(
    async () => decoders === 1 && new Set(asked).size === 3,
    (isTried) => isTried,
  );
  // Other views draw them from what is known.
  for (const view of ["Grid", "List"]) {
    await page.getByRole("button", { name: view, exact: true }).click();
    await isDrawn();
  }
  expect(asked.filter((one) => one.endsWith("c.heic"))).toEqual([`GET ${folder}/c.heic`]);
  expect(asked.filter((one) => one.startsWith("PUT"))).toEqual([]);
});

test("a HEIC is decoded, turned and with its colours, and one that is damaged is said to be", async () => {
  attempts += 1;
  const folder = `/drive/heic-${attempts}`;
  await seeds.folder(folder);
  await seeds.file(`${folder}/tall.heic`, await sample("turned.heic"), "image/heic");
  await seeds.file(`${folder}/torn.heic`, (await sample("turned.heic")).slice(0, 1200), "image/heic");
  await using visit = await journey.admin();
  const { page } = visit;
  await page.goto(`/mount-explorer${folder}?preview=tall.heic`);
  const picture = page.getByRole("img", { name: "tall.heic" });
  await seen(picture);
  // Red above and blue below before it was turned; red is to the right then, and more so in Display P3 than its numbers say in sRGB.
  expect(await coloursOf(picture)).toEqual({ width: 360, height: 480, left: "blue", right: "red" });
  await page.getByRole("button", { name: "Enlarge tall.heic" }).click();
  const large = page.locator("dialog img");
  await seen(large);
  expect(await coloursOf(large)).toEqual({ width: 360, height: 480, left: "blue", right: "red" });
  await page.goto(`/mount-explorer${folder}?preview=torn.heic`);
  await seen(page.getByText("This picture is damaged, or of a kind that cannot be decoded here."));
});

test("a shared HEIC is decoded for a visitor", async () => {
  const { url } = await journey.shareFile(new File([await sample("camera.heic")], "lake.heic", { type: "image/heic" }));
  await using visit = await journey.visitor();
  await visit.page.goto(url);
  const picture = visit.page.getByRole("img", { name: "lake.heic" });
  await seen(picture);
  expect(await coloursOf(picture)).toMatchObject({ width: 480, height: 360 });
});

test.each(["jpg", "heic", "avif"])(
  "what a camera wrote into a %s stands in its details and beside it",
  async (kind) => {
    attempts += 1;
    const folder = `/drive/camera-${attempts}`;
    await seeds.folder(folder);
    await seeds.file(`${folder}/a.${kind}`, await sample(`camera.${kind}`), `image/${kind}`);
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open(folder);
    await explorer.menu(`a.${kind}`, "Details");
    const facts = ["May 17, 2024, 6:42 PM +02:00", "Fujifilm X-T5", "XF35mmF1.4 R", "1/250 s · f/2.8 · ISO 400"];
    const rest = ["35 mm (53 mm on full frame)", "48.20849, 16.37208"];
    const { details } = explorer;
    for (const fact of [...facts, ...rest]) await seen(details.getByText(fact, { exact: true }));
    await details.getByRole("button", { name: "Copy coordinates" }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("48.20849, 16.37208");
    await details.getByRole("button", { name: "Hide details" }).click();
    await gone(details);
    await page.getByRole("button", { name: "Gallery", exact: true }).click();
    await page.locator("[data-index='0']").dblclick();
    await seen(page.locator("dialog img"));
    await page.keyboard.press("i");
    for (const fact of facts) await seen(page.locator("dialog aside").getByText(fact, { exact: true }));
  },
);

/** The size of a picture, and which of red and blue is to its left and right. */
const coloursOf = (picture: Locator) =>
  picture.evaluate((element) => {
    const image = element as HTMLImageElement;
    const { naturalWidth: width, naturalHeight: height } = image;
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d");
    context?.drawImage(image, 0, 0);
    const nameAt = (x: number) => {
      const [red = 0, , blue = 0] = context?.getImageData(x, height / 2, 1, 1).data ?? [];
      return red > blue ? "red" : "blue";
    };
    return { width, height, left: nameAt(8), right: nameAt(width - 8) };
  });
