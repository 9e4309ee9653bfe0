import { describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { accentShades } from "#contract/accent";
import { gone, seen, startJourney, until } from "../../support/browser/journey.ts";

const journey = await startJourney();

const figure = (page: Page, name: string, count: number) =>
  page.getByRole("link", { name: new RegExp(`^${name} ${count} `) });

describe("the dashboard", () => {
  test("counts a text and a file right after they were shared", async () => {
    await using admin = await journey.admin();
    const { page } = admin;
    await page.goto("/admin");
    await page.waitForURL("**/admin/dashboard");
    await seen(figure(page, "Texts", 0));
    await journey.share({ content: "just made" });
    await journey.shareFile(new File(["x".repeat(2048)], "just-made.txt"));
    await page.getByRole("button", { name: "Refresh" }).click();
    await seen(figure(page, "Texts", 1));
    await seen(figure(page, "Files", 1));
    await seen(page.getByRole("link", { name: "Storages 1 2 KB used" }));
    await until(
      () => page.getByRole("region", { name: "Last seven days" }).getByRole("row").last().textContent(),
      (text) => text?.endsWith("11") === true,
    );
  });

  test("leads from step to step, and marks what is done", async () => {
    await using admin = await journey.admin();
    const { page } = admin;
    await page.goto("/admin/dashboard");
    const steps = page.getByRole("region", { name: "Next steps" });
    await seen(steps.getByRole("link", { name: /Create an API key/ }));
    await journey.call("POST", "/api/admin/api-keys", { name: "first", permissions: { text: true } });
    await page.reload();
    await seen(steps.getByText("Done").last());
    await gone(steps.getByRole("link", { name: /Create an API key/ }));
  });
});

/** The middle of the letters of an element, from the top of the page; its box may be taller. */
const middle = (locator: Locator): Promise<number> =>
  locator.evaluate((element) => {
    const letters = document.createRange();
    letters.selectNodeContents(element);
    const { y, height } = letters.getBoundingClientRect();
    return y + height / 2;
  });

test("what is said of the last backup stands beside its name, also where it has room for a finger", async () => {
  await using admin = await journey.admin({ width: 390, height: 844 });
  const { page } = admin;
  await page.goto("/admin/system");
  const value = page.getByRole("link", { name: "None yet" });
  await seen(value);
  expect(Math.abs((await middle(value)) - (await middle(page.getByText("Last backup"))))).toBeLessThan(2);
});

describe("settings", () => {
  test("of the accent begin with its label, where all other labels begin", async () => {
    await using admin = await journey.admin();
    const { page } = admin;
    await page.goto("/admin/settings/site");
    const left = async (label: Locator) => Math.round((await label.boundingBox())?.x ?? Number.NaN);
    const accent = page.getByText("Color", { exact: true });
    await seen(accent);
    expect(await left(accent)).toBe(await left(page.getByText("Name", { exact: true })));
  });

  test("hold at once, for whoever has a page open already", async () => {
    await using admin = await journey.admin();
    await using other = await journey.admin();
    await other.page.goto("/upload");
    await seen(other.page.getByText(/10 GB/));
    const { page } = admin;
    await page.goto("/admin/settings/global");
    await page.getByLabel("Largest file").fill("3");
    await page.getByText("KB", { exact: true }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await seen(page.getByText("Saved."));
    await other.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
    await seen(other.page.getByText(/3 KB/));
    await expect(journey.shareFile(new File(["x".repeat(4096)], "too-large.txt"))).rejects.toThrow("file.tooLarge");
    await journey.call("PUT", "/api/admin/settings/group/1", { max_upload_size: "10240" });
  });

  test("of the site and of sharing hold in the page that saved them, without loading it again", async () => {
    await using admin = await journey.admin();
    const { page } = admin;
    await page.goto("/admin/settings/site");
    await page.getByLabel("Name", { exact: true }).fill("Reading room");
    await page.getByPlaceholder("#c2410c").fill("#1d4ed8");
    await page.keyboard.press("Enter");
    await seen(page.getByText("Saved."));
    await seen(page.locator("header").getByRole("link", { name: "Reading room" }));
    await until(
      () => page.title(),
      (title) => title.endsWith("Reading room"),
    );
    await until(
      () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--accent").trim()),
      (accent) => accent === accentShades("#1d4ed8", "light").accent,
    );
    await page.getByRole("link", { name: "Sharing", exact: true }).click();
    await page.getByLabel("Default expiry").selectOption("168");
    await page.getByRole("button", { name: "Save" }).click();
    await seen(page.getByText("Saved."));
    await page.getByRole("link", { name: "Home", exact: true }).click();
    await seen(page.getByRole("button", { name: /expires (in|after) 7 days/ }));
    await until(
      () => page.title(),
      (title) => title.includes("Reading room"),
    );
    await journey.call("PUT", "/api/admin/settings/group/5", { site_name: "", site_accent: "" });
    await journey.call("PUT", "/api/admin/settings/group/6", { share_expiry_default: "0" });
  });
});

describe("the account", () => {
  test("once changed is said, and signs every browser out", async () => {
    await using admin = await journey.visitor();
    await using other = await journey.visitor();
    const signIn = async (page: Page, password: string) => {
      await page.getByLabel("Username", { exact: true }).fill("admin");
      await page.getByLabel("Password", { exact: true }).fill(password);
      await page.keyboard.press("Enter");
      await seen(page.getByRole("button", { name: "Log out" }));
    };
    const old = journey.server.adminPassword;
    for (const { page } of [admin, other]) {
      await page.goto("/admin");
      await signIn(page, old);
    }
    const { page } = admin;
    await page.getByRole("link", { name: "Account" }).click();
    await seen(page.getByText("This device"));
    await page.getByLabel("Current password").fill(old);
    await page.getByLabel("New password").fill("another password");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await seen(page.getByText("Saved. Other devices were signed out."));
    await page.reload();
    await seen(page.getByText("This device"));
    await other.page.getByRole("link", { name: "Texts", exact: true }).click();
    await seen(other.page.getByText("Your admin session has expired"));
  });
});
