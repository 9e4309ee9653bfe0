import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { closeBrowser, openBrowser } from "../support/browser/chromium.ts";
import { noteLongTasks } from "../support/browser/long-tasks.ts";
import { signIn } from "../support/clients/sign-in.ts";
import { startServer } from "../support/server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/**
 * `bun test/bench/explorer.ts [entries ...]`: how a large folder opens and scrolls in a browser, from the built pages. Times in
 * milliseconds; a task that holds the page for more than 50 counts as long (Long Tasks API). Nothing here fails.
 */
const sizes = process.argv.slice(2).map(Number);
const SCREENS = 40;
const say = (line: string) => process.stdout.write(`${line}\n`);

using folder = temporaryFolder();
const dataDir = join(folder.path, "data");
await mkdir(dataDir);
await using server = await startServer({ dataDir });
const send = async (path: string, body: unknown, authorization = "") => {
  const response = await fetch(server.address + path, {
    method: "POST",
    headers: { authorization },
    body: JSON.stringify(body),
  });
  return (await response.json()) as { data: { token: string } };
};
const token = await signIn(server.address, server.adminPassword);

const counts = sizes.length > 0 ? sizes : [20_000, 100_000];
for (const size of counts) {
  // The first write makes the storage's own folder; what stands in it otherwise is found there, too.
  await send("/api/fs/mkdir", { path: `/drive/many-${size}` }, `Bearer ${token}`);
  const objects = join(dataDir, "objects");
  const bucket = (await readdir(objects)).find((name) => !name.startsWith(".")) ?? "";
  for (let index = 0; index < size; index += 1)
    await Bun.write(join(objects, bucket, `many-${size}`, `file ${index}.txt`), "x");
}

const browser = await openBrowser();

for (const size of counts) {
  await using visit = await browser.newPage({ address: server.address });
  const { page, context } = visit;
  await context.addInitScript((stored) => {
    localStorage.setItem("admin_token", stored);
    localStorage.setItem("admin_username", "admin");
  }, token);
  const longTasks = await noteLongTasks(page);

  await page.goto("/mount-explorer");
  await page.locator("[data-index]").first().waitFor();
  await longTasks();
  const began = performance.now();
  await page.goto(`/mount-explorer/drive/many-${size}`);
  await page.locator("[data-index]").first().waitFor();
  const first = performance.now() - began;
  await page.getByText(new RegExp(`^${size} items$`)).waitFor({ timeout: 120_000 });
  const all = performance.now() - began;
  const loading = await longTasks();
  const scrolled = await page.evaluate(async (screens) => {
    const place = document.querySelector("[data-entries]");
    const start = performance.now();
    let worst = 0;
    let last = start;
    for (let screen = 0; screen < screens && place; screen += 1) {
      place.scrollTop = ((place.scrollHeight - place.clientHeight) * (screen + 1)) / screens;
      await new Promise(requestAnimationFrame);
      worst = Math.max(worst, performance.now() - last);
      last = performance.now();
    }
    return { mean: (performance.now() - start) / screens, worst };
  }, SCREENS);
  const scrolling = await longTasks();
  const rows = await page.locator("[data-index]").count();
  say(`${size} entries: first row ${first.toFixed(0)}, all ${all.toFixed(0)}; rows drawn ${rows}`);
  say(`  long tasks while loading: ${loading.join(" ") || "none"}`);
  say(
    `  a frame of scrolling: mean ${scrolled.mean.toFixed(1)}, worst ${scrolled.worst.toFixed(1)}; long tasks: ${scrolling.join(" ") || "none"}`,
  );
}
await closeBrowser();
