import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { StorageConfig } from "#contract/storage";
import { gone, seen, startJourney, throttle, until } from "../../support/browser/journey.ts";
import { peopleOf, refusals } from "../../support/browser/people.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** What visitors and keys may do works, and nothing that they are offered is refused. */

const journey = await startJourney();
const { makeKey, removeKey, visitorsMay, holder } = peopleOf(journey);
const MiB = 1024 * 1024;

const editor = (page: Page) => page.getByRole("textbox", { name: "Text to share" });
const create = (page: Page) => page.getByRole("button", { name: "Create link" });
const recent = (page: Page) => page.getByRole("heading", { name: "Recent uploads" });
const result = (page: Page) => page.getByRole("region", { name: "Your link" });
const row = (page: Page, name: string) => page.locator("li[data-state]").filter({ hasText: name });
const slugOf = async (page: Page): Promise<string> => {
  await seen(result(page));
  const link = (await result(page).getByRole("link").first().getAttribute("href")) ?? "";
  return link.slice(link.lastIndexOf("/") + 1);
};
const pick = (page: Page, ...paths: string[]) => page.locator('input[type="file"]').setInputFiles(paths);

async function fileIn(folder: string, name: string, size: number): Promise<string> {
  const path = join(folder, name);
  await Bun.write(path, new Uint8Array(size).fill(7));
  return path;
}

/** What is taken of the storage, unfinished uploads included. */
const taken = async (): Promise<number> =>
  (await journey.call<{ data: StorageConfig[] }>("GET", "/api/s3-configs")).data[0]?.used_bytes ?? -1;

describe("visitors", () => {
  test("share a text, and can change nothing of it after", async () => {
    await using _key = await visitorsMay("text");
    await using visit = await journey.visitor();
    const { page } = visit;
    const refused = refusals(page);
    await page.goto("/");
    await editor(page).fill("from a visitor");
    await create(page).click();
    await page.goto(`/paste/${await slugOf(page)}`);
    await seen(page.getByText("from a visitor"));
    expect(await page.getByRole("button", { name: "Edit" }).count()).toBe(0);
    expect(refused).toEqual([]);
  });

  test("upload in one piece and in parts", async () => {
    await using _key = await visitorsMay("file_share");
    using folder = temporaryFolder();
    const paths = [await fileIn(folder.path, "small.bin", MiB), await fileIn(folder.path, "large.bin", 40 * MiB)];
    await using visit = await journey.visitor();
    const { page } = visit;
    const refused = refusals(page);
    await page.goto("/upload");
    await pick(page, ...paths);
    await page.getByRole("button", { name: "Upload 2 files" }).click();
    await seen(page.getByText("All 2 files are uploaded."));
    expect(await recent(page).count()).toBe(0);
    expect(refused).toEqual([]);
  });

  test.each([
    ["in one piece", 20 * MiB],
    ["in parts", 60 * MiB],
  ] as const)("who cancel what comes %s leave nothing", async (_, size) => {
    await using _key = await visitorsMay("file_share");
    using folder = temporaryFolder();
    const path = await fileIn(folder.path, "unwanted.bin", size);
    const before = await taken();
    await using visit = await journey.visitor();
    const { page } = visit;
    const refused = refusals(page);
    await page.goto("/upload");
    await throttle(visit, 10 * MiB);
    await pick(page, path);
    await page.getByRole("button", { name: "Upload", exact: true }).click();
    await until(taken, (bytes) => bytes > before);
    await seen(row(page, "unwanted.bin").getByRole("progressbar"));
    await page.getByRole("button", { name: "Cancel upload: unwanted.bin" }).click();
    const question = page.getByRole("dialog").getByRole("button", { name: "Stop", exact: true });
    const cancelled = row(page, "unwanted.bin").and(page.locator("[data-state=aborted]"));
    await Promise.race([seen(question).then(() => question.click()), seen(cancelled)]);
    await seen(cancelled);
    await until(taken, (bytes) => bytes === before);
    expect(refused).toEqual([]);
  });

  test("whose key is taken away while they write see why, and keep their text", async () => {
    const { key } = await visitorsMay("text");
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto("/");
    await editor(page).fill("kept");
    await seen(create(page));
    await removeKey(key);
    await create(page).click();
    await seen(page.getByRole("alert"));
    await page.getByRole("link", { name: "Sign in to share" }).click();
    await page.waitForURL("**/admin");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Home" }).click();
    await seen(editor(page).filter({ hasText: /^kept$/ }));
  });
});

