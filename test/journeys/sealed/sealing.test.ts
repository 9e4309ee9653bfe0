import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Decrypter } from "age-encryption";
import type { Page } from "playwright-core";
import type { SealedNames } from "../../../web/sealed/names.ts";
import { openNames } from "../../../web/sealed/names.ts";
import type { Visit } from "../../support/browser/chromium.ts";
import { screenshot } from "../../support/browser/chromium.ts";
import { gone, overhang, seen, startJourney, throttle, until } from "../../support/browser/journey.ts";
import { peopleOf } from "../../support/browser/people.ts";
import { readZip } from "../../support/files/read-zip.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** Texts and files are sealed in the page; what the server has of them is opened with age of Debian, which knows nothing of Satchel. */

const journey = await startJourney();
const MiB = 1024 * 1024;

const words = {
  "en-US": {
    sealed: "Sealed",
    together: "All in one link",
    create: "Create link",
    upload: "Upload",
    uploadTwo: "Upload 2 files",
    result: "Your link",
    password: /^Password:/,
    random: "Generate",
    field: "Password",
    done: "Done",
    means: /the server cannot/,
  },
  "zh-CN": {
    sealed: "端到端加密",
    together: "合成一个链接",
    create: "创建链接",
    upload: "上传",
    uploadTwo: "上传 2 个文件",
    result: "你的链接",
    password: /^访问密码/,
    random: "随机生成",
    field: "密码",
    done: "好",
    means: /服务器打不开/,
  },
} as const;

/** What somebody wants to keep to themselves: nothing of the server may have it anywhere. */
const secretWord = () => `otter-${crypto.randomUUID()}`;

/** All that the pages of a visit have sent: addresses, headers, and the bodies of calls. */
function film({ context }: Visit): () => string {
  const sent: string[] = [];
  context.on("request", (request) => {
    sent.push(request.url(), JSON.stringify(request.headers()), request.postDataBuffer()?.toString("latin1") ?? "");
  });
  return () => sent.join("\n");
}

/** Where a text stands in the data folder of the server or in what it has written. */
async function placesOf(word: string): Promise<string[]> {
  const { dataDir, stdout, stderr } = journey.server;
  const needle = Buffer.from(word);
  const files = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const holding = files
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      const bytes = Buffer.from(await Bun.file(path).arrayBuffer());
      return path.includes(word) || bytes.includes(needle) ? [path] : [];
    });
  const log = `${stdout()}${stderr()}`.includes(word) ? ["the log"] : [];
  return [...(await Promise.all(holding)).flat(), ...log];
}

interface Link {
  readonly slug: string;
  readonly key: string;
  readonly url: string;
}

function linkFrom(text: string): Link {
  const url = new URL(text);
  expect(url.pathname).toMatch(/^\/s\/[\w-]+$/);
  return { slug: url.pathname.slice(3), key: url.hash.slice(1), url: text };
}

const resultOf = (page: Page, name: string) => page.getByRole("region", { name });

async function linkShown(page: Page, name: string): Promise<Link> {
  const result = resultOf(page, name);
  await seen(result);
  return linkFrom((await result.getByRole("link").first().getAttribute("href")) ?? "");
}

/** The bytes that curl gets. */
async function curled({ slug }: Link): Promise<Buffer> {
  const response = await fetch(`${journey.server.address}/s/${slug}?raw`, { headers: { "user-agent": "curl/8" } });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

/** What age's own library makes of it; test/clients/sealed.test.ts has Debian's program open what pages seal. */
async function opened(link: Link, password?: string): Promise<Buffer> {
  const decrypter = new Decrypter();
  if (password === undefined) decrypter.addIdentity(link.key);
  else decrypter.addPassphrase(password);
  return Buffer.from(await decrypter.decrypt(await curled(link)));
}

/** The sealed names that the server hands to whoever opens the page. */
async function namesOf(link: Link, password?: string): Promise<SealedNames> {
  const answer = await fetch(`${journey.server.address}/api/public/files/${link.slug}`);
  const { data } = (await answer.json()) as { data: { sealed: string; filename: string } };
  expect(data.filename).toBe("sealed.age");
  return openNames(data.sealed, password === undefined ? { identity: link.key } : { password });
}

const type = async (page: Page, text: string) => {
  await page.locator("[contenteditable=true]").click();
  await page.keyboard.insertText(text);
};

const choose = (page: Page, ...files: { name: string; mimeType: string; buffer: Buffer }[]) =>
  page.locator('input[type="file"]').setInputFiles(files);

const fileOf = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });

