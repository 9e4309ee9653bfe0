import { afterAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openBrowser } from "../../support/browser/chromium.ts";
import { gone, seen, startJourney, until } from "../../support/browser/journey.ts";
import { forgiveNetwork, kept, underWorker } from "../../support/browser/offline-visit.ts";
import { openFaultyProxy } from "../../support/proxies/faulty-proxy.ts";

/** Texts that are changed again before anybody knows whether the first change has come to the server. */

const journey = await startJourney();
const proxy = await openFaultyProxy(journey.server.address);
afterAll(() => proxy[Symbol.asyncDispose]());

const saving = /^PUT \/api\/pastes\//;

async function editor() {
  const visit = await (await openBrowser()).newPage({ address: proxy.endpoint, worker: true });
  const { page } = visit;
  await page.goto("/admin");
  await page.getByLabel("Username").fill("admin");
  await page.getByLabel("Password", { exact: true }).fill(journey.server.adminPassword);
  await page.keyboard.press("Enter");
  await seen(page.getByRole("button", { name: "Log out" }));
  await underWorker(visit);
  return visit;
}

async function save(page: Page, text: string): Promise<void> {
  await page.locator(".cm-content").fill(text);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await gone(page.locator(".cm-content"));
}

const contentOf = async (id: string) =>
  (await journey.call<{ data: { content: string } }>("GET", `/api/pastes/${id}`)).data.content;

/** Saves "mine", whose answer is lost, and then "mine, later", which never comes to the server. */
async function saveTwice(slug: string, meanwhile: (id: string) => Promise<unknown>) {
  const { id } = await journey.share({ content: "the first", slug });
  const visit = await editor();
  const { page } = visit;
  await page.goto(`/paste/${slug}?edit`);
  const found = proxy.inject({ on: saving, cutAnswer: -1 });
  await save(page, "mine");
  await until(
    () => contentOf(id),
    (content) => content === "mine",
  );
  await page.getByRole("button", { name: "Edit" }).click();
  await seen(page.locator(".cm-content"));
  const broken = proxy.inject({ on: saving, cutRequest: 0 });
  found();
  await save(page, "mine, later");
  await until(
    async () => JSON.stringify((await kept(visit)).offlineQueue),
    (queue) => queue.includes("mine, later"),
  );
  await meanwhile(id);
  broken();
  return { id, visit, page };
}

/** Has the app send what waits until something is so. It sends by itself too, after which there is nothing to press. */
async function send(page: Page, isSo: () => Promise<boolean>): Promise<void> {
  const now = page.getByRole("button", { name: "Send now" });
  const sheet = page.getByRole("button", { name: /1 change pending|A change was refused/ });
  await until(async () => {
    const next = (await now.isVisible()) ? now : sheet;
    // What is to be pressed may go at any moment.
    if ((await next.isVisible()) && (await next.isEnabled()))
      await next.click({ timeout: 2000 }).catch(() => undefined);
    return await isSo();
  }, Boolean);
}

describe("a text that is changed again while its change waits, because the answer to that was lost,", () => {
  test("is not in conflict with itself", async () => {
    const { id, visit, page } = await saveTwice("own", async () => undefined);
    await using _visit = visit;
    await send(page, async () => (await contentOf(id)) === "mine, later");
    await until(
      async () => (await kept(visit)).offlineQueue,
      (queue) => queue?.length === 0,
    );
    await forgiveNetwork(visit);
  });

  test("is in conflict with what somebody else has written since, and none of it is lost", async () => {
    const { id, visit, page } = await saveTwice("theirs", (id) =>
      journey.call("PUT", `/api/pastes/${id}`, { content: "theirs" }),
    );
    await using _visit = visit;
    const sheet = page.getByRole("dialog", { name: "Offline and app status" });
    await send(page, async () => await sheet.getByText("The server refused it").isVisible());
    await seen(sheet.getByText("mine, later"));
    expect(await contentOf(id)).toBe("theirs");
    await forgiveNetwork(visit);
  });
});
