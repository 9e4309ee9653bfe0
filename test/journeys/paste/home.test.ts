import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { choose, written } from "../../support/browser/editor-page.ts";
import { seen, startJourney, until } from "../../support/browser/journey.ts";

const journey = await startJourney();

const editor = (page: Page) => page.getByRole("textbox", { name: "Text to share" });
const result = (page: Page) => page.getByRole("region", { name: "Your link" });
const recent = (page: Page) => page.getByRole("region", { name: "My recent texts" });

/** Pastes a text as Ctrl+V does, wherever the focus is. */
const paste = (page: Page, text: string) =>
  page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    (document.activeElement ?? document.body).dispatchEvent(event);
  }, text);

test("one arrives, pastes a script anywhere, and has a link that its reader sees in colours", async () => {
  await using author = await journey.admin();
  const { page } = author;
  await page.goto("/");
  await seen(editor(page).and(page.locator("[contenteditable=true]:focus")));
  await page.keyboard.type("typed");
  await seen(editor(page).filter({ hasText: "typed" }));
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.press("Delete");
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());

  const script = '#!/bin/sh\n# Says hello\necho "hello"\n';
  await paste(page, script);
  await seen(page.getByText("Recognized as Shell, shared as plain text"));
  await seen(page.getByRole("button", { name: "Plain text", pressed: true }));
  await page.keyboard.press("ControlOrMeta+Enter");
  await seen(result(page));
  const link = (await result(page).getByRole("link").first().getAttribute("href")) ?? "";

  await using reader = await journey.visitor();
  await reader.page.goto(link);
  await seen(reader.page.getByText("Shell", { exact: true }));
  await seen(reader.page.locator(".hljs-comment", { hasText: "# Says hello" }));
  expect(await reader.page.getByRole("heading", { name: "Says hello" }).count()).toBe(0);

  // What comes next is Markdown again, and the link stays in one line.
  await seen(page.getByRole("button", { name: "Markdown", pressed: true }));
  await page.keyboard.type("# next");
  await seen(result(page));
  await page.getByRole("button", { name: "Keep writing" }).click();
  await until(
    () => recent(page).count(),
    (count) => count === 0,
  );
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.press("Delete");
  await seen(recent(page).getByRole("link", { name: "Says hello" }));
  await page.reload();
  await seen(recent(page).getByRole("link", { name: "Says hello" }));
});

test("a recognised text that is cleared comes back, and what is pasted over a text stays in its editor", async () => {
  await using author = await journey.admin();
  const { page } = author;
  await page.goto("/");
  await seen(editor(page).and(page.locator("[contenteditable=true]:focus")));
  const json = '{ "name": "satchel", "files": [1, 2, 3] }';
  await paste(page, json);
  await seen(page.getByText("Recognized as JSON, shared as plain text"));
  await choose(page, "Clear");
  await page.getByRole("dialog").getByRole("button", { name: "Clear" }).click();
  await until(
    () => written(page),
    (text) => text === "",
  );
  await editor(page).press("ControlOrMeta+Z");
  await until(
    () => written(page),
    (text) => text === json,
  );
  await seen(page.getByText("Recognized as JSON, shared as plain text"));

  // Somebody who has chosen for this text can choose anew for the next one.
  await page.getByRole("button", { name: "Markdown" }).click();
  await seen(page.locator("[contenteditable=true]"));
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.press("Delete");
  await page.keyboard.type("prose");
  await seen(page.getByRole("button", { name: "Markdown", pressed: true }));
  await page.getByRole("button", { name: "Plain text" }).click();
  await seen(page.getByRole("button", { name: "Plain text", pressed: true }));
});

test("on a phone an option that has the focus stands outside the faded edge of its line", async () => {
  await using author = await journey.admin({ width: 390, height: 844 });
  const { page } = author;
  await page.goto("/");
  const chips = page.getByRole("group", { name: "Share options" }).getByRole("button");
  await seen(chips.first());
  for (const chip of await chips.all()) {
    await chip.focus();
    const room = await chip.evaluate((button) => innerWidth - button.getBoundingClientRect().right);
    expect(room).toBeGreaterThanOrEqual(31);
  }
});

test("the hint is there before the scripts are, but not before a draft", async () => {
  await using visit = await journey.visitor();
  const { page } = visit;
  const held = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await held.promise;
    await route.continue();
  });
  const isShown = async () => {
    await page.goto("/", { waitUntil: "commit" });
    const hint = page.locator("#hint");
    await hint.waitFor({ state: "attached" });
    return await hint.isVisible();
  };
  expect(await isShown()).toBe(true);
  await page.evaluate(() => localStorage.setItem("satchel-draft", "begun before"));
  expect(await isShown()).toBe(false);
  held.resolve();
  await seen(editor(page).filter({ hasText: "begun before" }));
});
