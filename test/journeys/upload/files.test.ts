import { describe, expect, test } from "bun:test";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openBrowser } from "../../support/browser/chromium.ts";
import { gone, seen, startJourney, throttle, until } from "../../support/browser/journey.ts";
import { startServer } from "../../support/server.ts";
import { freePort } from "../../support/servers/free-port.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const journey = await startJourney();
const MiB = 1024 * 1024;

const choose = (page: Page, ...paths: string[]) => page.locator('input[type="file"]').setInputFiles(paths);
const start = (page: Page, name = "Upload") => page.getByRole("button", { name, exact: true }).click();
const row = (page: Page, name: string) => page.locator("li[data-state]").filter({ hasText: name });
const reaches = (page: Page, name: string, state: string) =>
  seen(row(page, name).and(page.locator(`[data-state=${state}]`)));

/** A file of random bytes. */
async function fileIn(folder: string, name: string, size: number): Promise<{ path: string; bytes: Buffer }> {
  const bytes = Buffer.allocUnsafe(size);
  for (let start = 0; start < size; start += 65_536) crypto.getRandomValues(bytes.subarray(start, start + 65_536));
  const path = join(folder, name);
  await Bun.write(path, bytes);
  return { path, bytes };
}

/** What stands below the data folder's objects, files that are not whole included. */
const objects = async (dataDir: string) =>
  (await readdir(join(dataDir, "objects"), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

/** The file behind the link that the page shows. */
async function fetched(page: Page): Promise<Buffer> {
  const result = page.getByRole("region", { name: "Your link" });
  await seen(result);
  const link = (await result.getByRole("link").first().getAttribute("href")) ?? "";
  const slug = link.slice(link.lastIndexOf("/") + 1);
  const response = await fetch(new URL(`/api/file-download/${slug}`, page.url()));
  return Buffer.from(await response.arrayBuffer());
}

/** The parts that were sent whole, in their order. */
function countParts(page: Page): number[] {
  const parts: number[] = [];
  page.on("response", (response) => {
    const number = new URL(response.url()).searchParams.get("partNumber");
    if (number && response.request().method() === "PUT" && response.ok()) parts.push(Number(number));
  });
  return parts;
}

test("the options of many files and their button stand in one row on a desk, in both languages", async () => {
  const many = Array.from({ length: 25 }, (_, index) => ({
    name: `${index}.txt`,
    mimeType: "text/plain",
    buffer: Buffer.from("x"),
  }));
  for (const locale of ["en-US", "zh-CN"] as const) {
    await using visit = await journey.admin({ width: 1280, height: 800, locale });
    const { page } = visit;
    await page.goto("/upload");
    await page.locator('input[type="file"]').setInputFiles(many);
    const chips = page.locator("[data-bar] fieldset");
    await seen(chips.locator(".lucide-folder"));
    expect((await chips.boundingBox())?.height).toBeLessThan(40);
  }
});

describe("uploading", () => {
  test("20 MB go up in one piece, and the link is copied", async () => {
    using folder = temporaryFolder();
    const { path, bytes } = await fileIn(folder.path, "twenty.bin", 20 * MiB);
    await using visit = await journey.admin();
    const { page } = visit;
    const parts = countParts(page);
    await page.goto("/upload");
    await choose(page, path);
    await start(page);
    expect((await fetched(page)).equals(bytes)).toBe(true);
    expect(parts).toEqual([]);
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toStartWith(`${journey.server.address}/file/`);
  });

  test("60 MB are paused, survive a reload and go on with what is missing", async () => {
    using folder = temporaryFolder();
    const { path, bytes } = await fileIn(folder.path, "sixty.bin", 60 * MiB);
    await using visit = await journey.admin();
    const { page } = visit;
    const parts = countParts(page);
    page.on("dialog", (dialog) => dialog.accept());
    await page.goto("/upload");
    await throttle(visit, 30 * MiB);
    await choose(page, path);
    await start(page);
    await until(
      async () => parts.length,
      (count) => count >= 3,
    );
    await page.getByRole("button", { name: "Pause: sixty.bin" }).click();
    await reaches(page, "sixty.bin", "paused");
    const before = parts.length;
    await page.getByRole("button", { name: "Resume: sixty.bin" }).click();
    await until(
      async () => parts.length,
      (count) => count > before,
    );
    await page.reload();
    const arrived = parts.splice(0);

    await seen(page.getByText("“sixty.bin” was not finished last time"));
    await throttle(visit, -1);
    await choose(page, path);
    await start(page);
    expect((await fetched(page)).equals(bytes)).toBe(true);
    expect(arrived.length + parts.length).toBeLessThanOrEqual(12);
    expect(parts.filter((number) => arrived.includes(number))).toEqual([]);
  });

  test("a server that is killed and comes back is waited for", async () => {
    using folder = temporaryFolder();
    const { path, bytes } = await fileIn(folder.path, "patient.bin", 60 * MiB);
    const dataDir = join(folder.path, "data");
    await mkdir(dataDir);
    // While nobody listens, the system must not give its port to another connection.
    const environment = { PORT: `${freePort()}` };
    const first = await startServer({ dataDir, environment });
    const { address, adminPassword } = first;
    await using visit = await (await openBrowser()).newPage({ address });
    const { page } = visit;
    const parts = countParts(page);
    await page.goto("/admin");
    await page.getByRole("textbox", { name: "Username" }).fill("admin");
    await page.getByRole("textbox", { name: "Password" }).fill(adminPassword);
    await page.getByRole("button", { name: "Sign in" }).click();
    await seen(page.getByRole("button", { name: "Log out" }));
    await page.goto("/upload");
    await throttle(visit, 20 * MiB);
    await choose(page, path);
    await start(page);
    await until(
      async () => parts.length,
      (count) => count >= 3,
    );
    await first.kill();
    await seen(row(page, "patient.bin").getByText("waits for the connection"));
    await using _second = await startServer({ dataDir, adminPassword: null, environment });
    await throttle(visit, -1);
    expect((await fetched(page)).equals(bytes)).toBe(true);
    expect(parts.length).toBeLessThanOrEqual(15);
    // While nobody answers the browser says so, of every try.
    visit.forgive(/ERR_CONNECTION|ERR_EMPTY|ERR_SOCKET/);
  });

  test("what is cancelled leaves nothing", async () => {
    using folder = temporaryFolder();
    const { path } = await fileIn(folder.path, "unwanted.bin", 40 * MiB);
    await using visit = await journey.admin();
    const { page } = visit;
    const parts = countParts(page);
    await page.goto("/upload");
    await throttle(visit, 20 * MiB);
    await choose(page, path);
    await start(page);
    await until(
      async () => parts.length,
      (count) => count >= 1,
    );
    await page.getByRole("button", { name: "Cancel upload: unwanted.bin" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Stop", exact: true }).click();
    await reaches(page, "unwanted.bin", "aborted");
    await until(
      () => objects(journey.server.dataDir),
      (names) => !names.some((name) => name.includes("unwanted") || name === "object"),
    );
    const { data } = await journey.call<{ data: { files: { filename: string }[] } }>("GET", "/api/files");
    expect(data.files.map(({ filename }) => filename)).not.toContain("unwanted.bin");
  });

  test("several files share a suffix, a password and an expiry", async () => {
    using folder = temporaryFolder();
    const files = await Promise.all(["a.txt", "b.txt", "c.txt"].map((name) => fileIn(folder.path, name, 1000)));
    await using visit = await journey.admin();
    const { page } = visit;
    await page.goto("/upload");
    await choose(page, ...files.map(({ path }) => path));
    await page.getByRole("button", { name: /^Link suffix:/ }).click();
    await page.getByRole("textbox", { name: "Your own suffix" }).fill("trip");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /^Password:/ }).click();
    await page.getByRole("textbox", { name: "Password" }).fill("sesame");
    await page.keyboard.press("Enter");
    await start(page, "Upload 3 files");
    for (const name of ["a.txt", "b.txt", "c.txt"]) await reaches(page, name, "completed");
    for (const [index, { bytes }] of files.entries()) {
      const url = `${journey.server.address}/api/file-download/trip-${index + 1}`;
      expect((await fetch(url)).status).toBe(401);
      expect(Buffer.from(await (await fetch(`${url}?password=sesame`)).arrayBuffer()).equals(bytes)).toBe(true);
    }
  });

  test("a suffix that is taken is said where it is set, and the upload goes on after", async () => {
    await journey.shareFile(new File(["first"], "first.txt"), { slug: "taken" });
    using folder = temporaryFolder();
    const { path } = await fileIn(folder.path, "second.txt", 1000);
    await using visit = await journey.admin();
    const { page } = visit;
    await page.goto("/upload");
    await choose(page, path);
    await page.getByRole("button", { name: /^Link suffix:/ }).click();
    const field = page.getByRole("textbox", { name: "Your own suffix" });
    await field.fill("taken");
    await page.keyboard.press("Enter");
    await gone(field);
    await start(page);
    await seen(page.getByRole("alert").filter({ hasText: "taken" }));
    await field.fill("taken-2");
    await page.keyboard.press("Enter");
    await start(page, "Try again");
    await seen(page.getByRole("region", { name: "Your link" }));
    expect((await fetch(`${journey.server.address}/api/file-download/taken-2`)).status).toBe(200);
  });

  test("files dropped on the home page turn it into the upload page", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    await page.goto("/");
    await seen(page.getByRole("textbox", { name: "Text to share" }));
    await page.evaluate(() => {
      const dropped = new DataTransfer();
      dropped.items.add(new File(["one"], "one.pdf"));
      dropped.items.add(new File(["two"], "two.zip"));
      window.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
    });
    await page.waitForURL("**/upload");
    await seen(row(page, "one.pdf"));
    await seen(row(page, "two.zip"));
  });
});
