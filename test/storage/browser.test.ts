import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { LinkRecord } from "#contract/links";
import type { StorageConfig } from "#contract/storage";
import { responseOf } from "../../src/lib/open-file.ts";
import { screenshot, type Visit } from "../support/browser/chromium.ts";
import { gone, PIXEL, seen, startJourney, throttle, until } from "../support/browser/journey.ts";
import { type OpenedS3Store, openS3Store } from "../support/stores/s3-store.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const journey = await startJourney();
const MiB = 1024 * 1024;
const LARGE = 27 * MiB;
const PARTS = 6;

const row = (page: Page, name: string) => page.locator("li[data-state]").filter({ hasText: name });
const reaches = (page: Page, name: string, state: string) =>
  seen(row(page, name).and(page.locator(`[data-state=${state}]`)));

const nameOf = ({ bucket }: OpenedS3Store) => `Cloud ${bucket.slice(-4)}`;

/** A bucket of its own as the default storage; its rules let our pages in, or say nothing of pages. */
async function openBucket({ cors }: { readonly cors: boolean }): Promise<OpenedS3Store> {
  const s3 = await openS3Store();
  const { data } = await journey.call<{ data: StorageConfig }>("POST", "/api/s3-configs", {
    name: nameOf(s3),
    provider_type: "Other",
    endpoint_url: s3.server.endpoint,
    bucket_name: s3.bucket,
    access_key_id: s3.server.accessKey,
    secret_access_key: s3.server.secret,
    path_style: true,
    default_folder: "shares",
  });
  if (cors) await journey.call("POST", `/api/s3-configs/${data.id}/cors`, { origins: [journey.server.address] });
  await journey.call("PUT", `/api/s3-configs/${data.id}/set-default`);
  return s3;
}

/** Where each PUT of the page went, and whether it was answered. */
function watchPuts({ page }: Visit): string[] {
  const puts: string[] = [];
  const note = (outcome: string) => (request: { method(): string; url(): string }) => {
    const place = request.url().startsWith(journey.server.address) ? "server" : "storage";
    if (request.method() === "PUT") puts.push(`${place} ${outcome}`);
  };
  page.on("requestfinished", note("took it"));
  page.on("requestfailed", note("failed"));
  return puts;
}

/** Opens the upload page with a file in its list. */
async function choose({ page }: Visit, file: { readonly path: string }): Promise<void> {
  await page.goto("/upload");
  await page.locator('input[type="file"]').setInputFiles(file.path);
}

const start = ({ page }: Visit) => page.getByRole("button", { name: "Upload", exact: true }).click();

async function fileIn(folder: string, name: string, size: number): Promise<{ path: string; bytes: Buffer }> {
  const bytes = Buffer.allocUnsafe(size);
  for (let from = 0; from < size; from += 65_536) crypto.getRandomValues(bytes.subarray(from, from + 65_536));
  const path = join(folder, name);
  await Bun.write(path, bytes);
  return { path, bytes };
}

/** The file behind the link of the page, as the server has it from the storage. */
async function fetched({ page }: Visit): Promise<Buffer> {
  const result = page.getByRole("region", { name: "Your link" });
  await seen(result);
  const link = (await result.getByRole("link").first().getAttribute("href")) ?? "";
  const slug = link.slice(link.lastIndexOf("/") + 1);
  const response = await fetch(`${journey.server.address}/api/file-download/${slug}`);
  return Buffer.from(await response.arrayBuffer());
}

/** What a browser says of a request that a storage has forbidden; anything else stays a failure of the test. */
function forgive({ strangers, problems }: Visit, { server }: OpenedS3Store): void {
  const others = strangers.splice(0).filter((url) => !url.startsWith(server.endpoint));
  const real = problems.splice(0).filter((problem) => !problem.includes(server.endpoint));
  expect([others, real]).toEqual([[], []]);
}

