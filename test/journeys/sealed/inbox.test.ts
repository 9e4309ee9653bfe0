import { describe, expect, test } from "bun:test";
import { Decrypter } from "age-encryption";
import type { Page } from "playwright-core";
import type { LinkRecord, NewLink } from "#contract/links";
import { link as en } from "../../../web/i18n/en/link.ts";
import { link as zh } from "../../../web/i18n/zh/link.ts";
import { newIdentity, recipientOf } from "../../../web/sealed/locks.ts";
import { findings } from "../../support/browser/axe.ts";
import { screenshot } from "../../support/browser/chromium.ts";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { overhang, seen, startJourney, until } from "../../support/browser/journey.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

/** Somebody collects files that the server cannot read: pages seal them, and age opens them. */

const journey = await startJourney();
const seeds = treeSeeds(journey);

/** A link that collects files into a folder of its own. */
async function made(part: Partial<NewLink> = {}) {
  const folder = `/drive/inbox ${crypto.randomUUID()}`;
  await seeds.text(`${folder}/there.txt`);
  const body = { items: [`${folder}/`], rights: ["upload"], ...part };
  const { data } = await journey.call<{ data: LinkRecord }>("POST", "/api/links", body);
  return { folder, slug: data.slug };
}

async function send(page: Page, button: string, name: string, content: Buffer): Promise<void> {
  const chosen = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: button, exact: true }).click();
  await (await chosen).setFiles([{ name, mimeType: "text/plain", buffer: content }]);
}

/** What age's own library makes of a file of the tree. */
async function openedByAge(path: string, identity: string): Promise<Buffer> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return Buffer.from(await decrypter.decrypt(await seeds.contentOf(path)));
}

const locales = {
  "en-US": { say: en, collect: "Collect files", arrived: "1 file has arrived" },
  "zh-CN": { say: zh, collect: "收集文件", arrived: "1 个文件已送达" },
} as const;

