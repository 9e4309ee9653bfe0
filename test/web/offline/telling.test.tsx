import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Toaster, toast } from "sonner";
import { createLinkTeller, listIsOpen } from "../../../web/app/offline/tell-links.ts";
import { i18n } from "../../../web/i18n/i18n.ts";
import { awaitedAnswers } from "../../../web/page/awaited-answers.ts";
import { create, openBrowser } from "./browser.ts";

beforeEach(async () => {
  await i18n.loadWords("offline");
  // The one of the app may be shown by whoever was tested before.
  render(<Toaster />);
});
afterEach(async () => {
  cleanup();
  awaitedAnswers.clear();
  listIsOpen.set(false);
  await act(async () => void toast.dismiss());
});

/** One of the buttons of this name: the same notice may be there twice. */
const button = async (name: string | RegExp) => (await screen.findAllByRole("button", { name }))[0] as HTMLElement;

const link = (slug: string): string => `${window.location.origin}/paste/${slug}`;

/** A browser in which texts were shared without a connection and have been sent since. */
async function sentLater(...slugs: readonly string[]) {
  const browser = await openBrowser();
  for (const slug of slugs) await create(browser, `text of ${slug}`);
  const keys = browser.offline.changes.get().map(({ requestKey }) => requestKey);
  for (const slug of slugs) browser.answer(201, { id: `id-${slug}`, slug });
  await browser.offline.send();
  return { ...browser, keys, tell: createLinkTeller(browser.offline) };
}

describe("a text that was shared without a connection", () => {
  test("is told of with its link once it is sent, until somebody copies that", async () => {
    await using browser = await sentLater("t-one");
    expect(browser.tell()).toBe(1);
    await screen.findAllByText(`Your text is shared: ${link("t-one")}`);
    await button(/^Close/);
    const user = userEvent.setup();
    await user.click(await button("Copy link"));
    await screen.findAllByText("Copied");
    expect(await navigator.clipboard.readText()).toBe(link("t-one"));
    await waitFor(() => expect(browser.offline.changes.get()).toEqual([]));
  });

  test("is told of once, and several together lead to the list of their links", async () => {
    await using browser = await sentLater("t-two", "t-three");
    expect([browser.tell(), browser.tell()]).toEqual([2, 0]);
    await screen.findAllByText("2 texts are shared.");
    await userEvent.click(await button("Show links"));
    expect(listIsOpen.get()).toBe(true);
    expect(browser.offline.changes.get()).toHaveLength(2);
  });

  test("is not told of where the page or the list shows its link", async () => {
    await using awaited = await sentLater("t-four");
    for (const key of awaited.keys) awaitedAnswers.add(key);
    expect(awaited.tell()).toBe(0);
    await using listed = await sentLater("t-five");
    listIsOpen.set(true);
    expect(listed.tell()).toBe(0);
  });
});
