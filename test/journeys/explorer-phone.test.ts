import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { explorerPage } from "../support/explorer-page.ts";
import { gone, overhang, seen, startJourney, until } from "../support/journey.ts";
import { treeSeeds } from "../support/tree-seeds.ts";

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
      const facts = page.locator("[data-surface] [data-index] p");
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
      [...document.querySelectorAll("main button, main a, [data-index]")]
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