describe("a storage that lets our pages in", () => {
  test.each([
    ["in one piece", 3 * MiB, 1],
    ["in parts", LARGE, PARTS],
  ] as const)("takes a file %s itself", async (_, size, count) => {
    await using s3 = await openBucket({ cors: true });
    using folder = temporaryFolder();
    const file = await fileIn(folder.path, "straight.bin", size);
    await using visit = await journey.admin();
    const puts = watchPuts(visit);
    await choose(visit, file);
    await start(visit);
    expect((await fetched(visit)).equals(file.bytes)).toBe(true);
    expect(puts).toEqual(Array.from({ length: count }, () => "storage took it"));
    expect(visit.problems).toEqual([]);
    forgive(visit, s3);
  });

  test("shows a picture and a text, and hands them out to be kept", async () => {
    await using s3 = await openBucket({ cors: false });
    const picture = await journey.shareFile(new File([PIXEL], "点 1.png", { type: "image/png" }));
    const text = await journey.shareFile(new File(["read me"], "note.txt", { type: "text/plain" }));
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto(`/file/${picture.slug}`);
    const shown = page.getByAltText("点 1.png");
    await until(
      () => shown.evaluate((image: HTMLImageElement) => image.naturalWidth),
      (width) => width > 0,
    );
    // The picture itself comes from the storage when somebody looks closer; this server makes the smaller one.
    expect(await shown.getAttribute("src")).toContain("/api/file-thumb/");
    const saving = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download" }).click();
    const download = await saving;
    expect(download.suggestedFilename()).toBe("点 1.png");
    expect(download.url()).toStartWith(s3.server.endpoint);
    expect(Buffer.from(await Bun.file(await download.path()).arrayBuffer()).equals(PIXEL)).toBe(true);
    expect(new URL(page.url()).pathname).toBe(`/file/${picture.slug}`);
    await page.goto(`/file/${text.slug}`);
    await seen(page.getByText("read me"));
    forgive(visit, s3);
  });
});

describe("a storage that lets no page in", () => {
  test.each([
    ["in one piece", 3 * MiB, 1],
    ["in parts", LARGE, PARTS],
  ] as const)(
    "gets a file %s through the server, which the row says, and is not tried again",
    async (name, size, count) => {
      await using s3 = await openBucket({ cors: false });
      using folder = temporaryFolder();
      const file = await fileIn(folder.path, "around.bin", size);
      await using visit = await journey.admin();
      const { page } = visit;
      const puts = watchPuts(visit);
      await choose(visit, file);
      await throttle(visit, size / 2);
      await start(visit);
      await seen(row(page, "around.bin").getByText("this browser cannot reach the storage"));
      await screenshot(page, `around ${name}`);
      await throttle(visit, -1);
      expect((await fetched(visit)).equals(file.bytes)).toBe(true);
      await seen(row(page, "around.bin").getByText("through the server"));
      const tried = puts.splice(0);
      expect(tried.filter((put) => put === "server took it")).toHaveLength(count);
      expect(tried).not.toContain("storage took it");
      forgive(visit, s3);

      const next = await fileIn(folder.path, "next.bin", 1000);
      await page.locator('input[type="file"]').setInputFiles(next.path);
      await start(visit);
      await reaches(page, "next.bin", "completed");
      expect([puts, visit.strangers, visit.problems]).toEqual([["server took it"], [], []]);
    },
  );

  test("is gone round after a reload, too, with what is missing", async () => {
    await using s3 = await openBucket({ cors: true });
    using folder = temporaryFolder();
    const file = await fileIn(folder.path, "later.bin", LARGE);
    await using visit = await journey.admin();
    const { page } = visit;
    const puts = watchPuts(visit);
    page.on("dialog", (dialog) => dialog.accept());
    await choose(visit, file);
    await throttle(visit, 8 * MiB);
    await start(visit);
    await until(
      () => puts.length,
      (count) => count >= 2,
    );
    await page.getByRole("button", { name: "Pause: later.bin" }).click();
    await reaches(page, "later.bin", "paused");
    const before = puts.filter((put) => put === "storage took it").length;
    await page.reload();
    // From now on the storage is in a network that this browser does not reach.
    await page.route(`${s3.server.endpoint}/**`, (route) => route.abort("addressunreachable"));
    puts.length = 0;
    await throttle(visit, -1);
    await page.locator('input[type="file"]').setInputFiles(file.path);
    await start(visit);
    expect((await fetched(visit)).equals(file.bytes)).toBe(true);
    expect(puts.filter((put) => put === "server took it")).toHaveLength(PARTS - before);
    forgive(visit, s3);
  });
});

/** Lets our pages in by the report of a storage's test, and waits until the next test says that they are. */
async function setCors(page: Page, name: string): Promise<void> {
  const card = page.getByRole("region", { name });
  await card.getByRole("button", { name: "Test", exact: true }).click();
  const report = page.getByRole("dialog", { name: `Test of “${name}”` });
  await report.getByRole("button", { name: "Set CORS for this address" }).click();
  await seen(report.getByText(`Pages of ${journey.server.address} may upload to the bucket.`));
  await page.keyboard.press("Escape");
  await gone(report);
}

