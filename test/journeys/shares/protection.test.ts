import { describe, expect, test } from "bun:test";
import { gone, seen, startJourney, until } from "../../support/browser/journey.ts";

const journey = await startJourney();

const api = (path: string) => fetch(`${journey.server.address}/api${path}`);

/** How many views are left, without spending one. */
const viewsLeft = async (slug: string) =>
  ((await (await api(`/paste/${slug}?peek=1`)).json()) as { viewsLeft: number | null }).viewsLeft;

describe("a password", () => {
  test("is chosen at the chip, asked for at the link, and only the right one opens", async () => {
    await using author = await journey.admin();
    await author.page.goto("/");
    await author.page.getByRole("textbox", { name: "Text to share" }).fill("the secret text");
    await author.page.getByRole("button", { name: "Password: no password" }).click();
    await author.page.getByRole("textbox", { name: "Password" }).fill("open sesame");
    await author.page.keyboard.press("Enter");
    await seen(author.page.getByRole("button", { name: "Password: with password" }));
    await author.page.getByRole("button", { name: "Create link" }).click();
    const result = author.page.getByRole("region", { name: "Your link" });
    const link = (await result.getByRole("link").first().getAttribute("href")) ?? "";

    await using reader = await journey.visitor();
    const { page } = reader;
    await page.goto(link);
    await seen(page.getByText("Password needed"));
    expect(await page.content()).not.toContain("the secret text");
    const field = page.getByRole("textbox", { name: "Password" });
    await field.fill("open barley");
    await page.keyboard.press("Enter");
    await seen(page.getByRole("alert").filter({ hasText: "Wrong password" }));
    await until(
      () => field.evaluate((input) => input === document.activeElement),
      (focused) => focused,
    );
    await field.fill("open sesame");
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await seen(page.getByText("the secret text"));
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(kept).not.toContain("sesame");
    expect(page.url()).toBe(link);
  });

  test("is no obstacle for the raw link its owner copied", async () => {
    const { slug, grant } = await journey.share({ content: "granted", password: "open sesame" });
    expect((await api(`/raw/${slug}`)).status).toBe(401);
    expect(await (await api(`/raw/${slug}?grant=${grant}`)).text()).toBe("granted");
  });
});

describe("limited views", () => {
  test("looking spends nothing, the button spends one, the next visitor finds it gone", async () => {
    const { slug } = await journey.share({ content: "read me once", maxViews: 1 });
    await using first = await journey.visitor();
    await first.page.goto(`/paste/${slug}`);
    const open = first.page.getByRole("button", { name: "Open · opens once" });
    await seen(open);
    await first.page.reload();
    await seen(open);
    expect(await viewsLeft(slug)).toBe(1);
    expect(await first.page.content()).not.toContain("read me once");
    await open.click();
    await seen(first.page.getByText("read me once"));
    await seen(first.page.getByText("This was the last view"));

    await using second = await journey.visitor();
    await second.page.goto(`/paste/${slug}`);
    await seen(second.page.getByText("This share is gone"));
    await second.page.getByRole("link", { name: "Back to Home" }).click();
    await seen(second.page.getByRole("textbox", { name: "Text to share" }));
  });

  test("coming back to the tab or the network spends no second view", async () => {
    const { slug } = await journey.share({ content: "two of these", maxViews: 2 });
    await using reader = await journey.visitor();
    const { page, context } = reader;
    await page.goto(`/paste/${slug}`);
    await page.getByRole("button", { name: "Open · 2 of 2 views left" }).click();
    await seen(page.getByText("two of these"));
    await context.setOffline(true);
    await context.setOffline(false);
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await page.getByRole("button", { name: "TXT" }).click();
    await page.getByRole("button", { name: "MD" }).click();
    expect(await viewsLeft(slug)).toBe(1);
  });

  test("with a password as well: one card asks for both, and a wrong password spends nothing", async () => {
    const { slug } = await journey.share({ content: "both walls", maxViews: 1, password: "open sesame" });
    await using reader = await journey.visitor();
    const { page } = reader;
    await page.goto(`/paste/${slug}`);
    const open = page.getByRole("button", { name: "Open · opens once" });
    await page.getByRole("textbox", { name: "Password" }).fill("wrong");
    await open.click();
    await seen(page.getByRole("alert").filter({ hasText: "Wrong password" }));
    expect(await viewsLeft(slug)).toBe(1);
    await page.getByRole("textbox", { name: "Password" }).fill("open sesame");
    await open.click();
    await seen(page.getByText("both walls"));
    expect((await api(`/paste/${slug}?peek=1`)).status).toBe(410);
  });
});

describe("an end", () => {
  test("an expired share is gone, in so many words", async () => {
    const expiresAt = new Date(Date.now() + 3000).toISOString();
    const { slug } = await journey.share({ content: "short-lived", expiresAt });
    await until(
      async () => (await api(`/paste/${slug}?peek=1`)).status,
      (status) => status === 410,
    );
    await using reader = await journey.visitor();
    await reader.page.goto(`/paste/${slug}`);
    await seen(reader.page.getByText("This share is gone"));
    expect(await reader.page.content()).not.toContain("short-lived");
  });

  test("a link that never was is not found, and offers the way home", async () => {
    await using reader = await journey.visitor();
    await reader.page.goto("/paste/never-was");
    await seen(reader.page.getByText("This share does not exist"));
    await reader.page.getByRole("link", { name: "Back to Home" }).click();
    await reader.page.waitForURL("**/");
  });

  test("a deleted share is not found by the tab that comes later", async () => {
    const { slug } = await journey.share({ content: "soon deleted" });
    await using admin = await journey.admin();
    await admin.page.goto("/admin/text-management");
    const row = admin.page.getByRole("row").filter({ hasText: "soon deleted" });
    await row.getByRole("button", { name: "More for soon deleted" }).click();
    await admin.page.getByRole("menuitem", { name: "Delete" }).click();
    await admin.page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await gone(row);
    await using reader = await journey.visitor();
    await reader.page.goto(`/paste/${slug}`);
    await seen(reader.page.getByText("This share does not exist"));
  });
});
