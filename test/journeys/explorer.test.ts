import { describe, expect, test } from "bun:test";
import { explorerPage } from "../support/explorer-page.ts";
import { gone, PIXEL, seen, startJourney, until } from "../support/journey.ts";
import { treeSeeds } from "../support/tree-seeds.ts";

const journey = await startJourney();
const seeds = treeSeeds(journey);

/** A folder of its own for each test. */
async function folderWith(name: string, ...files: readonly string[]): Promise<string> {
  await seeds.folder(`/drive/${name}`);
  for (const file of files) await seeds.text(`/drive/${name}/${file}`, `This is ${file}.`);
  return `/drive/${name}`;
}

describe("a folder", () => {
  test("is reached from the root by keys alone, and left upwards", async () => {
    await folderWith("keys/inner", "b.txt", "a 10.txt", "a 9.txt");
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open("");
    await explorer.shows(["drive"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await seen(explorer.row("keys"));
    await page.keyboard.type("key");
    await page.keyboard.press("Enter");
    await explorer.shows(["inner"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await explorer.shows(["a 9.txt", "a 10.txt", "b.txt"]);
    expect(new URL(page.url()).pathname).toBe("/mount-explorer/drive/keys/inner");
    await page.keyboard.press("Backspace");
    await explorer.shows(["inner"]);
    await until(explorer.chosen, (chosen) => chosen.join() === "inner");
    await page.getByRole("link", { name: "All files" }).click();
    await until(explorer.chosen, (chosen) => chosen.join() === "drive");
  });

  test("is sorted by a press, remembered over a reload, and shown as grid", async () => {
    const folder = await folderWith("sorted", "a.txt", "bb.txt");
    await seeds.text(`${folder}/c.txt`, "long ".repeat(100));
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open(folder);
    const size = page.getByRole("button", { name: "Size" });
    await size.click();
    await size.click();
    await explorer.shows(["c.txt", "bb.txt", "a.txt"]);
    await page.reload();
    await explorer.shows(["c.txt", "bb.txt", "a.txt"]);
    await size.click();
    await explorer.shows(["a.txt", "bb.txt", "c.txt"]);
    await page.getByRole("button", { name: "Grid" }).click();
    await seen(page.getByRole("gridcell", { name: "c.txt" }).first());
    await explorer.surface.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await until(explorer.chosen, (chosen) => chosen.join() === "bb.txt");
    await page.reload();
    await seen(page.getByRole("gridcell", { name: "c.txt" }).first());
  });

  test("is chosen in by click, Shift, Ctrl and all", async () => {
    const folder = await folderWith("chosen", "a", "b", "c", "d");
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open(folder);
    await explorer.choose("a");
    await explorer.choose("c", "Shift");
    expect(await explorer.chosen()).toEqual(["a", "b", "c"]);
    await explorer.choose("b", "Control");
    expect(await explorer.chosen()).toEqual(["a", "c"]);
    await seen(page.getByText("2 selected"));
    await page.keyboard.press("Control+a");
    await seen(page.getByText("4 selected"));
    await page.keyboard.press("Escape");
    expect(await explorer.chosen()).toEqual([]);
  });

  test("says that it is gone, and leads up", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await page.goto("/mount-explorer/drive/no/such");
    await seen(page.getByText("This folder does not exist"));
  });
});

describe("names", () => {
  test("a folder is made, a name that is taken is told, Enter renames and Ctrl+Z takes it back", async () => {
    const folder = await folderWith("names", "old.txt", "taken.txt");
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open(folder);
    await explorer.command("New folder").click();
    await explorer.dialog.getByRole("textbox").fill("taken.txt");
    await page.keyboard.press("Enter");
    await seen(explorer.dialog.getByText("already exists here"));
    await explorer.dialog.getByRole("textbox").fill("新文件夹 #1");
    await page.keyboard.press("Enter");
    await explorer.shows(["新文件夹 #1", "old.txt", "taken.txt"]);

    await explorer.choose("old.txt");
    await page.keyboard.press("F2");
    const field = explorer.dialog.getByRole("textbox");
    const marked = await field.evaluate((input: HTMLInputElement) =>
      input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0),
    );
    expect(marked).toBe("old");
    await page.keyboard.type("new % name");
    await page.keyboard.press("Enter");
    await explorer.shows(["新文件夹 #1", "new % name.txt", "taken.txt"]);
    await explorer.surface.focus();
    await page.keyboard.press("Control+z");
    await explorer.shows(["新文件夹 #1", "old.txt", "taken.txt"]);
    expect(await seeds.names(folder)).toEqual(["old.txt", "taken.txt", "新文件夹 #1"]);
  });
});

describe("moving and copying", () => {
  test("cut and paste moves, copy and paste copies, and a toast takes the move back", async () => {
    const folder = await folderWith("carry", "a.txt", "b.txt");
    await seeds.folder(`${folder}/target`);
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open(folder);
    await explorer.choose("a.txt");
    await page.keyboard.press("Control+x");
    await explorer.row("target").dblclick();
    await seen(page.getByText("This folder is empty"));
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Paste" }).click();
    await explorer.shows(["a.txt"]);
    await page.getByRole("button", { name: "Undo move" }).click();
    await seen(page.getByText("This folder is empty"));
    expect(await seeds.names(folder)).toEqual(["a.txt", "b.txt", "target"]);

    await page.getByRole("link", { name: "carry" }).click();
    await explorer.choose("a.txt");
    await explorer.choose("b.txt", "Control");
    await page.keyboard.press("Control+c");
    await page.keyboard.press("Control+v");
    await explorer.shows(["target", "a (1).txt", "a.txt", "b (1).txt", "b.txt"]);
  });

  test("the tree of folders is opened step by step, and a folder does not go into itself", async () => {
    const folder = await folderWith("tree", "note.txt");
    await seeds.folder(`${folder}/one/two`);
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open(folder);
    await explorer.menu("one", "Move to…");
    const tree = explorer.dialog.getByRole("treeitem");
    await explorer.dialog.getByRole("treeitem", { name: "one" }).click();
    await seen(explorer.dialog.getByText("cannot go into itself"));
    expect(await explorer.dialog.getByRole("button", { name: "Move here" }).isDisabled()).toBe(true);
    await page.keyboard.press("Escape");

    await explorer.menu("note.txt", "Copy to…");
    await explorer.dialog.getByRole("treeitem", { name: "one" }).click();
    await page.keyboard.press("ArrowRight");
    await seen(explorer.dialog.getByRole("treeitem", { name: "two" }));
    await page.keyboard.press("ArrowRight");
    expect(await tree.and(page.locator('[aria-selected="true"]')).first().getAttribute("aria-label")).toBe("two");
    await explorer.dialog.getByRole("button", { name: "Copy here" }).click();
    await until(
      () => seeds.names(`${folder}/one/two`),
      (names) => names.join() === "note.txt",
    );
  });

  test("a name that is taken is asked about: replace, keep both, skip", async () => {
    const folder = await folderWith("clash", "x.txt", "y.txt", "z.txt");
    await seeds.folder(`${folder}/target`);
    for (const name of ["x.txt", "y.txt", "z.txt"]) await seeds.text(`${folder}/target/${name}`, "old");
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open(folder);
    await explorer.choose("x.txt");
    await explorer.choose("z.txt", "Shift");
    await page.keyboard.press("Control+c");
    await explorer.row("target").dblclick();
    await explorer.shows(["x.txt", "y.txt", "z.txt"]);
    await page.keyboard.press("Control+v");
    await explorer.dialog.getByRole("button", { name: "Replace" }).click();
    await seen(explorer.dialog.getByText("“y.txt” already exists"));
    await explorer.dialog.getByRole("button", { name: "Keep both" }).click();
    await seen(explorer.dialog.getByText("“z.txt” already exists"));
    await explorer.dialog.getByRole("button", { name: "Skip" }).click();
    await explorer.shows(["x.txt", "y (1).txt", "y.txt", "z.txt"]);
    const content = async (name: string) => {
      const { data } = await journey.call<{ data: { preview_url: string } }>(
        "GET",
        `/api/fs/get?${new URLSearchParams({ path: `${folder}/target/${name}` })}`,
      );
      return (await fetch(data.preview_url)).text();
    };
    expect(await Promise.all(["x.txt", "y.txt", "z.txt"].map(content))).toEqual(["This is x.txt.", "old", "old"]);
  });

  test("what is dragged onto a folder or the path moves there", async () => {
    const folder = await folderWith("drag", "a.txt", "b.txt");
    await seeds.folder(`${folder}/target`);
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open(folder);
    await explorer.choose("a.txt");
    await explorer.choose("b.txt", "Shift");
    await explorer.row("a.txt").dragTo(explorer.row("target"));
    await explorer.shows(["target"]);
    await explorer.row("target").dblclick();
    await explorer.shows(["a.txt", "b.txt"]);
    await explorer.row("b.txt").dragTo(page.getByRole("link", { name: "drag", exact: true }));
    await explorer.shows(["a.txt"]);
    expect(await seeds.names(folder)).toEqual(["b.txt", "target"]);
  });
});

describe("deleting", () => {
  test("lists what goes and what folders hold; what somebody else has removed meanwhile is no failure", async () => {
    const folder = await folderWith("doomed", "a.txt", "b.txt", "stays.txt");
    await seeds.text(`${folder}/sub/deep.txt`, "x".repeat(2048));
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open(folder);
    await explorer.choose("sub");
    await explorer.choose("b.txt", "Shift");
    await journey.call("DELETE", "/api/fs/batch-remove", { paths: [`${folder}/a.txt`] });
    await page.keyboard.press("Delete");
    await seen(explorer.dialog.getByText("Delete 3 items?"));
    await seen(explorer.dialog.getByText("holding 2 KB"));
    await page.keyboard.press("Enter");
    await explorer.shows(["stays.txt"]);
    expect(await seeds.names(folder)).toEqual(["stays.txt"]);
  });
});

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

  test("has details at the side", async () => {
    const folder = await folderWith("facts", "fact.txt");
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open(folder);
    await explorer.menu("fact.txt", "Details");
    await seen(explorer.dialog.getByText("text/plain"));
    await seen(explorer.dialog.getByText(folder));
    await page.keyboard.press("Escape");
    await gone(explorer.dialog);
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
    const others = visit.problems.splice(0).filter((problem) => !/ERR_INTERNET_DISCONNECTED/.test(problem));
    expect(others).toEqual([]);
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
