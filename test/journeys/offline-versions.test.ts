import { afterAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openBrowser } from "../support/chromium.ts";
import { gone, seen, startJourney } from "../support/journey.ts";
import { underWorker } from "../support/offline-visit.ts";
import { passOn, serveProxy } from "../support/proxy.ts";

const journey = await startJourney();

/** A proxy before the server, behind which a newer build can appear: its page and its worker differ. */
function startRelease() {
  const at = { build: 1 };
  const proxy = serveProxy(async (request) => {
    const response = await passOn(journey.server.address, request);
    const changed = /^\/(sw\.js|index\.html)?$/.test(new URL(request.url).pathname);
    if (!changed) return response;
    const text = (await response.text())
      .replace(/(url:"\/index\.html",revision:")[^"]+/, `$1build${at.build}`)
      .replace("<head>", `<head><meta name="build" content="${at.build}">`);
    const { headers } = response;
    headers.delete("etag");
    headers.delete("content-length");
    return new Response(text, { status: response.status, headers });
  });
  afterAll(() => proxy.stop(true));
  return { address: proxy.url.origin, publish: () => (at.build += 1) };
}

describe("a newer version", () => {
  test("waits when it is to, and is loaded when it may", async () => {
    const release = startRelease();
    const browser = await openBrowser();
    await using visit = await browser.newPage({ address: release.address, worker: true });
    const { page } = visit;
    const build = () => page.locator('meta[name="build"]').getAttribute("content");
    await page.goto("/");
    await underWorker(visit);
    release.publish();
    await page.reload();
    const prompt = page.getByRole("status", { name: "A new version is here" });
    await prompt.getByRole("button", { name: "Later" }).click();
    await gone(prompt);
    expect(await build()).toBe("1");
    await page.reload();
    await seen(prompt);
    expect(await build()).toBe("1");
    await prompt.getByRole("button", { name: "Update" }).click();
    await page.waitForFunction(() => document.querySelector('meta[name="build"]')?.getAttribute("content") === "2");
    await underWorker(visit);
    expect(await prompt.count()).toBe(0);
  });
});

test("a tab beside the one that updates is told, and loads the newer version when it may", async () => {
  const release = startRelease();
  const browser = await openBrowser();
  await using visit = await browser.newPage({ address: release.address, worker: true });
  const { page, context } = visit;
  await page.goto("/");
  await underWorker(visit);
  const other = await context.newPage();
  await other.goto("/");
  await underWorker({ ...visit, page: other });
  const asked = (tab: Page) => tab.getByRole("status", { name: "A new version is here" });
  await other.getByRole("textbox", { name: "Text to share" }).fill("being written");
  release.publish();
  await page.reload();
  await asked(page).getByRole("button", { name: "Update" }).click();
  await page.waitForFunction(() => document.querySelector('meta[name="build"]')?.getAttribute("content") === "2");
  // Nothing is taken from it without a word.
  await seen(asked(other));
  expect(await other.locator('meta[name="build"]').getAttribute("content")).toBe("1");
  await asked(other).getByRole("button", { name: "Update" }).click();
  await other.waitForFunction(() => document.querySelector('meta[name="build"]')?.getAttribute("content") === "2");
  await seen(other.getByRole("textbox", { name: "Text to share" }).getByText("being written"));
  expect(await asked(other).count()).toBe(0);
});

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