async function turnOn(page: Page, name: string): Promise<void> {
  const toggle = page.getByRole("switch", { name });
  await seen(toggle);
  if ((await toggle.getAttribute("aria-checked")) === "false") await toggle.click();
  await seen(page.getByRole("switch", { name, checked: true }));
}

const row = (page: Page, name: string) => page.locator("li[data-state=completed]").filter({ hasText: name });

describe.each(["en-US", "zh-CN"] as const)("on a phone, in %s", (locale) => {
  const say = words[locale];
  const phone = { width: 390, height: 844, locale };

  test("a text is sealed: age opens it, and the server has nothing of it", async () => {
    const word = secretWord();
    await using visit = await journey.admin(phone);
    const { page } = visit;
    const sent = film(visit);
    await page.goto("/");
    await turnOn(page, say.sealed);
    await seen(page.getByText(say.means));
    await type(page, `# Title ${word}\n\nThe content of ${word}.`);
    await page.getByRole("button", { name: say.create }).click();
    const link = await linkShown(page, say.result);
    await screenshot(page, `sealed-text-${locale}`);
    expect(link.key).toMatch(/^AGE-SECRET-KEY-1\w{58}$/);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link.url);
    expect(await overhang(page)).toBeLessThanOrEqual(0);
    expect((await opened(link)).toString()).toBe(`# Title ${word}\n\nThe content of ${word}.`);
    expect(await namesOf(link)).toMatchObject({ name: `Title ${word}.md`, type: "text/markdown", kind: "text" });
    for (const secret of [word, link.key]) {
      expect(sent()).not.toContain(secret);
      expect(await placesOf(secret)).toEqual([]);
    }
    const stored = await page.evaluate(() =>
      JSON.stringify({ ...localStorage, ...sessionStorage, state: history.state }),
    );
    for (const secret of [word, link.key, link.slug]) expect(stored).not.toContain(secret);
    // The switch is remembered, the link is not.
    await page.reload();
    await seen(page.getByRole("switch", { name: say.sealed, checked: true }));
    expect(await page.getByText(link.slug).count()).toBe(0);
  });

  test("two files are sealed apart, each with a key of its own", async () => {
    const word = secretWord();
    await using visit = await journey.admin(phone);
    const { page } = visit;
    const sent = film(visit);
    await page.goto("/upload");
    await turnOn(page, say.sealed);
    await choose(page, fileOf(`one ${word}.txt`, `first ${word}`), fileOf(`two ${word}.txt`, `second ${word}`));
    await page.getByRole("button", { name: say.uploadTwo }).click();
    const links: Link[] = [];
    for (const [name, text] of [
      [`one ${word}.txt`, `first ${word}`],
      [`two ${word}.txt`, `second ${word}`],
    ] as const) {
      await seen(row(page, name));
      const link = linkFrom((await row(page, name).getByRole("link").first().getAttribute("href")) ?? "");
      expect((await opened(link)).toString()).toBe(text);
      expect(await namesOf(link)).toMatchObject({ name, type: "text/plain", kind: "file", size: text.length });
      links.push(link);
    }
    await screenshot(page, `sealed-apart-${locale}`);
    expect(links[0]?.key).not.toBe(links[1]?.key);
    for (const secret of [word, ...links.map(({ key }) => key)]) {
      expect(sent()).not.toContain(secret);
      expect(await placesOf(secret)).toEqual([]);
    }
  });

  test("two files become one link, which is a sealed zip", async () => {
    const word = secretWord();
    await using visit = await journey.admin(phone);
    const { page } = visit;
    await page.goto("/upload");
    await turnOn(page, say.sealed);
    await choose(page, fileOf(`one ${word}.txt`, `first ${word}`), fileOf("empty.txt", ""));
    await turnOn(page, say.together);
    await screenshot(page, `sealed-together-${locale}`);
    await page.getByRole("button", { name: say.uploadTwo }).click();
    const link = await linkShown(page, say.result);
    const entries = readZip(await opened(link));
    expect(entries.map(({ name, content }) => [name, Buffer.from(content).toString()])).toEqual([
      [`one ${word}.txt`, `first ${word}`],
      ["empty.txt", ""],
    ]);
    expect(await namesOf(link)).toMatchObject({ type: "application/zip", kind: "files" });
    for (const secret of [word, link.key]) expect(await placesOf(secret)).toEqual([]);
  });

  test("with a password the link has no key", async () => {
    const word = secretWord();
    await using visit = await journey.admin(phone);
    const { page } = visit;
    const sent = film(visit);
    await page.goto("/");
    await turnOn(page, say.sealed);
    await page.getByRole("button", { name: say.password }).click();
    await page.getByRole("textbox", { name: say.field }).fill("too short");
    await seen(page.getByRole("alert"));
    await page.getByRole("button", { name: say.random }).click();
    const password = await page.getByRole("textbox", { name: say.field }).inputValue();
    expect(password).toMatch(/^[a-z2-9]{20}$/);
    await screenshot(page, `sealed-password-${locale}`);
    await page.getByRole("button", { name: say.done }).click();
    await type(page, `Only with a password: ${word}`);
    await page.getByRole("button", { name: say.create }).click();
    const link = await linkShown(page, say.result);
    expect(link.url).not.toContain("#");
    expect((await opened(link, password)).toString()).toBe(`Only with a password: ${word}`);
    expect(await namesOf(link, password)).toMatchObject({ kind: "text" });
    for (const secret of [word, password]) {
      expect(sent()).not.toContain(secret);
      expect(await placesOf(secret)).toEqual([]);
    }
  });
});

