import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { en } from "#contract/messages/en";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { gone, overhang, seen, startJourney, until } from "../../support/browser/journey.ts";
import { namesIn, textsIn } from "../../support/files/read-zip.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

const journey = await startJourney();
const seeds = treeSeeds(journey);

await seeds.text("/drive/notes/plan 计划.md", "plan");
await seeds.text("/drive/notes/plan.txt", "text of the plan");
await seeds.text("/drive/photos/list.txt", "photos");
await seeds.text("/drive/photos/deep/inside.txt", "inside");

const dialog = (page: Page, name: string) => page.getByRole("dialog", { name, exact: true });
const basketButton = (page: Page) => page.getByRole("button", { name: /^File basket \(/ });

/** What the browser saves when somebody does something. */
async function saved(page: Page, act: () => Promise<unknown>) {
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  const path = await download.path();
  return { name: download.suggestedFilename(), bytes: await Bun.file(path).bytes() };
}

async function collect(page: Page, folder: string, ...names: string[]): Promise<void> {
  const explorer = explorerPage(page);
  await explorer.open(folder);
  for (const [index, name] of names.entries()) await explorer.choose(name, ...(index > 0 ? ["Control" as const] : []));
  await page.keyboard.press("Control+b");
}

describe("the search", () => {
  test("opens by its key, finds by parts of names, and a result opens its folder with the file on view", async () => {
    await using admin = await journey.admin();
    const { page } = admin;
    await explorerPage(page).open("/drive/photos");
    await page.keyboard.press("Control+k");
    const search = dialog(page, "Search files");
    const box = search.getByRole("searchbox");
    await box.fill("p");
    await page.keyboard.press("Enter");
    await seen(search.getByText("Enter at least 2 characters."));
    const place = async () => (await box.boundingBox())?.y;
    const before = await place();
    await box.fill("plan");
    await page.keyboard.press("Enter");
    await seen(search.getByText("2 results"));
    expect(await place()).toBe(before);
    expect(await search.locator("mark").allInnerTexts()).toEqual(["plan", "plan"]);
    await search.getByText("This folder").click();
    await seen(search.getByText("Nothing found"));
    expect(await place()).toBe(before);
    await search.getByText("All files", { exact: true }).click();
    await search.getByRole("link", { name: /plan\.txt/ }).click();
    await page.waitForURL("**/mount-explorer/drive/notes?preview=plan.txt");
    await seen(page.getByText("text of the plan"));
  });

  test("remembers what was looked for, until that is cleared", async () => {
    await using admin = await journey.admin();
    const { page } = admin;
    await explorerPage(page).open("/drive");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    const search = dialog(page, "Search files");
    await search.getByRole("searchbox").fill("inside");
    await page.keyboard.press("Enter");
    await seen(search.getByText("1 result"));
    await page.reload();
    await seen(explorerPage(page).surface);
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await search.getByRole("button", { name: "inside" }).click();
    await seen(search.getByText("1 result"));
    await page.keyboard.press("Escape");
    await search.getByRole("button", { name: "Clear", exact: true }).click();
    await gone(search.getByRole("button", { name: "inside" }));
    await page.keyboard.press("Escape");
    await gone(search);
  });
});

describe("the basket", () => {
  test("collects over folders and visits, and its files come as one archive packed here", async () => {
    await using admin = await journey.admin();
    const { page } = admin;
    await collect(page, "/drive/notes", "plan 计划.md", "plan.txt");
    await collect(page, "/drive/photos", "list.txt");
    await page.reload();
    await seen(page.getByRole("button", { name: "File basket (3)" }));
    // The badge tells: nothing lies over the page.
    expect(await page.locator("[data-sonner-toast]").count()).toBe(0);
    await basketButton(page).click();
    const basket = dialog(page, "File basket");
    await seen(basket.getByRole("region", { name: "/drive/notes" }));
    const { name, bytes } = await saved(page, () => basket.getByRole("button", { name: "Download as zip" }).click());
    expect(name).toMatch(/^CloudPaste_CrossDirectory_3files_\d{8}_\d{6}\.zip$/);
    expect(textsIn(bytes)).toEqual({
      "drive_notes/plan 计划.md": "plan",
      "drive_notes/plan.txt": "text of the plan",
      "drive_photos/list.txt": "photos",
    });
    const tasks = page.getByRole("region", { name: "Tasks" });
    await tasks.getByRole("button", { name: "Show the tasks" }).click();
    await seen(tasks.getByText("Pack 3 files"));
    await seen(tasks.getByText("3 done, 0 skipped, 0 failed"));
    await page.reload();
    await tasks.getByRole("button", { name: "Show the tasks" }).click();
    await seen(tasks.getByText("Pack 3 files"));
    await tasks.getByRole("button", { name: "Clear finished" }).click();
    await gone(tasks);
  });

  test("says that packing has begun for no longer than it lasts", async () => {
    await seeds.text("/drive/notes/slow.txt", "slow");
    await using admin = await journey.admin();
    const { page } = admin;
    await collect(page, "/drive/notes", "slow.txt");
    const gate = Promise.withResolvers<void>();
    await page.route("**/api/fs/download?*", async (route) => {
      await gate.promise;
      await route.continue();
    });
    await basketButton(page).click();
    const { bytes } = await saved(page, async () => {
      await dialog(page, "File basket").getByRole("button", { name: "Download as zip" }).click();
      const begun = page.getByText("Packing has started");
      await seen(begun);
      // Under the pointer it would stay.
      await begun.hover();
      gate.resolve();
    });
    expect(textsIn(bytes)).toEqual({ "slow.txt": "slow" });
    await gone(page.getByText("Packing has started"));
  });

  test("names in the archive what has vanished meanwhile", async () => {
    await seeds.text("/drive/notes/brief.txt", "brief");
    await using admin = await journey.admin();
    const { page } = admin;
    await collect(page, "/drive/notes", "brief.txt", "plan.txt");
    await journey.call("DELETE", "/api/fs/batch-remove", { paths: ["/drive/notes/brief.txt"] });
    await basketButton(page).click();
    const { bytes } = await saved(page, () => page.getByRole("button", { name: "Download as zip" }).click());
    const texts = textsIn(bytes);
    expect(texts["plan.txt"]).toBe("text of the plan");
    expect(texts["failed-files.txt"]).toContain("/drive/notes/brief.txt");
    await seen(page.getByRole("region", { name: "Tasks" }).getByText("Failed: 1"));
  });

  test("lets the server pack folders, straight to disk, and tells what it refuses", async () => {
    await using admin = await journey.admin();
    const { page } = admin;
    await collect(page, "/drive", "photos");
    await basketButton(page).click();
    const basket = dialog(page, "File basket");
    await seen(basket.getByText(/Packed by the server/));
    const { name, bytes } = await saved(page, () => basket.getByRole("button", { name: "Download as zip" }).click());
    expect(name).toMatch(/^CloudPaste_0files_1dirs_/);
    expect(namesIn(bytes).sort()).toEqual(["photos/deep/inside.txt", "photos/list.txt"]);
    const sentence = en["path.missing"];
    await seeds.folder("/drive/passing");
    await collect(page, "/drive", "passing");
    await journey.call("DELETE", "/api/fs/batch-remove", { paths: ["/drive/passing/"] });
    await basketButton(page).click();
    await basket.getByRole("button", { name: "Download as zip" }).click();
    await seen(basket.getByRole("alert").filter({ hasText: sentence }));
  });

  test("is emptied after a question, and fits on a phone", async () => {
    await using admin = await journey.admin({ width: 390, height: 844 });
    const { page } = admin;
    await explorerPage(page).open("/drive/notes");
    await explorerPage(page).row("plan.txt").getByRole("button").last().click();
    await page.getByRole("menuitem", { name: "Add to basket" }).click();
    await seen(page.getByRole("button", { name: "File basket (1)" }));
    await basketButton(page).click();
    const basket = dialog(page, "File basket");
    expect(await overhang(page)).toBe(0);
    await basket.getByRole("button", { name: "Clear", exact: true }).click();
    await dialog(page, "Clear the basket?").getByRole("button", { name: "Clear", exact: true }).click();
    await seen(basket.getByText("The basket is empty"));
  });
});

describe("the tasks", () => {
  test("follow a job of the server over a reload, to its end", async () => {
    for (let index = 0; index < 40; index++) await seeds.text(`/drive/many/${index}.txt`, "x".repeat(1000));
    await using admin = await journey.admin();
    const { page } = admin;
    await explorerPage(page).open("/drive");
    const tasks = [{ kind: "copy", source: "/drive/many/", target: "/drive/copies/many/" }];
    await journey.call("POST", "/api/fs/jobs", { tasks });
    await page.reload();
    const region = page.getByRole("region", { name: "Tasks" });
    await seen(region);
    // A toast lies above it, and takes no click from it.
    await explorerPage(page).choose("many");
    await page.keyboard.press("Control+c");
    const toast = page.locator("[data-sonner-toast]");
    await seen(toast);
    const [low, strip] = [await toast.boundingBox(), await region.boundingBox()];
    expect((low?.y ?? 0) + (low?.height ?? 0)).toBeLessThanOrEqual(strip?.y ?? 0);
    await region.getByRole("button", { name: "Show the tasks" }).click();
    await seen(region.getByText("Copy “many”"));
    await seen(region.getByText("to /drive/copies · 40 done, 0 skipped, 0 failed"));
    await region.getByRole("button", { name: "Details" }).click();
    await seen(region.getByText("/drive/copies/many"));
    await until(
      () => explorerPage(page).names(),
      (names) => names.includes("copies"),
    );
    await region.getByRole("button", { name: "Remove from the list" }).click();
    await gone(region);
  });
});

test("the details list shares and links of a file, which are copied, shown as QR code and revoked", async () => {
  await seeds.text("/drive/shared/plan.txt", "the plan");
  const path = "/drive/shared/plan.txt";
  const { data: share } = await journey.call<{ data: { slug: string } }>("POST", "/api/fs/create-share", { path });
  await journey.call("POST", "/api/links", { items: [{ path }], title: "For Anna" });
  await using visit = await journey.admin({ width: 1280, height: 900 });
  const { page } = visit;
  const explorer = explorerPage(page);
  await explorer.open("/drive/shared");
  await explorer.menu("plan.txt", "Details");
  const own = explorer.details.getByRole("region", { name: "Links that lead here" });
  await until(
    () => own.getByRole("listitem").count(),
    (count) => count === 2,
  );
  const name = `/file/${share.slug}`;
  await seen(own.getByText("For Anna"));
  await own.getByRole("button", { name: `QR code of ${name}` }).click();
  await seen(page.getByRole("dialog").getByRole("img"));
  await page.keyboard.press("Escape");
  await own.getByRole("button", { name: `Revoke ${name}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).click();
  await gone(own.getByText(name, { exact: true }));
  await seen(own.getByText("For Anna"));
  expect((await fetch(`${journey.server.address}/api/public/files/${share.slug}`)).status).toBe(404);
  expect((await seeds.contentOf(path)).toString()).toBe("the plan");
  // One that is made from now on is there at once.
  await explorer.menu("plan.txt", "Share");
  await explorer.dialog.getByRole("button", { name: "Create link" }).click();
  await explorer.dialog.getByRole("button", { name: "Done" }).click();
  await until(
    () => own.getByRole("listitem").count(),
    (count) => count === 2,
  );
});
