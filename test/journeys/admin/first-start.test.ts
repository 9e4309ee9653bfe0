import { describe, expect, test } from "bun:test";
import { openBrowser } from "../../support/browser/chromium.ts";
import { gone, seen, startJourney, until } from "../../support/browser/journey.ts";
import { startServer } from "../../support/server.ts";

const journey = await startJourney();

describe("the first start", () => {
  test("the link in the terminal opens the app signed in, one click from the first share", async () => {
    await using server = await startServer({ adminPassword: null });
    const link = /http\S+\/admin#setup=\S+/.exec(server.stderr())?.[0] ?? "";
    const browser = await openBrowser();
    await using owner = await browser.newPage({ address: server.address });
    const { page } = owner;
    await page.goto(link);
    await page.waitForURL(`${server.address}/`);
    await seen(page.getByText("You are signed in and can share right away"));
    await page.getByRole("textbox", { name: "Text to share" }).fill("my first share");
    await page.getByRole("button", { name: "Create link" }).click();
    await seen(page.getByRole("region", { name: "Your link" }));

    await using second = await browser.newPage({ address: server.address });
    await second.page.goto(link);
    await seen(second.page.getByText("This sign-in link has expired or was used already"));
    expect(second.page.url()).not.toContain("setup");
    await seen(second.page.getByLabel("Username"));
  });
});

describe("signing in and out", () => {
  test("a wrong password is said, the right one opens the dashboard, and leaving closes it", async () => {
    await using admin = await journey.visitor();
    const { page } = admin;
    await page.goto("/admin");
    await page.getByLabel("Username").fill("admin");
    const password = page.getByLabel("Password", { exact: true });
    await password.fill("not the password");
    await page.keyboard.press("Enter");
    await seen(page.getByText("Wrong username or password."));
    await password.fill(journey.server.adminPassword);
    await page.keyboard.press("Enter");
    await seen(page.getByRole("heading", { name: "Dashboard", exact: true }));
    expect(new URL(page.url()).pathname).toBe("/admin/dashboard");
    await until(
      () => page.title(),
      (title) => title === "Dashboard · Satchel",
    );

    await page.reload();
    await seen(page.getByRole("heading", { name: "Dashboard", exact: true }));
    const token = await page.evaluate(() => localStorage.getItem("admin_token"));
    await page.getByRole("button", { name: "Log out" }).click();
    await seen(page.getByLabel("Username"));
    await until(
      async () =>
        (
          await fetch(`${journey.server.address}/api/test/admin-token`, {
            headers: { authorization: `Bearer ${token}` },
          })
        ).status,
      (status) => status === 401,
    );
  });

  test("a session that the server ended leads back to the sign-in", async () => {
    await using admin = await journey.visitor();
    const { page } = admin;
    await page.goto("/");
    await page.evaluate(() => localStorage.setItem("admin_token", "a.made-up.token"));
    await page.goto("/admin");
    await seen(page.getByText("Your admin session has expired"));
  });
});

describe("the list of texts", () => {
  test("shows what was shared and lets it be changed", async () => {
    const { slug } = await journey.share({ content: "before the change", remark: "A note", maxViews: 7 });
    await using admin = await journey.admin();
    const { page } = admin;
    await page.goto("/admin/text-management");
    const row = page.getByRole("row").filter({ hasText: slug });
    await seen(row.getByText("A note").first());
    await seen(row.getByText("before the change").first());
    await seen(row.getByText("7 of 7 left"));
    await row.getByRole("button", { name: "Edit" }).click();
    const sheet = page.getByRole("dialog", { name: "Edit text" });
    await sheet.getByLabel("Text", { exact: true }).fill("after the change");
    await sheet.getByLabel("Link suffix").fill("changed-link");
    await sheet.getByLabel("View limit").fill("0");
    await sheet.getByRole("button", { name: "Save" }).click();
    await gone(sheet);
    const changed = page.getByRole("row").filter({ hasText: "changed-link" });
    await seen(changed.getByText("after the change").first());

    await using reader = await journey.visitor();
    await reader.page.goto("/paste/changed-link");
    await seen(reader.page.getByText("after the change"));
    await reader.page.goto(`/paste/${slug}`);
    await seen(reader.page.getByText("This share does not exist"));
  });

  test("several are deleted at once, after a question", async () => {
    await journey.share({ content: "one of two", slug: "bulk-1" });
    await journey.share({ content: "two of two", slug: "bulk-2" });
    await using admin = await journey.admin();
    const { page } = admin;
    await page.goto("/admin/text-management");
    await page.getByRole("checkbox", { name: "Select one of two" }).check();
    await page.getByRole("checkbox", { name: "Select two of two" }).check();
    await page.getByRole("toolbar", { name: "2 selected" }).getByRole("button", { name: "Delete" }).click();
    const question = page.getByRole("dialog", { name: "Delete 2 texts?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await gone(question);
    await seen(page.getByText("/bulk-1", { exact: true }));
    await page.getByRole("toolbar", { name: "2 selected" }).getByRole("button", { name: "Delete" }).click();
    await question.getByRole("button", { name: "Delete" }).click();
    await seen(page.getByText("2 entries deleted."));
    expect(await page.getByText(/^\/bulk-/).count()).toBe(0);
  });

  test("the admin edits a text where it is read, without spending a view", async () => {
    const { slug } = await journey.share({ content: "as it was", maxViews: 3 });
    await using admin = await journey.admin();
    const { page } = admin;
    await page.goto(`/paste/${slug}`);
    await seen(page.getByText("yours: your own views do not count"));
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Text to share" }).fill("# As it is now");
    await page.getByRole("button", { name: "Save" }).click();
    await seen(page.getByRole("heading", { name: "As it is now" }));
    const peek = await fetch(`${journey.server.address}/api/paste/${slug}?peek=1`);
    expect(await peek.json()).toMatchObject({ viewsLeft: 3 });
  });
});
