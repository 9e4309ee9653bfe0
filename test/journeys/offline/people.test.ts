import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openBrowser } from "../../support/browser/chromium.ts";
import { gone, seen, startJourney, until } from "../../support/browser/journey.ts";
import { forgiveNetwork, goOffline, kept, underWorker } from "../../support/browser/offline-visit.ts";
import { peopleOf } from "../../support/browser/people.ts";
import { startNotingProxy } from "../../support/proxies/noting-proxy.ts";

/** Several people at one browser, whose changes wait in the same place. */

const journey = await startJourney();
const { makeKey } = peopleOf(journey);

async function signIn(page: Page): Promise<void> {
  await page.goto("/admin");
  await page.getByLabel("Username").fill("admin");
  await page.getByLabel("Password", { exact: true }).fill(journey.server.adminPassword);
  await page.keyboard.press("Enter");
  await seen(page.getByRole("button", { name: "Log out" }));
}

async function giveKey(page: Page, key: string): Promise<void> {
  await page.getByRole("button", { name: "Use an API key instead" }).click();
  await page.getByLabel("API key").fill(key);
  await page.keyboard.press("Enter");
  await seen(page.getByRole("navigation", { name: "User panel" }));
}

/** Shares a text that has to wait. */
async function share(page: Page, text: string): Promise<void> {
  await page.goto("/");
  await page.getByRole("textbox", { name: "Text to share" }).fill(text);
  await page.getByRole("button", { name: "Create link" }).click();
  await seen(page.getByText(/The text is kept on this device/));
}

test("changes of one person wait while another is signed in, go with no other credential, and are sent once the first is back", async () => {
  const key = await makeKey(["text"]);
  const proxy = startNotingProxy(journey.server.address);
  await using visit = await (await openBrowser()).newPage({ address: proxy.address, worker: true });
  const { page, context } = visit;
  await signIn(page);
  await underWorker(visit);
  const token = await page.evaluate(() => localStorage.getItem("admin_token"));
  await page.goto("/");
  await goOffline(visit);
  await share(page, "the administrator's");

  // Their session ends elsewhere, so that the text cannot go when the connection is back.
  const authorization = `Bearer ${token}`;
  await fetch(`${journey.server.address}/api/admin/logout`, { method: "POST", headers: { authorization } });
  await context.setOffline(false);
  await until(
    () => proxy.texts.length,
    (count) => count > 0,
  );
  // Nothing else has asked the server on this page, which was opened without a connection.
  await seen(page.getByRole("button", { name: "1 change waits for a sign-in" }));
  await page.goto("/admin/text-management");
  await seen(page.getByRole("button", { name: "1 change waits for a sign-in" }));

  await giveKey(page, key.key);
  await page.getByRole("button", { name: "1 change waits for a sign-in" }).click();
  const sheet = page.getByRole("dialog", { name: "Offline and app status" });
  await seen(sheet.getByText("Sent once the person who made it is signed in"));
  expect(await sheet.textContent()).not.toContain("the administrator's");
  await page.keyboard.press("Escape");
  await page.goto("/");
  await context.setOffline(true);
  await share(page, "the key's");
  await seen(page.getByRole("button", { name: "1 change pending", exact: true }));
  await context.setOffline(false);
  await seen(page.getByRole("button", { name: "Changes were sent" }));
  await page.goto("/admin");
  await page.getByRole("button", { name: "Log out" }).click();
  await seen(page.getByLabel("API key"));
  expect(JSON.stringify((await kept(visit)).offlineQueue)).toContain("the administrator's");

  await signIn(page);
  await gone(page.getByRole("button", { name: "1 change waits for a sign-in" }));
  const { data } = await until(
    () => journey.call<{ data: { created_by: string; content_preview: string }[] }>("GET", "/api/pastes"),
    ({ data }) => data.length === 2,
  );
  const makers = data.map(({ content_preview, created_by }) => [content_preview, created_by]);
  expect(makers).toEqual([
    ["the administrator's", "admin"],
    ["the key's", `apikey:${key.id}`],
  ]);
  const ofKey = proxy.texts.filter((text) => text.authorization?.startsWith("ApiKey"));
  expect(ofKey.map(({ content }) => content)).toEqual(["the key's"]);
  await forgiveNetwork(visit);
});
