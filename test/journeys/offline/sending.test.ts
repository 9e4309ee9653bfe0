import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openBrowser, type Visit } from "../../support/browser/chromium.ts";
import { seen, startJourney, until } from "../../support/browser/journey.ts";
import { forgiveNetwork, goOffline, kept, underWorker } from "../../support/browser/offline-visit.ts";
import { peopleOf } from "../../support/browser/people.ts";
import { startNotingProxy } from "../../support/proxies/noting-proxy.ts";

/** Who sends changes that wait: one of several tabs, or the worker when none is open. */

const journey = await startJourney();
const key = await peopleOf(journey).makeKey(["text"]);
const proxy = startNotingProxy(journey.server.address);

/** Somebody with a key, whose page runs under the worker. */
async function holder(): Promise<Visit> {
  const visit = await (await openBrowser()).newPage({ address: proxy.address, worker: true });
  const { page } = visit;
  await page.goto("/admin");
  await page.getByRole("button", { name: "Use an API key instead" }).click();
  await page.getByLabel("API key").fill(key.key);
  await page.keyboard.press("Enter");
  await seen(page.getByRole("navigation", { name: "User panel" }));
  await underWorker(visit);
  await page.goto("/");
  return visit;
}

/** Shares a text that has to wait. */
async function share(page: Page, text: string): Promise<void> {
  await page.goto("/");
  await page.getByRole("textbox", { name: "Text to share" }).fill(text);
  await page.getByRole("button", { name: "Create link" }).click();
  await seen(page.getByText(/The text is kept on this device/));
}

/** Somebody with two tabs whose connection has gone. */
async function holderOfTwo() {
  const visit = await holder();
  const other = await visit.context.newPage();
  await other.goto("/");
  await seen(other.getByRole("textbox", { name: "Text to share" }));
  await goOffline(visit);
  return { visit, other };
}

/** The senders that wait for their turn. */
const waiting = (page: Page) =>
  page.evaluate(async () => (await navigator.locks.query()).pending?.map(({ clientId }) => clientId) ?? []);

/** The keys by which the server knows the texts that came since there were so many. */
const keysSince = (before: number) => new Set(proxy.texts.slice(before).map(({ key: name }) => name));

describe("changes that wait", () => {
  test("are sent once each with two tabs open, in their order", async () => {
    const { visit, other } = await holderOfTwo();
    await using _visit = visit;
    const { page, context } = visit;
    await share(page, "first of two");
    await share(page, "second of two");
    await seen(other.getByRole("button", { name: "2 changes pending" }));
    const release = proxy.hold();
    await context.setOffline(false);
    // One of them sends, and another one would like to.
    await until(
      () => proxy.texts.length,
      (count) => count >= 1,
    );
    await until(
      () => waiting(page),
      (clients) => clients.length > 0,
    );
    release();
    for (const tab of [page, other]) await seen(tab.getByRole("button", { name: "Changes were sent" }));
    // The page on which the last one was written shows its link in the place of the sentence that it waits.
    await seen(page.getByRole("link", { name: /\/paste\/\w+/ }));
    // That of the one before is told of beside it.
    await seen(page.getByText(/^Your text is shared: /));
    expect(await page.getByText(/^Your text is shared: /).textContent()).not.toContain(
      (await page.getByRole("link", { name: /\/paste\/\w+/ }).textContent()) ?? "",
    );
    expect(await page.getByText(/The text is kept on this device/).count()).toBe(0);
    await until(
      () => waiting(page),
      (clients) => clients.length === 0,
    );
    const byKey = new Map(proxy.texts.map((text) => [text.key, text.content]));
    expect([...byKey.values()]).toEqual(["first of two", "second of two"]);
    await other.close();
    await forgiveNetwork(visit);
  });

  test("are not discarded while one of the others sends them, and that is said", async () => {
    const { visit, other } = await holderOfTwo();
    await using _visit = visit;
    const { page, context } = visit;
    await share(page, "on its way");
    const before = proxy.texts.length;
    const release = proxy.hold();
    await context.setOffline(false);
    await until(
      () => proxy.texts.length,
      (count) => count > before,
    );
    for (const tab of [page, other]) {
      await tab.bringToFront();
      await tab.getByRole("button", { name: "1 change pending" }).click();
      await tab.getByRole("button", { name: "Discard" }).click();
      const asked = tab.getByRole("dialog", { name: "Discard this change?" });
      await asked.getByRole("button", { name: "Discard" }).click();
      await seen(asked.getByText("It is being sent right now and cannot be discarded."));
    }
    release();
    await seen(other.getByRole("dialog").getByRole("link", { name: /\/paste\// }));
    expect(keysSince(before).size).toBe(1);
    await other.close();
    await forgiveNetwork(visit);
  });

  test("are sent by the worker when no page is open, once the browser wakes it", async () => {
    await using visit = await holder();
    const { page, context } = visit;
    await goOffline(visit);
    await share(page, "sent by nobody's page");
    const before = proxy.texts.length;
    await forgiveNetwork(visit);
    await context.setOffline(false);
    const blank = await context.newPage();
    const session = await context.newCDPSession(blank);
    const registered = new Promise<string>((resolve) => {
      session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        const [first] = registrations.filter(({ scopeURL }) => scopeURL === `${proxy.address}/`);
        if (first) resolve(first.registrationId);
      });
    });
    await session.send("ServiceWorker.enable");
    const registrationId = await registered;
    await session.send("ServiceWorker.dispatchSyncEvent", {
      origin: proxy.address,
      registrationId,
      tag: "sync-offline-queue",
      lastChance: false,
    });
    await until(
      () => proxy.texts.slice(before),
      ([first]) => first?.content === "sent by nobody's page",
    );
    await blank.goto(`${proxy.address}/`);
    await seen(blank.getByRole("button", { name: "Changes were sent" }));
    expect((await kept({ ...visit, page: blank })).offlineQueue).toMatchObject([{ status: "sent" }]);
    expect(keysSince(before).size).toBe(1);
  });

  test("are sent by the page that opens next, where the browser wakes nobody", async () => {
    await using visit = await holder();
    const { page, context } = visit;
    await goOffline(visit);
    const text = `sent later ${crypto.randomUUID()}`;
    const before = proxy.texts.length;
    await share(page, text);
    await forgiveNetwork(visit);
    await context.setOffline(false);
    const next = await context.newPage();
    await next.goto(`${proxy.address}/`);
    await seen(next.getByRole("button", { name: "Changes were sent" }));
    // The browser may have woken the worker in between, whose request is cut when the network goes: then it is sent again with its key.
    expect(keysSince(before).size).toBe(1);
    const path = `/api/pastes?search=${encodeURIComponent(text)}`;
    expect((await journey.call<{ data: unknown[] }>("GET", path)).data).toHaveLength(1);
  });
});
