import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { written } from "../../support/browser/editor-page.ts";
import { gone, seen, startJourney, until } from "../../support/browser/journey.ts";

const journey = await startJourney();

const write = (page: Page, text: string) => page.getByRole("textbox", { name: "Text to share" }).fill(text);
const create = (page: Page) => page.getByRole("button", { name: "Create link" }).click();
const result = (page: Page) => page.getByRole("region", { name: "Your link" });
const linkOf = async (page: Page) => (await result(page).getByRole("link").first().getAttribute("href")) ?? "";
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

describe("sharing a text", () => {
  test("one writes Markdown and gets a link, another opens it", async () => {
    await using author = await journey.admin();
    const { page } = author;
    await page.goto("/");
    await write(page, "# Packing list\n\n- tent\n- **stove**\n");
    await create(page);
    await seen(result(page).getByText("Link created and copied"));
    const link = await linkOf(page);
    expect(link).toMatch(new RegExp(`^${journey.server.address}/paste/[A-Za-z0-9]{6}$`));
    expect(await clipboard(page)).toBe(link);

    await using reader = await journey.visitor();
    await reader.page.goto(link);
    await seen(reader.page.getByRole("heading", { name: "Packing list" }));
    await seen(reader.page.getByRole("listitem").filter({ hasText: "tent" }));
    expect(await reader.page.locator("strong").textContent()).toBe("stove");
    await seen(reader.page.getByText("never expires"));
    await seen(reader.page.getByText("unlimited views"));
    await until(
      () => reader.page.title(),
      (title) => title === "Packing list · Satchel",
    );
    expect(await reader.page.getByRole("button", { name: "Edit" }).count()).toBe(0);
  });

  test("what one writes as plain text another reads as it is, until its owner makes it Markdown", async () => {
    await using author = await journey.admin();
    const { page } = author;
    await page.goto("/");
    await page.getByRole("button", { name: "Plain text" }).click();
    await write(page, "# no heading\n* no list");
    await create(page);
    await seen(result(page));
    const link = await linkOf(page);

    await using reader = await journey.visitor();
    await reader.page.goto(link);
    await seen(reader.page.getByText("# no heading"));
    expect(await reader.page.getByRole("heading", { name: "no heading" }).count()).toBe(0);

    await page.goto(link);
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("button", { name: "Markdown", exact: true }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await seen(page.getByRole("heading", { name: "no heading" }));
    await reader.page.reload();
    await seen(reader.page.getByRole("heading", { name: "no heading" }));
  });

  test("the result shows the link as QR code and as raw text, and gives way to the next text", async () => {
    await using author = await journey.admin();
    const { page } = author;
    await page.goto("/");
    await write(page, "raw text, as it is");
    await page.keyboard.press("Control+Enter");
    await seen(result(page));
    await result(page).getByRole("button", { name: "QR code" }).click();
    const qr = page.getByRole("dialog", { name: "QR code" });
    await seen(qr.getByRole("img", { name: "QR code of the link" }));
    const download = page.waitForEvent("download");
    await qr.getByRole("button", { name: "Download PNG" }).click();
    expect((await download).suggestedFilename()).toMatch(/^[A-Za-z0-9]{6}\.png$/);
    await page.keyboard.press("Escape");
    await gone(qr);

    await result(page).getByRole("button", { name: "Copy raw link" }).click();
    const raw = await until(
      () => clipboard(page),
      (text) => text.includes("/api/raw/"),
    );
    expect(await (await fetch(raw)).text()).toBe("raw text, as it is");

    await result(page).getByRole("button", { name: "Keep writing" }).click();
    await gone(result(page));
    await until(
      () => written(page),
      (text) => text === "",
    );
  });

  test("the chips say what will be shared, and the share obeys", async () => {
    await using author = await journey.admin();
    const { page } = author;
    await page.goto("/");
    await write(page, "with options");
    await page.getByRole("button", { name: /^Expiry: never expires/ }).click();
    await page.getByRole("button", { name: "7 days" }).click();
    await seen(page.getByRole("button", { name: "Expiry: expires in 7 days" }));
    await page.getByRole("button", { name: /^Note:/ }).click();
    await page.getByRole("textbox", { name: "Note" }).fill("From the chips");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /^Link suffix:/ }).click();
    await page.getByRole("textbox", { name: "Your own suffix" }).fill("my-own_Suffix");
    await page.keyboard.press("Enter");
    await seen(page.getByRole("button", { name: "Link suffix: /paste/my-own_Suffix" }));
    await create(page);
    await seen(result(page));
    expect(await linkOf(page)).toBe(`${journey.server.address}/paste/my-own_Suffix`);

    await using reader = await journey.visitor();
    await reader.page.goto("/paste/my-own_Suffix");
    await seen(reader.page.getByRole("heading", { name: "From the chips" }));
    await seen(reader.page.getByText(/expires in (7 days|next week)|expires next week/));
  });

  test("a suffix that is taken is said where it was typed, and can be changed there", async () => {
    await journey.share({ content: "first", slug: "taken" });
    await using author = await journey.admin();
    const { page } = author;
    await page.goto("/");
    await write(page, "second");
    await page.getByRole("button", { name: /^Link suffix:/ }).click();
    const field = page.getByRole("textbox", { name: "Your own suffix" });
    await field.fill("not allowed!");
    await seen(page.getByRole("alert").filter({ hasText: "Only letters, digits" }));
    await field.fill("taken");
    await page.keyboard.press("Enter");
    await gone(field);
    await create(page);
    await seen(page.getByRole("alert").filter({ hasText: "taken" }));
    await field.fill("taken-2");
    await page.keyboard.press("Enter");
    await create(page);
    await seen(result(page));
    expect(await linkOf(page)).toEndWith("/paste/taken-2");
  });

  test("a draft outlives a reload, and the share ends it", async () => {
    await using author = await journey.admin();
    const { page } = author;
    await page.goto("/");
    await write(page, "half a thought");
    await page.reload();
    const editor = page.getByRole("textbox", { name: "Text to share" });
    await until(
      () => written(page),
      (text) => text === "half a thought",
    );
    await create(page);
    await seen(result(page));
    await page.reload();
    await seen(editor);
    expect(await written(page)).toBe("");
  });

  test("without a session one can write, and is led to the sign-in and back with the text", async () => {
    await using stranger = await journey.visitor();
    const { page } = stranger;
    await page.goto("/");
    await write(page, "written before signing in");
    await page.getByRole("link", { name: "Sign in to share" }).click();
    await page.getByLabel("Username").fill("admin");
    await page.getByLabel("Password", { exact: true }).fill(journey.server.adminPassword);
    await page.getByRole("button", { name: "Sign in" }).click();
    await create(page);
    await seen(result(page));
    const raw = (await linkOf(page)).replace("/paste/", "/api/raw/");
    expect(await (await fetch(raw)).text()).toBe("written before signing in");
  });
});

