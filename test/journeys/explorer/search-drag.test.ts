import { describe, expect, test } from "bun:test";
import { fs } from "#contract/fs/fs";
import { findings } from "../../support/browser/axe.ts";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { gone, seen, startJourney, until } from "../../support/browser/journey.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

/** How the explorer is handled by who knows others: search while typing, tabs, keys, conflicts, and a screen reader. */

const journey = await startJourney();
const seeds = treeSeeds(journey);
for (const path of ["/drive/elsewhere/report 2.txt", "/drive/here/report 1.txt", "/drive/here/deep/report 3.txt"])
  await seeds.text(path, "text");
await seeds.text("/drive/a/twin.txt", "the first of both");
await seeds.text("/drive/b/twin.txt", "2");

describe("the search", () => {
  test("looks while somebody types, the folder on view first, and is walked through by keys", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open("/drive/here");
    await page.keyboard.press("Control+k");
    const hits = explorer.dialog.locator("[data-hit]");
    const asked: string[] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith(fs.search.path)) asked.push(searchParams.get("q") ?? "");
    });
    await page.keyboard.type("report", { delay: 20 });
    await until(
      () => hits.count(),
      (count) => count === 3,
    );
    expect(await explorer.dialog.getByRole("heading", { level: 3 }).allInnerTexts()).toEqual([
      "In this folder",
      "Everywhere else",
    ]);
    expect(new Set((await hits.allInnerTexts()).slice(0, 2).map((text) => text.split("\n")[0]))).toEqual(
      new Set(["report 1.txt", "report 3.txt"]),
    );
    expect(asked.length).toBeLessThanOrEqual(4);
    expect(await findings(page)).toEqual([]);
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowDown"]) await page.keyboard.press(key);
    expect(await page.evaluate(() => document.activeElement?.textContent?.startsWith("report 2.txt"))).toBe(true);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/mount-explorer/drive/elsewhere?preview=report+2.txt");
  });

  test("says of nothing in the folder on view that it lies elsewhere, however much there is", async () => {
    const names = Array.from({ length: 9 }, (_, index) => `ledger ${index}.txt`);
    for (const name of names) await seeds.text(`/drive/ledgers/${name}`);
    await seeds.text("/drive/elsewhere/ledger away.txt");
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open("/drive/ledgers");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("ledger");
    const listed = async (title: string) => {
      const texts = await explorer.dialog.getByRole("list", { name: title }).locator("[data-hit]").allInnerTexts();
      return texts.map((text) => text.split("\n")[0] ?? "").sort();
    };
    await until(
      () => listed("In this folder"),
      (found) => found.length === names.length,
    );
    expect(await listed("In this folder")).toEqual(names);
    // The folder is called so, too, and lies beside itself.
    expect(await listed("Everywhere else")).toEqual(["ledger away.txt", "ledgers"]);
  });
});

test("where a name is taken, sizes and dates of both files are shown", async () => {
  await using visit = await journey.admin();
  const { page } = visit;
  const explorer = explorerPage(page);
  await explorer.open("/drive/a");
  await explorer.choose("twin.txt");
  await page.keyboard.press("Control+c");
  await explorer.open("/drive/a");
  await explorer.choose("twin.txt");
  await page.keyboard.press("Control+c");
  await page.keyboard.press("Backspace");
  await explorer.row("b").dblclick();
  await explorer.shows(["twin.txt"]);
  await page.keyboard.press("Control+v");
  const rows = explorer.dialog.getByRole("row");
  await seen(explorer.dialog.getByText("“twin.txt” already exists"));
  const texts = await rows.allInnerTexts();
  expect(texts[1]).toMatch(/^Existing file\s+1 B\s+\S+ \d/);
  expect(texts[2]).toMatch(/^New file\s+17 B\s+\S+ \d/);
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press("Escape");
});

test("a folder opens in another tab: by the middle button, Ctrl, and its menu", async () => {
  await using visit = await journey.admin();
  const { page } = visit;
  const explorer = explorerPage(page);
  await explorer.open("/drive");
  const link = explorer.row("here").getByRole("link", { name: "here" });
  const opened = async (act: () => Promise<void>) => {
    const [tab] = await Promise.all([page.context().waitForEvent("page"), act()]);
    await tab.waitForURL("**/mount-explorer/drive/here");
    await tab.close();
    await page.bringToFront();
  };
  await opened(() => link.click({ button: "middle" }));
  await opened(() => link.click({ modifiers: ["Control"] }));
  await opened(() => explorer.menu("here", "Open in new tab"));
  expect(new URL(page.url()).pathname).toBe("/mount-explorer/drive");
  // A plain press chooses, two open it here, and the keyboard stays on the list.
  await link.click();
  expect(await explorer.chosen()).toEqual(["here"]);
  expect(await page.evaluate(() => document.activeElement?.hasAttribute("data-entries"))).toBe(true);
  await link.dblclick();
  await page.waitForURL("**/mount-explorer/drive/here");
});

