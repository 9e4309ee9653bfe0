import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { LinkRecord } from "#contract/links";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { seen, startJourney, until } from "../../support/browser/journey.ts";
import { makePng } from "../../support/files/media.ts";
import { makeMp3, makeTaggedWav } from "../../support/files/music.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

/** What recordings say of themselves, wherever they are played. */

const journey = await startJourney();
const seeds = treeSeeds(journey);
const wav = Bun.file("a.wav").type;
const song = (title: string, artist: string) =>
  makeTaggedWav({ title, artist, album: "Abendmusik", year: "1999", cover: makePng(300, 300) });
await seeds.file("/drive/music/01.wav", song("Morgenlied", "Anna Berg"), wav);
await seeds.file("/drive/music/02.wav", song("夜曲", "Li Wei"), wav);
await seeds.file("/drive/music/03 untitled.wav", makeTaggedWav({}), wav);

/** How wide the picture of the cover is, once it is drawn. */
const coverOf = (page: Page) =>
  until(
    () => page.getByRole("img", { name: "Cover" }).evaluate((image: HTMLImageElement) => image.naturalWidth),
    (width) => width > 0,
  );

/** What the lock screen of a device is told. */
const told = (page: Page) =>
  page.evaluate(() => {
    const { title, artist, album, artwork } = navigator.mediaSession.metadata ?? new MediaMetadata();
    return [title, artist, album, artwork[0]?.src.split(":")[0]];
  });

test("a shared recording behind a password shows title, artist, album and cover, and no view is spent for them", async () => {
  const file = new File([song("Morgenlied", "Anna Berg")], "a.wav", { type: wav });
  const { url, slug } = await journey.shareFile(file, { password: "sesame", max_views: "2" });
  await using visit = await journey.visitor();
  const { page } = visit;
  await page.goto(url);
  await page.getByLabel("Password", { exact: true }).fill("sesame");
  await page.getByRole("button", { name: /^Open/ }).click();
  await seen(page.getByText("Morgenlied", { exact: true }));
  await seen(page.getByText("Anna Berg · Abendmusik · 1999"));
  expect(await coverOf(page)).toBe(300);
  expect(await told(page)).toEqual(["Morgenlied", "Anna Berg", "Abendmusik", "blob"]);
  const peek = await journey.call<{ data: { views_left: number } }>("GET", `/api/public/files/${slug}?peek=1`);
  expect(peek.data.views_left).toBe(1);
});

test("only the tags of a large recording travel", async () => {
  const cover = makePng(300, 300);
  const bytes = Buffer.concat([makeMp3({ title: "Lang", cover }), Buffer.alloc(5_000_000)]);
  const { url } = await journey.shareFile(new File([bytes], "long.mp3"));
  await using visit = await journey.visitor();
  const { page } = visit;
  const ranges: string[] = [];
  page.on("request", async (request) => {
    const range = (await request.allHeaders()).range;
    if (range && request.resourceType() === "fetch") ranges.push(range);
  });
  await page.goto(url);
  await seen(page.getByText("Lang", { exact: true }));
  expect(await coverOf(page)).toBe(300);
  expect(ranges).toEqual(["bytes=0-65535"]);
});

test("the playlist of a link shows titles, and plays", async () => {
  const { data } = await journey.call<{ data: LinkRecord }>("POST", "/api/links", { items: ["/drive/music/"] });
  await using visit = await journey.visitor({ width: 390, height: 844 });
  const { page } = visit;
  await page.goto(`/s/${data.slug}/music?preview=01.wav`);
  const list = page.getByRole("list", { name: "Playlist" });
  await seen(list.getByRole("button", { name: /Morgenlied.*Anna Berg/ }));
  await seen(list.getByRole("button", { name: "03 untitled.wav" }));
  await list.getByRole("button", { name: /夜曲.*Li Wei/ }).click();
  await seen(page.getByText("Li Wei · Abendmusik · 1999"));
  expect(await coverOf(page)).toBe(300);
  await until(
    () => page.locator("audio").evaluate((audio: HTMLAudioElement) => audio.currentTime),
    (time) => time > 0,
  );
  expect(await told(page)).toEqual(["夜曲", "Li Wei", "Abendmusik", "blob"]);
});

test("details of a recording tell its tags", async () => {
  await using visit = await journey.admin({ width: 1440, height: 900 });
  const { page } = visit;
  const explorer = explorerPage(page);
  await explorer.open("/drive/music");
  await page.getByRole("button", { name: "Details", exact: true }).click();
  await explorer.choose("01.wav");
  const details = page.getByRole("complementary", { name: "Details" });
  for (const said of ["Morgenlied", "Anna Berg", "Abendmusik", "1999"])
    await seen(details.getByText(said, { exact: true }));
});
