import { describe, expect, test } from "bun:test";
import type { Visit } from "../support/chromium.ts";
import { seen, startJourney } from "../support/journey.ts";
import { forgiveNetwork, goOffline, underWorker } from "../support/offline-visit.ts";

const journey = await startJourney();

/** Waits until the browser has a copy of a share, as it was opened or as it was listed. */
const kept = async ({ page }: Visit, slug: string, as: "opened" | "listed") => {
  await page.waitForFunction(
    ([key, field]) =>
      new Promise<boolean>((resolve) => {
        const opening = indexedDB.open("SatchelOffline");
        opening.onsuccess = () => {
          const asking = opening.result.transaction("pastes").objectStore("pastes").get(key);
          asking.onsuccess = () => {
            opening.result.close();
            resolve(asking.result?.[field] !== undefined);
          };
        };
      }),
    [slug, as] as const,
  );
};

describe("without a connection", () => {
  test("home, a share that was read and the admin area open", async () => {
    const { slug } = await journey.share({ content: "# Kept for the train" });
    await using visit = await journey.admin({ worker: true });
    const { page } = visit;
    await page.goto("/");
    await underWorker(visit);
    await page.goto(`/paste/${slug}`);
    await seen(page.getByRole("heading", { name: "Kept for the train" }));
    await kept(visit, slug, "opened");
    await page.goto("/admin/text-management");
    await seen(page.getByRole("link", { name: slug }).first());
    await kept(visit, slug, "listed");
    await page.goto("/");
    await goOffline(visit);
    await page.reload();
    await seen(page.getByRole("textbox", { name: "Text to share" }));
    await page.goto(`/paste/${slug}`);
    await seen(page.getByRole("heading", { name: "Kept for the train" }));
    await kept(visit, slug, "opened");
    await page.goto("/admin/text-management");
    await seen(page.getByRole("link", { name: slug }).first());
    await forgiveNetwork(visit);
  });

  test("a text is kept, and shared once there is a connection again", async () => {
    await using visit = await journey.admin({ worker: true });
    const { page, context } = visit;
    await page.goto("/");
    await underWorker(visit);
    await goOffline(visit);
    await page.getByRole("textbox", { name: "Text to share" }).fill("written in a tunnel");
    await page.getByRole("button", { name: "Create link" }).click();
    await seen(page.getByRole("button", { name: "1 change waits" }));
    await context.setOffline(false);
    await page.getByRole("button", { name: "Changes were sent" }).click();
    const link = await page.getByRole("dialog").getByRole("link").getAttribute("href");
    await page.goto(link ?? "");
    await seen(page.getByText("written in a tunnel"));
    await forgiveNetwork(visit);
  });
});

test("what the system's share sheet sends lands in the editor", async () => {
  await using visit = await journey.admin({ worker: true });
  const { page } = visit;
  await page.goto("/");
  await underWorker(visit);
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