test("visitors seal where they may upload, and their server never sees what", async () => {
  const word = secretWord();
  await using _key = await peopleOf(journey).visitorsMay("text", "file_share");
  await using visit = await journey.visitor();
  const { page } = visit;
  const sent = film(visit);
  await page.goto("/");
  await turnOn(page, "Sealed");
  await type(page, `From a visitor: ${word}`);
  await page.getByRole("button", { name: "Create link" }).click();
  const link = await linkShown(page, "Your link");
  expect((await opened(link)).toString()).toBe(`From a visitor: ${word}`);
  for (const secret of [word, link.key]) {
    expect(sent()).not.toContain(secret);
    expect(await placesOf(secret)).toEqual([]);
  }
});

test("40 MB are sealed in parts, paused, and go on after a reload under the same key", async () => {
  using folder = temporaryFolder();
  const bytes = Buffer.allocUnsafe(40 * MiB);
  for (let start = 0; start < bytes.length; start += 65_536)
    crypto.getRandomValues(bytes.subarray(start, start + 65_536));
  const path = join(folder.path, "forty.bin");
  await Bun.write(path, bytes);
  await using visit = await journey.admin();
  const { page } = visit;
  page.on("dialog", (dialog) => dialog.accept());
  const parts: number[] = [];
  page.on("response", (response) => {
    const number = new URL(response.url()).searchParams.get("partNumber");
    if (number && response.request().method() === "PUT" && response.ok()) parts.push(Number(number));
  });
  await page.goto("/upload");
  await turnOn(page, "Sealed");
  await throttle(visit, 20 * MiB);
  await page.locator('input[type="file"]').setInputFiles(path);
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  const count = async (least: number) =>
    until(
      () => parts.length,
      (number) => number >= least,
    );
  await count(2);
  await page.getByRole("button", { name: "Pause: forty.bin" }).click();
  await seen(page.locator("li[data-state=paused]"));
  const before = parts.length;
  await page.getByRole("button", { name: "Resume: forty.bin" }).click();
  await count(before + 1);
  await page.reload();
  const arrived = parts.splice(0);
  await seen(page.getByText("“forty.bin” was not finished last time"));
  await throttle(visit, -1);
  await page.locator('input[type="file"]').setInputFiles(path);
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  const link = await linkShown(page, "Your link");
  expect((await opened(link)).equals(bytes)).toBe(true);
  expect(parts.filter((number) => arrived.includes(number))).toEqual([]);
  expect(arrived.length + parts.length).toBeLessThanOrEqual(9);
  // The key is kept no longer than it takes.
  await page.reload();
  const kept = await page.evaluate(async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name ?? "");
    const all: unknown[] = [];
    for (const name of names) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const asked = indexedDB.open(name);
        asked.onsuccess = () => resolve(asked.result);
        asked.onerror = () => reject(asked.error);
      });
      for (const store of database.objectStoreNames) {
        const asked = database.transaction(store).objectStore(store).getAll();
        await new Promise((resolve) => asked.addEventListener("success", resolve));
        all.push(asked.result);
      }
      database.close();
    }
    return JSON.stringify(all);
  });
  expect(kept).not.toContain(link.key);
  await gone(page.getByText("was not finished last time"));
});
