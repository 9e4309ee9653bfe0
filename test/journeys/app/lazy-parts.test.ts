import { describe, expect, test } from "bun:test";
import { findings } from "../../support/browser/axe.ts";
import { screenshot, type Visit } from "../../support/browser/chromium.ts";
import { gone, overhang, seen, startJourney } from "../../support/browser/journey.ts";
import { browserOf, looks, words } from "../../support/screens/screen.ts";

/** Parts of the app that load when they are wanted, and the network that is gone by then. */

const journey = await startJourney();
const code = "**/assets/*.js";

/** From now on no code arrives. */
const cutCode = ({ context }: Visit) => context.route(code, (route) => route.abort());
const healCode = ({ context }: Visit) => context.unroute(code);

/** What the browser says of code that did not arrive is what the journey is about. */
const forgive = (visit: Visit) => visit.forgive(/Failed to load resource: net::ERR_FAILED/);

describe("a page that does not load says so, in both languages, both themes, on desk and phone", () => {
  test.each(looks)("$locale, $theme, $size", async (one) => {
    await using visit = await journey.admin(browserOf(one));
    const { page } = visit;
    const { shell, paste } = words[one.locale];
    await page.goto("/");
    await seen(page.getByRole("textbox", { name: paste.home.editorLabel }).and(page.locator("[contenteditable=true]")));
    await cutCode(visit);
    if (one.size === "phone") await page.getByRole("button", { name: shell.nav.open }).tap();
    await page.getByRole("link", { name: shell.nav.upload }).click();
    const main = page.getByRole("main");
    await seen(main.getByRole("heading", { name: shell.lazy.title }));
    await seen(main.getByText(shell.lazy.text));
    for (const way of [shell.lazy.retry, shell.lazy.back]) await seen(main.getByRole("button", { name: way }));
    await screenshot(page, `lazy-${one.size}-${one.theme}-${words[one.locale].tag}`);
    expect(await overhang(page)).toBe(0);
    expect(await findings(page)).toEqual([]);
    await healCode(visit);
    await main.getByRole("button", { name: shell.lazy.retry }).click();
    await gone(main.getByRole("heading", { name: shell.lazy.title }));
    await seen(main.getByRole("button", { name: words[one.locale].upload.zone.choose }).first());
    forgive(visit);
  });
});

test("it loads by itself when the network is back", async () => {
  await using visit = await journey.admin();
  const { page, context } = visit;
  const { shell, upload } = words["en-US"];
  await page.goto("/");
  await seen(page.getByRole("textbox", { name: "Text to share" }).and(page.locator("[contenteditable=true]")));
  await cutCode(visit);
  await page.getByRole("link", { name: shell.nav.upload }).click();
  await seen(page.getByRole("heading", { name: shell.lazy.title }));
  await context.setOffline(true);
  await healCode(visit);
  await context.setOffline(false);
  await seen(page.getByRole("button", { name: upload.zone.choose }).first());
  forgive(visit);
});

test("so does what changes the share of a file, and loads when it is tried again", async () => {
  const { url } = await journey.shareFile(new File(["a,b\n1,2\n"], "numbers.csv"));
  await using visit = await journey.admin();
  const { page } = visit;
  const { shell } = words["en-US"];
  await page.goto("/");
  await seen(page.getByRole("textbox", { name: "Text to share" }).and(page.locator("[contenteditable=true]")));
  await page.goto(url);
  await seen(page.getByRole("cell", { name: "2" }));
  await cutCode(visit);
  await page.getByRole("button", { name: "Edit" }).click();
  const failed = page.getByRole("alert").filter({ hasText: shell.lazy.text });
  await seen(failed);
  await healCode(visit);
  // The browser remembers what did not arrive, until the page is loaded anew.
  await page.evaluate(() => Object.assign(window, { before: true }));
  await failed.getByRole("button", { name: shell.actions.retry }).click();
  await page.waitForFunction(() => !("before" in window));
  await page.getByRole("button", { name: "Edit" }).click();
  await seen(page.getByLabel("Link suffix"));
  forgive(visit);
});

test("what the connection's toast says leaves in time, also when its looks did not load", async () => {
  await using visit = await journey.admin();
  const { page, context } = visit;
  const { offline } = words["en-US"];
  await page.clock.install();
  await page.goto("/");
  await seen(page.getByRole("textbox", { name: "Text to share" }).and(page.locator("[contenteditable=true]")));
  await context.setOffline(true);
  const line = page.getByRole("alert").filter({ hasText: offline.lost });
  await seen(line);
  await page.clock.fastForward(3000);
  expect(await line.count()).toBe(0);
  await context.setOffline(false);
  forgive(visit);
});
