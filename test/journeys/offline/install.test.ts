import { describe, expect, test } from "bun:test";
import { gone, startJourney } from "../../support/browser/journey.ts";
import { underWorker } from "../../support/browser/offline-visit.ts";

const journey = await startJourney();

describe("the offer to install", () => {
  test("is quiet for a week once it was put off", async () => {
    await using visit = await journey.visitor({ worker: true });
    const { page } = visit;
    const offer = async () => {
      await underWorker(visit);
      await page.evaluate(() => {
        const prompt = () => Promise.resolve({ outcome: "accepted" });
        window.dispatchEvent(Object.assign(new Event("beforeinstallprompt", { cancelable: true }), { prompt }));
      });
    };
    const card = page.getByRole("status", { name: "Install Satchel" });
    await page.goto("/");
    await offer();
    await card.getByRole("button", { name: "Later" }).click();
    await gone(card);
    await page.reload();
    await offer();
    expect(await card.count()).toBe(0);
    await page.evaluate(
      (week) => {
        localStorage.setItem("pwa-install-dismissed", String(Date.now() - week));
      },
      7 * 24 * 60 * 60 * 1000,
    );
    await page.reload();
    await offer();
    await card.getByRole("button", { name: "Install" }).click();
    await gone(card);
  });
});
