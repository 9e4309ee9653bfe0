import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { en } from "#contract/messages/en";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { overhang, seen, startJourney, until } from "../../support/browser/journey.ts";
import { tar, zip } from "../../support/files/archives.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

const journey = await startJourney();
const seeds = treeSeeds(journey);

const plain = (bytes: Buffer) => new Uint8Array(bytes);

await seeds.file(
  "/drive/box/photos.zip",
  plain(
    zip([
      { name: "summer/one.txt", content: "one" },
      { name: "two.txt", content: "two" },
      { name: "../evil.txt", content: "evil" },
    ]),
  ),
);
await seeds.file("/drive/here/notes.tar", plain(tar([{ name: "note.txt", content: "from the archive" }])));
await seeds.text("/drive/here/note.txt", "mine");

const dialog = (page: Page, name: string) => page.getByRole("dialog", { name, exact: true });
const unpackIn = (page: Page, name: string) =>
  dialog(page, `Unpack “${name}”`).getByRole("button", { name: "Unpack", exact: true }).click();

describe("an archive in the explorer", () => {
  test("is unpacked into a new folder, which is chosen, and what is bad in it is told", async () => {
    await using admin = await journey.admin();
    const { page } = admin;
    const explorer = explorerPage(page);
    await explorer.open("/drive/box");
    await explorer.menu("photos.zip", "Unpack…");
    await seen(dialog(page, "Unpack “photos.zip”").getByText("Creates the folder “photos” next to the archive"));
    await unpackIn(page, "photos.zip");
    await seen(page.getByText("Unpacked, but 1 could not be unpacked."));
    await seen(page.getByText(en["archive.name"]).first());
    await until(explorer.chosen, ([name]) => /^photos( \(\d+\))?$/.test(name ?? ""));
    await page.keyboard.press("Enter");
    await explorer.shows(["summer", "two.txt"]);
  });

  test("is unpacked where it lies, from the page that shows it, beside what is there", async () => {
    await using admin = await journey.admin();
    const { page } = admin;
    const explorer = explorerPage(page);
    await page.goto("/mount-explorer/drive/here?preview=notes.tar");
    await page.getByRole("button", { name: "Unpack…" }).click();
    await dialog(page, "Unpack “notes.tar”").getByText("This folder").click();
    await page.getByLabel("If a name is taken").selectOption("Keep both");
    await unpackIn(page, "notes.tar");
    await seen(page.getByText("1 archive unpacked").first());
    await page.getByRole("button", { name: "Back to the folder" }).click();
    await until(explorer.names, (names) => names.includes("note(1).txt"));
    expect((await seeds.contentOf("/drive/here/note.txt")).toString()).toBe("mine");
  });

  test("on a phone its dialog fits, and it is no offer for other files", async () => {
    await using admin = await journey.admin({ width: 390, height: 844 });
    const { page } = admin;
    const explorer = explorerPage(page);
    await explorer.open("/drive/here");
    await seen(explorer.row("notes.tar"));
    await page.goto("/mount-explorer/drive/here?preview=notes.tar");
    await page.getByRole("button", { name: "Unpack…" }).click();
    await seen(dialog(page, "Unpack “notes.tar”"));
    expect(await overhang(page)).toBe(0);
    await page.goto("/mount-explorer/drive/here?preview=note.txt");
    await seen(page.getByText("mine"));
    expect(await page.getByRole("button", { name: "Unpack…" }).count()).toBe(0);
  });
});
