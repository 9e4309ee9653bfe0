import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import type { Page } from "playwright-core";
import { PART_RETRIES } from "#contract/limits";
import { openBrowser, UNLOADED, type Visit } from "../../support/browser/chromium.ts";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { seen, startJourney, until } from "../../support/browser/journey.ts";
import { peopleOf } from "../../support/browser/people.ts";
import { openFaultyProxy } from "../../support/proxies/faulty-proxy.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

/** Copies to another storage: by a job for who is signed in, by the browser for who is not. */

const journey = await startJourney();
const seeds = treeSeeds(journey);
const people = peopleOf(journey);
const { data: other } = await journey.call<{ data: { id: string } }>("POST", "/api/s3-configs", {
  ...{ name: "Other", provider_type: "Built-in disk", bucket_name: "other", is_public: true },
});
await journey.call("POST", "/api/admin/mounts", {
  ...{ name: "Other", mount_path: "/other", storage_type: "S3", storage_config_id: other.id },
});
await seeds.text("/drive/from/one.txt", "one");
await seeds.text("/drive/from/多 #2?.txt", "two");
await seeds.text("/drive/from/album/2026/deep.txt", "deep");

const MiB = 1024 * 1024;

const rights = ["mount_view", "mount_upload", "mount_copy"] as const;

const textOf = async (path: string): Promise<string> => (await seeds.contentOf(path)).toString();

/** Copies entries of a folder into another by the keyboard. */
async function copy(page: Page, from: string, names: readonly string[], into: string): Promise<void> {
  const explorer = explorerPage(page);
  await explorer.open(from);
  for (const name of names) await explorer.choose(name, "Control");
  await page.keyboard.press("Control+c");
  // Within the page: another address would be another page.
  await page.getByRole("link", { name: "All files" }).click();
  const [, mount = "", folder = ""] = into.split("/");
  await explorer.row(mount).dblclick();
  await explorer.row(folder).dblclick();
  await until(
    async () => decodeURIComponent(new URL(page.url()).pathname),
    (path) => path === `/mount-explorer${into}`,
  );
  await page.getByRole("button", { name: "More actions" }).first().click();
  await page.getByRole("menuitem", { name: "Paste" }).click();
}

const region = (page: Page) => page.getByRole("region", { name: "Tasks" });

/** The paths of the calls that the page sends from now on. */
function calls({ page }: Visit): string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/") || request.method() === "PUT") sent.push(`${request.method()} ${pathname}`);
  });
  return sent;
}

/** Takes out what the browser says of connections that were broken on purpose. */
function forgetCuts(visit: Visit): void {
  visit.forgive(/ERR_(INTERNET|CONNECTION|EMPTY|CONTENT)/);
}

