import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { LinkRecord, NewLink } from "#contract/links";
import { link as zhLink } from "../../../web/i18n/zh/link.ts";
import { findings } from "../../support/browser/axe.ts";
import { screenshot } from "../../support/browser/chromium.ts";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { gone, overhang, seen, startJourney, until } from "../../support/browser/journey.ts";
import { shiftsOf, watchShifts } from "../../support/browser/layout-shifts.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

/** Somebody asks others for files, and they send them without an account. */

const journey = await startJourney();
const seeds = treeSeeds(journey);
const phone = { width: 390, height: 844 } as const;

const made = async (folder: string, part: Partial<NewLink>): Promise<LinkRecord> => {
  const path = `/drive/${folder} ${crypto.randomUUID()}/`;
  await seeds.text(`${path}说明.txt`);
  const body = { items: [path], rights: ["upload"], ...part };
  return (await journey.call<{ data: LinkRecord }>("POST", "/api/links", body)).data;
};

async function choose(page: Page, name: string, ...files: { name: string; text: string }[]) {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name, exact: true }).click(),
  ]);
  await chooser.setFiles(
    files.map((file) => ({ name: file.name, mimeType: "text/plain", buffer: Buffer.from(file.text) })),
  );
}

describe("a link that collects files", () => {
  test("is made after it was said what it opens, and copied", async () => {
    const folder = `Abgaben ${crypto.randomUUID()}`;
    await seeds.text(`/drive/${folder}/there.txt`);
    await using owner = await journey.admin({ width: 1280, height: 900 });
    const { page } = owner;
    const explorer = explorerPage(page);
    await explorer.open("/drive");
    await explorer.menu(folder, "Collect files");
    const dialog = page.getByRole("dialog", { name: "Collect files" });
    await seen(dialog.getByText(`Anyone with the link can send files into “${folder}”`, { exact: false }));
    await screenshot(page, "inbound-question-desk-en");
    await page.keyboard.press("Enter");
    await seen(dialog.getByText(/^Link created/));
    await seen(dialog.getByText("A folder for each sender"));
    await screenshot(page, "inbound-collect-desk-en");
    expect(await findings(page)).toEqual([]);
    const address = (await dialog.getByRole("link", { name: "Open" }).getAttribute("href")) ?? "";
    const slug = address.split("/").at(-1) ?? "";
    const { data } = await journey.call<{ data: { links: LinkRecord[] } }>("GET", `/api/links?search=${slug}`);
    expect(data.links).toMatchObject([{ rights: ["upload"], ask_name: true, sender_folders: true, state: "active" }]);
    expect(data.links[0]?.expires_at).not.toBeNull();

    await using sender = await journey.visitor({ ...phone });
    await sender.page.goto(address);
    await sender.page.getByLabel("Your name").fill("Ann");
    const [chooser] = await Promise.all([
      sender.page.waitForEvent("filechooser"),
      sender.page.getByRole("button", { name: "Take a photo or video" }).click(),
    ]);
    const field = chooser.element();
    expect(await field.getAttribute("capture")).toBe("environment");
    expect(await field.getAttribute("accept")).toBe("image/*,video/*");
    await chooser.setFiles([{ name: "image.jpg", mimeType: "image/jpeg", buffer: Buffer.from("jpeg") }]);
    await seen(sender.page.getByText("1 file has arrived"));

    // Files that come before there is a name lead to its place.
    await using hasty = await journey.visitor();
    await hasty.page.goto(address);
    await seen(hasty.page.getByRole("button", { name: "Choose files" }));
    await hasty.page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["x"], "early.txt"));
      for (const type of ["dragover", "drop"])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    });
    const name = hasty.page.getByRole("textbox", { name: "Your name" });
    await until(
      () => name.getAttribute("aria-invalid"),
      (invalid) => invalid === "true",
    );
    expect(await name.evaluate((field) => field === document.activeElement)).toBe(true);
    await gone(hasty.page.getByText("You cannot upload here."));

    // Who sits before a computer has no camera in the hand.
    await using desk = await journey.visitor();
    await desk.page.goto(address);
    await seen(desk.page.getByRole("button", { name: "Choose files" }));
    expect(await desk.page.getByRole("button", { name: "Take a photo or video" }).count()).toBe(0);
    expect(await sender.page.content()).not.toContain(folder);
    expect(await overhang(sender.page)).toBe(0);
    await screenshot(sender.page, "inbound-camera-phone-en");
  });

  test("has a note that moves nothing when it is drawn", async () => {
    // As short as one that is shown whole, and taller as Markdown.
    const note = "# Welcome\n\nPlease send **originals**.";
    const { slug } = await made("note", { note });
    await using visit = await journey.visitor({ ...phone });
    await watchShifts(visit);
    await visit.page.goto(`/in/${slug}`);
    await seen(visit.page.getByRole("button", { name: "Choose files" }));
    await seen(visit.page.locator("section strong", { hasText: "originals" }));
    expect(await shiftsOf(visit.page)).toEqual([]);
    await screenshot(visit.page, "inbound-note-phone-en");
    const { slug: shown } = await made("note", { note, rights: ["view", "download"] });
    await using looker = await journey.visitor({ width: 1280, height: 900 });
    await watchShifts(looker);
    await looker.page.goto(`/s/${shown}`);
    await seen(looker.page.getByText("说明.txt").first());
    await seen(looker.page.locator("section strong", { hasText: "originals" }));
    expect(await shiftsOf(looker.page)).toEqual([]);
  });

  test("is made in the dialog, with what it takes and asks, and counts what comes", async () => {
    const folder = `收作业 ${crypto.randomUUID()}`;
    await seeds.text(`/drive/${folder}/说明.txt`);
    await using owner = await journey.admin({ width: 1280, height: 900 });
    const { page } = owner;
    const explorer = explorerPage(page);
    await explorer.open("/drive");
    await explorer.choose(folder);
    await explorer.command("Share").click();
    const dialog = page.getByRole("dialog", { name: "Create a link" });
    expect(await dialog.getByRole("group", { name: "Collect files" }).count()).toBe(0);
    await dialog.getByRole("switch", { name: /^Upload/ }).check();
    await dialog.getByRole("switch", { name: /^View/ }).uncheck();
    await dialog.getByLabel("File limit", { exact: true }).fill("3");
    await dialog.getByLabel("Size limit per file (MB)").fill("a lot");
    await dialog.getByRole("button", { name: "Create link" }).click();
    await seen(dialog.getByText("Enter a number of MB."));
    await dialog.getByLabel("Size limit per file (MB)").fill("1.5");
    await dialog.getByLabel("Ask senders for their name").check();
    await dialog.getByLabel("Let senders leave a message").check();
    await screenshot(page, "inbound-new-desk-en");
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Create link" }).click();
    await seen(dialog.getByText(/^Link created/));
    const address = (await dialog.getByRole("link", { name: "Open" }).getAttribute("href")) ?? "";
    expect(address).toContain("/in/");
    await dialog.getByRole("button", { name: "Done" }).click();
    await gone(dialog);

    await using sender = await journey.visitor({ width: 1280, height: 900 });
    await sender.page.goto(address);
    await seen(sender.page.getByRole("heading", { name: "Send files" }));
    expect(await sender.page.getByRole("button", { name: "Choose files" }).isDisabled()).toBe(true);
    await sender.page.getByLabel("Your name").fill("Ann");
    await sender.page.getByLabel("Message").fill("Here is my homework.");
    await choose(
      sender.page,
      "Choose files",
      { name: "essay.txt", text: "essay" },
      { name: "notes.txt", text: "notes" },
    );
    await seen(sender.page.getByText("2 files have arrived"));
    await screenshot(sender.page, "inbound-sent-desk-en");
    expect(await findings(sender.page)).toEqual([]);

    await page.goto("/admin/link-management");
    const row = page.getByText("2 of 3 files received");
    await seen(row.first());
    await screenshot(page, "inbound-links-desk-en");
    await page
      .getByRole("button", { name: /^(More|Actions)/ })
      .first()
      .click();
    await page.getByRole("menuitem", { name: "Received files" }).click();
    const received = page.getByRole("dialog", { name: "Received files" });
    await seen(received.getByText("Here is my homework."));
    await seen(received.getByText("essay.txt"));
    await screenshot(page, "inbound-received-desk-en");
    expect(await findings(page)).toEqual([]);
  });

  test("tells a phone what it takes, numbers a name that is taken, and lets its sender take back", async () => {
    const title = "把照片发给我";
    const { slug } = await made("照片", {
      ...{ title, note: "**原图**就好。", max_files: 5, max_file_bytes: 10 * 1024 * 1024, kinds: [".txt", "image/*"] },
    });
    await using visit = await journey.visitor({ ...phone, locale: "zh-CN", theme: "dark" });
    const { page } = visit;
    // The other address of a link leads here.
    await page.goto(`/s/${slug}`);
    await page.waitForURL(`**/in/${slug}`);
    await seen(page.getByRole("heading", { name: title }));
    await seen(page.getByText("还可发送 5 个文件"));
    await seen(page.getByText("只收：.txt和图片"));
    // Nobody drags anything on a phone.
    await seen(page.getByText(zhLink.page.touchTitle));
    expect(await page.getByText(zhLink.page.dropTitle).count()).toBe(0);
    expect(await overhang(page)).toBe(0);
    await screenshot(page, "inbound-phone-zh-dark");
    expect(await findings(page)).toEqual([]);
    await choose(page, zhLink.page.choose, { name: "说明.txt", text: "mine" });
    const arrived = page.getByText("1 个文件已送达");
    await seen(arrived);
    // Whoever has sent it need not look for that.
    await until(() => arrived.evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight), Boolean);
    await seen(page.getByText("说明 (2).txt"));
    await seen(page.getByText("还可发送 4 个文件"));
    // What has arrived stands in the receipt alone.
    expect(await page.getByText(/^说明 \(2\)\.txt$/).count()).toBe(1);
    await seen(page.getByText(new Bun.CryptoHasher("sha256").update("mine").digest("hex")));
    expect(await overhang(page)).toBe(0);
    await screenshot(page, "inbound-sent-phone-zh-dark");
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: zhLink.page.takeBack, exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: zhLink.page.takeBack, exact: true }).click();
    await seen(page.getByText(zhLink.page.tookBack));
    expect(await page.getByText("说明.txt").count()).toBe(0);
    await seen(page.getByText("还可发送 5 个文件"));
    const { data } = await journey.call<{ data: { links: LinkRecord[] } }>("GET", `/api/links?search=${slug}`);
    expect(data.links[0]).toMatchObject({ files: 0, bytes: 0 });
  });

  test("still shows after a reload what has arrived, goes on under that receipt, and takes all of it back", async () => {
    const { id, slug } = await made("reload", { ask_name: true });
    await using visit = await journey.visitor({ ...phone });
    const { page } = visit;
    const receipts = async () =>
      (
        await journey.call<{ data: { receipts: { sender: string; files: { name: string }[] }[] } }>(
          "GET",
          `/api/links/${id}/receipts`,
        )
      ).data.receipts;
    await page.goto(`/in/${slug}`);
    await page.getByLabel("Your name").fill("Ann 安");
    await choose(page, "Choose files", { name: "a.txt", text: "a" });
    await seen(page.getByText("1 file has arrived"));
    await page.reload();
    await seen(page.getByText("1 file has arrived"));
    expect(await page.getByLabel("Your name").inputValue()).toBe("Ann 安");
    await choose(page, "Choose files", { name: "b.txt", text: "b" });
    await seen(page.getByText("2 files have arrived"));
    expect(await receipts()).toMatchObject([{ sender: "Ann 安", files: [{ name: "a.txt" }, { name: "b.txt" }] }]);
    await page.reload();
    await seen(page.getByText("2 files have arrived"));
    await page.getByRole("button", { name: "Take back", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Take back", exact: true }).click();
    await seen(page.getByText("Your files were taken back."));
    expect(await receipts()).toEqual([]);
    await page.reload();
    await page.getByLabel("Your name").fill("Ben");
    await choose(page, "Choose files", { name: "c.txt", text: "c" });
    await seen(page.getByText("1 file has arrived"));
    await page.getByRole("button", { name: "Send more" }).click();
    await page.reload();
    await seen(page.getByRole("button", { name: "Choose files" }));
    expect(await page.getByText(/arrived/).count()).toBe(0);
  });

  test("says what it does not take, and that it is full", async () => {
    const { slug } = await made("full", { max_files: 1, kinds: [".pdf"] });
    await using visit = await journey.visitor({ ...phone });
    const { page } = visit;
    await page.goto(`/in/${slug}`);
    await choose(page, "Choose files", { name: "a.exe", text: "x" });
    await seen(page.getByText("This link takes only these kinds of files: .pdf").first());
    await screenshot(page, "inbound-refused-phone-en");
    const put = await fetch(`${journey.server.address}/in/${slug}/a.pdf`, { method: "PUT", body: "x" });
    expect(put.status).toBe(201);
    await using late = await journey.visitor({ ...phone });
    await late.page.goto(`/in/${slug}`);
    await seen(late.page.getByText("This link accepts no more files."));
    await screenshot(late.page, "inbound-full-phone-en");
    await using admin = await journey.admin();
    await admin.page.goto("/admin/link-management");
    await seen(admin.page.getByRole("row").filter({ hasText: slug }).getByText("Full", { exact: true }));
  });

  test("spends no opening by a tab that is looked at again after its own has ended", async () => {
    const { id, slug } = await made("idle", { max_opens: 5 });
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto(`/in/${slug}`);
    await page.getByRole("button", { name: /^Open/ }).click();
    await choose(page, "Choose files", { name: "a.txt", text: "x" });
    await seen(page.getByText("1 file has arrived"));
    await journey.call("PUT", `/api/links/${id}`, { networks: ["0.0.0.0/0", "::/0"] });
    await page.evaluate(async () => {
      const now = Date.now;
      Date.now = () => now() + 600_000;
      window.dispatchEvent(new Event("visibilitychange"));
      await fetch("/api/health");
    });
    const { data } = await journey.call<{ data: LinkRecord }>("GET", `/api/links/${id}`);
    expect(data.opens).toBe(1);
  });
});