test.each([
  ["lets our pages in", true],
  ["lets no page in", false],
] as const)("a stranger sends a file by a link to a storage that %s", async (_, cors) => {
  await using s3 = await openBucket({ cors });
  const storages = await journey.call<{ data: readonly StorageConfig[] }>("GET", "/api/s3-configs");
  const storage = storages.data.find(({ bucket_name }) => bucket_name === s3.bucket);
  const mount_path = `/far-${s3.bucket.slice(-6)}`;
  const mount = { name: "Far", storage_type: "S3", storage_config_id: storage?.id, mount_path };
  await journey.call("POST", "/api/admin/mounts", mount);
  await journey.call("POST", "/api/fs/mkdir", { path: `${mount_path}/secret/` });
  const link = { items: [`${mount_path}/secret/`], rights: ["upload"] };
  const { data } = await journey.call<{ data: LinkRecord }>("POST", "/api/links", link);
  using folder = temporaryFolder();
  const file = await fileIn(folder.path, "homework.bin", LARGE);
  await using visit = await journey.visitor({ width: 390, height: 844 });
  const { page } = visit;
  const puts = watchPuts(visit);
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  await page.goto(`/in/${data.slug}`);
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose files" }).click();
  await (await choosing).setFiles(file.path);
  await seen(page.getByText("1 file has arrived"));
  const taken = puts.filter((put) => put.endsWith("took it"));
  expect(new Set(taken)).toEqual(new Set([cors ? "storage took it" : "server took it"]));
  expect(addresses.filter((address) => address.includes("secret"))).toEqual([]);
  expect(await s3.keys()).toEqual(["secret/", "secret/homework.bin"]);
  const stored = await s3.store.get("secret/homework.bin");
  expect(Buffer.from(await responseOf(stored?.body).arrayBuffer()).equals(file.bytes)).toBe(true);
  forgive(visit, s3);
});

test.each([["the same"], ["another"]])("CORS that was set in %s tab holds for the next upload", async (tab) => {
  await using s3 = await openBucket({ cors: false });
  using folder = temporaryFolder();
  const [before, after] = [
    await fileIn(folder.path, "before.bin", 1000),
    await fileIn(folder.path, "after.bin", LARGE),
  ];
  await using visit = await journey.admin();
  const { page } = visit;
  const puts = watchPuts(visit);
  await choose(visit, before);
  await start(visit);
  await reaches(page, "before.bin", "completed");
  expect(puts.splice(0)).toEqual(["storage failed", "server took it"]);

  if (tab === "another") {
    const opening = page.waitForEvent("popup");
    await page.evaluate(() => void window.open("/admin/storage-config"));
    const other = await opening;
    await setCors(other, nameOf(s3));
    await other.close();
  } else {
    await page.getByRole("link", { name: "Admin" }).click();
    await page.getByRole("link", { name: "Storages", exact: true }).click();
    await setCors(page, nameOf(s3));
    await page.getByRole("link", { name: "Upload", exact: true }).click();
  }
  await page.locator('input[type="file"]').setInputFiles(after.path);
  await start(visit);
  await reaches(page, "after.bin", "completed");
  expect(puts).toEqual(Array.from({ length: PARTS }, () => "storage took it"));
  forgive(visit, s3);
});

test.each([[true], [false]])("what is cancelled leaves nothing in the bucket (CORS: %p)", async (cors) => {
  await using s3 = await openBucket({ cors });
  using folder = temporaryFolder();
  const file = await fileIn(folder.path, "unwanted.bin", LARGE);
  await using visit = await journey.admin();
  const { page } = visit;
  const puts = watchPuts(visit);
  await choose(visit, file);
  await throttle(visit, 4 * MiB);
  await start(visit);
  await until(
    () => puts,
    (done) => done.some((put) => put.endsWith("took it")),
  );
  expect(await s3.unfinished()).toEqual(["shares/unwanted.bin"]);
  await page.getByRole("button", { name: "Cancel upload: unwanted.bin" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop", exact: true }).click();
  await reaches(page, "unwanted.bin", "aborted");
  await until(
    async () => [...(await s3.unfinished()), ...(await s3.keys())],
    (there) => there.length === 0,
  );
  forgive(visit, s3);
});
