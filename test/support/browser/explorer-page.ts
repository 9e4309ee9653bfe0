import type { Locator, Page } from "playwright-core";
import { seen, until } from "./journey.ts";

/** What is known of a file: beside the list where there is room, else in a sheet. */
export const detailsOf = (page: Page): Locator =>
  page
    .getByRole("complementary")
    .or(page.getByRole("dialog"))
    .filter({ has: page.getByRole("heading", { level: 2 }) });

/** Whether the explorer has one bar, and most of what can be done is in its menu. */
export const isPhone = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 640;

/** Shows a folder in another way: by a button, on a phone by the menu, which does not have the way that is shown. */
async function showAs(page: Page, view: string, menu: string): Promise<void> {
  if (!isPhone(page)) return page.getByRole("button", { name: view, exact: true }).click();
  await page.getByRole("toolbar").getByRole("button", { name: menu, exact: true }).first().click();
  await seen(page.getByRole("menu"));
  const item = page.getByRole("menuitem", { name: view, exact: true });
  if ((await item.count()) > 0) await item.click();
  else await page.keyboard.press("Escape");
}

/** The explorer as a person handles it. */
export function explorerPage(page: Page) {
  const surface = page.locator("[data-entries]");
  const row = (name: string): Locator =>
    page.locator("[data-entries] [data-index]").filter({ has: page.locator(`[title="${name}"], :text-is("${name}")`) });
  const names = (): Promise<string[]> =>
    page.evaluate(() =>
      [...document.querySelectorAll("[data-entries] [data-index]")]
        .sort((one, other) => Number(one.getAttribute("data-index")) - Number(other.getAttribute("data-index")))
        .map(
          (element) => element.querySelector("[title]")?.getAttribute("title") ?? element.getAttribute("title") ?? "",
        ),
    );
  const open = async (folder: string) => {
    await page.goto(`/mount-explorer${folder}`);
    await seen(surface);
  };
  return {
    surface,
    /** What scrolls: the entries, and the README below them. */
    scroller: surface.locator(".."),
    row,
    names,
    open,
    /** Opens a folder, and waits until the page has been answered about its key: what changes afterwards finds it with the rights of before. */
    openByKey: async (folder: string) => {
      const answered = page.waitForResponse(/\/api\/test\/api-key$/);
      await open(folder);
      await answered;
    },
    /** Waits until exactly these are shown, in this order. */
    shows: (expected: readonly string[]) => until(names, (found) => found.join("\n") === expected.join("\n")),
    choose: async (name: string, ...modifiers: ("Shift" | "Control")[]) => row(name).click({ modifiers }),
    menu: async (name: string, item: string) => {
      await row(name).click({ button: "right" });
      await page.getByRole("menuitem", { name: item }).click();
    },
    chosen: (): Promise<string[]> =>
      page.evaluate(() =>
        [...document.querySelectorAll(`[data-entries] [data-index][aria-selected="true"]`)].map(
          (element) => element.querySelector("[title]")?.getAttribute("title") ?? "",
        ),
      ),
    dialog: page.getByRole("dialog"),
    details: detailsOf(page),
    showAs: (view: string, menu = "More actions") => showAs(page, view, menu),
    command: (name: string) => page.getByRole("toolbar").getByRole("button", { name, exact: true }),
  };
}