describe("a visitor copies to another storage", () => {
  test("files and folders, which the browser carries", async () => {
    await seeds.folder("/other/carried");
    await using _rights = await people.visitorsMay(...rights);
    await using visit = await journey.visitor();
    const { page } = visit;
    await copy(page, "/drive/from", ["one.txt", "多 #2?.txt", "album"], "/other/carried");
    await explorerPage(page).shows(["album", "one.txt", "多 #2?.txt"]);
    await region(page).getByRole("button", { name: "Show the tasks" }).click();
    // Each entry is a task of its own copy: what there is to be seen is that all have arrived.
    await seen(region(page).getByText("3 done, 0 skipped, 0 failed"));
    expect(await textOf("/other/carried/多 #2?.txt")).toBe("two");
    expect(await textOf("/other/carried/album/2026/deep.txt")).toBe("deep");
  });

  test("a file that cannot be written says why, leaves nothing, and comes when it is tried again", async () => {
    await seeds.folder("/other/refused");
    await using _rights = await people.visitorsMay(...rights);
    await using visit = await journey.visitor();
    const { page } = visit;
    const sent = calls(visit);
    await page.route("**/store-*/**", async (route) => {
      if (route.request().method() !== "PUT") return route.fallback();
      await route.fulfill({ status: 403, body: "no" });
    });
    await copy(page, "/drive/from", ["one.txt"], "/other/refused");
    await region(page).getByRole("button", { name: "Show the tasks" }).click();
    await seen(region(page).getByText("The other storage refused to write this file (403)."));
    expect(await seeds.names("/other/refused")).toEqual([]);
    await until(
      async () => sent.filter((call) => call === "POST /api/fs/presign/abort").length,
      (count) => count >= 1,
    );
    await page.unroute("**/store-*/**");
    await region(page).getByRole("button", { name: "Try again" }).click();
    await seen(region(page).getByText("1 done, 0 skipped, 0 failed"));
    expect(await textOf("/other/refused/one.txt")).toBe("one");
    visit.forgive(UNLOADED);
  });

  test("a cable that is pulled is waited for, and the file arrives byte for byte once it is back", async () => {
    const bytes = new Uint8Array(randomBytes(16 * MiB));
    await seeds.file("/drive/from cable/large.bin", bytes);
    await seeds.folder("/other/cable");
    await using _rights = await people.visitorsMay(...rights);
    await using proxy = await openFaultyProxy(journey.server.address);
    await using visit = await (await openBrowser()).newPage({ address: proxy.endpoint });
    const { page, context } = visit;
    // Some of it has left when the cable is pulled, and the rest cannot.
    proxy.inject({ on: /^PUT \/store-/, times: 1, stallRequest: MiB });
    await copy(page, "/drive/from cable", ["large.bin"], "/other/cable");
    await region(page).getByRole("button", { name: "Show the tasks" }).click();
    await until(
      async () => Number(await region(page).getByRole("progressbar").last().getAttribute("aria-valuenow")),
      (percent) => percent > 50,
    );
    await context.setOffline(true);
    await seen(region(page).getByText("Waiting for the connection, then continues automatically"));
    expect(await seeds.names("/other/cable")).toEqual([]);
    await context.setOffline(false);
    await seen(region(page).getByText("1 done, 0 skipped, 0 failed"));
    expect((await seeds.contentOf("/other/cable/large.bin")).equals(bytes)).toBe(true);
    expect(await seeds.names("/other/cable")).toEqual(["large.bin"]);
    forgetCuts(visit);
  });

  test.each([
    ["on its way to its new place", "PUT", { cutRequest: MiB }],
    // The browser may keep what has come and ask for the rest only.
    ["on its way from its old place", "GET", { cutAnswer: MiB / 8 }],
  ] as const)(
    "a file whose connection breaks again and again %s is named, leaves nothing, and comes when it is tried again",
    async (_, method, fault) => {
      const name = "broken.bin";
      const bytes = new Uint8Array(randomBytes(3 * MiB));
      await seeds.file(`/drive/from ${method}/${name}`, bytes);
      await seeds.text(`/drive/from ${method}/whole.txt`, "whole");
      await seeds.folder(`/other/cut ${method}`);
      await using _rights = await people.visitorsMay(...rights);
      await using proxy = await openFaultyProxy(journey.server.address);
      await using visit = await (await openBrowser()).newPage({ address: proxy.endpoint });
      const { page } = visit;
      const isFile = new RegExp(`^${method} /(store-|api/fs/download).*broken[.]bin`);
      const repair = proxy.inject({ on: isFile, ...fault });
      await copy(page, `/drive/from ${method}`, [name, "whole.txt"], `/other/cut ${method}`);
      await region(page).getByRole("button", { name: "Show the tasks" }).click();
      await seen(region(page).getByText("1 done, 0 skipped, 1 failed"));
      await seen(
        region(page)
          .getByRole("listitem")
          .filter({ hasText: `${name}: ` })
          .first(),
      );
      expect(proxy.requests.filter((line) => isFile.test(line)).length).toBeGreaterThan(PART_RETRIES);
      expect(await seeds.names(`/other/cut ${method}`)).toEqual(["whole.txt"]);
      repair();
      await region(page).getByRole("button", { name: "Try again" }).click();
      await seen(region(page).getByText("2 done, 0 skipped, 0 failed"));
      expect((await seeds.contentOf(`/other/cut ${method}/${name}`)).equals(bytes)).toBe(true);
      forgetCuts(visit);
    },
  );

  test("what is cancelled on the way is given up", async () => {
    await seeds.folder("/other/cancelled");
    await using _rights = await people.visitorsMay(...rights);
    await using visit = await journey.visitor();
    const { page } = visit;
    const sent = calls(visit);
    const reached = Promise.withResolvers<void>();
    await page.route("**/store-*/**", (route) => {
      if (route.request().method() !== "PUT") return route.fallback();
      reached.resolve();
    });
    await copy(page, "/drive/from", ["one.txt"], "/other/cancelled");
    await reached.promise;
    await region(page).getByRole("button", { name: "Show the tasks" }).click();
    await region(page).getByRole("button", { name: "Details" }).click();
    await seen(region(page).getByText("Writing"));
    await region(page).getByRole("button", { name: "Cancel" }).click();
    await seen(region(page).getByText("Cancelled").first());
    await until(
      async () => sent,
      (all) => all.includes("POST /api/fs/presign/abort"),
    );
    expect(sent).not.toContain("POST /api/fs/batch-copy-commit");
    expect(await seeds.names("/other/cancelled")).toEqual([]);
  });

  test("who may copy but not write there learns that", async () => {
    await seeds.folder("/other/denied");
    await using _rights = await people.visitorsMay("mount_view", "mount_copy");
    await using visit = await journey.visitor();
    const { page } = visit;
    await copy(page, "/drive/from", ["one.txt"], "/other/denied");
    await seen(page.getByRole("alert").filter({ hasText: "one.txt" }));
    expect(await seeds.names("/other/denied")).toEqual([]);
    visit.forgive(UNLOADED);
  });
});

describe("who is signed in copies to another storage", () => {
  test("by a job of the server, which the page follows by one stream and does not ask for", async () => {
    await seeds.folder("/other/job");
    await using visit = await journey.admin();
    const { page } = visit;
    const sent = calls(visit);
    await copy(page, "/drive/from", ["one.txt", "album"], "/other/job");
    await explorerPage(page).shows(["album", "one.txt"]);
    await seen(region(page).getByText(/Finished: \d/));
    expect(sent.filter((call) => call === "GET /api/fs/jobs")).toEqual([]);
    expect(sent.filter((call) => call === "GET /api/fs/jobs/events")).toHaveLength(1);
    expect(sent.some((call) => call.startsWith("PUT"))).toBe(false);
    expect(await textOf("/other/job/album/2026/deep.txt")).toBe("deep");
  });

  test("while the stream does not stand, the list is asked for in its place", async () => {
    await seeds.folder("/other/streamless");
    await using visit = await journey.admin();
    const { page } = visit;
    await page.route("**/api/fs/jobs/events*", (route) => route.abort());
    const sent = calls(visit);
    await copy(page, "/drive/from", ["one.txt"], "/other/streamless");
    await explorerPage(page).shows(["one.txt"]);
    expect(sent).toContain("GET /api/fs/jobs");
    // The browser tells of each try.
    await page.close();
    visit.forgive(UNLOADED);
  });
});
