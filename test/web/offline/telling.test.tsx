import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { toast } from "sonner";
import { createLinkTeller, listIsOpen } from "../../../web/app/offline/tell-links.ts";
import { i18n } from "../../../web/i18n/i18n.ts";
import { awaitedAnswers } from "../../../web/lib/awaited-answers.ts";
import { create, openBrowser } from "./browser.ts";

beforeEach(() => i18n.loadWords("offline"));
afterEach(async () => {
  awaitedAnswers.clear();
  listIsOpen.set(false);
  await act(async () => void toast.dismiss());
});

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
    await screen.findByText(`Your text is shared: ${link("t-one")}`);
    await screen.findByRole("button", { name: "Close" });
    const user = userEvent.setup();
    await user.click(screen.getByRole("button", { name: "Copy link" }));
    await screen.findByText("Copied");
    expect(await navigator.clipboard.readText()).toBe(link("t-one"));
    await waitFor(() => expect(browser.offline.changes.get()).toEqual([]));
  });

  test("is told of once, and several together lead to the list of their links", async () => {
    await using browser = await sentLater("t-two", "t-three");
    expect([browser.tell(), browser.tell()]).toEqual([2, 0]);
    await screen.findByText("2 texts are shared.");
    await userEvent.click(screen.getByRole("button", { name: "Show links" }));
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
