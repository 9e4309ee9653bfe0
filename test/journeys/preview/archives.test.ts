import { describe, expect, test } from "bun:test";
import { gzipSync, zstdCompressSync } from "node:zlib";
import type { Page } from "playwright-core";
import type { LinkRecord } from "#contract/links";
import { findings } from "../../support/browser/axe.ts";
import { UNLOADED } from "../../support/browser/chromium.ts";
import { gone, overhang, seen, startJourney, until } from "../../support/browser/journey.ts";
import { tar } from "../../support/files/archives.ts";
import { makePng, makeWav } from "../../support/files/media.ts";
import { makePdf } from "../../support/files/pdf.ts";
import { makeZip } from "../../support/files/zip.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

/** Archives are walked through like folders, wherever they are shown. */

const journey = await startJourney();
const seeds = treeSeeds(journey);

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" onload="window.taken=1"><script>window.taken=1</script><rect width="40" height="30"/></svg>`;
const contents: Record<string, string | Uint8Array> = {
  "readme.md": "# Read me first\n\nHello from the archive.",
  "docs/guide/deep.txt": "Deep down.",
  "docs/report.pdf": makePdf([{ lines: ["A page of the report."] }]),
  "docs/page.html": "<h1>A page</h1><script>window.taken=1</script>",
  "media/picture.png": makePng(64, 48),
  "media/drawing.svg": svg,
  "media/tone.wav": makeWav(1),
  "more/inner.zip": makeZip({ "in it/words.txt": "Within an archive within an archive." }),
  "unknown.bin": new Uint8Array([0, 1, 2, 3, 255]),
};
const files = Object.entries(contents).map(([name, content]) => ({ name, content }));
const bytes = {
  "bundle.zip": makeZip(contents),
  "bundle.tar.gz": new Uint8Array(gzipSync(tar(files))),
} as const;

const row = (page: Page, name: string) =>
  page.getByRole("list", { name: /^Files in / }).getByRole("button", { name: new RegExp(`^${RegExp.escape(name)}`) });
const way = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Path in the archive" }).last().getByRole("button", { name, exact: true });

describe.each(Object.entries(bytes))("%s", (name, archive) => {
  test("is walked through, and its files are shown by their viewers", async () => {
    const { url } = await journey.shareFile(new File([archive], name));
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto(url);
    await row(page, "docs").click();
    await row(page, "guide").click();
    await row(page, "deep.txt").click();
    await seen(page.getByText("Deep down."));
    await way(page, "docs").click();
    await row(page, "report.pdf").click();
    await seen(page.getByText("A page of the report."));
    await page.keyboard.press("Escape");
    await row(page, "page.html").click();
    await seen(page.frameLocator("main iframe").getByRole("heading", { name: "A page" }));
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await way(page, name).click();
    await row(page, "readme.md").click();
    await seen(page.getByRole("heading", { name: "Read me first" }));
    await page.keyboard.press("Escape");
    await row(page, "media").click();
    for (const [picture, width] of [
      ["picture.png", 64],
      ["drawing.svg", 40],
    ] as const) {
      await row(page, picture).click();
      await until(
        () => page.getByRole("img", { name: picture }).evaluate((image: HTMLImageElement) => image.naturalWidth),
        (drawn) => drawn === width,
      );
      await page.keyboard.press("Escape");
    }
    await row(page, "tone.wav").click();
    await until(
      () => page.locator("audio").evaluate((audio: HTMLAudioElement) => audio.duration),
      (duration) => duration === 1,
    );
    await way(page, name).click();
    await row(page, "unknown.bin").click();
    await seen(page.getByText("There is no preview of this file."));
    expect(await page.evaluate(() => "taken" in window)).toBe(false);
    expect(await findings(page)).toEqual([]);
  });

  test("an archive in it is walked through too", async () => {
    const { url } = await journey.shareFile(new File([archive], name));
    await using visit = await journey.visitor({ width: 390, height: 844 });
    const { page } = visit;
    await page.goto(url);
    await row(page, "more").click();
    await row(page, "inner.zip").click();
    await row(page, "in it").click();
    await row(page, "words.txt").click();
    await seen(page.getByText("Within an archive within an archive."));
    expect(await overhang(page)).toBeLessThanOrEqual(0);
    for (const left of ["words.txt", "in it"]) {
      await page.keyboard.press("Escape");
      await seen(row(page, left));
    }
    await page.keyboard.press("Escape");
    await seen(row(page, "inner.zip"));
    await gone(row(page, "in it"));
  });

  test("a single file is kept", async () => {
    const { url } = await journey.shareFile(new File([archive], name));
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto(url);
    const press = page.getByRole("button", { name: "Extract readme.md" });
    const [kept] = await Promise.all([page.waitForEvent("download"), press.click()]);
    expect(kept.suggestedFilename()).toBe("readme.md");
    expect(await Bun.file(await kept.path()).text()).toBe(`${contents["readme.md"]}`);
    await row(page, "readme.md").click();
    await seen(page.getByRole("heading", { name: "Read me first" }));
    const again = page.getByRole("button", { name: "Extract", exact: true });
    const [other] = await Promise.all([page.waitForEvent("download"), again.click()]);
    expect(other.suggestedFilename()).toBe("readme.md");
  });
});