describe("keys", () => {
  test("edit what they made where it is read, and find it in their list, which they may clear", async () => {
    const key = await makeKey(["text"]);
    await using visit = await holder(key);
    const { page } = visit;
    const refused = refusals(page);
    const slugs: string[] = [];
    for (const content of ["first of the key", "second of the key"]) {
      await page.goto("/");
      await editor(page).fill(content);
      await create(page).click();
      slugs.push(await slugOf(page));
    }
    await page.goto(`/paste/${slugs[0]}`);
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Note" }).fill("Edited by the key");
    await page.getByRole("button", { name: "Save" }).click();
    await seen(page.getByRole("heading", { name: "Edited by the key" }));
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Admin" }).click();
    await seen(page.getByText("2 in total"));
    expect(await page.getByText("of the admin").count()).toBe(0);
    await page.getByRole("checkbox", { name: "Select all on this page" }).click();
    await page.getByRole("toolbar", { name: "2 selected" }).getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await seen(page.getByText(/^Texts shared with this key are listed here/));
    expect(refused).toEqual([]);
  });

  test("resume an upload after a reload, see it among the recent ones and delete it on its page", async () => {
    using folder = temporaryFolder();
    const path = await fileIn(folder.path, "mine.bin", 60 * MiB);
    const key = await makeKey(["file_share"]);
    await using visit = await holder(key);
    const { page } = visit;
    const refused = refusals(page);
    page.on("dialog", (dialog) => dialog.accept());
    const parts: string[] = [];
    page.on("response", (response) => {
      const number = new URL(response.url()).searchParams.get("partNumber");
      if (number && response.ok()) parts.push(number);
    });
    await page.goto("/upload");
    await throttle(visit, 20 * MiB);
    await pick(page, path);
    await page.getByRole("button", { name: "Upload", exact: true }).click();
    await until(
      async () => parts.length,
      (count) => count >= 2,
    );
    await page.reload();
    await seen(page.getByText("“mine.bin” was not finished last time"));
    await throttle(visit, -1);
    await pick(page, path);
    await page.getByRole("button", { name: "Upload", exact: true }).click();
    const slug = await slugOf(page);
    expect(new Set(parts).size).toBe(parts.length);
    await seen(page.getByRole("region", { name: "Recent uploads" }).getByText("mine.bin"));
    await page.goto(`/file/${slug}`);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await seen(page.getByRole("heading", { name: "Deleted" }));
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Admin" }).click();
    await seen(page.getByText(/^Files shared with this key are listed here/));
    expect(refused).toEqual([]);
  });

  test("that may share texts only lead nobody from a dropped file to the upload page", async () => {
    await using visit = await holder(await makeKey(["text"]));
    const { page } = visit;
    await page.goto("/");
    await seen(editor(page));
    await page.evaluate(() => {
      const dropped = new DataTransfer();
      dropped.items.add(new File(["one"], "one.pdf"));
      window.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
    });
    await seen(page.getByText("This key may not upload files."));
    expect(new URL(page.url()).pathname).toBe("/");
  });

  test("to which no page of the admin area is open sign in another way, and keep what was written", async () => {
    await using visit = await holder(await makeKey(["mount_view"]));
    const { page } = visit;
    await page.goto("/");
    await editor(page).fill("kept");
    await page.getByRole("button", { name: "Sign in another way" }).click();
    await page.getByRole("textbox", { name: "Username" }).fill("admin");
    await page.getByRole("textbox", { name: "Password" }).fill(journey.server.adminPassword);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await seen(create(page));
    await gone(page.getByText(/may not share texts/));
    await seen(editor(page).filter({ hasText: /^kept$/ }));
  });
});
