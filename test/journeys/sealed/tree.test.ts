import { expect, test } from "bun:test";
import { Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { gone, PIXEL, seen, startJourney, until } from "../../support/browser/journey.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

/** Sealed files that lie in the tree, as senders leave them there. */

const journey = await startJourney();
const seeds = treeSeeds(journey);
const identity = await generateX25519Identity();

async function sealed(content: Uint8Array | string): Promise<Uint8Array<ArrayBuffer>> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(await identityToRecipient(identity));
  return new Uint8Array(await encrypter.encrypt(content));
}

await seeds.folder("/drive/inbox");
await seeds.file("/drive/inbox/a.txt.age", await sealed("for your eyes only"));
await seeds.file("/drive/inbox/b.png.age", await sealed(new Uint8Array(PIXEL)));

test("are opened with their key, which is kept for a while, and forgotten when that is wanted", async () => {
  await using visit = await journey.admin({ width: 390, height: 844, worker: true });
  const { page } = visit;
  await page.goto("/mount-explorer/drive/inbox/a.txt.age");
  const field = page.getByLabel("Key or password");
  await field.fill(await generateX25519Identity());
  await page.keyboard.press("Enter");
  await seen(page.getByText("This key does not open it."));
  // As it comes from a message that has broken it into two lines.
  await field.fill(`${identity.slice(0, 40)} ${identity.slice(40)}`);
  await page.keyboard.press("Enter");
  await seen(page.getByText("for your eyes only"));
  await seen(page.getByRole("link", { name: "Download a.txt", exact: true }));
  // The worker serves what is opened from now on.
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.keyboard.press("ArrowRight");
  await page.waitForURL(/b\.png\.age/);
  const picture = page.locator("article img");
  await picture.evaluate((image: HTMLImageElement) => image.decode());
  const address = (await page.getByRole("link", { name: "Download b.png", exact: true }).getAttribute("href")) ?? "";
  const statusOf = () => page.evaluate(async (url) => (await fetch(url)).status, address);
  expect(await statusOf()).toBe(200);
  await page.getByRole("button", { name: "Forget the key" }).click();
  await gone(picture);
  // The worker has forgotten it too, and this page does not tell it anew.
  expect(await statusOf()).toBe(404);
  // The browser itself writes of it, and late.
  const [refusal] = await until(
    async () => visit.problems.splice(0),
    (problems) => problems.length > 0,
  );
  expect(refusal).toContain(address);
  await seen(field);
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]));
  expect(kept).not.toContain("AGE-SECRET-KEY");
});

test("say what they are in Chinese", async () => {
  await using visit = await journey.admin({ locale: "zh-CN" });
  await visit.page.goto("/mount-explorer/drive/inbox/a.txt.age");
  await seen(visit.page.getByRole("heading", { name: "这是加密文件" }));
});