test("the usual values of an option keep their words whole in a wide font", async () => {
  await using author = await journey.admin();
  const { page } = author;
  await page.goto("/");
  await page.addStyleTag({ content: "fieldset button { font-family: monospace !important; letter-spacing: 0.06em }" });
  await page.getByRole("button", { name: /^Views:/ }).click();
  const values = page.getByRole("dialog", { name: "Views" }).getByRole("group").getByRole("button");
  await seen(values.first());
  const lines = await values.evaluateAll((buttons) =>
    buttons.map((button) => {
      const words = document.createRange();
      words.selectNodeContents(button);
      return {
        text: button.textContent,
        lines: words.getClientRects().length,
        cut: button.scrollWidth > button.clientWidth,
      };
    }),
  );
  expect(lines).toEqual(["Unlimited", "1", "5", "10"].map((text) => ({ text, lines: 1, cut: false })));
});

describe("the Markdown editor", () => {
  test("takes the text over, shows it as it will read, and gives it back", async () => {
    await using author = await journey.admin();
    const { page } = author;
    await page.goto("/");
    await write(page, "# Over and back");
    await page.getByRole("button", { name: "Markdown", exact: true }).click();
    const editor = page.locator(".cm-content");
    await seen(editor);
    await seen(page.getByRole("heading", { name: "Over and back" }));
    await editor.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\n\nand more");
    await page.getByRole("button", { name: "Plain text" }).click();
    const plain = page.getByRole("textbox", { name: "Text to share" });
    await until(
      () => plain.inputValue(),
      (text) => text === "# Over and back\n\nand more",
    );
    await page.getByRole("button", { name: "Markdown", exact: true }).click();
    await seen(editor);
    await editor.click();
    await page.keyboard.press("Control+Enter");
    await seen(result(page));
  });
});
