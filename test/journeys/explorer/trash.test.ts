import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { fsTrash } from "#contract/fs/trash";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { gone, seen, startJourney, until } from "../../support/browser/journey.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

const journey = await startJourney();
const seeds = treeSeeds(journey);

/** A folder that no other test, and no other attempt, has. */
async function folderWith(...files: readonly string[]): Promise<string> {
  const folder = `/drive/trash ${crypto.randomUUID().slice(0, 8)}`;
  await seeds.folder(folder);
  for (const file of files) await seeds.text(`${folder}/${file}`, `This is ${file}.`);
  return folder;
}

/** Deletes a.txt, b.txt and c.txt, which are then all that the trash has; answers in which folder they were. */
async function deletesThree(page: Page): Promise<string> {
  const folder = await folderWith("a.txt", "b.txt", "c.txt");
  await journey.call(fsTrash.empty.method, `/api${fsTrash.empty.path}`);
  const explorer = explorerPage(page);
  await explorer.open(folder);
  await explorer.choose("a.txt");
  await explorer.choose("c.txt", "Shift");
  await page.keyboard.press("Delete");
  await page.keyboard.press("Enter");
  await seen(page.getByText("This folder is empty"));
  return folder;
}

describe("what is deleted", () => {
  test("comes back by the toast, and by the keyboard after a reload", async () => {
    const folder = await folderWith("a.txt", "b.txt");
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open(folder);
    await explorer.choose("a.txt");
    await page.keyboard.press("Delete");
    await seen(explorer.dialog.getByText("Goes to the trash, can be restored for 7 days"));
    await page.keyboard.press("Enter");
    await explorer.shows(["b.txt"]);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await explorer.shows(["a.txt", "b.txt"]);
    await explorer.choose("b.txt");
    await page.keyboard.press("Delete");
    await explorer.dialog.getByRole("button", { name: "Move to trash" }).click();
    await explorer.shows(["a.txt"]);
    await page.reload();
    await explorer.shows(["a.txt"]);
    await explorer.choose("a.txt");
    await page.keyboard.press("Control+z");
    await explorer.shows(["a.txt", "b.txt"]);
  });

  test("leaves the focus of a keyboard in the list that it is taken out of", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await deletesThree(page);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Trash" }).click();
    const sheet = page.getByRole("dialog", { name: "Trash" });
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent);
    await sheet
      .getByRole("button", { name: /^Restore / })
      .first()
      .focus();
    await page.keyboard.press("Enter");
    await until(
      () => sheet.getByRole("listitem").count(),
      (count) => count === 2,
    );
    await until(focused, (name) => name?.startsWith("Restore ") === true);
    await page.keyboard.press("Tab");
    expect(await focused()).toMatch(/^Delete .* permanently/);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").last().getByRole("button", { name: "Delete permanently" }).click();
    await until(
      () => sheet.getByRole("listitem").count(),
      (count) => count === 1,
    );
    await until(focused, (name) => /^Delete .* permanently/.test(name ?? ""));
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await until(focused, (name) => name === "Trash");
  });

  test("is in the trash, and goes back beside what is there now or for ever", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    const folder = await deletesThree(page);
    const explorer = explorerPage(page);
    await seeds.text(`${folder}/a.txt`, "another");
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Trash" }).click();
    const sheet = page.getByRole("dialog", { name: "Trash" });
    await seen(sheet.getByText(`From ${folder}`).first());
    await sheet.getByRole("button", { name: "Restore “a.txt”" }).click();
    await seen(sheet.getByText(`Restored to ${folder}/a(1).txt`));
    await sheet.getByRole("button", { name: "Delete “b.txt” permanently" }).click();
    await page
      .getByRole("dialog", { name: "Delete “b.txt” permanently?" })
      .getByRole("button", { name: "Delete permanently" })
      .click();
    await gone(sheet.getByText("b.txt", { exact: true }));
    await sheet.getByRole("button", { name: "Empty trash" }).click();
    await page.getByRole("dialog", { name: "Empty the trash?" }).getByRole("button", { name: "Empty trash" }).click();
    await seen(sheet.getByText("The trash is empty"));
    await page.keyboard.press("Escape");
    await gone(sheet);
    await explorer.open(folder);
    await explorer.shows(["a.txt", "a(1).txt"]);
  });

  test("is gone at once where somebody says so", async () => {
    const folder = await folderWith("a.txt");
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open(folder);
    await explorer.choose("a.txt");
    await page.keyboard.press("Delete");
    await explorer.dialog.getByRole("checkbox", { name: "Delete permanently now" }).check();
    await explorer.dialog.getByRole("button", { name: "Delete permanently" }).click();
    await seen(page.getByText("This folder is empty"));
    const listed = await journey.call(fsTrash.list.method, `/api${fsTrash.list.path}`);
    expect(JSON.stringify(listed)).not.toContain(folder);
  });
});