describe.each(["en-US", "zh-CN"] as const)("on a phone, in %s", (locale) => {
  const { say, collect, arrived } = locales[locale];
  const phone = { width: 390, height: 844, locale };

  test("a key is made and kept, the link names it, and what comes is sealed for it", async () => {
    const folder = `sealed ${crypto.randomUUID()}`;
    await seeds.text(`/drive/${folder}/there.txt`);
    await using owner = await journey.admin(phone);
    const { page } = owner;
    const explorer = explorerPage(page);
    await explorer.open("/drive");
    await explorer.menu(folder, collect);
    const dialog = page.getByRole("dialog", { name: say.form.inbound });
    await dialog.getByRole("button", { name: say.form.create }).click();
    await dialog.getByLabel(say.sealed.switch).check();
    await dialog.getByLabel(say.sealed.own).fill("age1nothing");
    await seen(dialog.getByText(say.sealed.ownWrong));
    await dialog.getByRole("button", { name: say.sealed.make }).click();
    const secret = (await dialog.locator("[data-secret]").textContent()) ?? "";
    expect(secret).toMatch(/^AGE-SECRET-KEY-1\w{58}$/);
    await dialog.getByLabel(say.sealed.back).fill(`${secret.slice(0, -1)}1`);
    await seen(dialog.getByText(say.sealed.backWrong));
    // As it is, it would seal nothing: nobody can take it along.
    const open = dialog.getByRole("link", { name: say.result.open });
    await seen(dialog.getByText(say.sealed.pending));
    expect(await open.count()).toBe(0);
    await screenshot(page, `sealed-inbox-key-${locale}`);
    expect(await findings(page)).toEqual([]);
    await dialog.getByLabel(say.sealed.back).fill(secret);
    await seen(dialog.getByText(say.sealed.ready));
    const address = (await open.getAttribute("href")) ?? "";
    expect(address.endsWith(`#${await recipientOf(secret)}`)).toBe(true);
    await seen(dialog.getByText(say.result.copied));
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
    expect(await dialog.textContent()).not.toContain(secret);
    const command = (await dialog.getByText(/^age -r age1/).textContent()) ?? "";
    const letters = await dialog.locator("[data-compared]").textContent();
    await screenshot(page, `sealed-inbox-made-${locale}`);
    expect(await findings(page)).toEqual([]);
    expect(await overhang(page)).toBe(0);

    await using sender = await journey.visitor(phone);
    const sent: string[] = [];
    sender.context.on("request", (request) => {
      sent.push(request.url(), request.postDataBuffer()?.toString("latin1") ?? "");
    });
    await sender.page.goto(address);
    await seen(sender.page.getByText(say.sealed.title));
    expect(await sender.page.locator("[data-compared]").textContent()).toBe(letters);
    await sender.page.getByLabel(say.page.sender).fill("Ann");
    const marker = `otter-${crypto.randomUUID()}`;
    await send(sender.page, say.page.choose, "plan.txt", Buffer.from(marker.repeat(3000)));
    await seen(sender.page.getByText(arrived));
    await screenshot(sender.page, `sealed-inbox-sent-${locale}`);
    expect(await findings(sender.page)).toEqual([]);
    expect(await overhang(sender.page)).toBe(0);
    expect(sent.join("\n")).not.toContain(marker);
    expect(sent.join("\n")).not.toContain("age1");
    const [from = ""] = (await seeds.names(`/drive/${folder}`)).filter((name) => name !== "there.txt");
    expect(await seeds.names(`/drive/${folder}/${from}`)).toEqual(["plan.txt.age"]);
    const plain = await openedByAge(`/drive/${folder}/${from}/plan.txt.age`, secret);
    expect(plain.toString()).toBe(marker.repeat(3000));

    // test/clients/sealed-docs.test.ts runs such a line.
    expect(command).toStartWith(
      `age -r ${await recipientOf(secret)} FILE | curl -T - -H 'X-Share-Sender: NAME' '${journey.server.address}/in/`,
    );
  });

  test("a link whose key is damaged or missing sends nothing", async () => {
    const recipient = await recipientOf(await newIdentity());
    const { slug } = await made({ recipient });
    await using bare = await journey.visitor(phone);
    await bare.page.goto(`/in/${slug}`);
    await seen(bare.page.getByText(say.sealed.missing));
    expect(await bare.page.getByRole("button", { name: say.page.choose }).count()).toBe(0);
    for (const fragment of [recipient.slice(0, -1), "age1", "x", `${recipient}%20`]) {
      await using sender = await journey.visitor(phone);
      await sender.page.goto(`/in/${slug}#${fragment}`);
      await seen(sender.page.getByText(say.sealed.broken));
      expect(await sender.page.getByRole("button", { name: say.page.choose }).count()).toBe(0);
    }
    await using sender = await journey.visitor(phone);
    await sender.page.goto(`/in/${slug}#x`);
    await seen(sender.page.getByText(say.sealed.broken));
    await screenshot(sender.page, `sealed-inbox-broken-${locale}`);
    // Nothing is taken by a drop either.
    await sender.page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(["x"], "x.txt"));
      const init = { bubbles: true, cancelable: true, dataTransfer: data };
      for (const type of ["dragenter", "dragover", "drop"]) document.body.dispatchEvent(new DragEvent(type, init));
    });
    await sender.page.goto(`/in/${slug}#${recipient}`);
    await seen(sender.page.getByText(say.sealed.title));
    await seen(sender.page.getByRole("button", { name: say.page.choose }));
    expect(await sender.page.locator("li[data-state]").count()).toBe(0);
  });
});

test("a file in several parts is sealed for a key of one's own", async () => {
  const identity = await newIdentity();
  const { slug, folder } = await made();
  await using sender = await journey.visitor();
  const { page } = sender;
  await page.goto(`/in/${slug}#${await recipientOf(identity)}`);
  await seen(page.getByText(en.sealed.title));
  const content = Buffer.alloc(30 * 1024 * 1024, "what nobody else reads. ");
  await send(page, en.page.choose, "large.bin", content);
  await seen(page.getByText("1 file has arrived"));
  await until(
    () => seeds.names(folder),
    (names) => names.includes("large.bin.age"),
  );
  expect(Bun.hash(await openedByAge(`${folder}/large.bin.age`, identity))).toBe(Bun.hash(content));
});
