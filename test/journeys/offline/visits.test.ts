import { describe, expect, test } from "bun:test";
import type { ShareCopy } from "../../../web/offline/database.ts";
import type { Visit } from "../../support/browser/chromium.ts";
import { basePath, gone, seen, startJourney } from "../../support/browser/journey.ts";
import { forgiveNetwork, goOffline, kept, underWorker } from "../../support/browser/offline-visit.ts";
import { until } from "../../support/until.ts";

const journey = await startJourney();

/** Waits until the browser has a copy of a share, as it was opened or as it was listed. */
const hasKept = (visit: Visit, slug: string, as: "opened" | "listed") =>
  until(
    async () => (await kept(visit)).pastes,
    (pastes = []) => pastes.some((copy) => (copy as ShareCopy).slug === slug && (copy as ShareCopy)[as] !== undefined),
  );

describe("without a connection", () => {
  test("home, a share that was read and the admin area open", async () => {
    const { slug } = await journey.share({ content: "# Kept for the train" });
    await using visit = await journey.admin({ worker: true });
    const { page } = visit;
    await page.goto("/");
    await underWorker(visit);
    await page.goto(`/paste/${slug}`);
    await seen(page.getByRole("heading", { name: "Kept for the train" }));
    await hasKept(visit, slug, "opened");
    await page.goto("/admin/text-management");
    await seen(page.getByText(`/${slug}`, { exact: true }));
    await hasKept(visit, slug, "listed");
    await page.goto("/");
    await goOffline(visit);
    await page.reload();
    await seen(page.getByRole("textbox", { name: "Text to share" }));
    await page.goto(`/paste/${slug}`);
    await seen(page.getByRole("heading", { name: "Kept for the train" }));
    await hasKept(visit, slug, "opened");
    await page.goto("/admin/text-management");
    await seen(page.getByText(`/${slug}`, { exact: true }));
    await forgiveNetwork(visit);
  });

  test("a text that was only read is changed, and the change is sent once there is a connection again", async () => {
    const { slug, id } = await journey.share({ content: "as it was read" });
    await using visit = await journey.admin({ worker: true });
    const { page, context } = visit;
    await page.goto("/");
    await underWorker(visit);
    await page.goto(`/paste/${slug}`);
    await seen(page.getByText("as it was read"));
    await hasKept(visit, slug, "opened");
    await goOffline(visit);
    await page.reload();
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Text to share" }).fill("as it was changed on the train");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await seen(page.getByRole("button", { name: "1 change pending" }));
    await context.setOffline(false);
    await until(
      async () => (await journey.call<{ data: { content: string } }>("GET", `/api/pastes/${id}`)).data.content,
      (content) => content === "as it was changed on the train",
    );
    await forgiveNetwork(visit);
  });

  test("a share that was read for a while opens, though nothing else of the app was", async () => {
    const { slug } = await journey.share({ content: "# Read for a while" });
    await using visit = await journey.admin({ worker: true });
    const { page } = visit;
    await page.clock.install();
    await page.goto(`/paste/${slug}`);
    await seen(page.getByRole("heading", { name: "Read for a while" }));
    await page.clock.runFor(20_000);
    await underWorker(visit);
    await hasKept(visit, slug, "opened");
    await goOffline(visit);
    await page.reload();
    await seen(page.getByRole("heading", { name: "Read for a while" }));
    await forgiveNetwork(visit);
  });

  test("a text is kept, and shared once there is a connection again", async () => {
    await using visit = await journey.admin({ worker: true });
    const { page, context } = visit;
    await page.goto("/");
    await underWorker(visit);
    const text = page.getByRole("textbox", { name: "Text to share" });
    const create = page.getByRole("button", { name: "Create link" });
    await text.fill("written at the station");
    await create.click();
    const before = page.getByRole("region", { name: "Your link" });
    await seen(before);
    await goOffline(visit);
    await text.fill("written in a tunnel");
    await create.click();
    await seen(page.getByRole("button", { name: "1 change pending" }));
    // The link of the text before would be taken for that of this one.
    await gone(before);
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
  await page.evaluate((action) => {
    const form = document.createElement("form");
    Object.assign(form, { method: "POST", action, enctype: "multipart/form-data" });
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
  }, `${basePath}/share-target`);
  await page.waitForURL("**/");
  await seen(page.getByRole("textbox", { name: "Text to share" }).getByText("https://example.com/page"));
  expect(new URL(page.url()).pathname).toBe(`${basePath}/`);
});

test("under the worker, what is no page of the app is the server's: a share is deleted at its address", async () => {
  const body = new FormData();
  body.set("text", "to be taken back");
  const { token } = (
    await journey.call<{ data: { token: string } }>("POST", "/api/admin/login", {
      username: "admin",
      password: journey.server.adminPassword,
    })
  ).data;
  const headers = { authorization: `Bearer ${token}` };
  const dropped = await fetch(`${journey.server.address}/`, { method: "POST", headers, body });
  const slug = (await dropped.text()).trim().split("/").at(-1);
  await using visit = await journey.visitor({ worker: true });
  const { page } = visit;
  await page.goto("/");
  await underWorker(visit);
  await page.goto("/cli");
  expect(await page.locator("body").textContent()).toStartWith("#!/bin/sh");
  await page.goto(dropped.headers.get("x-delete-url") ?? "");
  await page.getByRole("button").click();
  await until(
    async () => (await fetch(`${journey.server.address}/api/paste/${slug}`)).status,
    (status) => status === 404,
  );
});
