import type { Locator, Page } from "playwright-core";
import { until as becomes } from "../until.ts";
import type { Visit } from "./chromium.ts";

/** Waits until it is so. */
export const until = (read: () => Promise<boolean>) => becomes(read, Boolean);

/** The text, whatever is shown of the editor. */
export const field = (page: Page): Locator => page.getByRole("textbox", { name: "Text to share" });
/** The text in the editor that follows the text area. */
export const coloured = (page: Page): Locator => page.locator(".cm-content");
/** What is written in it. */
export const written = (page: Page): Promise<string> =>
  field(page).evaluate((element) => {
    if (element instanceof HTMLTextAreaElement) return element.value;
    if (element.querySelector(".cm-placeholder")) return "";
    return Array.from(element.querySelectorAll(".cm-line"), (line) => line.textContent ?? "").join("\n");
  });
/** What the text becomes, beside it. */
export const preview = (page: Page): Locator => page.getByRole("region", { name: "Preview" });
/** A button of the toolbar. */
export const tool = (page: Page, name: string): Locator =>
  page.getByRole("toolbar", { name: "Formatting" }).getByRole("button", { name, exact: true });

/** The browser tells of scripts that it did not run in a frame without any: those that this test brings to every frame. */
export const forgiveBlocked = (visit: Visit): void => visit.forgive(/the 'allow-scripts' permission is not set/);

/** What stands in the editor, as the draft keeps it. */
export async function draft(page: Page): Promise<string> {
  await page.evaluate(() => window.dispatchEvent(new Event("pagehide")));
  return await page.evaluate(() => localStorage.getItem("satchel-draft") ?? "");
}

/** Chooses from the menu of the editor. */
export async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

/** Chooses what stands in the menu behind the buttons. */
export async function fromMenu(page: Page, name: string): Promise<void> {
  await tool(page, "More formatting").click();
  await page.getByRole("menuitem", { name }).click();
}
