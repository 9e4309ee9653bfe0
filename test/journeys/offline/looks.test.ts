import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { findings } from "../../support/browser/axe.ts";
import { screenshot } from "../../support/browser/chromium.ts";
import { gone, overhang, seen, startJourney } from "../../support/browser/journey.ts";
import { forgiveNetwork, underWorker } from "../../support/browser/offline-visit.ts";
import { counted } from "../../support/pages/dictionaries.ts";
import { browserOf, looks, sizes, type Words, words } from "../../support/screens/screen.ts";

const journey = await startJourney();

/** The browser's own offer, which no test browser makes. */
const offerInstall = (page: Page) =>
  page.evaluate(() => {
    const prompt = () => Promise.resolve({ outcome: "dismissed" });
    window.dispatchEvent(Object.assign(new Event("beforeinstallprompt"), { prompt }));
  });

/** Shares a text that has to wait. */
async function share(page: Page, { paste }: Words, text: string): Promise<void> {
  await page.getByRole("textbox", { name: paste.home.editorLabel }).fill(text);
  await page.getByRole("button", { name: paste.home.create }).click();
  await seen(page.getByText(paste.home.kept));
}

describe("what stands at the corner fits, in both languages, both themes, on desk and phone", () => {
  test.each(looks)("$locale, $theme, $size", async (one) => {
    await using visit = await journey.admin({ ...browserOf(one), worker: true });
    const { page, context } = visit;
    const { offline, paste } = words[one.locale];
    const picture = async (name: string) => {
      await screenshot(page, `${name}-${one.size}-${one.theme}-${one.locale}`);
      expect(await overhang(page)).toBe(0);
      expect(await findings(page)).toEqual([]);
    };
    await page.goto("/");
    await underWorker(visit);
    await seen(page.getByRole("textbox", { name: paste.home.editorLabel }));
    await offerInstall(page);
    await seen(page.getByRole("status", { name: offline.install.title.replace("{{site}}", "Satchel") }));
    await picture("offline-install");
    await page.getByRole("button", { name: offline.later }).click();
    await context.setOffline(true);
    const badge = page.getByRole("button", { name: offline.badge.offline });
    await seen(badge);
    await share(page, words[one.locale], "written in a tunnel");
    await picture("offline-kept");
    await page.getByRole("button", { name: counted(offline.badge.waiting, 1) }).click();
    await seen(page.getByRole("dialog", { name: offline.title }));
    await picture("offline-sheet");
    await forgiveNetwork(visit);
  });
});

/** The controls that stand where the way to what waits is. */
const covered = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    window.scrollTo(0, document.documentElement.scrollHeight);
    const badge = [...document.querySelectorAll("button")].findLast((button) => !button.closest("main, header"));
    const at = badge?.getBoundingClientRect();
    if (!badge || !at?.width) return ["The way to what waits is not there."];
    return [...document.querySelectorAll<HTMLElement>("main :is(button, a, input, textarea, [contenteditable=true])")]
      .filter((control) => {
        const { left, right, top, bottom } = control.getBoundingClientRect();
        return right > left && right > at.left && left < at.right && bottom > at.top && top < at.bottom;
      })
      .map((control) => control.ariaLabel || control.textContent || control.tagName);
  });

test.each(["desk", "phone"] as const)("how the connection is covers no control on a %s", async (size) => {
  for (let count = 0; count < 12; count++)
    await journey.share({ content: `text ${count}`, slug: `s-${size}-${count}` });
  await journey.call("POST", "/api/fs/update", { path: "/drive/covered.txt", content: "x" });
  await using visit = await journey.admin({ ...sizes[size], worker: true });
  const { page, context } = visit;
  const pages = {
    "/": () => page.getByRole("textbox", { name: words["en-US"].paste.home.editorLabel }),
    "/upload": () => page.getByRole("button", { name: /choose/i }).first(),
    "/admin/text-management": () => page.getByRole("checkbox", { name: "Select text 3" }).first(),
    "/mount-explorer/drive": () => page.getByText("covered.txt").first(),
  };
  const badge = page.getByRole("button", { name: words["en-US"].offline.badge.offline });
  await page.goto("/");
  await underWorker(visit);
  for (const [path, shown] of Object.entries(pages)) {
    await page.goto(path);
    await seen(shown());
    if (path === "/admin/text-management") {
      await shown().check();
      await seen(page.getByRole("toolbar", { name: "1 selected" }));
    }
    await context.setOffline(true);
    await seen(badge);
    expect(await covered(page)).toEqual([]);
    await context.setOffline(false);
    await gone(badge);
  }
  await forgiveNetwork(visit);
});
