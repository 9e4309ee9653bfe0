import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { LinkRecord, NewLink } from "#contract/links";
import { link as zhLink } from "../../../web/i18n/zh/link.ts";
import { findings } from "../../support/browser/axe.ts";
import { screenshot } from "../../support/browser/chromium.ts";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { gone, overhang, seen, startJourney, until } from "../../support/browser/journey.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

const journey = await startJourney();
const seeds = treeSeeds(journey);
const phone = { width: 390, height: 844 } as const;

const drawing = (colour: string) =>
  new TextEncoder().encode(
    `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="400" height="300" fill="${colour}"/></svg>`,
  );

await seeds.file("/drive/trip/海边.svg", drawing("#0e7490"), "image/svg+xml");
await seeds.file("/drive/trip/山上.svg", drawing("#15803d"), "image/svg+xml");
await seeds.text("/drive/trip/行程 plan.txt", "第一天：出发。");
await seeds.text("/drive/trip/收集/说明.txt", "把照片放在这里。");

const made = async (part: Partial<NewLink>): Promise<LinkRecord> => {
  const items = ["/drive/trip/海边.svg", "/drive/trip/行程 plan.txt", "/drive/trip/收集/"];
  return (await journey.call<{ data: LinkRecord }>("POST", "/api/links", { items, ...part })).data;
};

/** The bytes that a press makes the browser download, and what it calls them. */
async function downloaded(page: Page, press: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: download.suggestedFilename(), bytes: await Bun.file(await download.path()).bytes() };
}

