import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { backupOf, file, key, mount, paste, setting, storage, writeBackup } from "../../support/backups/cloudpaste.ts";
import { findings } from "../../support/browser/axe.ts";
import { overhang, seen, startJourney } from "../../support/browser/journey.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const journey = await startJourney();
const bucket = storage({ name: "Photos" });

/** Something of each kind, and something of each that is left out or becomes different. */
const backup = backupOf({
  pastes: [
    paste({ slug: "first-note", content: "# from the other server" }),
    paste({ slug: "members-only", is_public: 0 }),
    paste({ slug: "long-gone", expires_at: "2025-02-01 00:00:00" }),
    paste({ slug: "admin" }),
  ],
  files: [
    file({ slug: "notes", storage_config_id: bucket.id }),
    file({ slug: "lost", storage_config_id: "nowhere", filename: "a-file-with-a-very-long-name".repeat(6) }),
  ],
  storage_configs: [bucket, storage({ name: "Attic", storage_type: "LOCAL" })],
  storage_mounts: [mount({ storage_config_id: bucket.id })],
  api_keys: [key({ name: "Camera" })],
  admins: [{ id: "a" }],
  system_settings: [setting("max_upload_size", "250"), setting("site_title", "Mine")],
});

/** Keeps a picture where it is asked for. */
const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.SATCHEL_SHOTS;
  if (folder) await page.screenshot({ path: join(folder, `import-${name}.png`), fullPage: true });
};

test("a backup is looked at on a desk, imported by keyboard, and there is nothing left to import on a phone", async () => {
  using folder = temporaryFolder();
  const path = await writeBackup(folder.path, backup);
  await using desk = await journey.admin();
  const { page } = desk;
  await page.goto("/admin/dashboard");
  await page.getByRole("navigation", { name: "Admin panel" }).getByRole("link", { name: "Import" }).click();
  await seen(page.getByText("You will see a report first."));
  await picture(page, "empty");
  await page.locator("input[type=file]").setInputFiles(path);
  await seen(page.getByRole("heading", { name: "What would be imported" }));
  const row = (title: string) => page.getByRole("table").getByRole("row", { name: new RegExp(`^${title} `) });
  expect(await row("Texts").getByRole("cell").allTextContents()).toEqual(["4", "3", "0", "1"]);
  expect(await row("Files").getByRole("cell").allTextContents()).toEqual(["2", "1", "0", "1"]);
  await seen(page.getByText("Attic"));
  expect(await (await fetch(`${journey.server.address}/api/raw/first-note`)).status).toBe(404);
  await picture(page, "plan");

  const begin = page.getByRole("button", { name: "Import", exact: true });
  await begin.focus();
  await page.keyboard.press("Enter");
  await seen(page.getByRole("heading", { name: "What was imported" }));
  await picture(page, "done");
  await seen(page.getByText(/^admin -> \w{6}$/));
  expect(await (await fetch(`${journey.server.address}/api/raw/first-note`)).text()).toBe("# from the other server");
  expect(await (await fetch(`${journey.server.address}/api/raw/members-only`)).status).toBe(401);
  await page.getByRole("link", { name: "Keys" }).click();
  await seen(page.getByText("Camera").first());

  for (const [locale, theme] of [
    ["en-US", "light"],
    ["zh-CN", "dark"],
  ] as const) {
    await using phone = await journey.admin({ width: 390, height: 844, locale, theme, bypassPolicy: true });
    await phone.page.goto("/admin/import");
    await phone.page.locator("input[type=file]").setInputFiles(path);
    await seen(phone.page.getByText(locale === "en-US" ? "There is nothing to add." : "没有可以新增的内容。"));
    expect(await overhang(phone.page)).toBe(0);
    expect(await findings(phone.page)).toEqual([]);
    await picture(phone.page, `phone-${locale}`);
  }
});
