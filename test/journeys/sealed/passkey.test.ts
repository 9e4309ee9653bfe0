import { expect, test } from "bun:test";
import type { CDPSession, Page } from "playwright-core";
import type { LinkRecord } from "#contract/links";
import type { SealedKey } from "#contract/sealed-keys";
import { link as en } from "../../../web/i18n/en/link.ts";
import { sealed } from "../../../web/i18n/en/sealed.ts";
import { newIdentity, recipientOf } from "../../../web/sealed/locks.ts";
import { findings } from "../../support/browser/axe.ts";
import { screenshot } from "../../support/browser/chromium.ts";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { gone, overhang, seen, startJourney, until } from "../../support/browser/journey.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

/** A passkey opens what was sealed for its owner; the browser's own pretended one answers here. */

const journey = await startJourney();
const seeds = treeSeeds(journey);
const say = en.sealed.passkey;

const keptKeys = async () => (await journey.call<{ data: { keys: SealedKey[] } }>("GET", "/api/sealed-keys")).data.keys;
const linksAt = async (folder: string) =>
  (await journey.call<{ data: { links: LinkRecord[] } }>("GET", `/api/links?path=${encodeURIComponent(folder)}`)).data
    .links;

/** Gives a page a place where passkeys are. */
async function withPasskeys(page: Page, hasPrf = true) {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", ctap2Version: "ctap2_1", transport: "internal", hasPrf },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  return {
    lose: () => session.send("WebAuthn.clearCredentials", { authenticatorId }),
    count: async () => (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length,
  };
}

/** Begins to collect files into a new folder, sealed; answers the dialog. */
async function collecting(page: Page) {
  const folder = `passkey ${crypto.randomUUID()}`;
  await seeds.text(`/drive/${folder}/there.txt`);
  const explorer = explorerPage(page);
  await explorer.open("/drive");
  await explorer.menu(folder, "Collect files");
  const dialog = page.getByRole("dialog", { name: en.form.inbound });
  await dialog.getByRole("button", { name: en.form.create }).click();
  await dialog.getByLabel(en.sealed.switch).check();
  const address = async () =>
    (await dialog.getByRole("link", { name: en.result.open }).getAttribute("href")) ?? "no address";
  return { folder: `/drive/${folder}`, dialog, address };
}

type Dialog = Awaited<ReturnType<typeof collecting>>["dialog"];

async function makeKey(dialog: Dialog): Promise<string> {
  await dialog.getByRole("button", { name: en.sealed.make }).click();
  const secret = (await dialog.locator("[data-secret]").textContent()) ?? "";
  await dialog.getByLabel(en.sealed.back).fill(secret);
  await seen(dialog.getByText(en.sealed.ready));
  return secret;
}

async function send(address: string, name: string, content: string): Promise<void> {
  await using sender = await journey.visitor();
  await sender.page.goto(address);
  await sender.page.getByLabel(en.page.sender).fill("Ann");
  const chosen = sender.page.waitForEvent("filechooser");
  await sender.page.getByRole("button", { name: en.page.choose, exact: true }).click();
  await (await chosen).setFiles([{ name, mimeType: "text/plain", buffer: Buffer.from(content) }]);
  await seen(sender.page.getByText("1 file has arrived"));
}

/** The one folder of a sender, where each has their own. */
const arrivedIn = async (folder: string): Promise<string> =>
  `${folder}/${(await seeds.names(folder)).find((name) => name !== "there.txt")}`;

