import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { ListedPaste } from "#contract/pastes";
import { openBrowser, type Visit } from "../support/browser/chromium.ts";
import { seen, startJourney, until } from "../support/browser/journey.ts";
import { forgiveNetwork, goOffline, kept, underWorker } from "../support/browser/offline-visit.ts";
import { peopleOf } from "../support/browser/people.ts";
import { startNotingProxy } from "../support/proxies/noting-proxy.ts";

/** Changes that wait are sent with every page closed, because the browser itself wakes the worker: here nobody tells it to. */

const journey = await startJourney();
const key = await peopleOf(journey).makeKey(["text"]);
const proxy = startNotingProxy(journey.server.address);

/** Somebody with a key who has written a text without a connection, and whose browser has promised to send it. */
async function writeOffline(text: string): Promise<Visit> {
  const visit = await (await openBrowser()).newPage({ address: proxy.address, worker: true });
  const { page } = visit;
  await page.goto("/admin");
  await page.getByRole("button", { name: "Use an API key instead" }).click();
  await page.getByLabel("API key").fill(key.key);
  await page.keyboard.press("Enter");
  await seen(page.getByRole("navigation", { name: "User panel" }));
  await page.goto("/");
  await underWorker(visit);
  await goOffline(visit);
  await page.getByRole("textbox", { name: "Text to share" }).fill(text);
  await page.getByRole("button", { name: "Create link" }).click();
  await seen(page.getByText(/The text is kept on this device/));
  await until(
    () => tags(page),
    (promised) => promised.includes("sync-offline-queue"),
  );
  return visit;
}

/** What the browser will wake the worker for. */
const tags = (page: Page): Promise<readonly string[]> =>
  page.evaluate(async () => {
    const { sync } = (await navigator.serviceWorker.ready) as ServiceWorkerRegistration & {
      readonly sync: { getTags(): Promise<string[]> };
    };
    return sync.getTags();
  });

/** How often the text was sent, and how many texts like it the server has. */
async function countOf(text: string) {
  const { data } = await journey.call<{ data: ListedPaste[] }>("GET", "/api/pastes");
  return {
    sent: proxy.texts.filter(({ content }) => content === text).length,
    there: data.filter(({ content_preview }) => content_preview === text).length,
  };
}

/** Opens the app again: by then nothing waits, so this page sends nothing. */
async function returned({ context }: Visit): Promise<Visit["page"]> {
  const page = await context.newPage();
  await page.goto(`${proxy.address}/`);
  await seen(page.getByRole("button", { name: "Changes were sent" }));
  return page;
}

test("a text is shared once the connection is back, with no page open", async () => {
  const text = "sent with every page closed";
  await using visit = await writeOffline(text);
  await forgiveNetwork(visit);
  expect(visit.context.pages()).toEqual([]);
  await visit.context.setOffline(false);
  await until(
    () => countOf(text),
    ({ there }) => there > 0,
  );
  const page = await returned(visit);
  expect((await kept({ ...visit, page })).offlineQueue).toMatchObject([{ status: "sent" }]);
  expect(await countOf(text)).toEqual({ sent: 1, there: 1 });
});

test("and is there once when the answer to it was lost and the browser has it sent again", async () => {
  const text = "sent twice, shared once";
  await using visit = await writeOffline(text);
  await forgiveNetwork(visit);
  proxy.loseAnswer();
  await visit.context.setOffline(false);
  await until(
    () => countOf(text),
    ({ sent }) => sent > 1,
  );
  const page = await returned(visit);
  expect((await kept({ ...visit, page })).offlineQueue).toMatchObject([{ status: "sent" }]);
  expect(await countOf(text)).toEqual({ sent: 2, there: 1 });
  expect(new Set(proxy.texts.filter(({ content }) => content === text).map((sent) => sent.key)).size).toBe(1);
});
