import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { findings } from "../../support/browser/axe.ts";
import { seen, startJourney } from "../../support/browser/journey.ts";
import { mainScreens, seedMainScreens } from "../../support/screens/main.ts";
import { turn } from "../../support/screens/screen.ts";

const journey = await startJourney();
await seedMainScreens(journey);

test.each(Object.entries(mainScreens))("axe has nothing serious to say about %s", async (_, { path, who, shows }) => {
  await using visit = await journey[who]();
  const { page } = visit;
  await page.goto(path);
  await seen(shows(page));
  expect(await findings(page)).toEqual([]);
  await turn(page, "dark");
  expect(await findings(page)).toEqual([]);
});

test("nor about what opens over a page", async () => {
  await using visit = await journey.admin();
  const { page } = visit;
  await page.goto("/");
  await page.getByRole("textbox", { name: "Text to share" }).fill("to share");
  await page.getByRole("button", { name: /^Expiry:/ }).click();
  await seen(page.getByRole("dialog", { name: "Expiry" }));
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Create link" }).click();
  await seen(page.getByRole("region", { name: "Your link" }));
  expect(await findings(page)).toEqual([]);
  await page.goto("/file/picture");
  await page.getByRole("button", { name: "Edit" }).click();
  await seen(page.getByLabel("Link suffix"));
  expect(await findings(page)).toEqual([]);
  await page.goto("/upload");
  const input = page.locator('input[type="file"]');
  await input.setInputFiles({ name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("x") });
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await seen(page.getByRole("region", { name: "Your link" }));
  expect(await findings(page)).toEqual([]);
  await page.goto("/admin/text-management");
  await page.getByRole("row").filter({ hasText: "readable" }).getByRole("button", { name: "Edit" }).click();
  await seen(page.getByLabel("Link suffix"));
  expect(await findings(page)).toEqual([]);
  await page.goto("/admin/storage-config");
  await page.getByRole("button", { name: "Add storage" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await seen(page.getByText("Please give it a name."));
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Test" }).click();
  await seen(page.getByText("Everything works."));
  expect(await findings(page)).toEqual([]);
  await page.goto("/admin/mount-management");
  await page.getByRole("button", { name: "Add mount" }).click();
  await page.getByLabel("Give files public addresses").check();
  await page.getByRole("button", { name: "Save" }).click();
  await seen(page.getByText("Please give it a name."));
  expect(await findings(page)).toEqual([]);
});

test("everything on the way to a link is reachable by keyboard", async () => {
  await using visit = await journey.admin();
  const { page } = visit;
  await page.goto("/upload");
  await seen(page.getByRole("tablist"));
  await page.keyboard.press("Tab");
  await seen(page.getByRole("link", { name: "Skip to content" }));
  await page.goto("/");
  const editor = page.getByRole("textbox", { name: "Text to share" });
  await seen(editor.and(page.locator("[contenteditable=true]:focus")));
  // An empty text has no use for Tab, so the focus on arrival holds nobody.
  await page.keyboard.press("Tab");
  await seen(editor.and(page.locator(":not(:focus)")));
  await page.keyboard.press("Shift+Tab");
  await seen(editor.and(page.locator(":focus")));
  await page.keyboard.type("typed without a mouse");
  await seen(editor.filter({ hasText: /^typed without a mouse$/ }));
  // Tab belongs to the text; after Escape it leaves it.
  await page.keyboard.press("Escape");
  await tabTo(page, "button Password: no password");
  await page.keyboard.press("Enter");
  await page.keyboard.type("sesame");
  await page.keyboard.press("Enter");
  await tabTo(page, "button Create link");
  await page.keyboard.press("Enter");
  await seen(page.getByRole("region", { name: "Your link" }));
});

/** Presses Tab until the element with that role and name has the focus, at most thirty times. */
async function tabTo(page: Page, wanted: string): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      const role = element?.role ?? element?.tagName.toLowerCase() ?? "";
      return `${role} ${element?.ariaLabel ?? element?.textContent ?? ""}`.trim();
    });
    if (focused === wanted) return;
    passed.push(focused);
  }
  throw new Error(`The keyboard does not reach ${wanted}; it came past ${passed.join(", ")}.`);
}
