import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { KeyRecord } from "#contract/keys";
import { bitsOf } from "#contract/permissions";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { gone, seen, startJourney, until } from "../../support/browser/journey.ts";
import { peopleOf } from "../../support/browser/people.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

/** Several files and folders get new names at once. */

const journey = await startJourney();
const seeds = treeSeeds(journey);
const people = peopleOf(journey);

/** The dialog as a person fills it in. */
function renaming(page: Page) {
  const { dialog } = explorerPage(page);
  const rows = dialog.getByRole("list", { name: "Old and new names" }).getByRole("listitem");
  return {
    dialog,
    rows,
    fill: (name: string, text: string) => dialog.getByRole("textbox", { name, exact: true }).fill(text),
    /** The new names that are shown, each with what is wrong with it. */
    shown: () =>
      rows.evaluateAll((all) =>
        all.map((row) =>
          [...row.children]
            .slice(2)
            .map(({ textContent }) => textContent)
            .join(" "),
        ),
      ),
    button: dialog.getByRole("button", { name: "Rename", exact: true }),
  };
}

async function seed(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) await seeds.text(`/drive/${folder}/${name}`, name);
}

const contentsOf = async (folder: string): Promise<string[]> => {
  const names = await seeds.names(`/drive/${folder}`);
  return await Promise.all(names.map(async (name) => `${name}: ${await seeds.contentOf(`/drive/${folder}/${name}`)}`));
};

describe.each([390, 1280])("at %i px", (width) => {
  test("numbers move on by one, by the keyboard alone, and Ctrl+Z brings all back", async () => {
    const folder = `chain-${width}`;
    const names = ["1.txt", "2.txt", "3.txt"];
    await seed(folder, names);
    await using visit = await journey.admin({ width, height: 800 });
    const { page } = visit;
    const explorer = explorerPage(page);
    const { dialog, shown } = renaming(page);
    await explorer.open(`/drive/${folder}`);
    await explorer.shows(names);
    await page.keyboard.press("Control+a");
    await page.keyboard.press("F2");
    await seen(dialog.getByRole("heading", { name: "Rename 3 items" }));
    // From the first field to the choice above it.
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("{n}");
    for (let tabs = 0; tabs < 4; tabs++) await page.keyboard.press("Tab");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("2");
    await until(shown, (found) => found.join() === "2.txt,3.txt,4.txt");
    await page.keyboard.press("Enter");
    await gone(dialog);
    await explorer.shows(["2.txt", "3.txt", "4.txt"]);
    await seen(page.getByText("3 items renamed").first());
    await until(explorer.chosen, (found) => found.join() === "2.txt,3.txt,4.txt");
    expect(await contentsOf(folder)).toEqual(["2.txt: 1.txt", "3.txt: 2.txt", "4.txt: 3.txt"]);
    await page.keyboard.press("Control+z");
    await explorer.shows(names);
    expect(await contentsOf(folder)).toEqual(names.map((name) => `${name}: ${name}`));
  });
});

test("what cannot be given is marked before anything is sent, and two files swap their names", async () => {
  await seed("swap", ["a b.txt", "b a.txt", "c.txt", "d.txt"]);
  await using visit = await journey.admin({ width: 1280, height: 800 });
  const { page } = visit;
  const explorer = explorerPage(page);
  const { dialog, fill, shown, button } = renaming(page);
  await explorer.open("/drive/swap");
  await explorer.choose("a b.txt");
  await explorer.choose("c.txt", "Shift");
  await explorer.command("Rename").click();
  await fill("Find", "c");
  await fill("Replace with", "d");
  await until(shown, (found) => found[0] === "d.txt already exists");
  await seen(dialog.getByText("1 new name cannot be used."));
  expect(await button.isDisabled()).toBe(true);
  await page.keyboard.press("Enter");
  await seen(dialog);
  await dialog.getByLabel("Regular expression").check();
  await fill("Find", "(");
  await seen(dialog.getByText("This is no regular expression."));
  await fill("Find", "^(.) (.)$");
  await fill("Replace with", "$2 $1");
  await until(shown, (found) => found.join() === "b a.txt,a b.txt,c.txt");
  await button.click();
  await gone(dialog);
  await seen(page.getByText("2 items renamed").first());
  expect(await contentsOf("swap")).toEqual(["a b.txt: b a.txt", "b a.txt: a b.txt", "c.txt: c.txt", "d.txt: d.txt"]);
});

test("an expression that never ends leaves the page alone", async () => {
  await seed("endless", [`${"a".repeat(60)}!.txt`, "b.txt"]);
  await using visit = await journey.admin();
  const { page } = visit;
  const explorer = explorerPage(page);
  const { dialog, fill, button } = renaming(page);
  await explorer.open("/drive/endless");
  await seen(explorer.row("b.txt"));
  await page.keyboard.press("Control+a");
  await page.keyboard.press("F2");
  await dialog.getByLabel("Regular expression").check();
  await fill("Find", "^(a+)+$");
  await fill("Replace with", "c");
  await seen(dialog.getByText("This expression takes too long. Try a simpler one."));
  expect(await button.isDisabled()).toBe(true);
});

