import { describe, expect, test } from "bun:test";
import { gone, seen, startJourney, until } from "../../support/browser/journey.ts";
import { forgiveNetwork, goOffline, kept, shareFile, underWorker } from "../../support/browser/offline-visit.ts";

const journey = await startJourney();

describe("changes made without a connection", () => {
  test("a deletion is told calmly, kept once, and done later; the list loads anew", async () => {
    const { slug } = await journey.share({ content: "to be deleted", slug: "doomed" });
    await using visit = await journey.admin({ worker: true });
    const { page, context } = visit;
    await page.goto("/");
    await underWorker(visit);
    await page.goto("/admin/text-management");
    await seen(page.getByText(`/${slug}`, { exact: true }));
    await goOffline(visit);
    await page.getByRole("checkbox", { name: "Select to be deleted" }).check();
    await page.getByRole("toolbar", { name: /1/ }).getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await seen(dialog.getByRole("status").getByText(/kept on this device/));
    expect(await dialog.getByRole("button", { name: "Delete" }).count()).toBe(0);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await seen(page.getByRole("button", { name: "1 change pending" }));
    await page.evaluate(() => Object.assign(window, { before: true }));
    await context.setOffline(false);
    await page.waitForFunction(() => !("before" in window));
    await gone(page.getByText(`/${slug}`, { exact: true }));
    expect((await kept(visit)).offlineQueue).toEqual([]);
    await forgiveNetwork(visit);
  });

  test("a setting waits too, and holds later", async () => {
    await using visit = await journey.admin({ worker: true });
    const { page, context } = visit;
    await page.goto("/admin/settings/global");
    await underWorker(visit);
    const field = page.getByLabel("Largest file");
    await seen(field);
    await goOffline(visit);
    await field.fill("77");
    await page.getByRole("button", { name: "Save" }).click();
    await seen(page.getByRole("status").getByText(/kept on this device/));
    expect(await field.inputValue()).not.toBe("77");
    await context.setOffline(false);
    await seen(page.getByText("The change made offline was sent."));
    await page.reload();
    await seen(field);
    expect(await field.inputValue()).toBe("77");
    await forgiveNetwork(visit);
  });

  test("a text for which the device has no room stays in the editor, and that is said", async () => {
    await using visit = await journey.admin({ worker: true });
    const { page } = visit;
    await page.addInitScript(() => {
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (...given) {
        if (this.name === "offlineQueue") throw new DOMException("No room.", "QuotaExceededError");
        return put.apply(this, given);
      };
    });
    await page.goto("/");
    await underWorker(visit);
    await goOffline(visit);
    const editor = page.getByRole("textbox", { name: "Text to share" });
    await editor.fill("too much");
    await page.getByRole("button", { name: "Create link" }).click();
    await seen(page.getByText("This device has no room for the change."));
    await seen(page.getByRole("alert").getByText("The server cannot be reached."));
    await seen(editor.getByText("too much"));
    await forgiveNetwork(visit);
  });

  test("what the server refuses is changed and sent again", async () => {
    await journey.share({ content: "first come", slug: "taken" });
    await using visit = await journey.admin({ worker: true });
    const { page, context } = visit;
    await page.goto("/");
    await underWorker(visit);
    await goOffline(visit);
    await page.getByRole("textbox", { name: "Text to share" }).fill("second come");
    await page.getByRole("button", { name: "random link" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("taken");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Create link" }).click();
    await seen(page.getByText(/The text is kept on this device/));
    await context.setOffline(false);
    await page.getByRole("button", { name: "A change was refused" }).click();
    const sheet = page.getByRole("dialog", { name: "Offline and app status" });
    await sheet.getByRole("button", { name: "Edit" }).click();
    await sheet.getByLabel("Custom suffix").fill("free");
    await sheet.getByRole("button", { name: "Send again" }).click();
    await seen(page.getByText("The change made offline was sent."));
    await seen(sheet.getByRole("link", { name: /\/paste\/free$/ }));
    await forgiveNetwork(visit);
  });

  test("signing out asks first, and leaves nothing of the person", async () => {
    await journey.share({ content: "mine", slug: "mine-alone" });
    await using visit = await journey.admin({ worker: true });
    const { page } = visit;
    await page.goto("/");
    await underWorker(visit);
    await page.goto("/admin/text-management");
    await seen(page.getByText("/mine-alone", { exact: true }));
    await page.goto("/");
    await goOffline(visit);
    await page.getByRole("textbox", { name: "Text to share" }).fill("never sent");
    await page.getByRole("button", { name: "Create link" }).click();
    await seen(page.getByText(/The text is kept on this device/));
    await page.getByRole("link", { name: "Admin" }).click();
    await page.getByRole("button", { name: "Log out" }).click();
    const asked = page.getByRole("dialog");
    await seen(asked);
    expect(JSON.stringify(await kept(visit))).toContain("never sent");
    await asked.getByRole("button", { name: /log out/i }).click();
    await until(
      async () => JSON.stringify(await kept(visit)),
      (text) => !["never sent", "Bearer", "mine-alone"].some((word) => text.includes(word)),
    );
    await forgiveNetwork(visit);
  });
});

describe("the worker", () => {
  test("says how things are, and whether the browser will wake it", async () => {
    await using visit = await journey.admin({ worker: true });
    const { page } = visit;
    await page.goto("/");
    await underWorker(visit);
    const answers = await page.evaluate(async () => {
      const ask = (type: string) =>
        new Promise((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = ({ data }) => resolve(data);
          navigator.serviceWorker.controller?.postMessage({ type }, [port2]);
        });
      return [await ask("GET_SYNC_STATUS"), await ask("REGISTER_BACKGROUND_SYNC")];
    });
    expect(answers[0]).toMatchObject({ pending: 0, rejected: 0 });
    expect(["sync", "replay"]).toContain((answers[1] as { via: string }).via);
  });

  test("leaves the way to the bytes of a share to the server", async () => {
    const { slug } = await journey.share({ content: "as it was written" });
    await using visit = await journey.visitor({ worker: true });
    const { page } = visit;
    await page.goto("/");
    await underWorker(visit);
    await page.goto(`/paste/${slug}?raw=1`);
    expect(new URL(page.url()).pathname).toBe(`/api/raw/${slug}`);
    await seen(page.getByText("as it was written"));
  });

  test("takes files from the share sheet without a connection", async () => {
    await using visit = await journey.admin({ worker: true });
    const { page } = visit;
    await page.goto("/");
    await underWorker(visit);
    await page.goto("/upload");
    await seen(page.getByText(/drop/i).first());
    await page.goto("/");
    await goOffline(visit);
    await shareFile(page);
    await page.waitForURL("**/upload");
    await seen(page.getByText("note.txt"));
    await forgiveNetwork(visit);
  });
});
