import { describe, expect, test } from "bun:test";
import { gone, seen, startJourney, until } from "../../support/browser/journey.ts";
import { peopleOf, refusals } from "../../support/browser/people.ts";

const journey = await startJourney();
const people = peopleOf(journey);

describe("lists of shares", () => {
  test("are narrowed by their address, and a reload shows the same", async () => {
    await journey.share({ content: "the quarterly budget", slug: "budget" });
    await journey.share({ content: "会议记录", slug: "meeting", password: "sesame" });
    await using admin = await journey.admin();
    const { page } = admin;
    await page.goto("/admin/text-management");
    await page.getByRole("searchbox").fill("会议");
    await seen(page.getByText("1 in total"));
    expect(new URL(page.url()).searchParams.get("search")).toBe("会议");
    await page.reload();
    await seen(page.getByText("1 in total"));
    expect(await page.getByRole("link", { name: "budget" }).count()).toBe(0);
    await page.getByRole("searchbox").fill("");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByLabel("Password", { exact: true }).selectOption("With password");
    await page.keyboard.press("Escape");
    await seen(page.getByText("1 in total"));
    await page.getByRole("button", { name: "Remove filter: Password · With password" }).click();
    await seen(page.getByText("2 in total"));
  });

  test("a row's menu previews, and the focus comes back to it", async () => {
    await journey.share({ content: "to be previewed", slug: "previewed", maxViews: 2 });
    await using admin = await journey.admin();
    const { page } = admin;
    await page.goto("/admin/text-management");
    const more = page.getByRole("button", { name: "More for to be previewed" });
    await more.click();
    await page.getByRole("menuitem", { name: "Preview" }).click();
    const sheet = page.getByRole("dialog", { name: "Text preview" });
    await seen(sheet.getByText("to be previewed"));
    await page.keyboard.press("Escape");
    await gone(sheet);
    await until(
      () => more.evaluate((element) => element === document.activeElement),
      (focused) => focused,
    );
    const peek = await fetch(`${journey.server.address}/api/paste/previewed?peek=1`);
    expect(await peek.json()).toMatchObject({ viewsLeft: 2 });
  });
});

describe("keys", () => {
  test("one is made, works at once, and stops when it is deleted", async () => {
    await using admin = await journey.admin();
    const { page } = admin;
    await page.goto("/admin/key-management");
    await page.getByRole("button", { name: /New key|Create the first key/ }).click();
    const form = page.getByRole("dialog", { name: "New key" });
    await form.getByLabel("Name", { exact: true }).fill("Living room");
    await form.getByRole("button", { name: "Everything" }).click();
    await form.getByRole("button", { name: "Choose a folder" }).click();
    await form.getByRole("treeitem", { name: "drive" }).click();
    expect(await form.getByLabel("Base path").inputValue()).toBe("/drive");
    await form.getByRole("button", { name: "Save" }).click();
    const fresh = page.getByRole("dialog", { name: "Key created" });
    const key = (await fresh.locator("code").textContent()) ?? "";
    const may = () =>
      fetch(`${journey.server.address}/api/test/api-key`, { headers: { authorization: `ApiKey ${key}` } });
    expect(await (await may()).json()).toMatchObject({ data: { name: "Living room", basic_path: "/drive" } });
    await fresh.getByRole("button", { name: "Done" }).click();
    const row = page.getByRole("row").filter({ hasText: "Living room" });
    await row.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await seen(page.getByText("1 entry deleted."));
    expect((await may()).status).toBe(401);
  });

  test("who has one sees their own shares, and is offered nothing that is refused", async () => {
    await journey.share({ content: "of the administrator", slug: "not-theirs" });
    for (const [right, path, title] of [
      ["text", "/admin/text-management", "Texts"],
      ["file_share", "/admin/file-management", "Files"],
    ] as const) {
      const key = await people.makeKey([right]);
      await using holder = await people.holder(key);
      const { page } = holder;
      const refused = refusals(page);
      await page.goto(`${path}?search=not&created_by=admin`);
      await seen(page.getByRole("heading", { name: title, exact: true }));
      await seen(page.getByText("Nothing found"));
      await page.goto("/admin/key-management");
      await seen(page.getByRole("heading", { name: title, exact: true }));
      expect(refused).toEqual([]);
    }
  });
});