test("on a phone the name of an archive has its place beside the choice of an encoding", async () => {
  const archive = makeZip([[new TextEncoder().encode("read me.txt"), "Hello."]]);
  const { url } = await journey.shareFile(new File([archive], "bundle.zip"));
  await using visit = await journey.visitor({ width: 390, height: 844 });
  const { page } = visit;
  await page.goto(url);
  await seen(page.getByRole("combobox", { name: "Name encoding" }));
  const steps = page.getByRole("navigation", { name: "Path in the archive" }).getByRole("list");
  expect(await steps.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
});

test("a tar in zstd is listed, or its browser is said not to unpack it", async () => {
  const archive = new Uint8Array(zstdCompressSync(tar(files)));
  const { url } = await journey.shareFile(new File([archive], "bundle.tar.zst"));
  await using visit = await journey.visitor();
  const { page } = visit;
  await page.goto(url);
  await seen(row(page, "docs").or(page.getByText("This browser cannot unpack this format.")));
});

test("a file that is packed alone is shown", async () => {
  const { url } = await journey.shareFile(new File([gzipSync("A line of a log.\n")], "server.log.gz"));
  await using visit = await journey.visitor();
  await visit.page.goto(url);
  await row(visit.page, "server.log").click();
  await seen(visit.page.getByText("A line of a log."));
});

test("a few kilobytes that unpack to gigabytes are listed as far as they are read", async () => {
  const zeros = Buffer.alloc(64 * 1024 * 1024);
  const size = 24 * zeros.length;
  const packer = new CompressionStream("gzip");
  const writer = packer.writable.getWriter();
  const written = (async () => {
    await writer.write(new Uint8Array(tar([{ name: "bomb.bin", size }]).subarray(0, 512)));
    for (let left = size; left > 0; left -= zeros.length) await writer.write(zeros);
    await writer.close();
  })();
  const archive = await new Response(packer.readable).bytes();
  await written;
  const { url } = await journey.shareFile(new File([archive], "bomb.tar.gz"));
  await using visit = await journey.visitor();
  await visit.page.goto(url);
  await seen(row(visit.page, "bomb.bin"));
  await seen(visit.page.getByText("This archive has no index, so only its beginning was read.", { exact: false }));
});

describe("behind a link", () => {
  const made = async (rights: readonly string[], max_downloads: number) => {
    await seeds.file("/drive/archives/bundle.zip", bytes["bundle.zip"], "application/zip");
    const wish = { items: ["/drive/archives/bundle.zip"], rights, max_downloads };
    return (await journey.call<{ data: LinkRecord }>("POST", "/api/links", wish)).data;
  };
  const downloads = async ({ id }: LinkRecord) =>
    (await journey.call<{ data: LinkRecord }>("GET", `/api/links/${id}`)).data.downloads;

  test("what is taken out counts as a download, what is looked at does not, and none is left after the last", async () => {
    const link = await made(["view", "download"], 1);
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto(`/s/${link.slug}`);
    await row(page, "readme.md").click();
    await seen(page.getByRole("heading", { name: "Read me first" }));
    expect(await downloads(link)).toBe(0);
    const press = page.getByRole("button", { name: "Extract", exact: true });
    await Promise.all([page.waitForEvent("download"), press.click()]);
    expect(await downloads(link)).toBe(1);
    await using other = await journey.visitor();
    await other.page.goto(`/s/${link.slug}`);
    await other.page.getByRole("button", { name: "Extract readme.md" }).click();
    await seen(other.page.getByRole("alert"));
    expect(await downloads(link)).toBe(1);
    other.forgive(UNLOADED);
  });

  test("nothing is taken out where nothing may be downloaded", async () => {
    const link = await made(["view"], 0);
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto(`/s/${link.slug}`);
    await row(page, "readme.md").click();
    await seen(page.getByRole("heading", { name: "Read me first" }));
    expect(await page.getByRole("button", { name: /^Extract/ }).count()).toBe(0);
  });
});

test("in the explorer Esc leads up in the archive, and then to its folder", async () => {
  await seeds.file("/drive/archives/bundle.tar.gz", bytes["bundle.tar.gz"], "application/gzip");
  await using visit = await journey.admin();
  const { page } = visit;
  await page.goto("/mount-explorer/drive/archives?preview=bundle.tar.gz");
  await row(page, "docs").click();
  await row(page, "guide").click();
  await row(page, "deep.txt").click();
  await seen(page.getByText("Deep down."));
  await page.reload();
  await seen(page.getByText("Deep down."));
  for (const left of ["deep.txt", "guide", "docs"]) {
    await page.keyboard.press("Escape");
    await seen(row(page, left));
  }
  await page.keyboard.press("Escape");
  await gone(row(page, "docs"));
  expect(new URL(page.url()).searchParams.has("preview")).toBe(false);
});