test("the keys are listed by one of them, and only those that do something", async () => {
  await using visit = await journey.admin();
  const { page } = visit;
  const explorer = explorerPage(page);
  await explorer.open("/drive");
  await page.keyboard.press("Shift+?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await seen(sheet);
  expect(await sheet.getByRole("heading", { level: 3 }).allInnerTexts()).toEqual([
    "Browsing",
    "Selecting",
    "Files and folders",
  ]);
  for (const label of ["Rename", "Delete", "Search", "Select all", "Paste", "Undo"]) await seen(sheet.getByText(label));
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await gone(sheet);
});

test("a row is read once", async () => {
  await using visit = await journey.admin();
  const { page } = visit;
  const explorer = explorerPage(page);
  await explorer.open("/drive/here");
  await seen(page.getByRole("row", { name: /^report 1\.txt 4 B \S+ \d/ }));
  await seen(page.getByRole("row", { name: /^deep 4 B/ }));
  await page.getByRole("button", { name: "Grid", exact: true }).click();
  await seen(page.getByRole("gridcell", { name: "report 1.txt 4 B", exact: true }));
  expect(await findings(page)).toEqual([]);
});

test("several that are dragged show how many they are", async () => {
  await using visit = await journey.admin();
  const { page } = visit;
  const explorer = explorerPage(page);
  await explorer.open("/drive/here");
  await page.evaluate(() => {
    const drawn: string[] = [];
    const draw = DataTransfer.prototype.setDragImage;
    DataTransfer.prototype.setDragImage = function (image, x, y) {
      drawn.push(image.textContent ?? "");
      draw.call(this, image, x, y);
    };
    Object.assign(window, { drawn });
  });
  await page.keyboard.press("Control+a");
  await explorer.row("report 1.txt").dragTo(explorer.row("deep"));
  expect(await page.evaluate(() => (window as unknown as { drawn: string[] }).drawn)).toEqual(["deep2"]);
});

test("one file is dragged out by an address that needs no credential and holds for minutes", async () => {
  await using visit = await journey.admin();
  const { page } = visit;
  const explorer = explorerPage(page);
  await explorer.open("/drive/here");
  const asked: string[] = [];
  page.on("request", (request) => request.url().includes("/api/fs/file-link") && asked.push(request.url()));
  // The browser starts no second drag by a mouse before it has told the first one's end, which in a test may never come.
  const drag = async (name: string): Promise<string> => {
    await explorer.row(name).hover();
    await page.mouse.down();
    const said = await explorer.row(name).evaluate((row) => {
      const dataTransfer = new DataTransfer();
      const tell = (type: string) =>
        row.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
      tell("dragstart");
      tell("dragend");
      return dataTransfer.getData("DownloadURL");
    });
    await page.mouse.up();
    return said;
  };
  await explorer.row("report 1.txt").hover();
  expect(await drag("deep")).toBe("");
  expect(asked).toEqual([]);
  await explorer.choose("report 1.txt");
  const said = await until(
    () => drag("report 1.txt"),
    (one) => one !== "",
  );
  const [, name, address = ""] = /^application\/octet-stream:([^:]+):(.+)$/.exec(said) ?? [];
  expect(name).toBe("report 1.txt");
  const file = await fetch(address);
  expect(file.headers.get("content-disposition")).toStartWith("attachment");
  expect(await file.text()).toBe("text");
  expect(Object.keys(Object.fromEntries(new URL(address).searchParams)).sort()).toEqual(["grant", "path"]);
  const until36 = /^k([0-9a-z]+)\./.exec(new URL(address).searchParams.get("grant") ?? "")?.[1] ?? "";
  expect(Number.parseInt(until36, 36) - Date.now()).toBeLessThanOrEqual(300_000);
  // A press more asks for no other address while that one holds.
  expect(asked).toHaveLength(1);
  await page.keyboard.press("Control+a");
  expect(await drag("report 1.txt")).toBe("");
});

test("whoever may not download drags nothing out", async () => {
  const { data } = await journey.call<{ data: { slug: string } }>("POST", "/api/links", {
    items: [{ path: "/drive/here/" }],
    rights: ["view"],
  });
  await using visit = await journey.visitor();
  const { page } = visit;
  await page.goto(`/s/${data.slug}`);
  const explorer = explorerPage(page);
  await seen(explorer.row("report 1.txt"));
  expect(await explorer.row("report 1.txt").getAttribute("draggable")).toBe("false");
});