for (const [width, theme] of [
  [390, "light"],
  [1280, "dark"],
] as const) {
  test(`one touch opens what has come, and seals the next link, ${width} pixels wide`, async () => {
    for (const { id } of await keptKeys()) await journey.call("DELETE", `/api/sealed-keys/${id}`);
    await using owner = await journey.admin({ width, height: 844, theme });
    const { page } = owner;
    const passkeys = await withPasskeys(page);
    const first = await collecting(page);
    const secret = await makeKey(first.dialog);
    const recipient = await recipientOf(secret);
    const letters = await first.dialog.locator("[data-compared]").textContent();
    await screenshot(page, `passkey-offer-${width}`);
    await first.dialog.getByRole("button", { name: say.add }).click();
    await seen(first.dialog.getByText(say.kept));
    await screenshot(page, `passkey-kept-${width}`);
    expect(await findings(page)).toEqual([]);
    expect(await passkeys.count()).toBe(1);
    const kept = await keptKeys();
    expect(kept).toMatchObject([{ recipient }]);
    expect(JSON.stringify(kept)).not.toContain(secret);
    expect(Buffer.from(kept[0]?.sealed ?? "", "base64").toString("latin1")).not.toContain("AGE-SECRET-KEY");

    // The link as any list shows it seals.
    const [link] = await linksAt(`${first.folder}/`);
    expect(link?.recipient).toBe(recipient);
    await page.goto("/admin/link-management");
    await seen(page.locator(`a[href$="/in/${link?.slug}#${recipient}"]`).first());
    await page.getByRole("button", { name: first.folder.replace("/drive/", ""), exact: true }).click();
    expect(await page.getByRole("dialog").locator("[data-compared]").textContent()).toBe(letters);
    await send(`/in/${link?.slug}#${recipient}`, "plan.txt", "for your eyes only");

    const place = await arrivedIn(first.folder);
    await page.goto(`/mount-explorer${place}/plan.txt.age`);
    const use = page.getByRole("button", { name: say.use });
    await seen(use);
    await screenshot(page, `passkey-open-${width}`);
    expect(await findings(page)).toEqual([]);
    expect(await overhang(page)).toBe(0);
    await use.click();
    await seen(page.getByText("for your eyes only"));

    // A key of the server's own in place of the owner's is noticed.
    const other = await recipientOf(await newIdentity());
    await journey.call("PUT", `/api/links/${link?.id}`, { recipient: other });
    await page.reload();
    await use.click();
    await seen(page.getByText(/seals for a different key/));
    await screenshot(page, `passkey-swapped-${width}`);

    const next = await collecting(page);
    await seen(next.dialog.getByRole("button", { name: say.use }));
    await screenshot(page, `passkey-next-${width}`);
    expect(await findings(page)).toEqual([]);
    await next.dialog.getByRole("button", { name: say.use }).click();
    await seen(next.dialog.getByText(en.sealed.ready));
    expect((await next.address()).endsWith(`#${recipient}`)).toBe(true);
    expect(await passkeys.count()).toBe(1);

    // Who has lost the passkey has the key itself.
    await passkeys.lose();
    await page.goto(`/mount-explorer${place}/plan.txt.age`);
    await use.click();
    await seen(page.getByText(say.cancelled));
    await screenshot(page, `passkey-lost-${width}`);
    await page.getByLabel(sealed.inTree.label).fill(secret);
    await page.keyboard.press("Enter");
    await seen(page.getByText("for your eyes only"));
  });
}

test("a key that the server has put in the place of another is refused, and one that does not fit says so", async () => {
  for (const { id } of await keptKeys()) await journey.call("DELETE", `/api/sealed-keys/${id}`);
  await using owner = await journey.admin();
  const { page } = owner;
  await withPasskeys(page);
  const { dialog, folder, address } = await collecting(page);
  await makeKey(dialog);
  await dialog.getByRole("button", { name: say.add }).click();
  await seen(dialog.getByText(say.kept));
  const stranger = await recipientOf(await newIdentity());
  await send((await address()).replace(/#.*/, `#${stranger}`), "a.txt", "for somebody else");
  await page.goto(`/mount-explorer${await arrivedIn(folder)}/a.txt.age`);
  const use = page.getByRole("button", { name: say.use });
  await use.click();
  await seen(page.getByText(sealed.inTree.passkeyWrong));

  const [kept] = await keptKeys();
  await journey.call("POST", "/api/sealed-keys", { ...kept, recipient: stranger });
  await journey.call("DELETE", `/api/sealed-keys/${kept?.id}`);
  await page.reload();
  await use.click();
  await seen(page.getByText(say.swapped));

  const next = await collecting(page);
  await next.dialog.getByRole("button", { name: say.use }).click();
  await seen(next.dialog.getByText(say.swapped));
  expect((await linksAt(`${next.folder}/`)).map(({ recipient }) => recipient)).toEqual([null]);
  await next.dialog.getByRole("button", { name: /^Delete the key/ }).click();
  await page.getByRole("dialog", { name: say.deleteTitle }).getByRole("button", { name: say.delete }).click();
  await gone(next.dialog.getByRole("button", { name: say.use }));
  expect(await keptKeys()).toEqual([]);
});

test("where passkeys do not encrypt the key itself is what opens", async () => {
  await using owner = await journey.admin();
  const { page } = owner;
  await withPasskeys(page, false);
  const { dialog } = await collecting(page);
  await makeKey(dialog);
  await dialog.getByRole("button", { name: say.add }).click();
  await seen(dialog.getByText(say.unable));
  await screenshot(page, "passkey-unable");
  await using bare = await journey.admin();
  await bare.page.addInitScript(() => Reflect.deleteProperty(globalThis, "PublicKeyCredential"));
  const without = await collecting(bare.page);
  await makeKey(without.dialog);
  await seen(without.dialog.getByText(say.none));
  await until(keptKeys, (keys) => keys.length === 0);
});
