import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { MountRecord } from "#contract/mounts";
import { mount as zh } from "../../../web/i18n/zh/mount.ts";
import { screenshot } from "../../support/browser/chromium.ts";
import { gone, overhang, seen, startJourney } from "../../support/browser/journey.ts";
import { peopleOf } from "../../support/browser/people.ts";

const journey = await startJourney();
const people = peopleOf(journey);
const PATH = "/admin/mount-management";

const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const listed = async () => (await journey.call<{ data: MountRecord[] }>("GET", "/api/admin/mounts")).data;
/** What the root of the tree has, as the administrator sees it. */
const roots = async () =>
  (await journey.call<{ data: { items: { name: string }[] } }>("GET", "/api/fs/list?path=/")).data.items.map(
    ({ name }) => name,
  );

async function open() {
  const visit = await journey.admin();
  await visit.page.goto(PATH);
  await seen(card(visit.page, "Drive"));
  return visit;
}

async function fill(page: Page, name: string, path: string): Promise<void> {
  await page.getByRole("button", { name: "Add mount" }).click();
  const form = page.getByRole("dialog", { name: "Add mount" });
  await form.getByLabel("Name", { exact: true }).fill(name);
  await form.getByLabel("Mount path").fill(path);
  await page.keyboard.press("Enter");
}

describe("the mounts of an installation", () => {
  test("get another one, which is in the tree at once; a path that is taken is told at its field", async () => {
    await using admin = await open();
    const { page } = admin;
    await fill(page, "Photos", "/drive");
    const form = page.getByRole("dialog", { name: "Add mount" });
    await seen(form.getByText("There is already a mount at this path. Please choose another one."));
    await form.getByLabel("Mount path").fill("/team/照片");
    await page.keyboard.press("Enter");
    await gone(form);
    await seen(card(page, "Photos").getByText("Added. It is now in the explorer."));
    expect(await roots()).toEqual(["drive", "team"]);
    expect(await overhang(page)).toBe(0);
  });

  test("are switched off and on at once, and what is off is not in the tree", async () => {
    await using admin = await open();
    const { page } = admin;
    const drive = card(page, "Drive");
    await drive.getByRole("button", { name: "Disable" }).click();
    await seen(drive.getByText("Inactive", { exact: true }));
    await seen(drive.getByText(/^Disabled\./));
    expect(await roots()).not.toContain("drive");
    await drive.getByRole("button", { name: "Undo" }).click();
    await seen(drive.getByText(/^Enabled\./));
    expect(await roots()).toContain("drive");
  });

  test("are changed, and removed without a file being touched", async () => {
    const [disk] = await listed();
    const mount = {
      name: "Spare",
      storage_type: "S3",
      storage_config_id: disk?.storage_config_id,
      mount_path: "/spare",
    };
    await journey.call("POST", "/api/admin/mounts", mount);
    await journey.call("POST", "/api/fs/mkdir", { path: "/spare/stays" });
    await using admin = await open();
    const { page } = admin;
    await card(page, "Spare").getByRole("button", { name: "Edit" }).click();
    const form = page.getByRole("dialog", { name: "Edit mount" });
    await form.getByLabel("Note").fill("for a rainy day");
    await form.getByRole("button", { name: "Save" }).click();
    await gone(form);
    await seen(card(page, "Spare").getByText("for a rainy day"));
    await card(page, "Spare").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await seen(page.getByText("“Spare” was deleted. No file was touched."));
    expect(await roots()).not.toContain("spare");
    const left = await journey.call<{ data: { items: { name: string }[] } }>("GET", "/api/fs/list?path=/drive/");
    expect(left.data.items.map(({ name }) => name)).toContain("stays");
  });

  test("are none of the business of a key, whatever it may", async () => {
    const key = await people.makeKey(["text", "mount_view"]);
    await using holder = await people.holder(key);
    await holder.page.goto(PATH);
    await holder.page.waitForURL("**/admin/text-management");
    expect(await holder.page.getByRole("link", { name: "Mounts" }).count()).toBe(0);
  });

  test("ask before Back throws away what was filled in", async () => {
    await using admin = await journey.admin();
    const { page } = admin;
    await page.goto("/admin/account");
    await page.getByRole("link", { name: "Storages" }).click();
    await page.getByRole("link", { name: "Mounts" }).click();
    await page.getByRole("button", { name: "Add mount" }).click();
    const form = page.getByRole("dialog", { name: "Add mount" });
    await form.getByLabel("Name", { exact: true }).fill("Half");
    const question = page.getByRole("dialog", { name: "Discard your changes?" });
    await page.evaluate(() => history.back());
    await seen(question);
    expect(new URL(page.url()).pathname).toBe(PATH);
    await question.getByRole("button", { name: "Keep editing" }).click();
    await gone(question);
    expect(await form.getByLabel("Name", { exact: true }).inputValue()).toBe("Half");
    // Several pages at once, as the list of a held Back button goes.
    await page.evaluate(() => history.go(-2));
    await seen(question);
    expect(new URL(page.url()).pathname).toBe(PATH);
    await question.getByRole("button", { name: "Discard" }).click();
    await page.waitForURL("**/admin/account");
    await page.goForward();
    await page.waitForURL("**/admin/storage-config");
  });

  test("let Back go where nothing would be lost", async () => {
    await using admin = await journey.admin();
    const { page } = admin;
    await page.goto("/admin/storage-config");
    await page.getByRole("link", { name: "Mounts" }).click();
    await page.getByRole("button", { name: "Add mount" }).click();
    await page.getByLabel("Name", { exact: true }).fill("x");
    await page.getByLabel("Name", { exact: true }).fill("");
    await page.goBack();
    await page.waitForURL("**/admin/storage-config");
    await gone(page.getByRole("dialog"));
  });

  test("fit on a phone, and their form too", async () => {
    await using admin = await journey.admin({ locale: "zh-CN", width: 390, height: 844, theme: "dark" });
    const { page } = admin;
    await page.goto(PATH);
    await page.getByRole("button", { name: zh.add }).click();
    const form = page.getByRole("dialog", { name: zh.form.addTitle });
    await form.getByLabel(zh.form.proxy).check();
    await form.getByLabel(zh.form.sign).check();
    await form.getByRole("button", { name: "保存" }).click();
    await seen(form.getByText(zh.problem.name));
    expect(await overhang(page)).toBe(0);
    await screenshot(page, "mounts-form-phone-dark-zh");
  });

  test("say on a phone what was removed where the header does not hide it", async () => {
    const [drive] = await listed();
    const settings = { storage_type: "S3", storage_config_id: drive?.storage_config_id };
    for (const name of ["One", "Two", "Three"])
      await journey.call("POST", "/api/admin/mounts", {
        ...settings,
        name,
        mount_path: `/phone/${name}`,
        sort_order: 99,
      });
    await using admin = await journey.admin({ width: 390, height: 844 });
    const { page } = admin;
    await page.goto(PATH);
    await card(page, "Three").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    const notice = page.getByRole("status").filter({ hasText: "“Three” was deleted." });
    await seen(notice);
    await page.waitForFunction(
      (shown) => {
        const { x, y } = (shown as HTMLElement).getBoundingClientRect();
        return shown?.contains(document.elementFromPoint(x + 20, y + 4));
      },
      await notice.elementHandle(),
    );
  });
});
