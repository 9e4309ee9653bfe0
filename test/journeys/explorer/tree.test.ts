import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { gone, seen, startJourney, until } from "../../support/browser/journey.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

/** The tree of folders beside the list. */

const journey = await startJourney();
const seeds = treeSeeds(journey);

for (const folder of ["alpha/one/deep", "alpha/two", "beta", "gamma"]) await seeds.folder(`/drive/tree/${folder}`);
await seeds.text("/drive/tree/alpha/note.txt");

const treeOf = (page: Page) => page.getByRole("tree", { name: "Folders" });
const branch = (page: Page, name: string) => treeOf(page).getByRole("treeitem", { name, exact: true });

/** The name of the folder that the keyboard is on. */
const stood = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: on } = document;
    return on?.getAttribute("role") === "treeitem" ? (on.textContent ?? "") : "";
  });

const isOn = (page: Page, name: string) =>
  until(
    () => stood(page),
    (on) => on === name,
  );

/** The folders that a page asks the tree's rows of. */
function askedFolders(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith("/api/fs/list") && searchParams.get("folders")) asked.push(searchParams.get("path") ?? "");
  });
  return asked;
}

describe("the tree of folders", () => {
  test("shows the way to the folder on view, and is walked through by keys", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    const asked = askedFolders(page);
    await explorer.open("/drive/tree/alpha");
    await seen(branch(page, "alpha"));
    expect(await branch(page, "alpha").getAttribute("aria-current")).toBe("page");
    expect(asked.toSorted()).toEqual(["/", "/drive", "/drive/tree"]);
    // One stop of the Tab key.
    expect(await treeOf(page).locator("[tabindex='0']").count()).toBe(1);
    await branch(page, "alpha").focus();
    await page.keyboard.press("ArrowRight");
    await seen(branch(page, "one"));
    expect(asked).toHaveLength(4);
    await page.keyboard.press("ArrowRight");
    await isOn(page, "one");
    await page.keyboard.press("ArrowDown");
    await isOn(page, "two");
    await page.keyboard.press("ArrowLeft");
    await isOn(page, "alpha");
    await page.keyboard.press("ArrowLeft");
    await gone(branch(page, "one"));
    await page.keyboard.type("ga");
    await isOn(page, "gamma");
    await page.keyboard.press("Home");
    await isOn(page, "All files");
    await page.keyboard.press("End");
    await isOn(page, "gamma");
    // The keyboard has moved, and the list is where it was.
    expect(new URL(page.url()).pathname).toEndWith("/drive/tree/alpha");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/drive/tree/gamma");
    await isOn(page, "gamma");
    await seen(page.getByText("This folder is empty"));
    // Nothing is chosen, pasted or deleted by the keys that the list has.
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Control+k");
    await seen(page.getByRole("dialog").getByRole("searchbox"));
    expect(new URL(page.url()).pathname).toEndWith("/drive/tree/gamma");
  });

  test("opens by a press, and a press on what is open closes it", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open("/drive/tree");
    await branch(page, "tree").locator("span").first().click();
    await branch(page, "alpha").click();
    await explorer.shows(["one", "two", "note.txt"]);
    expect(await branch(page, "alpha").getAttribute("aria-expanded")).toBe("false");
    await branch(page, "alpha").click();
    await seen(branch(page, "one"));
    await branch(page, "one").click();
    await explorer.shows(["deep"]);
    await page.getByRole("navigation", { name: "Path" }).getByRole("link", { name: "drive", exact: true }).click();
    await until(
      () => branch(page, "drive").getAttribute("aria-current"),
      (current) => current === "page",
    );
  });

  test("is folded away for good, and asks for nothing then; below 1280 pixels it is not there", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open("/drive/tree");
    await page.getByRole("button", { name: "Folders" }).click();
    await gone(treeOf(page));
    const asked = askedFolders(page);
    await explorer.open("/drive/tree");
    await explorer.shows(["alpha", "beta", "gamma"]);
    expect(await treeOf(page).count()).toBe(0);
    expect(asked).toEqual([]);
    await page.getByRole("button", { name: "Folders" }).click();
    await seen(branch(page, "tree"));
    await page.setViewportSize({ width: 1279, height: 800 });
    await gone(treeOf(page));
  });

  test("takes what is dragged, and has the menu of a folder", async () => {
    await seeds.text("/drive/drag/move me.txt");
    await seeds.folder("/drive/drag/into");
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open("/drive/drag");
    await branch(page, "drag").locator("span").first().click();
    await explorer.row("move me.txt").dragTo(branch(page, "into"));
    await explorer.shows(["into"]);
    expect(await seeds.names("/drive/drag/into")).toEqual(["move me.txt"]);
    await branch(page, "into").click({ button: "right" });
    const [other] = await Promise.all([
      visit.context.waitForEvent("page"),
      page.getByRole("menuitem", { name: "Open in new tab" }).click(),
    ]);
    await other.waitForURL("**/drive/drag/into");
    await other.close();
    await branch(page, "into").focus();
    await page.keyboard.press("Shift+F10");
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await explorer.dialog.getByRole("textbox").fill("elsewhere");
    await page.keyboard.press("Enter");
    await seen(branch(page, "elsewhere"));
    await explorer.shows(["elsewhere"]);
    // The folder around what is on view stays where it is.
    await branch(page, "drive").click({ button: "right" });
    await seen(page.getByRole("menuitem", { name: "Open in new tab" }));
    expect(await page.getByRole("menuitem", { name: "Rename" }).count()).toBe(0);
  });

  test("shows what another person makes, renames and removes anywhere in it", async () => {
    await seeds.folder("/drive/around/inside/deep");
    await seeds.folder("/drive/around/beside");
    await using visit = await journey.admin();
    const { page } = visit;
    const following = page.waitForResponse(/\/api\/fs\/events\?.*around=/);
    await explorerPage(page).open("/drive/around/inside");
    await following;
    await seen(branch(page, "beside"));
    await branch(page, "inside").focus();
    await seeds.folder("/drive/around/made");
    await seen(branch(page, "made"));
    const [oldPath, newPath] = ["/drive/around/made/", "/drive/around/renamed/"];
    await journey.call("POST", "/api/fs/rename", { oldPath, newPath });
    await seen(branch(page, "renamed"));
    expect(await branch(page, "made").count()).toBe(0);
    await journey.call("DELETE", "/api/fs/batch-remove", { paths: ["/drive/around/beside/"] });
    await gone(branch(page, "beside"));
    await isOn(page, "inside");
  });

  test("shows a thousand folders of more, and the rest when somebody asks", async () => {
    const names = Array.from({ length: 1100 }, (_, index) => `folder ${String(index).padStart(4, "0")}`);
    for (let start = 0; start < names.length; start += 50)
      await Promise.all(names.slice(start, start + 50).map((name) => seeds.folder(`/drive/many/${name}`)));
    await using visit = await journey.admin();
    const { page } = visit;
    // The folder on view has its place though it is not among the first.
    await page.goto("/mount-explorer/drive/many/folder%201099");
    await seen(branch(page, "folder 1099"));
    expect(await treeOf(page).getByRole("treeitem").count()).toBeLessThan(80);
    expect(await treeOf(page).getByText("folder 0500").count()).toBe(0);
    await branch(page, "folder 1099").focus();
    await page.keyboard.press("ArrowDown");
    await isOn(page, "Show more");
    await page.keyboard.press("Enter");
    await isOn(page, "folder 1099");
    await until(
      () => branch(page, "folder 1099").getAttribute("aria-setsize"),
      (count) => count === "1100",
    );
    await page.keyboard.press("Home");
    await isOn(page, "All files");
    await page.keyboard.type("folder 0500");
    await isOn(page, "folder 0500");
  });
});