describe("a link to several things", () => {
  test("is made of what is chosen, and its receiver looks, takes one, takes all and adds something", async () => {
    await using owner = await journey.admin();
    const { page } = owner;
    const explorer = explorerPage(page);
    await explorer.open("/drive/trip");
    await explorer.choose("海边.svg");
    await explorer.choose("行程 plan.txt", "Control");
    await explorer.choose("收集", "Control");
    await explorer.command("Share").click();
    const dialog = page.getByRole("dialog", { name: "Create a link" });
    await dialog.getByLabel("Title", { exact: true }).fill("七月的旅行");
    await dialog.getByLabel("Note", { exact: true }).fill("**照片**和行程都在这里。\n\n把你拍的也放进“收集”。");
    await dialog.getByRole("switch", { name: /^Upload/ }).check();
    await screenshot(page, "link-new-desk-en");
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Create link" }).click();
    await seen(dialog.getByText(/^Link created/));
    const connect = dialog.getByText("Use it in a terminal or another program");
    await connect.click();
    await seen(dialog.getByText(/^curl http\S+\/s\/\S+$/));
    await dialog.getByRole("radio", { name: "WebDAV" }).check();
    await dialog.getByRole("button", { name: "Copy: Address" }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${journey.server.address}/dav/`);
    expect(await findings(page)).toEqual([]);
    await screenshot(page, "link-made-desk-en");
    await connect.click();
    const address = await dialog.getByRole("link", { name: "Open" }).getAttribute("href");
    expect(address).toContain("/s/");
    await dialog.getByRole("button", { name: "Done" }).click();
    await gone(dialog);

    await using receiver = await journey.visitor({ ...phone, locale: "zh-CN" });
    const received = receiver.page;
    const shared = explorerPage(received);
    await received.goto(address ?? "");
    await seen(received.getByRole("heading", { name: "七月的旅行" }));
    await seen(received.locator("strong").filter({ hasText: "照片" }));
    await shared.shows(["收集", "海边.svg", "行程 plan.txt"]);
    expect(await overhang(received)).toBe(0);
    expect(await findings(received)).toEqual([]);
    await screenshot(received, "link-list-phone-zh");
    for (const command of ["重命名", "删除", "分享", "移动到…"]) expect(await shared.command(command).count()).toBe(0);

    await shared.row("海边.svg").tap();
    await seen(received.getByRole("img", { name: "海边.svg" }));
    await screenshot(received, "link-picture-phone-zh");
    const one = await downloaded(received, () => received.getByRole("button", { name: "下载", exact: true }).tap());
    expect([one.name, Buffer.from(one.bytes).includes("#0e7490")]).toEqual(["海边.svg", true]);
    await received.getByRole("button", { name: "返回文件夹" }).tap();

    const all = await downloaded(received, () => shared.command("全部下载").tap());
    expect(all.name).toEndWith(".zip");
    for (const name of ["海边.svg", "行程 plan.txt", "收集/说明.txt"])
      expect(Buffer.from(all.bytes).includes(name)).toBe(true);

    await shared.row("收集").tap();
    await shared.shows(["说明.txt"]);
    const [chooser] = await Promise.all([received.waitForEvent("filechooser"), shared.command("上传").tap()]);
    await chooser.setFiles({ name: "我的.txt", mimeType: "text/plain", buffer: Buffer.from("我也拍了。") });
    await shared.shows(["说明.txt", "我的.txt"]);
    await screenshot(received, "link-uploaded-phone-zh");
    expect(await overhang(received)).toBe(0);

    await explorer.open("/drive/trip/收集");
    await seen(explorer.row("我的.txt"));
  });

  test("of one file shows that file, and of one folder what is in it", async () => {
    const file = await made({ items: ["/drive/trip/行程 plan.txt"] });
    const folder = await made({ items: ["/drive/trip/收集/"], title: "收集" });
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto(`/s/${file.slug}`);
    await seen(page.getByText("第一天：出发。"));
    expect(await page.getByRole("button", { name: "Back to the folder" }).count()).toBe(0);
    await screenshot(page, "link-single-desk-en");
    await page.goto(`/s/${folder.slug}`);
    await seen(explorerPage(page).row("说明.txt"));
  });

  test("brings nothing of the admin area along, and tells no program that draws previews what it leads to", async () => {
    const { slug } = await made({ title: "Only for you" });
    await using visit = await journey.visitor();
    const { page } = visit;
    const scripts: Promise<string>[] = [];
    page.on("response", (response) => {
      if (response.request().resourceType() === "script") scripts.push(response.text());
    });
    await page.goto(`/s/${slug}`);
    await seen(explorerPage(page).row("收集"));
    const code = (await Promise.all(scripts)).join("\n");
    expect(code).toContain("link.page.untitled");
    expect(code).not.toContain("admin.files.");
    const answer = await fetch(`${journey.server.address}/s/${slug}`, { headers: { "accept-language": "en" } });
    const html = await answer.text();
    expect(answer.headers.get("x-robots-tag")).toBe("noindex");
    expect(html).toContain('<meta property="og:title" content="A link to shared files">');
    expect(html).not.toContain("Only for you");
  });

  test("whose things are gone says so", async () => {
    const path = `/drive/gone ${crypto.randomUUID()}.txt`;
    await seeds.text(path);
    const { slug } = await made({ items: [path] });
    await journey.call("DELETE", "/api/fs/batch-remove", { paths: [path] });
    await using visit = await journey.visitor({ ...phone, locale: "zh-CN" });
    await visit.page.goto(`/s/${slug}`);
    await seen(visit.page.getByText(zhLink.page.emptyTitle));
  });

  test("that lets nobody download shows no way to it", async () => {
    const { slug } = await made({ rights: ["view"] });
    await using visit = await journey.visitor();
    const { page } = visit;
    const shared = explorerPage(page);
    await page.goto(`/s/${slug}`);
    await shared.row("行程 plan.txt").dblclick();
    await seen(page.getByText("第一天：出发。"));
    expect(await page.getByRole("button", { name: /^Download/ }).count()).toBe(0);
    await page.getByRole("button", { name: "Back to the folder" }).click();
    await seen(shared.row("行程 plan.txt"));
    expect(await page.getByRole("button", { name: /^Download/ }).count()).toBe(0);
  });

  test("that only takes files shows none", async () => {
    const { slug } = await made({ items: ["/drive/trip/收集/"], rights: ["upload"], title: "交作业" });
    await using visit = await journey.visitor({ ...phone, locale: "zh-CN" });
    const { page } = visit;
    await page.goto(`/s/${slug}`);
    await seen(page.getByText(zhLink.page.touchTitle));
    expect(await page.getByText("说明.txt").count()).toBe(0);
    const name = `作业 ${crypto.randomUUID()}.txt`;
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: zhLink.page.choose }).tap(),
    ]);
    await chooser.setFiles({ name, mimeType: "text/plain", buffer: Buffer.from("写完了。") });
    await seen(page.getByText("1 个文件已送达"));
    await screenshot(page, "link-drop-phone-zh");
    expect(await overhang(page)).toBe(0);
    const path = encodeURIComponent("/drive/trip/收集");
    const { data } = await journey.call<{ data: { items: { name: string }[] } }>("GET", `/api/fs/list?path=${path}`);
    expect(data.items.map((item) => item.name)).toContain(name);
  });

  test("asks before an opening is spent, lets a reload go on, and says when none is left", async () => {
    const { slug } = await made({ max_opens: 1 });
    await using first = await journey.visitor();
    const { page } = first;
    await page.goto(`/s/${slug}`);
    await page.getByRole("button", { name: "Open · opens once" }).click();
    await seen(explorerPage(page).row("收集"));
    await page.reload();
    await seen(explorerPage(page).row("收集"));
    await using late = await journey.visitor({ ...phone, locale: "zh-CN" });
    await late.page.goto(`/s/${slug}`);
    await seen(late.page.getByRole("heading", { name: "这个分享已失效" }));
    await screenshot(late.page, "link-spent-phone-zh");
  });

  test("with a password asks for it", async () => {
    const { slug } = await made({ password: "开门" });
    await using visit = await journey.visitor({ ...phone, locale: "zh-CN" });
    const { page } = visit;
    await page.goto(`/s/${slug}`);
    await page.getByLabel("密码", { exact: true }).fill("关门");
    await page.getByRole("button", { name: "打开", exact: true }).tap();
    await seen(page.getByText("密码不对，请再试一次。"));
    await page.getByLabel("密码", { exact: true }).fill("开门");
    await page.getByRole("button", { name: "打开", exact: true }).tap();
    await seen(explorerPage(page).row("收集"));
  });

  test("that is revoked while somebody looks says so, and opens for nobody", async () => {
    const { slug, id } = await made({ label: `给小王 ${crypto.randomUUID()}` });
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto(`/s/${slug}`);
    await seen(explorerPage(page).row("收集"));
    await journey.call("PUT", `/api/links/${id}`, { is_active: false });
    const ended = seen(page.getByRole("heading", { name: "This visit has ended" }));
    // The page may hear of it before somebody presses, and the row is gone then.
    const pressed = explorerPage(page).row("收集").dblclick();
    await Promise.race([pressed.catch(() => undefined), ended]);
    await ended;
    await page.getByRole("button", { name: "Open again" }).click();
    await seen(page.getByRole("heading", { name: "This share is gone" }));
  });
});

describe("a link to texts", () => {
  test("is made of those that are ticked in their list, and its receiver reads and downloads them", async () => {
    const remark = `计划 ${crypto.randomUUID()}`;
    await journey.share({ content: "# 第一天\n\n出发。", remark });
    await using owner = await journey.admin();
    const { page } = owner;
    await page.goto("/admin/text-management");
    await page.getByRole("checkbox", { name: `Select ${remark}` }).check();
    await screenshot(page, "link-texts-bar-desk-en");
    await page.getByRole("button", { name: "Create a link" }).click();
    const dialog = page.getByRole("dialog", { name: "Create a link" });
    await seen(dialog.getByText(remark));
    expect(await findings(page)).toEqual([]);
    await screenshot(page, "link-texts-new-desk-en");
    await dialog.getByRole("button", { name: "Create link" }).click();
    const address = await dialog.getByRole("link", { name: "Open" }).getAttribute("href");

    await using receiver = await journey.visitor({ ...phone, locale: "zh-CN" });
    const received = receiver.page;
    await received.goto(address ?? "");
    await seen(received.getByRole("heading", { name: "第一天" }));
    expect(await overhang(received)).toBe(0);
    await screenshot(received, "link-text-phone-zh");
    const one = await downloaded(received, () => received.getByRole("button", { name: "下载", exact: true }).tap());
    expect([one.name, Buffer.from(one.bytes).toString()]).toEqual([`${remark}.md`, "# 第一天\n\n出发。"]);
  });
});

describe("the owner of links", () => {
  test("finds those of a folder in its details, revokes one and takes that back", async () => {
    const label = `给妈妈 ${crypto.randomUUID()}`;
    const { slug } = await made({ label });
    await using owner = await journey.admin();
    const { page } = owner;
    const explorer = explorerPage(page);
    await explorer.open("/drive/trip");
    await explorer.menu("收集", "Details");
    const row = page.getByRole("listitem").filter({ hasText: label });
    await seen(row.getByText("Active"));
    await screenshot(page, "link-details-desk-en");
    await row.getByRole("button", { name: `Revoke ${label}` }).click();
    await seen(row.getByText("Paused"));
    expect((await fetch(`${journey.server.address}/api/public/links/${slug}`)).status).toBe(410);
    await row.getByRole("button", { name: `Restore ${label}` }).click();
    await seen(row.getByText("Active"));
    expect((await fetch(`${journey.server.address}/api/public/links/${slug}`)).status).toBe(200);
  });

  test("lists, changes, pauses and deletes them in the admin area", async () => {
    const title = `合同 ${crypto.randomUUID()}`;
    await made({ title, expires_at: "2999-01-01T00:00:00.000Z" });
    await using owner = await journey.admin();
    const { page } = owner;
    await page.goto("/admin/link-management");
    await page.getByRole("searchbox", { name: /^Search/ }).fill(title);
    const row = page.getByRole("row").filter({ hasText: title });
    await seen(row);
    // The list of before is gone, which is shown faded while the next one is on its way.
    await until(
      () => page.getByRole("row").count(),
      (count) => count === 2,
    );
    expect(await findings(page)).toEqual([]);
    await screenshot(page, "link-manage-desk-en");
    await row.getByRole("button", { name: "Edit" }).click();
    const form = page.getByRole("dialog", { name: "Edit the link" });
    await form.getByText("More options").click();
    await form.getByLabel("Label", { exact: true }).fill(`律师 ${title}`);
    await screenshot(page, "link-edit-desk-en");
    await form.getByRole("button", { name: "Save" }).click();
    await gone(form);
    const renamed = page.getByRole("row").filter({ hasText: `律师 ${title}` });
    await seen(renamed);
    await renamed.getByRole("button", { name: /^More for/ }).click();
    await page.getByRole("menuitem", { name: "Pause" }).click();
    await seen(renamed.getByText("Paused"));
    await renamed.getByRole("button", { name: /^More for/ }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await gone(renamed);
  });
});
