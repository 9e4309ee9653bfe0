import { describe, expect, test } from "bun:test";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { gone, seen, startJourney, until } from "../../support/browser/journey.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

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
    // Once more changes nothing: the words of the page stay unmarked.
    await page.keyboard.press("Control+a");
    expect(await page.evaluate(() => String(getSelection()))).toBe("");
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
    // The keyboard stands on it, nothing is chosen, and the bar of the folder stays.
    await until(
      () =>
        page.evaluate(() => {
          const id = document.activeElement?.getAttribute("aria-activedescendant") ?? "";
          return document.getElementById(id)?.querySelector("[title]")?.getAttribute("title");
        }),
      (name) => name === "新文件夹 #1",
    );
    expect(await explorer.chosen()).toEqual([]);
    await seen(explorer.command("Upload"));
    await page.keyboard.press("Enter");
    await seen(page.getByText("This folder is empty"));
    await page.goBack();
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
    await seen(page.getByText("1 item cut. Open a folder and paste."));
    await explorer.row("target").dblclick();
    await seen(page.getByText("This folder is empty"));
    await explorer.command("Paste").click();
    await explorer.shows(["a.txt"]);
    await gone(explorer.command("Paste"));
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await seen(page.getByText("This folder is empty"));
    expect(await seeds.names(folder)).toEqual(["a.txt", "b.txt", "target"]);

    await page.getByRole("link", { name: "carry" }).click();
    await explorer.choose("a.txt");
    await explorer.choose("b.txt", "Control");
    await page.keyboard.press("Control+c");
    await seen(page.getByText("2 items copied. Open a folder and paste."));
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
    expect(await tree.and(page.locator('[aria-selected="true"]')).first().textContent()).toBe("two");
    await explorer.dialog.getByRole("button", { name: "Copy here" }).click();
    await until(
      () => seeds.names(`${folder}/one/two`),
      (names) => names.join() === "note.txt",
    );
  });

  test("a mount itself is a place for files, what only leads to mounts is none", async () => {
    const folder = await folderWith("to the mount", "into the mount.txt");
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open(folder);
    await explorer.menu("into the mount.txt", "Copy to…");
    const here = explorer.dialog.getByRole("button", { name: "Copy here" });
    await explorer.dialog.getByRole("treeitem", { name: "All files" }).click();
    await seen(explorer.dialog.getByText("Only mounts are listed here"));
    expect(await here.isDisabled()).toBe(true);
    await explorer.dialog.getByRole("treeitem", { name: "drive", exact: true }).click();
    await here.click();
    await until(
      () => seeds.names("/drive"),
      (names) => names.includes("into the mount.txt"),
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
    const content = async (name: string) => (await seeds.contentOf(`${folder}/target/${name}`)).toString();
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
    await seen(explorer.dialog.getByText("The folder is deleted with everything in it: 2 KB."));
    await page.keyboard.press("Enter");
    await explorer.shows(["stays.txt"]);
    expect(await seeds.names(folder)).toEqual(["stays.txt"]);
  });

  test("says how many shared links end with it, of files and below folders", async () => {
    const folder = await folderWith("shared", "a.txt");
    await seeds.text(`${folder}/sub/deep.txt`, "deep");
    for (const path of [`${folder}/a.txt`, `${folder}/sub/deep.txt`, `${folder}/sub/deep.txt`])
      await journey.call("POST", "/api/fs/create-share", { path });
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open(folder);
    const ask = async (name: string) => {
      await explorer.choose(name);
      await page.keyboard.press("Delete");
      await seen(explorer.dialog.getByText(`Delete “${name}”?`));
    };
    await ask("a.txt");
    await seen(explorer.dialog.getByText("1 shared link stops working."));
    await page.keyboard.press("Escape");
    await gone(explorer.dialog);
    await ask("sub");
    await seen(explorer.dialog.getByText("2 shared links stop working."));
  });
});
