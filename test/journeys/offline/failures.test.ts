import { describe, expect, test } from "bun:test";
import type { Page, Worker } from "playwright-core";
import { openBrowser } from "../../support/browser/chromium.ts";
import { gone, seen, startJourney, until } from "../../support/browser/journey.ts";
import { forgiveNetwork, goOffline, kept, shareFile, underWorker } from "../../support/browser/offline-visit.ts";
import { startSwitch } from "../../support/proxies/switch.ts";

/** Bad weather: a full device, a server that is away, a share that nobody here may take. */

const journey = await startJourney();

/** Has every store refuse what is written to it, as on a device without room. */
const fill = () => {
  IDBObjectStore.prototype.put = () => {
    throw new DOMException("No room.", "QuotaExceededError");
  };
};

async function signIn(page: Page): Promise<void> {
  await page.getByLabel("Username").fill("admin");
  await page.getByLabel("Password", { exact: true }).fill(journey.server.adminPassword);
  await page.keyboard.press("Enter");
}

/** Shares a text that has to wait. */
async function share(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Text to share" }).fill(text);
  await page.getByRole("button", { name: "Create link" }).click();
  await seen(page.getByText(/The text is kept on this device/));
}

describe("the share sheet", () => {
  test("sends files to somebody who has to sign in first: they wait until then", async () => {
    await using visit = await journey.visitor({ worker: true });
    const { page } = visit;
    await page.goto("/");
    await underWorker(visit);
    await shareFile(page);
    await page.waitForURL("**/upload");
    await seen(page.getByText("The file that was shared waits here until you have signed in."));
    await page.getByRole("link", { name: "Sign in to upload" }).click();
    await signIn(page);
    await page.waitForURL("**/upload");
    await seen(page.getByText("note.txt"));
  });

  test.each([
    ["en-US", /What was shared could not be received/],
    ["zh-CN", /未能接收分享的内容/],
  ] as const)("sends more than there is room for: %s", async (locale, sentence) => {
    await using visit = await journey.admin({ worker: true, locale });
    const { page, context } = visit;
    await page.goto("/");
    await underWorker(visit);
    const [worker] = context.serviceWorkers();
    await (worker as Worker).evaluate(fill);
    await shareFile(page);
    await seen(page.getByText(sentence));
    await page.waitForURL((url) => url.pathname + url.search === "/");
  });

  test("sends to an app whose worker the browser has removed", async () => {
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto("/");
    await shareFile(page);
    await seen(page.getByText(/What was shared could not be received/));
  });
});

describe("a full device", () => {
  test("shows and sends what waits all the same, and forgets who signs out", async () => {
    const { slug } = await journey.share({ content: "listed", slug: "listed" });
    await using visit = await journey.admin({ worker: true });
    const { page } = visit;
    await page.goto("/admin/text-management");
    await underWorker(visit);
    await seen(page.getByText(`/${slug}`, { exact: true }));
    await page.goto("/");
    await goOffline(visit);
    await share(page, "kept while there was room");
    await page.addInitScript(fill);
    await page.reload();
    await seen(page.getByRole("button", { name: "1 change pending" }));
    await page.getByRole("link", { name: "Admin" }).click();
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete and log out" }).click();
    await until(
      async () => JSON.stringify(await kept(visit)),
      (text) => !["kept while", "Bearer", "listed"].some((word) => text.includes(word)),
    );
    await forgiveNetwork(visit);
  });
});

test("a sign-out asks about changes that wait, also right after the page has opened", async () => {
  await using visit = await journey.admin({ worker: true });
  const { page } = visit;
  await page.goto("/");
  await underWorker(visit);
  await goOffline(visit);
  await share(page, "waits for an answer");
  // The page never comes to rest.
  await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }));
  await page.goto("/admin/account");
  await page.getByRole("button", { name: "Log out" }).click();
  await seen(page.getByRole("dialog").getByRole("button", { name: "Delete and log out" }));
  expect(JSON.stringify(await kept(visit))).toContain("waits for an answer");
  await forgiveNetwork(visit);
});

test.each([
  ["en-US", "Server out of reach", /The server cannot be reached/],
  ["zh-CN", "无法连接服务器", /无法连接服务器。这里显示的可能是/],
] as const)(
  "copies are told from answers while the server is away and the network is not: %s",
  async (locale, badge, text) => {
    const { slug } = await journey.share({ content: "# Seen before" });
    const line = startSwitch(journey.server.address);
    const browser = await openBrowser();
    await using visit = await browser.newPage({ address: line.address, worker: true, locale });
    const { page } = visit;
    await page.goto(`/paste/${slug}`);
    await seen(page.getByRole("heading", { name: "Seen before" }));
    await page.goto("/");
    await underWorker(visit);
    await page.goto(`/paste/${slug}`);
    await until(
      async () => (await kept(visit)).pastes?.length,
      (count) => count === 1,
    );
    line.cut();
    await page.reload();
    await seen(page.getByRole("heading", { name: "Seen before" }));
    await page.getByRole("button", { name: badge }).click();
    await seen(page.getByRole("dialog").getByText(text));
    await page.keyboard.press("Escape");
    line.join();
    await page.reload();
    await seen(page.getByRole("heading", { name: "Seen before" }));
    await gone(page.getByRole("button", { name: badge }));
    await forgiveNetwork(visit);
  },
);
