import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { UNLOADED } from "../../support/browser/chromium.ts";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { gone, seen, startJourney, throttle, until } from "../../support/browser/journey.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

/** What a reload or the way back finds of what was there before. */

const journey = await startJourney();
const seeds = treeSeeds(journey);
const MiB = 1024 * 1024;

const upload = async (page: Page, files: Parameters<import("playwright-core").FileChooser["setFiles"]>[0]) => {
  const press = explorerPage(page).command("Upload").click();
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), press]);
  await chooser.setFiles(files);
};
const text = (name: string, content: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(content) });
const { contentOf } = seeds;

/** How many tasks the browser has written down: it does so by itself, a moment after they begin. */
const keptTasks = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open("satchel");
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const database = opening.result;
          if (!database.objectStoreNames.contains("tasks")) return resolve(0);
          const counting = database.transaction("tasks").objectStore("tasks").count();
          counting.onsuccess = () => {
            database.close();
            resolve(counting.result);
          };
        };
      }),
  );

/**
 * Leaves PUTs to these addresses without an answer until the answered function is called. The route stays: taking it away would lose requests
 * that are just passing.
 */
async function holdPuts(page: Page, addresses: string): Promise<() => void> {
  let holds = true;
  await page.route(addresses, (route) => (holds && route.request().method() === "PUT" ? undefined : route.fallback()));
  return () => {
    holds = false;
  };
}

describe("a page that comes back", () => {
  test("uploads that a reload cut off are listed, and go on when their files are chosen again", async () => {
    using folder = temporaryFolder();
    const bytes = crypto.getRandomValues(Buffer.alloc(65_536));
    const whole = Buffer.concat(Array.from({ length: 30 * 16 }, () => bytes));
    const [large, small] = [join(folder.path, "large.bin"), join(folder.path, "small.txt")];
    await Bun.write(large, whole);
    await Bun.write(small, "small");
    await seeds.text("/drive/cut/there.txt");
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open("/drive/cut");
    await throttle(visit, 8 * MiB);
    const sent: string[] = [];
    page.on("request", (request) => {
      const part = new URL(request.url()).searchParams.get("partNumber");
      if (request.method() === "PUT" && part) sent.push(part);
    });
    const letGo = await holdPuts(page, "**/small.txt*");
    await upload(page, [large, small]);
    await until(
      async () => new Set(sent).size,
      (parts) => parts >= 5,
    );
    page.once("dialog", (dialog) => void dialog.accept());
    await page.reload();
    letGo();
    await throttle(visit, -1);
    await page.getByRole("button", { name: "Show the tasks" }).click();
    const tasks = page.getByRole("region", { name: "Tasks" });
    await seen(tasks.getByText("Interrupted uploads", { exact: true }));
    await seen(tasks.getByText(/of 30 MB uploaded/));
    sent.length = 0;
    const [one] = await Promise.all([
      page.waitForEvent("filechooser"),
      tasks.getByRole("button", { name: "Choose file: large.bin" }).click(),
    ]);
    await one.setFiles(large);
    await until(
      () => seeds.names("/drive/cut"),
      (names) => names.includes("large.bin"),
    );
    expect((await contentOf("/drive/cut/large.bin")).equals(whole)).toBe(true);
    expect(new Set(sent).size).toBeLessThan(6);
    const [other] = await Promise.all([
      page.waitForEvent("filechooser"),
      tasks.getByRole("button", { name: "Choose file: small.txt" }).click(),
    ]);
    await other.setFiles(small);
    await until(
      () => seeds.names("/drive/cut"),
      (names) => names.includes("small.txt"),
    );
    await gone(tasks.getByText("Interrupted uploads", { exact: true }));
    visit.forgive(UNLOADED);
  });

  test("what was cut off can be discarded", async () => {
    await seeds.text("/drive/discard/there.txt");
    await using visit = await journey.admin();
    const { page } = visit;
    await explorerPage(page).open("/drive/discard");
    const letGo = await holdPuts(page, "**/store-*/**");
    await upload(page, text("lost.txt", "lost"));
    await page.getByRole("button", { name: "Show the tasks" }).click();
    await seen(page.getByRole("button", { name: "Pause: lost.txt" }));
    await until(
      () => keptTasks(page),
      (kept) => kept === 1,
    );
    page.once("dialog", (dialog) => void dialog.accept());
    await page.reload();
    letGo();
    await page.getByRole("button", { name: "Show the tasks" }).click();
    await page.getByRole("button", { name: "Discard: lost.txt" }).click();
    await gone(page.getByRole("region", { name: "Tasks" }));
    await until(
      () => keptTasks(page),
      (kept) => kept === 0,
    );
    await page.reload();
    await explorerPage(page).shows(["there.txt"]);
    expect(await page.getByRole("region", { name: "Tasks" }).count()).toBe(0);
    visit.forgive(UNLOADED);
  });

  test("Back leads to where one was in the folder", async () => {
    for (let index = 0; index < 80; index += 1) await seeds.text(`/drive/far/${String(index).padStart(2, "0")}.txt`);
    await seeds.folder("/drive/far/zz");
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open("/drive/far");
    await explorer.choose("00.txt");
    const topOf = () => explorer.scroller.evaluate((element) => element.scrollTop);
    await explorer.scroller.evaluate((element) => {
      element.scrollTop = 1400;
    });
    await until(topOf, (top) => top === 1400);
    await page.getByRole("link", { name: "drive", exact: true }).click();
    await seen(explorer.row("far"));
    await page.goBack();
    await seen(explorer.row("40.txt"));
    await until(topOf, (top) => top === 1400);
    // Who comes by a link begins above.
    await page.getByRole("link", { name: "drive", exact: true }).click();
    await explorer.row("far").dblclick();
    await seen(explorer.row("00.txt"));
    expect(await topOf()).toBe(0);
  });
});
