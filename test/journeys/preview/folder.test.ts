import { expect, test } from "bun:test";
import { seen, startJourney, until } from "../../support/browser/journey.ts";
import { makePng, makeWav, recordFilm, splitFilm } from "../../support/files/media.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

/** What viewers make of the files beside theirs, in the explorer. */

const journey = await startJourney();
const seeds = treeSeeds(journey);
await seeds.folder("/drive/media");

test("recordings of a folder are a playlist", async () => {
  for (const name of ["1 first.wav", "2 second.wav"])
    await seeds.file(`/drive/media/${name}`, makeWav(0.5), Bun.file("a.wav").type);
  await using visit = await journey.admin();
  const { page } = visit;
  await page.goto("/mount-explorer/drive/media?preview=1 first.wav");
  const list = page.getByRole("list", { name: "Playlist" });
  await seen(list.getByRole("button", { name: "2 second.wav" }));
  await list.getByRole("button", { name: "2 second.wav" }).click();
  await seen(page.getByRole("heading", { name: "2 second.wav" }));
  await until(
    () => page.locator("audio").evaluate((audio: HTMLAudioElement) => audio.currentTime),
    (time) => time > 0,
  );
});

test("an enlarged picture leads to the others of its folder", async () => {
  await seeds.folder("/drive/pictures");
  for (const name of ["1.png", "2.png", "3.png"])
    await seeds.file(`/drive/pictures/${name}`, makePng(60, 40), "image/png");
  await seeds.text("/drive/pictures/2 between.txt");
  await using visit = await journey.admin();
  const { page } = visit;
  await page.goto("/mount-explorer/drive/pictures?preview=1.png");
  await page.getByRole("button", { name: "Enlarge 1.png" }).click();
  await seen(page.getByRole("dialog", { name: "1.png" }).getByText("1 / 3"));
  await page.keyboard.press("ArrowRight");
  const second = page.getByRole("dialog", { name: "2.png" });
  await until(
    () => second.getByRole("img").evaluate((image: HTMLImageElement) => image.naturalWidth),
    (width) => width === 60,
  );
  await page.getByRole("button", { name: "Previous picture" }).click();
  await page.keyboard.press("ArrowLeft");
  await seen(page.getByRole("dialog", { name: "3.png" }).getByText("3 / 3"));
  await page.keyboard.press("Escape");
  await seen(page.getByRole("heading", { name: "3.png" }));
  expect(new URL(page.url()).searchParams.get("preview")).toBe("3.png");
});

test("a film has the subtitles that lie beside it, SubRip as well", async () => {
  await using visit = await journey.admin();
  const { page } = visit;
  await page.goto("/");
  await seeds.file("/drive/media/film.webm", await recordFilm(page), "video/webm");
  await seeds.text("/drive/media/film.en.srt", "1\n00:00:00,000 --> 00:00:05,000\nHello there.\n");
  await seeds.text("/drive/media/film.zh.vtt", "WEBVTT\n\n00:00.000 --> 00:05.000\n你好。\n");
  await page.goto("/mount-explorer/drive/media?preview=film.webm");
  const texts = () =>
    page
      .locator("video")
      .evaluate((video: HTMLVideoElement) =>
        [...video.textTracks].map((track) => [
          track.language,
          [...(track.cues ?? [])].map((cue) => (cue as VTTCue).text),
        ]),
      );
  await until(texts, (tracks) => tracks.length === 2 && tracks.some(([, cues]) => cues?.length === 1));
  const languages = (await texts()).map(([language]) => language);
  expect(languages).toEqual(["en", "zh"]);
});

test("a film leaves room for its tools, also above the list of tasks", async () => {
  await using visit = await journey.admin();
  const { page } = visit;
  await page.goto("/");
  await seeds.file("/drive/media/film.webm", await recordFilm(page), "video/webm");
  await page.goto("/mount-explorer/drive/media");
  const upload = page.getByRole("toolbar").getByRole("button", { name: "Upload", exact: true });
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), upload.click()]);
  await chooser.setFiles({ name: "new.txt", mimeType: "text/plain", buffer: Buffer.from("new") });
  const tasks = page.getByRole("region", { name: "Tasks" });
  await seen(tasks);
  await page.getByText("film.webm").dblclick();
  await seen(page.locator("video"));
  const tools = await page.getByRole("toolbar", { name: "Viewer tools" }).boundingBox();
  const strip = await tasks.boundingBox();
  expect((tools?.y ?? 0) + (tools?.height ?? 0)).toBeLessThanOrEqual(strip?.y ?? 0);
});

test("a playlist plays with the parts in its folder", async () => {
  await using visit = await journey.admin();
  const { page } = visit;
  await page.goto("/");
  const { first, fragments } = splitFilm(await recordFilm(page, "video/mp4;codecs=vp9"));
  await seeds.file("/drive/media/parts/first.mp4", first, "video/mp4");
  const list = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:2", '#EXT-X-MAP:URI="parts/first.mp4"'];
  for (const [index, fragment] of fragments.entries()) {
    await seeds.file(`/drive/media/parts/part ${index}.mp4`, fragment, "video/mp4");
    list.push("#EXTINF:1.0,", `parts/part%20${index}.mp4`);
  }
  expect(fragments.length).toBeGreaterThan(0);
  await seeds.text("/drive/media/film.m3u8", [...list, "#EXT-X-ENDLIST", ""].join("\n"));
  await page.goto("/mount-explorer/drive/media?preview=film.m3u8");
  const video = page.locator("video");
  await until(
    () => video.evaluate((element: HTMLVideoElement) => element.videoWidth),
    (width) => width === 320,
  );
  await page.keyboard.press(" ");
  await until(
    () => video.evaluate((element: HTMLVideoElement) => element.currentTime),
    (time) => time > 0,
  );
});

test("a playlist whose parts are not there says so", async () => {
  const list =
    "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nhttps://evil.example/part.ts\n#EXT-X-ENDLIST\n";
  await seeds.text("/drive/media/stream.m3u8", list);
  await using visit = await journey.admin();
  await visit.page.goto("/mount-explorer/drive/media?preview=stream.m3u8");
  await seen(visit.page.getByText("The parts of this playlist are not in its folder", { exact: false }));
});