test("a thousand are renamed with few lists, and may be cancelled: each is there under one of its names", async () => {
  const all = Array.from({ length: 1000 }, (_, at) => `f${String(at).padStart(4, "0")}.txt`);
  for (let at = 0; at < all.length; at += 50)
    await Promise.all(all.slice(at, at + 50).map((name) => seed("many", [name])));
  await using visit = await journey.admin({ width: 1280, height: 800 });
  const { page } = visit;
  const explorer = explorerPage(page);
  const { dialog, fill, rows } = renaming(page);
  let lists = 0;
  page.on("request", (request) => {
    if (request.url().includes("/api/fs/list?")) lists += 1;
  });
  await explorer.open("/drive/many");
  await seen(page.getByText("1,000 items"));
  await page.keyboard.press("Control+a");
  await page.keyboard.press("F2");
  await fill("Find", "f");
  await fill("Replace with", "g");
  await seen(dialog.getByText("1,000 names change."));
  // Only what is near the screen is drawn.
  expect(await rows.count()).toBeLessThan(100);
  lists = 0;
  await page.keyboard.press("Enter");
  await seen(page.getByText("Renaming 1,000 items…"));
  await page.getByRole("status").getByRole("button", { name: "Cancel" }).click();
  await seen(page.getByText("Renaming was cancelled. What had been renamed keeps its new name."));
  const names = (await seeds.names("/drive/many")).map((name) => name.slice(1));
  expect(names.toSorted()).toEqual(all.map((name) => name.slice(1)));
  await page.getByRole("button", { name: "Try again" }).click();
  await seen(page.getByText(/items renamed/).first());
  expect(await seeds.names("/drive/many")).toEqual(all.map((name) => name.replace("f", "g")));
  expect(lists).toBeLessThan(100);
});

test("new names, and what is deleted, show before the folder is loaded again", async () => {
  await seed("held", ["a1.txt", "a2.txt", "b.txt"]);
  await using visit = await journey.admin({ width: 1280, height: 800 });
  const { page } = visit;
  const explorer = explorerPage(page);
  await explorer.open("/drive/held");
  await explorer.shows(["a1.txt", "a2.txt", "b.txt"]);
  const held = Promise.withResolvers<void>();
  await page.route("**/api/fs/list?*", async (route) => {
    await held.promise;
    await route.continue();
  });
  await explorer.choose("a1.txt");
  await explorer.choose("a2.txt", "Shift");
  await page.keyboard.press("F2");
  await renaming(page).fill("Find", "a");
  await renaming(page).fill("Replace with", "c");
  await page.keyboard.press("Enter");
  await explorer.shows(["b.txt", "c1.txt", "c2.txt"]);
  await until(explorer.chosen, (found) => found.join() === "c1.txt,c2.txt");
  await explorer.choose("b.txt");
  await page.keyboard.press("F2");
  await page.keyboard.type("d");
  await page.keyboard.press("Enter");
  await explorer.shows(["c1.txt", "c2.txt", "d.txt"]);
  await page.keyboard.press("Delete");
  await page.keyboard.press("Enter");
  await explorer.shows(["c1.txt", "c2.txt"]);
  held.resolve();
  await until(
    () => seeds.names("/drive/held"),
    (found) => found.join() === "c1.txt,c2.txt",
  );
  await explorer.shows(["c1.txt", "c2.txt"]);
});

test("a key that may rename does so, and one that may not is not offered it", async () => {
  await seed("by-key", ["a1.txt", "a2.txt"]);
  const keyWith = async (...rights: Parameters<typeof bitsOf>[0][number][]) => {
    const wish = {
      name: `key ${crypto.randomUUID()}`,
      permissions: bitsOf(rights),
      basic_path: "/drive/by-key",
      expires_at: null,
    };
    return (await journey.call<{ data: KeyRecord }>("POST", "/api/admin/api-keys", wish)).data;
  };
  {
    await using visit = await people.holder(await keyWith("mount_view"));
    const explorer = explorerPage(visit.page);
    await explorer.openByKey("/drive/by-key");
    await visit.page.keyboard.press("Control+a");
    await visit.page.keyboard.press("F2");
    await seen(explorer.command("Download"));
    expect(await explorer.command("Rename").count()).toBe(0);
    expect(await explorer.dialog.count()).toBe(0);
  }
  await using visit = await people.holder(await keyWith("mount_view", "mount_rename"));
  const { page } = visit;
  const explorer = explorerPage(page);
  await explorer.openByKey("/drive/by-key");
  await explorer.shows(["a1.txt", "a2.txt"]);
  await page.keyboard.press("Control+a");
  await page.keyboard.press("F2");
  await renaming(page).fill("Find", "a");
  await renaming(page).fill("Replace with", "b");
  await page.keyboard.press("Enter");
  await explorer.shows(["b1.txt", "b2.txt"]);
});
