import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Visit } from "../../support/browser/chromium.ts";
import { seen, startJourney, until } from "../../support/browser/journey.ts";

/** Tables and JSON of fifty megabytes: the page goes on being drawn while they are read, and shows every part of them. */

const journey = await startJourney();
const BYTES = 50_000_000;

/** A line repeated until the text has so many bytes. */
function filled(line: (at: number) => string): string {
  const parts: string[] = [];
  for (let length = 0, at = 0; length < BYTES - 100; at += 1) {
    const part = line(at);
    parts.push(part);
    length += part.length;
  }
  return parts.join("");
}

/** Opens a shared file in a page that counts its frames. */
async function open(content: string, name: string): Promise<Visit> {
  const { url } = await journey.shareFile(new File([content], name));
  const visit = await journey.visitor();
  await visit.context.addInitScript(() => {
    const counted = window as unknown as { frames: number };
    counted.frames = 0;
    const count = () => {
      counted.frames += 1;
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
  await visit.page.goto(url);
  return visit;
}

const frames = (page: Page): Promise<number> => page.evaluate(() => (window as unknown as { frames: number }).frames);

/** Waits until something is there, and expects that the page was drawn meanwhile. */
async function drawnUntil(page: Page, step: () => Promise<unknown>): Promise<void> {
  const before = await frames(page);
  await step();
  await until(
    () => frames(page),
    (now) => now > before,
  );
}

describe("a table of a million rows", () => {
  test("shows its first rows, then its last, and is forgotten when it is left", async () => {
    const row = (at: number) => `${at},name of ${at},"a, quoted ""note""",${at * 7}\n`;
    let rows = "id,name,note,sum\n";
    for (let at = 1; at < 1_000_000; at += 1) rows += row(at);
    await using visit = await open(rows, "million.csv");
    const { page } = visit;
    await drawnUntil(page, () => seen(page.getByText("name of 1", { exact: true })));
    await drawnUntil(page, () => seen(page.getByText("999,999 rows", { exact: true })));
    const table = page.getByRole("region", { name: /million\.csv/ });
    await table.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await drawnUntil(page, () => seen(page.getByText("name of 999999", { exact: true })));
    await table.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
    await drawnUntil(page, () => seen(page.getByText(/^name of (499|500)\d{3}$/).first()));
    expect(await page.getByRole("row").count()).toBeLessThan(80);
    expect(page.workers()).toHaveLength(1);
    await page.getByRole("link", { name: "Satchel" }).first().click();
    await until(
      () => page.workers().length,
      (count) => count === 0,
    );
  });

  test("with quotes that are never closed, and a hundred thousand columns", async () => {
    await using visit = await open(`a,b\n1,"${"x,\n".repeat(2_000_000)}`, "quote.csv");
    await drawnUntil(visit.page, () => seen(visit.page.getByText("1 row", { exact: true })));
    await using broad = await open(`${"c,".repeat(100_000)}\n`.repeat(20), "broad.csv");
    await drawnUntil(broad.page, () => seen(broad.page.getByText("19 rows", { exact: true })));
  });
});

describe("JSON of fifty megabytes", () => {
  test("of hundreds of thousands of objects shows any of them", async () => {
    const object = (at: number) =>
      `${at === 0 ? "[" : ","}{"id":${at},"name":"object ${at}","tags":["a","b"],"deep":{"er":[${at}]},"text":"${"x".repeat(20)}"}`;
    await using visit = await open(`${filled(object)}]`, "objects.json");
    const { page } = visit;
    await drawnUntil(page, () => seen(page.getByText("0 … 9999", { exact: true })));
    await page.getByRole("button", { name: "400000 … 409999" }).click();
    await drawnUntil(page, () => seen(page.getByText("400000 … 400099", { exact: true })));
    await seen(page.getByText("400099:", { exact: false }).first());
    await page.getByRole("button", { name: /^400007: / }).click();
    await drawnUntil(page, () => seen(page.getByText('"object 400007"')));
  });

  test("of a single text shows its beginning, and one that is deep opens level by level", async () => {
    await using visit = await open(JSON.stringify("y".repeat(BYTES)), "text.json");
    await drawnUntil(visit.page, () => seen(visit.page.getByText(/^"y{2000}…"$/)));
    const deep = `${'{"a":['.repeat(2500)}7${"]}".repeat(2500)}`;
    await using other = await open(deep, "deep.json");
    await drawnUntil(other.page, () => seen(other.page.getByRole("button", { expanded: false })));
    await other.page.getByRole("button", { expanded: false }).click();
    await until(
      () => other.page.getByRole("button", { expanded: true }).count(),
      (count) => count >= 3,
    );
    expect(await other.page.getByRole("button", { name: "Unfold all" }).count()).toBe(0);
  });

  test("that ends too early is said with its place", async () => {
    await using visit = await open(`[${filled((at) => `${at},\n`)}`, "cut.json");
    await drawnUntil(visit.page, () =>
      seen(visit.page.getByText(/This is not valid JSON: unexpected text at line [\d,]+, column 1/)),
    );
  });
});
