import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import type { BackupStatus } from "#contract/backups";
import { verifyAt } from "../../support/backups/backup.ts";
import { screenshot } from "../../support/browser/chromium.ts";
import { gone, seen, startJourney } from "../../support/browser/journey.ts";
import { runSatchel } from "../../support/server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** Backups by the screen of the administrator, and what the real process that makes them leaves. */

const journey = await startJourney();

test("a place is set, a backup made now, and the dashboard tells of it", async () => {
  using folder = temporaryFolder();
  const place = join(folder.path, "kept");
  mkdirSync(place);
  await journey.call("POST", "/api/paste", { slug: "backed-up", content: "this is kept" });
  await using admin = await journey.admin();
  const { page } = admin;
  await page.goto("/admin/settings/backup");
  const now = page.getByRole("button", { name: "Back up now" });
  await seen(page.getByText("No backup yet"));
  expect(await now.isDisabled()).toBe(true);
  // A timetable without a place is stopped before it is sent.
  await page.getByLabel("Back up automatically").check();
  await page.getByRole("button", { name: "Save" }).click();
  await seen(page.getByText("The schedule needs a location."));
  await page.getByLabel("Where backups go").fill("kept");
  await page.getByRole("button", { name: "Save" }).click();
  await seen(page.getByText(/must be the whole path of a folder/));
  await page.getByLabel("Where backups go").fill(join(folder.path, "no", "where"));
  await page.getByRole("button", { name: "Save" }).click();
  await seen(page.getByText(/^The server has no such folder/));
  // A folder that has gone since fails, in words and on the dashboard.
  await page.getByLabel("Where backups go").fill(join(folder.path, "nowhere"));
  await page.getByRole("button", { name: "Save" }).click();
  await seen(page.getByText("Saved."));
  rmdirSync(join(folder.path, "nowhere"));
  await now.click();
  await seen(page.getByText("The last backup failed:"));
  await seen(page.getByText(`There is no folder ${join(folder.path, "nowhere")}/.`));
  await page.getByRole("link", { name: "Dashboard" }).click();
  await seen(page.getByText(/The last backup failed \(/));
  await page.getByRole("link", { name: "See backups" }).click();
  await page.getByLabel("Where backups go").fill(place);
  await page.getByRole("button", { name: "Save" }).click();
  await seen(page.getByText("Saved."));
  await now.click();
  await seen(page.getByText(/rows: \d+, files: \d+$/));
  expect(await page.getByText("The last backup failed:").count()).toBe(0);
  const [name = ""] = readdirSync(place);
  await seen(page.getByText(join(place, name)));
  expect(await verifyAt(join(place, name))).toMatchObject({ damaged: [] });
  const restored = await runSatchel(["restore", join(place, name)], { DATA_DIR: join(folder.path, "restored") });
  expect([restored.code, restored.stderr]).toEqual([0, ""]);
  const { data } = await journey.call<{ data: BackupStatus }>("GET", "/api/admin/backups");
  expect(data).toMatchObject({ enabled: true, problem: null, last: { by: "admin", error: null } });
  await page.getByRole("link", { name: "Dashboard" }).click();
  await seen(page.getByText("Last backup", { exact: true }));
  // It was there when the dashboard was looked at before.
  await gone(page.getByText(/The last backup failed/));
});

test("what is wrong with a bucket is said at its field, where the bar of a phone does not cover it", async () => {
  await using admin = await journey.admin({ width: 390, height: 844 });
  const { page } = admin;
  await page.goto("/admin/settings/backup");
  const field = page.getByLabel("Where backups go");
  await field.fill("s3://nobodys-own/copies");
  await page.getByRole("button", { name: "Save" }).click();
  const wrong = page.getByText(/^No storage has this bucket\./);
  await seen(wrong);
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
  const [end, bar] = await Promise.all([
    wrong.evaluate((element) => element.getBoundingClientRect().bottom),
    page.locator("form > [data-at-bottom]").evaluate((element) => element.getBoundingClientRect().top),
  ]);
  expect(end).toBeLessThan(bar);
  await screenshot(page, "backup-bucket-phone-en");
});
