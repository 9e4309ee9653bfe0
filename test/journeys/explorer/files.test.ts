import { describe, expect, test } from "bun:test";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { gone, PIXEL, seen, startJourney, until } from "../../support/browser/journey.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

const journey = await startJourney();
const seeds = treeSeeds(journey);

/** A folder of its own for each test. */
async function folderWith(name: string, ...files: readonly string[]): Promise<string> {
  await seeds.folder(`/drive/${name}`);
  for (const file of files) await seeds.text(`/drive/${name}/${file}`, `This is ${file}.`);
  return `/drive/${name}`;
}

describe("a file", () => {
  test("is previewed, the next one by an arrow, and Esc leads back to it", async () => {
    const folder = await folderWith("look", "one.txt", "two.md");
    await seeds.file(`${folder}/three.png`, new Uint8Array(PIXEL), "image/png");
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open(folder);
    await explorer.choose("one.txt");
    await page.keyboard.press(" ");
    await seen(page.getByText("This is one.txt."));
    expect(new URL(page.url()).searchParams.get("preview")).toBe("one.txt");
    await page.keyboard.press("ArrowRight");
    await seen(page.getByRole("img", { name: "three.png" }));
    await page.goBack();
    await seen(page.getByText("This is one.txt."));
    await page.keyboard.press("Escape");
    await until(explorer.chosen, (chosen) => chosen.join() === "one.txt");
    await page.goto(`/mount-explorer${folder}?preview=two.md`);
    await seen(page.getByText("This is two.md."));
  });

  test("is downloaded by the browser itself; several come as one archive", async () => {
    const folder = await folderWith("fetch", "one.txt", "two.txt");
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open(folder);
    await explorer.choose("one.txt");
    const [single] = await Promise.all([page.waitForEvent("download"), explorer.command("Download").click()]);
    expect(single.suggestedFilename()).toBe("one.txt");
    await page.keyboard.press("Control+a");
    const [archive] = await Promise.all([page.waitForEvent("download"), explorer.command("Download").click()]);
    expect(archive.suggestedFilename()).toBe("fetch.zip");
  });

  test("is shared with options, and its direct link copied", async () => {
    const folder = await folderWith("give", "gift.txt");
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open(folder);
    await explorer.choose("gift.txt");
    await explorer.command("Share").click();
    await explorer.dialog
      .getByRole("button", { name: /Link suffix|suffix/i })
      .first()
      .click();
    await page
      .getByRole("dialog", { name: /suffix/i })
      .getByRole("textbox")
      .fill("the-gift");
    await page.keyboard.press("Enter");
    await explorer.dialog.getByRole("button", { name: "Create link" }).click();
    await seen(page.getByText("Link created and copied"));
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${journey.server.address}/file/the-gift`);
    await page.getByRole("button", { name: "Done" }).click();
    await explorer.menu("gift.txt", "Copy direct link");
    await seen(page.getByText("Direct link of “gift.txt” copied"));
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(await (await fetch(link)).text()).toBe("This is gift.txt.");
  });

  test("has details in a sheet where there is no room beside the list", async () => {
    const folder = await folderWith("facts", "fact.txt");
    await using visit = await journey.admin({ width: 1000 });
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open(folder);
    await explorer.menu("fact.txt", "Details");
    await seen(explorer.dialog.getByText("text/plain"));
    await seen(explorer.dialog.getByText(folder));
    await page.keyboard.press("Escape");
    await gone(explorer.dialog);
  });

  test("has details beside the list, which follow what is chosen and are remembered", async () => {
    const folder = await folderWith("facts beside", "one.txt", "two.txt");
    await journey.call("POST", "/api/links", { items: [`${folder}/two.txt`], label: "For Ada" });
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open(folder);
    const panel = page.getByRole("complementary", { name: "Details" });
    await page.getByRole("button", { name: "Details", exact: true }).click();
    await seen(panel.getByText("Select a file or folder to see its details."));
    await explorer.choose("one.txt");
    await seen(panel.getByText("one.txt"));
    await seen(panel.getByText("No links yet."));
    await page.keyboard.press("ArrowDown");
    await seen(panel.getByText("two.txt"));
    await seen(panel.getByText("For Ada"));
    await page.keyboard.press("Control+a");
    await seen(panel.getByText("Folders", { exact: true }));

    await page.reload();
    await seen(panel);
    await page.setViewportSize({ width: 1000, height: 800 });
    await gone(panel);
    await page.setViewportSize({ width: 1280, height: 800 });
    await panel.getByRole("button", { name: "Hide details" }).click();
    await gone(panel);
    await page.reload();
    await seen(explorer.row("one.txt"));
    expect(await panel.count()).toBe(0);
  });
});

describe("bad weather", () => {
  test("a lost connection is told, and trying again works", async () => {
    const folder = await folderWith("weather", "a.txt");
    await using visit = await journey.admin();
    const { page, context } = visit;
    const explorer = explorerPage(page);
    await explorer.open(folder);
    await explorer.choose("a.txt");
    await page.keyboard.press("Delete");
    await context.setOffline(true);
    await page.keyboard.press("Enter");
    await seen(page.getByRole("alert").getByText("a.txt:"));
    await context.setOffline(false);
    await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
    await seen(page.getByText("This folder is empty"));
  });

  test("what vanished before it could be renamed is told at the name", async () => {
    const folder = await folderWith("vanish", "a.txt");
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open(folder);
    await explorer.choose("a.txt");
    await journey.call("DELETE", "/api/fs/batch-remove", { paths: [`${folder}/a.txt`] });
    await page.keyboard.press("F2");
    await page.keyboard.type("b");
    await page.keyboard.press("Enter");
    await seen(explorer.dialog.getByRole("alert"));
  });

  test("two browsers see each other's changes", async () => {
    const folder = await folderWith("both", "a.txt");
    await using one = await journey.admin();
    await using other = await journey.admin();
    await explorerPage(one.page).open(folder);
    await explorerPage(other.page).open(folder);
    await explorerPage(one.page).choose("a.txt");
    await one.page.keyboard.press("F2");
    await one.page.keyboard.type("renamed");
    await one.page.keyboard.press("Enter");
    await explorerPage(one.page).shows(["renamed.txt"]);
    await other.page.getByRole("button", { name: "More actions" }).click();
    await other.page.getByRole("menuitem", { name: "Refresh" }).click();
    await explorerPage(other.page).shows(["renamed.txt"]);
  });
});
