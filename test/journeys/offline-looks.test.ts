import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { findings } from "../support/axe.ts";
import { screenshot } from "../support/chromium.ts";
import { counted } from "../support/dictionaries.ts";
import { overhang, seen, startJourney } from "../support/journey.ts";
import { forgiveNetwork, underWorker } from "../support/offline-visit.ts";
import { browserOf, looks, type Words, words } from "../support/screen.ts";

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
