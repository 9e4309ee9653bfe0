import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import type { LinkRecord } from "#contract/links";
import { admin as zhWords } from "../../../web/i18n/zh/admin.ts";
import { findings } from "../../support/browser/axe.ts";
import { screenshot } from "../../support/browser/chromium.ts";
import { gone, overhang, seen, startJourney, until } from "../../support/browser/journey.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

/** What owners see of who has used their texts, files and links. */

const journey = await startJourney();
const seeds = treeSeeds(journey);
const phone = { width: 390, height: 844 } as const;

const fetched = (path: string, agent: string) =>
  fetch(`${journey.server.address}${path}`, { headers: { "user-agent": agent } });

/** Opens the sheet of the row whose name this is. */
async function openSheet(page: Page, path: string, name: string): Promise<Locator> {
  await page.goto(path);
  await page.getByRole("button", { name }).first().click();
  const sheet = page.getByRole("dialog");
  await seen(sheet);
  return sheet;
}

const inView = (sheet: Locator, title: string) =>
  sheet.getByRole("heading", { name: title, exact: true }).scrollIntoViewIfNeeded();

test("a text tells who has opened it and who was refused, and its log can be saved", async () => {
  const remark = `Minutes ${crypto.randomUUID()}`;
  const { slug } = await journey.share({ content: "hello", remark, password: "open sesame" });
  await fetched(`/api/raw/${slug}?password=wrong`, "Wget/1.21");
  await fetched(`/api/raw/${slug}?password=open+sesame`, "curl/8.5.0");
  await using owner = await journey.admin({ width: 1280, height: 900 });
  const { page } = owner;
  const sheet = await openSheet(page, "/admin/text-management", remark);
  await seen(sheet.getByText("The last 30 days: 1 opening · 1 refusal"));
  await seen(sheet.getByText("Refused · wrong password"));
  await seen(sheet.getByText(/127\.0\.0\.0\/24 · curl · 5 B/));
  await inView(sheet, "Activity");
  await screenshot(page, "activity-text-desk-en");
  expect(await findings(page)).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    sheet.getByRole("button", { name: "Download CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${slug}-log.csv`);
  const text = await Bun.file(await download.path()).text();
  expect(text).toContain("refused,password,,127.0.0.0/24,Wget,,1");
});

test("a link tells what was downloaded by its name, on a phone, in Chinese and in the dark", async () => {
  await seeds.text("/drive/log/行程 plan.txt", "第一天：出发。");
  const title = `旅行 ${crypto.randomUUID()}`;
  const body = { items: ["/drive/log/"], title };
  const { data: link } = await journey.call<{ data: LinkRecord }>("POST", "/api/links", body);
  const open = await fetch(`${journey.server.address}/api/public/links/${link.slug}/open`, {
    method: "POST",
    body: "{}",
  });
  const { data } = (await open.json()) as { data: { grant: string } };
  const path = encodeURIComponent("/log/行程 plan.txt");
  await (
    await fetch(`${journey.server.address}/api/fs/download?path=${path}`, {
      headers: { authorization: `Link ${data.grant}`, "user-agent": "rclone/v1.65.0" },
    })
  ).text();
  const logged = () => journey.call<{ data: { entries: unknown[] } }>("GET", `/api/links/${link.id}/log`);
  await until(logged, ({ data: { entries } }) => entries.length === 2);
  await using owner = await journey.admin({ ...phone, locale: "zh-CN", theme: "dark" });
  const { page } = owner;
  const sheet = await openSheet(page, "/admin/link-management", title);
  const { activity } = zhWords;
  await seen(sheet.getByText("行程 plan.txt"));
  await seen(sheet.getByText(/127\.0\.0\.0\/24 · rclone · 21/));
  await inView(sheet, activity.title);
  await screenshot(page, "activity-link-phone-zh-dark");
  await sheet.getByText(/^记录保留 90 天/).scrollIntoViewIfNeeded();
  await screenshot(page, "activity-link-end-phone-zh-dark");
  expect(await overhang(page)).toBe(0);
  expect(await findings(page)).toEqual([]);
});

test("a file that nobody has opened says so", async () => {
  const name = `quiet ${crypto.randomUUID()}.txt`;
  await journey.shareFile(new File(["quiet"], name));
  await using owner = await journey.admin({ ...phone });
  const { page } = owner;
  const sheet = await openSheet(page, "/admin/file-management", name);
  await seen(sheet.getByText("Nobody has opened it yet."));
  await inView(sheet, "Activity");
  await screenshot(page, "activity-empty-phone-en");
});

test("the administrator turns the log off, and deletes what is in it", async () => {
  const remark = `Quiet ${crypto.randomUUID()}`;
  const { slug } = await journey.share({ content: "hello", remark });
  await fetched(`/api/raw/${slug}`, "curl/8.5.0");
  await journey.call("PUT", "/api/admin/settings/group/1", { activity_log: "true" });
  await using owner = await journey.admin({ width: 1280, height: 900, locale: "zh-CN" });
  const { page } = owner;
  await page.goto("/admin/settings/global");
  const words = zhWords.settings.activity;
  await page.getByRole("checkbox", { name: words.on }).uncheck();
  await page.getByText(words.title, { exact: true }).scrollIntoViewIfNeeded();
  await screenshot(page, "activity-settings-desk-zh");
  await page.getByRole("button", { name: "保存", exact: true }).click();
  await until(
    () => journey.call<{ data: { is_on: boolean } }>("GET", `/api/pastes/${slug}/log`),
    ({ data }) => !data.is_on,
  );
  await page.getByRole("button", { name: words.clear }).click();
  const dialog = page.getByRole("dialog");
  await seen(dialog.getByText(words.clearText));
  await dialog.getByRole("button", { name: words.clear }).click();
  await gone(dialog);
  await seen(page.getByText(/^已删除 \d+ 条记录。$/));
  const sheet = await openSheet(page, "/admin/text-management", remark);
  await seen(sheet.getByText(zhWords.activity.off));
  await inView(sheet, zhWords.activity.title);
  await screenshot(page, "activity-off-desk-zh");
  await journey.call("PUT", "/api/admin/settings/group/1", { activity_log: "true" });
});
