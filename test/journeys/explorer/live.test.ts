import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { LinkRecord } from "#contract/links";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { seen, startJourney, until } from "../../support/browser/journey.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

/** What two people see who look at the same folder side by side. */

const journey = await startJourney();
const seeds = treeSeeds(journey);

/** Writes a file as a program does that mounts the tree. */
async function putByDav(path: string, content: string): Promise<void> {
  const { address, adminPassword } = journey.server;
  const authorization = `Basic ${btoa(`admin:${adminPassword}`)}`;
  const response = await fetch(`${address}/dav${path}`, { method: "PUT", headers: { authorization }, body: content });
  expect(response.status).toBe(201);
}

/** The lists and streams that a page asks for. */
function asked(page: Page) {
  const lists: string[] = [];
  const streams: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    // The tree beside the list asks for folders alone.
    if (pathname.endsWith("/api/fs/list") && !searchParams.has("folders")) lists.push(request.url());
    if (pathname.endsWith("/api/fs/events")) streams.push(request.url());
  });
  return { lists, streams };
}

/** Waits until a page follows a folder: the stream has answered. */
const followed = (page: Page) => page.waitForResponse(/\/api\/fs\/events\?/);

const show = (page: Page, state: "hidden" | "visible") =>
  page.evaluate((now) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => now });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);

describe("a folder that two look at", () => {
  test("shows one what the other does, and what comes by WebDAV, without a reload", async () => {
    await seeds.text("/drive/live/a.txt", "a");
    await using one = await journey.admin();
    await using other = await journey.admin();
    const [mine, theirs] = [explorerPage(one.page), explorerPage(other.page)];
    const both = [followed(one.page), followed(other.page)];
    await mine.open("/drive/live");
    await theirs.open("/drive/live");
    await Promise.all(both);
    await putByDav("/drive/live/by-dav.txt", "1");
    for (const explorer of [mine, theirs]) await explorer.shows(["a.txt", "by-dav.txt"]);
    await mine.choose("a.txt");
    await one.page.keyboard.press("F2");
    await mine.dialog.getByRole("textbox").fill("renamed.txt");
    await one.page.keyboard.press("Enter");
    for (const explorer of [mine, theirs]) await explorer.shows(["by-dav.txt", "renamed.txt"]);
    await journey.call("DELETE", "/api/fs/batch-remove", { paths: ["/drive/live/by-dav.txt"] });
    for (const explorer of [mine, theirs]) await explorer.shows(["renamed.txt"]);
    await journey.call("DELETE", "/api/fs/batch-remove", { paths: ["/drive/live/"] });
    await seen(other.page.getByRole("heading", { name: "This folder does not exist" }));
  });

  test("asks for one list after a change of one's own", async () => {
    await seeds.text("/drive/own/a.txt", "a");
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    const { lists, streams } = asked(page);
    const following = followed(page);
    await explorer.open("/drive/own");
    await following;
    const before = lists.length;
    await explorer.command("New folder").click();
    await explorer.dialog.getByRole("textbox").fill("made");
    await page.keyboard.press("Enter");
    await explorer.shows(["made", "a.txt"]);
    // What comes by another way is behind it, and so are the news of the first change.
    await putByDav("/drive/own/later.txt", "1");
    await explorer.shows(["made", "a.txt", "later.txt"]);
    expect(lists.length - before).toBe(2);
    expect(streams).toHaveLength(1);
  });

  test("keeps its scroll, its choice and its focus while files come above what is in view", async () => {
    for (let one = 100; one < 220; one += 1) await seeds.text(`/drive/long/file-${one}.txt`, "x");
    await using visit = await journey.admin({ width: 1280, height: 800 });
    const { page } = visit;
    const explorer = explorerPage(page);
    const following = followed(page);
    await explorer.open("/drive/long");
    await following;
    await explorer.choose("file-102.txt");
    await explorer.scroller.evaluate((element) => {
      element.scrollTop = 2000;
    });
    const row = explorer.row("file-160.txt");
    await seen(row);
    const place = async () => Math.round((await row.boundingBox())?.y ?? -1);
    const before = await place();
    await putByDav("/drive/long/file-000.txt", "1");
    await seen(page.getByText("121 items"));
    expect(await place()).toBe(before);
    expect(await page.evaluate(() => document.activeElement?.hasAttribute("data-entries"))).toBe(true);
    await explorer.scroller.evaluate((element) => {
      element.scrollTop = 0;
    });
    expect(await until(explorer.chosen, (found) => found.length === 1)).toEqual(["file-102.txt"]);
  });

  test("is left by a page that nobody sees, which catches up when it is seen again", async () => {
    await seeds.text("/drive/hidden/a.txt", "a");
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    const { streams } = asked(page);
    const following = followed(page);
    await explorer.open("/drive/hidden");
    await following;
    const left = page.waitForEvent("requestfailed", (request) => request.url().includes("/api/fs/events"));
    await show(page, "hidden");
    await left;
    await putByDav("/drive/hidden/b.txt", "1");
    expect(await explorer.names()).toEqual(["a.txt"]);
    await show(page, "visible");
    await explorer.shows(["a.txt", "b.txt"]);
    expect(streams).toHaveLength(2);
  });

  test("is followed by who has opened a link, and closed to them with the link", async () => {
    await seeds.text("/drive/linked/a.txt", "a");
    await seeds.text("/drive/linked/b.txt", "b");
    const wish = { items: ["/drive/linked/"], rights: ["view"] };
    const { data } = await journey.call<{ data: LinkRecord }>("POST", "/api/links", wish);
    await using visit = await journey.visitor();
    const { page } = visit;
    const explorer = explorerPage(page);
    const following = followed(page);
    await page.goto(`/s/${data.slug}`);
    await following;
    await explorer.shows(["a.txt", "b.txt"]);
    await putByDav("/drive/linked/c.txt", "1");
    await explorer.shows(["a.txt", "b.txt", "c.txt"]);
    await journey.call("DELETE", `/api/links/${data.id}`);
    await putByDav("/drive/linked/d.txt", "1");
    await until(explorer.names, (names) => names.length === 0);
  });
});
