import { beforeEach, describe, expect, test } from "bun:test";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Toaster } from "sonner";
import { type PasteChange, pastes } from "#contract/pastes";
import { OfflineSheet } from "../../../web/app/offline/offline-sheet.tsx";
import { i18n } from "../../../web/i18n/i18n.ts";
import { createStore, useStore } from "../../../web/lib/store.ts";
import type { Install } from "../../../web/offline/install.ts";
import type { Offline } from "../../../web/offline/offline.ts";
import { create, openBrowser } from "./browser.ts";

beforeEach(() => i18n.loadWords("offline"));

function Shown({ offline }: { readonly offline: Offline }) {
  const props = {
    offline,
    worker: undefined,
    install: { state: createStore("none") } as unknown as Install,
    connection: { online: createStore(true) },
    send: async () => void (await offline.send()),
    onClose: () => undefined,
  };
  // The one of the app may be shown by whoever was tested before.
  return (
    <>
      <OfflineSheet {...props} changes={useStore(offline.changes)} />
      <Toaster />
    </>
  );
}

const press = (name: string, inside: HTMLElement = document.body) =>
  userEvent.click(within(inside).getByRole("button", { name }));

/** The dialog that asks, over the sheet. */
const asked = () => screen.getByRole("dialog", { name: "Discard this change?" });

describe("a database that is gone", () => {
  test.each([
    ["sending a refused change again", "Try again"],
    ["sending what waits", "Send now"],
  ])("is told to whoever presses for %s", async (_, name) => {
    await using browser = await openBrowser();
    await create(browser, "first");
    await create(browser, "second");
    browser.answer(409, { message: "Taken" });
    await browser.offline.send();
    render(<Shown offline={browser.offline} />);
    browser.close();
    await press(name);
    await screen.findAllByText(/Another tab has opened a newer version of the app/);
  });

  test("leaves what was changed of a refused text in its field", async () => {
    await using browser = await openBrowser();
    await create(browser, "first");
    browser.answer(409, { message: "Taken" });
    await browser.offline.send();
    render(<Shown offline={browser.offline} />);
    await press("Edit");
    await userEvent.type(screen.getByLabelText("Content"), " and more");
    browser.close();
    await press("Send again");
    await screen.findAllByText(/Another tab has opened a newer version of the app/);
    expect(screen.getByLabelText("Content")).toHaveProperty("value", "first and more");
  });

  test("is told to whoever discards a change, and the question stays", async () => {
    await using browser = await openBrowser();
    await create(browser, "first");
    render(<Shown offline={browser.offline} />);
    await press("Discard");
    browser.close();
    await press("Discard", asked());
    await within(asked()).findByText(/Another tab has opened a newer version of the app/);
  });

  test("is told to whoever has seen an answer", async () => {
    await using browser = await openBrowser();
    await create(browser, "first");
    browser.answer(201, { slug: "one" });
    await browser.offline.send();
    render(<Shown offline={browser.offline} />);
    browser.close();
    await press("Remove from the list");
    await screen.findAllByText(/Another tab has opened a newer version of the app/);
  });
});

describe("discarding a change", () => {
  test("that is being sent is refused with a word, and it is sent", async () => {
    await using browser = await openBrowser();
    await create(browser, "first");
    const { promise, resolve } = Promise.withResolvers<void>();
    browser.at.meanwhile = () => promise;
    browser.answer(201, { slug: "one" });
    render(<Shown offline={browser.offline} />);
    await press("Discard");
    const sending = browser.offline.send();
    await waitFor(() => expect(browser.requests).toHaveLength(1));
    await press("Discard", asked());
    await within(asked()).findByText("It is being sent right now and cannot be discarded.");
    resolve();
    expect(await sending).toMatchObject({ sent: ["createPaste"] });
  });

  test("that was refused sends the one that waited behind it", async () => {
    await using browser = await openBrowser();
    const change = (body: PasteChange) =>
      browser.offline.offlineFallback.queue(pastes.update, { params: { id: "abc" }, body: { version: 4, ...body } });
    await change({ content: "refused", newSlug: "taken", resetViews: true });
    await change({ remark: "behind" });
    browser.answer(409, { message: "Taken" });
    browser.answer(200, { data: { id: "abc", slug: "abc" } });
    await browser.offline.send();
    render(<Shown offline={browser.offline} />);
    const row = screen.getByText("Taken").closest("li") as HTMLElement;
    for (const name of ["Try again", "Edit"]) expect(within(row).getByRole("button", { name })).toBeDefined();
    screen.getByText(/Waits for your decision about the refused change before it/);
    // Nothing would come of it.
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Send now" }).disabled).toBe(true);
    await press("Discard", row);
    await press("Discard", asked());
    await waitFor(() => expect(browser.offline.changes.get()).toEqual([]));
    expect(browser.requests.map(({ init }) => JSON.parse(String(init.body)).remark)).toEqual([undefined, "behind"]);
  });

  test("that was sent meanwhile says so, and its link stays", async () => {
    await using browser = await openBrowser();
    await create(browser, "first");
    render(<Shown offline={browser.offline} />);
    await press("Discard");
    browser.answer(201, { slug: "one" });
    await browser.offline.send();
    await press("Discard", asked());
    await screen.findByText(/It is no longer pending: it was sent in the meantime/);
    expect(screen.getByRole("link", { name: /\/paste\/one$/ })).toBeDefined();
  });

  test("that has become another one in another tab is refused with a word, and the newer one is shown", async () => {
    await using browser = await openBrowser();
    await using other = await openBrowser();
    const change = (content: string, { offline } = browser) =>
      offline.offlineFallback.queue(pastes.update, { params: { id: "abc" }, body: { content, version: 4 } });
    await change("as it was seen");
    render(<Shown offline={browser.offline} />);
    await press("Discard");
    await change("newer", other);
    await press("Discard", asked());
    await within(asked()).findByText(/It was changed in another tab in the meantime, so it is kept/);
    await press("Cancel", asked());
    await screen.findByText("newer");
    await press("Discard");
    await press("Discard", asked());
    await waitFor(() => expect(browser.offline.changes.get()).toEqual([]));
    expect(await browser.database.count("offlineQueue")).toBe(0);
  });
});
