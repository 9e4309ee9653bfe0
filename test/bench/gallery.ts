import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { closeBrowser, openBrowser } from "../support/browser/chromium.ts";
import { noteLongTasks } from "../support/browser/long-tasks.ts";
import { signIn } from "../support/clients/sign-in.ts";
import { photo } from "../support/files/picture.ts";
import { startServer } from "../support/server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/**
 * `bun test/bench/gallery.ts [photographs]`: what a gallery of photographs of 5 MB transfers when somebody scrolls through all of it, from the
 * built pages, and how long it keeps the page busy (Long Tasks API). The first time has the server make the thumbnails. Nothing here fails.
 */
const count = Number(process.argv[2] ?? 500);
const PHOTOGRAPH = 5_000_000;
const PATIENCE = 120_000;
const say = (line: string) => process.stdout.write(`${line}\n`);

using folder = temporaryFolder();
const dataDir = join(folder.path, "data");
await mkdir(dataDir);
await using server = await startServer({ dataDir });
const send = async (path: string, body: unknown, authorization = "") => {
  const headers = { authorization };
  const response = await fetch(server.address + path, { method: "POST", headers, body: JSON.stringify(body) });
  return (await response.json()) as { data: { token: string } };
};
const token = await signIn(server.address, server.adminPassword);
await send("/api/fs/mkdir", { path: "/drive/photos" }, `Bearer ${token}`);
const objects = join(dataDir, "objects");
const bucket = (await readdir(objects)).find((name) => !name.startsWith(".")) ?? "";
// Ten pictures; bytes behind the end of a JPEG change its hash and its size, and nothing else.
const pictures = await Promise.all(Array.from({ length: 10 }, (_, seed) => photo(2400, 1800, seed + 1)));
for (let index = 0; index < count; index++) {
  const picture = pictures[index % pictures.length] ?? new Uint8Array();
  const behind = Buffer.alloc(Math.max(8, PHOTOGRAPH - picture.length));
  behind.writeUInt32BE(index);
  await Bun.write(join(objects, bucket, "photos", `${index}.jpg`), Buffer.concat([picture, behind]));
}

const browser = await openBrowser();

for (const time of ["thumbnails are made", "thumbnails are there"]) {
  await using visit = await browser.newPage({ address: server.address });
  const { page, context } = visit;
  await context.addInitScript((stored) => {
    localStorage.setItem("admin_token", stored);
    localStorage.setItem("admin_username", "admin");
  }, token);
  const longTasks = await noteLongTasks(page);
  await page.goto("/mount-explorer");
  await page.locator("[data-index]").first().waitFor();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto("/mount-explorer/drive/photos");
  await page.getByRole("button", { name: "Gallery", exact: true }).click();
  await page.locator("[data-index] img").first().waitFor();
  await longTasks();
  const began = performance.now();
  const drawn = new Set<string>();
  for (;;) {
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll("[data-index][role=option]")].every((tile) => {
          const image = tile.querySelector("img");
          return image?.complete && image.naturalWidth > 0;
        }),
      undefined,
      { timeout: PATIENCE },
    );
    const shown = await page
      .locator("[data-index][role=option]")
      .evaluateAll((all) => all.map((one) => one.getAttribute("data-index") ?? ""));
    for (const index of shown) drawn.add(index);
    const isEnd = await page.evaluate(() => {
      let place = document.querySelector("[data-entries]");
      while (place && place.scrollHeight <= place.clientHeight) place = place.parentElement;
      if (!place) return true;
      const before = place.scrollTop;
      place.scrollTop += place.clientHeight * 0.8;
      return place.scrollTop === before;
    });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    if (isEnd) break;
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  say(`${time}: ${drawn.size} of ${count} photographs seen in ${seconds} s`);
  say(
    `  ${(bytes / 1e6).toFixed(1)} MB transferred (to reach: 15), ${((count * PHOTOGRAPH) / 1e6).toFixed(0)} MB as they are`,
  );
  say(`  long tasks while scrolling: ${(await longTasks()).join(" ") || "none"}`);
}
await closeBrowser();
