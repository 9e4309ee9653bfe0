import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { StorageConfig } from "#contract/storage";
import { storage as zh } from "../../../web/i18n/zh/storage.ts";
import { gone, overhang, seen, startJourney } from "../../support/browser/journey.ts";

const journey = await startJourney();
const PATH = "/admin/storage-config";
/** Nothing answers there. */
const NOWHERE = "http://127.0.0.1:1";
const elsewhere = {
  provider_type: "MinIO",
  endpoint_url: NOWHERE,
  bucket_name: "files",
  access_key_id: "AKIAEXAMPLE",
  secret_access_key: "not-so-secret",
  path_style: true,
};

const add = (fields: object) => journey.call("POST", "/api/s3-configs", { ...elsewhere, ...fields });
const listed = async () => (await journey.call<{ data: StorageConfig[] }>("GET", "/api/s3-configs")).data;
const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

async function open(name?: string) {
  const visit = await journey.admin();
  await visit.page.goto(PATH);
  await seen(card(visit.page, name ?? "Built-in storage"));
  return visit;
}

describe("the storages of an installation", () => {
  test("begin with the built-in one, in which everything works", async () => {
    await using admin = await open();
    const { page } = admin;
    const disk = card(page, "Built-in storage");
    await seen(disk.getByText("Default", { exact: true }));
    await seen(disk.getByText("objects/drive"));
    await disk.getByRole("button", { name: "Test" }).click();
    const report = page.getByRole("dialog", { name: "Test of “Built-in storage”" });
    await seen(report.getByText("Everything works."));
    expect(await report.getByText("Failed", { exact: true }).count()).toBe(0);
    expect(await report.getByRole("listitem").count()).toBe(13);
  });

  test("get another one, which is tested at once and whose report says what to do", async () => {
    await using admin = await open();
    const { page } = admin;
    await page.getByRole("button", { name: "Add storage" }).click();
    const form = page.getByRole("dialog", { name: "Add storage" });
    await form.getByText("MinIO", { exact: true }).click();
    await form.getByLabel("Name", { exact: true }).fill("Nowhere");
    await form.getByLabel("Bucket", { exact: true }).fill("files");
    await form.getByLabel("Endpoint").fill(NOWHERE);
    await form.getByLabel("Access key ID").fill("AKIAEXAMPLE");
    await form.getByLabel("Secret access key").fill("not-so-secret");
    await page.keyboard.press("Enter");
    await gone(form);
    const added = card(page, "Nowhere");
    await seen(added.getByText("0 B of 5 GB used"));
    await added.getByRole("button", { name: "Test now" }).click();
    const report = page.getByRole("dialog", { name: "Test of “Nowhere”" });
    await seen(report.getByRole("alert").getByText(/Write/));
    const write = report.getByRole("listitem").first();
    await seen(write.getByText("Failed", { exact: true }));
    await seen(write.getByText(/Check the endpoint/));
    await report.getByRole("button", { name: "Copy report" }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`MinIO · ${NOWHERE} · files`);
    expect(copied).not.toContain("not-so-secret");
    await page.keyboard.press("Escape");
    await gone(report);
    expect(await page.content()).not.toContain("not-so-secret");
  });

  test("are changed, and what was not touched stays", async () => {
    await add({ name: "To change", default_folder: "shares" });
    await using admin = await open("To change");
    const { page } = admin;
    await card(page, "To change").getByRole("button", { name: "Edit" }).click();
    const form = page.getByRole("dialog", { name: "Edit storage" });
    await form.getByLabel("Name", { exact: true }).fill("Changed");
    await form.getByLabel("Capacity", { exact: true }).fill("1.5");
    await form.getByText("TB", { exact: true }).click();
    await form.getByLabel("Bucket", { exact: true }).fill("a/b");
    await form.getByRole("button", { name: "Save" }).click();
    await seen(form.getByText(/^A bucket name has letters/));
    await form.getByLabel("Bucket", { exact: true }).fill("other-files");
    await form.getByRole("button", { name: "Save" }).click();
    await gone(form);
    await seen(card(page, "Changed").getByText("0 B of 1.5 TB used"));
    const after = (await listed()).find(({ name }) => name === "Changed");
    expect(after).toMatchObject({ bucket_name: "other-files", default_folder: "shares/", access_key_id: "AKIA..." });
  });

  test("ask before a half-filled form is left by a link", async () => {
    await using admin = await open();
    const { page } = admin;
    await page.getByRole("button", { name: "Add storage" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Half");
    await page.keyboard.press("Escape");
    const question = page.getByRole("dialog", { name: /^Discard/ });
    await question.getByRole("button", { name: "Keep editing" }).click();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Half");
  });

  test("have one default, which uploads go to", async () => {
    await journey.call("POST", "/api/s3-configs", {
      name: "Second disk",
      provider_type: "Built-in disk",
      bucket_name: "second",
    });
    await using admin = await open("Second disk");
    const { page } = admin;
    await card(page, "Second disk").getByRole("button", { name: "Make default" }).click();
    await seen(card(page, "Second disk").getByText("Default", { exact: true }));
    expect(await page.getByText("Default", { exact: true }).count()).toBe(1);
    await journey.shareFile(new File(["x"], "to-second.txt"));
    await page.reload();
    await seen(card(page, "Second disk").getByText("1 B used, no limit"));

    await card(page, "Second disk").getByRole("button", { name: "Delete" }).click();
    const answer = page.getByRole("dialog", { name: "“Second disk” is in use" });
    await seen(answer.getByText("1 shared file"));
    expect(await answer.getByRole("link", { name: "Manage files" }).count()).toBe(1);
    await page.keyboard.press("Escape");
    await card(page, "Built-in storage").getByRole("button", { name: "Make default" }).click();
    await seen(card(page, "Built-in storage").getByText("Default", { exact: true }));
  });

  test("go when nothing uses them", async () => {
    await add({ name: "Unused" });
    await using admin = await open("Unused");
    const { page } = admin;
    await card(page, "Unused").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await seen(page.getByText("“Unused” was deleted."));
    await gone(card(page, "Unused"));
    expect((await listed()).map(({ name }) => name)).not.toContain("Unused");
  });
});

test("the form and the report fit a phone, in Chinese and in the dark", async () => {
  const name = `Phone ${"Longunbrokenword".repeat(4)}`;
  await add({ name, endpoint_url: `http://${"very-long-label.".repeat(8)}invalid:9000` });
  await using admin = await journey.admin({ width: 390, height: 844, locale: "zh-CN", theme: "dark" });
  const { page } = admin;
  await page.goto(PATH);
  await page.getByRole("button", { name: zh.add }).tap();
  await page.getByRole("dialog").getByText("MinIO", { exact: true }).tap();
  expect(await overhang(page)).toBe(0);
  const scroller = page.getByRole("dialog").locator("form");
  expect(await scroller.evaluate((form) => form.scrollWidth - form.clientWidth)).toBe(0);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "放弃" }).tap();
  await card(page, name).getByRole("button", { name: zh.card.test, exact: true }).tap();
  const report = page.getByRole("dialog");
  await seen(report.getByText(zh.report.connection));
  expect(await overhang(page)).toBe(0);
  expect(await report.evaluate((sheet) => sheet.scrollWidth - sheet.clientWidth)).toBe(0);
});
