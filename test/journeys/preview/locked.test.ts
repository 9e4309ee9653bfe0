import { describe, expect, test } from "bun:test";
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from "@zip.js/zip.js";
import { gone, seen, startJourney } from "../../support/browser/journey.ts";
import { makeLockedPdf } from "../../support/files/pdf.ts";
import { makeZip } from "../../support/files/zip.ts";

/** Files that open with a password of their own, and what can be done with archives. */

const journey = await startJourney();

test("a PDF asks for its password until it is right", async () => {
  const { url } = await journey.shareFile(new File([makeLockedPdf("Between us.", "sesame")], "locked.pdf"));
  await using visit = await journey.visitor();
  const { page } = visit;
  await page.goto(url);
  const password = page.getByLabel("Password", { exact: true });
  await password.fill("sesam");
  await page.keyboard.press("Enter");
  await seen(page.getByText("Wrong password."));
  await password.fill("sesame");
  await page.keyboard.press("Enter");
  await seen(page.getByText("Between us."));
});

async function makeLockedZip(name: string, text: string, zipCrypto: boolean): Promise<Uint8Array<ArrayBuffer>> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false });
  const content = new Uint8ArrayReader(new TextEncoder().encode(text));
  await writer.add(name, content, { password: "sesame", zipCrypto, encryptionStrength: 3 });
  return (await writer.close()) as Uint8Array<ArrayBuffer>;
}

describe("a file of a locked archive", () => {
  test.each([
    ["AES", false],
    ["ZipCrypto", true],
  ] as const)("comes out with the password (%s)", async (kind, zipCrypto) => {
    const zip = await makeLockedZip("secret.txt", "Between us.", zipCrypto);
    const { url } = await journey.shareFile(new File([zip], `${kind}.zip`));
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto(url);
    await page.getByRole("button", { name: "Extract secret.txt" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox").fill("sesam");
    await page.keyboard.press("Enter");
    await seen(dialog.getByText("Wrong password", { exact: false }));
    await dialog.getByRole("textbox").fill("sesame");
    const [taken] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
    expect(taken.suggestedFilename()).toBe("secret.txt");
    expect(await Bun.file(await taken.path()).text()).toBe("Between us.");
    await gone(dialog);
  });
});

test("odd names in an archive are seen as they are, and come out as names of files", async () => {
  const odd = {
    "../../outside.txt": ["..", "..", "outside.txt"],
    "C:\\Windows\\deep.txt": ["C:", "Windows", "deep.txt"],
    "exe.\u202etxt.exe": undefined,
    "line\nbreak.txt": undefined,
    [`${"very long ".repeat(24)}name.txt`]: undefined,
    "<img src=x onerror=alert(1)>.txt": undefined,
    "表情 🎉.txt": ["表情 🎉.txt"],
  };
  const names = Object.keys(odd);
  const zip = makeZip(Object.fromEntries(names.map((name) => [name, `in ${name}`])));
  const { url } = await journey.shareFile(new File([zip], "odd.zip"));
  await using visit = await journey.visitor({ width: 390, height: 844 });
  const { page } = visit;
  await page.goto(url);
  const rows = page.getByRole("list", { name: /odd\.zip/ }).getByRole("listitem");
  await seen(rows.nth(6));
  expect(await rows.count()).toBe(7);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await page.locator("main").textContent()).not.toContain("\u202e");
  expect(await page.locator("main li img").count()).toBe(0);
  const take = async (index: number) => {
    const press = rows.nth(index).getByRole("button", { name: /^Extract / });
    const [taken] = await Promise.all([page.waitForEvent("download"), press.click()]);
    const kept = taken.suggestedFilename();
    expect(kept).not.toMatch(/[\\/\n\u202e]/);
    return { kept, text: await Bun.file(await taken.path()).text() };
  };
  const texts: string[] = [];
  // Two of them are folders, which stand first.
  for (let index = 2; index < 7; index += 1) texts.push((await take(index)).text);
  for (const [name, way] of Object.entries(odd)) {
    if (!way || way.length === 1) continue;
    for (const folder of way.slice(0, -1)) await rows.getByTitle(folder, { exact: true }).click();
    const { kept, text } = await take(0);
    expect(kept).toBe(way.at(-1) ?? "");
    texts.push(text);
    await page.goBack();
    await page.goBack();
    await seen(rows.nth(6));
    expect(texts).toContain(`in ${name}`);
  }
  expect(texts.sort()).toEqual(names.map((name) => `in ${name}`).sort());
});

test("a single file is taken out of an archive, by ranges", async () => {
  const big = crypto.getRandomValues(Buffer.alloc(60_000));
  const blocks = Array.from({ length: 40 }, (_, index) => [
    `block ${index}`,
    Buffer.concat([big, Buffer.from([index])]),
  ]);
  const zip = makeZip({ "inner/hello.txt": "Hello from the archive.", ...Object.fromEntries(blocks) });
  const { url } = await journey.shareFile(new File([zip], "blocks.zip"));
  await using visit = await journey.visitor();
  const { page } = visit;
  await page.goto(url);
  await page.getByRole("button", { name: /^inner/ }).click();
  const [taken] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Extract hello.txt" }).click(),
  ]);
  expect(taken.suggestedFilename()).toBe("hello.txt");
  expect(await Bun.file(await taken.path()).text()).toBe("Hello from the archive.");
});

test("names in an archive that does not say their encoding are read in the likely one", async () => {
  const name = new Uint8Array(Buffer.from("d5e2cac7d2bbb8f6b2e2cad4cec4bcfe2e747874", "hex"));
  const { url } = await journey.shareFile(new File([makeZip([[name, "x"]])], "names.zip"));
  await using visit = await journey.visitor();
  await visit.page.goto(url);
  await seen(visit.page.getByText("这是一个测试文件.txt"));
});
