import { describe, expect, test } from "bun:test";
import type { Visit } from "../support/chromium.ts";
import { seen, startJourney } from "../support/journey.ts";

const journey = await startJourney();

/** Waits until the worker has all it keeps and serves the page. */
const ready = async ({ page }: Visit) => {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
};

/** Waits until the browser has a copy of a share. */
const kept = async ({ page }: Visit, slug: string) => {
  await page.waitForFunction(
    (key) =>
      new Promise<boolean>((resolve) => {
        const opening = indexedDB.open("SatchelOffline");
        opening.onsuccess = () => {
          const asking = opening.result.transaction("pastes").objectStore("pastes").get(key);
          asking.onsuccess = () => {
            opening.result.close();
            resolve(asking.result?.opened !== undefined);
          };
        };
      }),
    slug,
  );
};

/** Takes the network away. What the browser says about requests that fail then is no fault of the page. */
const goOffline = async (visit: Visit) => {
  await visit.context.setOffline(true);
  await seen(visit.page.getByRole("button", { name: "Offline" }));
};

const forgiveNetwork = ({ problems }: Visit) => {
  const left = problems.filter((problem) => !/ERR_INTERNET_DISCONNECTED|Failed to load resource/.test(problem));
  problems.splice(0, problems.length, ...left);
};

describe("without a connection", () => {
  test("home, a share that was read and the admin area open", async () => {
    const { slug } = await journey.share({ content: "# Kept for the train" });
    await using visit = await journey.admin({ worker: true });
    const { page } = visit;
    await page.goto("/");
    await ready(visit);
    await page.goto(`/paste/${slug}`);
    await seen(page.getByRole("heading", { name: "Kept for the train" }));
    await kept(visit, slug);
    await page.goto("/admin/text-management");
    await seen(page.getByRole("link", { name: slug }).first());
    await page.goto("/");
    await goOffline(visit);
    await page.reload();
    await seen(page.getByRole("textbox", { name: "Text to share" }));
    await page.goto(`/paste/${slug}`);
    await seen(page.getByRole("heading", { name: "Kept for the train" }));
    await kept(visit, slug);
    await page.goto("/admin/text-management");
    await seen(page.getByRole("link", { name: slug }).first());
    forgiveNetwork(visit);
  });

  test("a text is kept, and shared once there is a connection again", async () => {
    await using visit = await journey.admin({ worker: true });
    const { page, context } = visit;
    await page.goto("/");
    await ready(visit);
    await goOffline(visit);
    await page.getByRole("textbox", { name: "Text to share" }).fill("written in a tunnel");
    await page.getByRole("button", { name: "Create link" }).click();
    await seen(page.getByRole("button", { name: "Changes that wait: 1" }));
    await context.setOffline(false);
    await page.getByRole("button", { name: "Changes were sent" }).click();
    const link = await page.getByRole("dialog").getByRole("link").getAttribute("href");
    await page.goto(link ?? "");
    await seen(page.getByText("written in a tunnel"));
    forgiveNetwork(visit);
  });
});

test("what the system's share sheet sends lands in the editor", async () => {
  await using visit = await journey.admin({ worker: true });
  const { page } = visit;
  await page.goto("/");
  await ready(visit);
  await page.evaluate(() => {
    const form = document.createElement("form");
    Object.assign(form, { method: "POST", action: "/share-target", enctype: "multipart/form-data" });
    for (const [name, value] of [
      ["title", "A page"],
      ["url", "https://example.com/page"],
    ] as const) {
      const field = document.createElement("input");
      Object.assign(field, { name, value });
      form.append(field);
    }
    document.body.append(form);
    form.submit();
  });
  await page.waitForURL("**/");
  await seen(page.getByRole("textbox", { name: "Text to share" }).getByText("https://example.com/page"));
  expect(new URL(page.url()).pathname).toBe("/");
});
