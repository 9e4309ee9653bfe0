import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { UNLOADED } from "../../support/browser/chromium.ts";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { gone, overhang, seen, startJourney, until } from "../../support/browser/journey.ts";
import { words } from "../../support/screens/screen.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

const journey = await startJourney();
const seeds = treeSeeds(journey);
const phone = { width: 390, height: 844 } as const;

for (const name of ["a.txt", "b.txt", "c.txt"]) await seeds.text(`/drive/phone/${name}`, `This is ${name}.`);
await seeds.text(`/drive/phone/${"a very long name ".repeat(8)}.txt`);
await seeds.folder("/drive/phone/folder");

/** A finger that comes down on a row, wanders and is lifted when something has happened. */
async function touch(
  page: Page,
  name: string,
  { wanders = 0, until }: { wanders?: number; until: () => Promise<unknown> },
) {
  const row = explorerPage(page).row(name);
  // Where it will stay.
  await row.tap({ trial: true });
  const box = await row.boundingBox();
  if (!box) throw new Error(`${name} is not there.`);
  const session = await page.context().newCDPSession(page);
  const [x, y] = [box.x + 160, box.y + box.height / 2];
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
  if (wanders > 0)
    await session.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x: x + wanders, y }] });
  await until();
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

describe("on a phone", () => {
  test("a tap opens, and the way back is there", async () => {
    await using visit = await journey.admin(phone);
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open("/drive/phone");
    await explorer.row("a.txt").tap();
    await seen(page.getByText("This is a.txt."));
    await page.getByRole("button", { name: "Back to the folder" }).tap();
    await seen(explorer.row("folder"));
    await explorer.row("folder").tap();
    await seen(page.getByText("This folder is empty"));
    // Nothing is dropped by a finger.
    await seen(page.getByText("Photos, videos, documents: choose files to upload."));
    expect(await overhang(page)).toBe(0);
  });

  test("one bar has the folder's title, the way up and what is done most; all folders above are behind the title", async () => {
    for (const locale of ["en-US", "zh-CN"] as const) {
      await using visit = await journey.admin({ ...phone, locale });
      const { page } = visit;
      const { explorer } = words[locale];
      await explorerPage(page).open("/drive/phone");
      const buttons = page.locator("[data-explorer] button:visible:not([data-entries] *)");
      const [title] = await buttons.filter({ hasText: "phone" }).all();
      const lines = new Set(
        await buttons.evaluateAll((all) =>
          all.map((one) => one.getBoundingClientRect()).map(({ y, height }) => Math.round(y + height / 2)),
        ),
      );
      expect(lines.size).toBe(1);
      // Room for a title of a few words.
      expect((await title?.locator("..").boundingBox())?.width).toBeGreaterThan(140);
      await page.getByRole("button", { name: "phone", exact: true }).tap();
      await page.getByRole("menuitem", { name: explorer.path.root }).tap();
      await seen(explorerPage(page).row("drive"));
      expect(await page.getByRole("button", { name: explorer.command.up }).count()).toBe(0);
      await explorerPage(page).row("drive").tap();
      await explorerPage(page).row("phone").tap();
      await page.getByRole("button", { name: explorer.command.up }).tap();
      await page.waitForURL("**/mount-explorer/drive");
      expect(await overhang(page)).toBe(0);
    }
  });

  test("the other views, the basket and a new folder are in the menu", async () => {
    await using visit = await journey.admin(phone);
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open("/drive/phone");
    const pick = async (item: string) => {
      await explorer.command("More actions").tap();
      await page.getByRole("menuitem", { name: item, exact: true }).tap();
    };
    await pick("Grid");
    expect(await explorer.surface.getAttribute("aria-colcount")).not.toBe("5");
    await pick("List");
    await until(
      () => explorer.surface.getAttribute("aria-colcount"),
      (count) => count === "5",
    );
    await pick("New folder");
    await seen(explorer.dialog.getByRole("textbox"));
    await page.keyboard.press("Escape");
    await pick("File basket");
    await seen(explorer.dialog);
  });

  test("the strip of tasks is there while something moves, and in the menu afterwards; what failed stays", async () => {
    await seeds.text("/drive/moves/first.txt");
    await using visit = await journey.admin(phone);
    const { page } = visit;
    const explorer = explorerPage(page);
    const strip = page.getByRole("region", { name: "Tasks" });
    await page.clock.install();
    await explorer.open("/drive/moves");
    const send = async (name: string) => {
      const [chooser] = await Promise.all([page.waitForEvent("filechooser"), explorer.command("Upload").tap()]);
      await chooser.setFiles({ name, mimeType: "text/plain", buffer: Buffer.from("sent") });
    };
    await send("sent.txt");
    await seen(strip);
    await gone(strip);
    await explorer.shows(["first.txt", "sent.txt"]);
    await explorer.command("More actions").tap();
    await page.getByRole("menuitem", { name: "Tasks" }).tap();
    await seen(strip.getByText("sent.txt"));
    await strip.getByRole("button", { name: "Hide the tasks" }).tap();
    await gone(strip);
    await page.route("**/api/fs/presign", (route) =>
      route.fulfill({ status: 507, json: { success: false, code: 507 } }),
    );
    await send("failed.txt");
    await seen(strip.getByText(/1 failed|Failed: 1/));
    // Longer than what went well is told.
    await page.clock.fastForward(60_000);
    expect(await strip.isVisible()).toBe(true);
    visit.forgive(UNLOADED);
  });

  test("a preview keeps no room for the bar of what is chosen", async () => {
    await using visit = await journey.admin(phone);
    const { page } = visit;
    await page.goto("/mount-explorer/drive/phone?preview=a.txt");
    await seen(page.getByText("This is a.txt."));
    const room = () => page.locator("[data-explorer]").evaluate((one) => getComputedStyle(one).paddingBottom);
    expect(await room()).toBe("8px");
    await page.getByRole("button", { name: "Back to the folder" }).tap();
    await until(room, (padding) => padding === "64px");
  });

  test("sizes and times are told in full, and what sorts stands together", async () => {
    for (const locale of ["en-US", "zh-CN"] as const) {
      await using visit = await journey.admin({ ...phone, locale });
      const { page } = visit;
      const explorer = explorerPage(page);
      await explorer.open("/drive/phone");
      const facts = page.locator("[data-entries] [data-index] p");
      expect(await facts.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)).toBe(0);
      expect(await facts.first().textContent()).toMatch(/\d+ B · .*\d/);
      const sorts = await page.getByRole("columnheader").getByRole("button").all();
      const ends = await Promise.all(sorts.map(async (one) => await one.boundingBox()));
      // No further apart than words are.
      for (const [index, end] of ends.entries())
        if (index > 0)
          expect((end?.x ?? 0) - (ends[index - 1]?.x ?? 0) - (ends[index - 1]?.width ?? 0)).toBeLessThan(24);
      await explorer.row("a.txt").tap();
      const head = page.getByRole("article").locator("header p");
      await seen(head);
      expect(await head.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
      // They have one line, of their own.
      const [line, name] = [await head.boundingBox(), await page.getByRole("heading", { name: "a.txt" }).boundingBox()];
      expect(line?.height).toBeLessThan(24);
      expect(line?.x).toBeLessThan(name?.x ?? 0);
    }
  });

  test("what was cut is pasted by a press, and everything keeps its room beside that", async () => {
    await using visit = await journey.admin(phone);
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open("/drive/phone");
    await explorer.row("a.txt").getByRole("button").tap();
    await page.getByRole("menuitem", { name: "Copy", exact: true }).tap();
    await seen(page.getByText("1 item copied. Open a folder and paste."));
    await page.getByRole("button", { name: "Clear selection" }).tap();
    await explorer.row("folder").tap();
    const more = page.getByRole("toolbar").getByRole("button", { name: "More actions" });
    await seen(explorer.command("Paste"));
    const box = await more.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    expect(await overhang(page)).toBe(0);
  });

  test("a long press opens the menu, a wandering finger does not", async () => {
    await using visit = await journey.admin(phone);
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open("/drive/phone");
    const longer = () => page.evaluate(() => new Promise((resolve) => setTimeout(() => resolve(true), 700)));
    await touch(page, "a.txt", { wanders: 30, until: longer });
    expect(await page.getByRole("menu").count()).toBe(0);
    await explorer.open("/drive/phone");
    await touch(page, "b.txt", { until: () => seen(page.getByRole("menu")) });
    await seen(page.getByRole("menu").getByText("b.txt"));
    expect(await explorer.chosen()).toEqual(["b.txt"]);
    await page.getByRole("menuitem", { name: "Rename" }).tap();
    await seen(explorer.dialog.getByRole("textbox"));
  });

  test("several are chosen by taps, and the bar at the bottom acts on them", async () => {
    await using visit = await journey.admin(phone);
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open("/drive/phone");
    await page.getByRole("button", { name: "More actions" }).tap();
    await page.getByRole("menuitem", { name: "Select several" }).tap();
    await explorer.row("a.txt").tap();
    await explorer.row("c.txt").tap();
    await seen(page.getByText("2 selected"));
    const bar = page.getByRole("toolbar", { name: "Actions for the selection" });
    const box = await bar.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(phone.height);
    expect(await overhang(page)).toBe(0);
    await explorer.row("c.txt").tap();
    await until(explorer.chosen, (chosen) => chosen.join() === "a.txt");
    await bar.getByRole("button", { name: "Clear selection" }).tap();
    await gone(bar);
  });

  test("everything to be touched has 44 pixels", async () => {
    await using visit = await journey.admin(phone);
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open("/drive/phone");
    await seen(explorer.row("a.txt"));
    const small = await page.evaluate(() =>
      // A press on the name of a folder is one of its row.
      [...document.querySelectorAll("main button, main a:not([data-entry-link]), [data-index]")]
        .filter((element) => element.checkVisibility())
        .map((element) => ({
          name: element.ariaLabel ?? element.textContent ?? "",
          box: element.getBoundingClientRect(),
        }))
        .filter(({ box }) => box.height < 44)
        .map(({ name, box }) => `${name}: ${box.height}`),
    );
    expect(small).toEqual([]);
  });
});
