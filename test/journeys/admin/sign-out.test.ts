import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { seen, startJourney, until } from "../../support/browser/journey.ts";
import { kept, underWorker } from "../../support/browser/offline-visit.ts";

/** What a browser still has of somebody who has signed out. */

const journey = await startJourney();
const secrets = ["hush-text", "hush-file", "hush-folder", "hush-found", "hush-basket", "hush-upload", "Bearer"];
await journey.share({ content: "hush-text", slug: "hush-text" });
await journey.shareFile(new File(["a"], "hush-file.bin"), { slug: "hush-file" });
await journey.call("POST", "/api/fs/mkdir", { path: "/drive/hush-folder" });
await journey.share({ content: "for everybody", slug: "open" });

/** Everything that pages and worker keep in a browser: databases, storages and caches. */
const everything = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const all: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
    for (const { name = "" } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error);
      });
      for (const store of database.objectStoreNames) {
        const found = database.transaction(store).objectStore(store);
        for (const request of [found.getAll(), found.getAllKeys()])
          all.push(await new Promise((resolve) => (request.onsuccess = () => resolve(request.result))));
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) all.push(request.url);
    }
    return JSON.stringify(all);
  });

const found = (text: string): string[] => secrets.filter((secret) => text.includes(secret));

/** Uses what keeps something in the browser. */
async function use(page: Page): Promise<void> {
  for (const [path, secret] of [
    ["/paste/hush-text", "hush-text"],
    ["/admin/file-management", "hush-file"],
    ["/mount-explorer/drive", "hush-folder"],
  ] as const) {
    await page.goto(path);
    await until(
      () => everything(page),
      (text) => text.includes(secret),
    );
  }
  // What a search, the basket and an unfinished upload leave, as their own tests show it.
  await page.evaluate(async () => {
    const value = [{ path: "/drive/hush-basket", addedAt: 1 }];
    localStorage.setItem("cloudpaste_file_basket", JSON.stringify({ of: "admin", value }));
    const open = (name: string, make?: (base: IDBDatabase) => void) =>
      new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onupgradeneeded = () => make?.(opening.result);
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error);
      });
    const put = (base: IDBDatabase, store: string, value: unknown, key?: string) =>
      new Promise<void>((resolve) => {
        const transaction = base.transaction(store, "readwrite");
        transaction.objectStore(store).put(value, key);
        transaction.oncomplete = () => resolve(base.close());
      });
    await put(await open("SatchelOffline"), "searchHistory", { query: "hush-found", timestamp: 1, person: "admin" });
    const transfers = await open("satchel", (base) => base.createObjectStore("uploads"));
    await put(transfers, transfers.objectStoreNames[0] ?? "", { name: "hush-upload" }, "a");
  });
}

test("what a sign-out left that was not noticed goes when a page opens next; what a visitor has opened stays", async () => {
  await using visit = await journey.admin({ worker: true });
  const { page } = visit;
  await page.goto("/");
  await underWorker(visit);
  await use(page);
  // As a page leaves it that closes before it has loaded what forgets.
  await page.evaluate(() => {
    localStorage.setItem("satchel-session-ended", "loggedOut");
    for (const name of ["admin_token", "admin_username"]) localStorage.removeItem(name);
  });
  await page.goto("/paste/open");
  await seen(page.getByText("for everybody"));
  await until(
    async () => found(await everything(page)),
    (left) => left.length === 0,
  );
  await until(
    async () => JSON.stringify((await kept(visit)).pastes),
    (pastes) => pastes.includes("for everybody"),
  );
});

// The last one: it ends the session that the journey has.
test("a sign-out leaves nothing that needed a sign-in, in this tab and for the ones beside it", async () => {
  await using visit = await journey.admin({ worker: true });
  const { page, context } = visit;
  await page.goto("/");
  await underWorker(visit);
  await use(page);
  const opening = context.waitForEvent("page");
  await page.evaluate(() => void window.open("/admin/text-management"));
  const other = await opening;
  await seen(other.getByText("/hush-text", { exact: true }));
  expect(found(await everything(page)).sort()).toEqual([...secrets].sort());
  await page.goto("/admin");
  await page.getByRole("button", { name: "Log out" }).click();
  await until(
    async () => found(await everything(page)),
    (left) => left.length === 0,
  );
  await seen(other.getByLabel("Username"));
  await other.close();
  await page.reload();
  await seen(page.getByLabel("Username"));
  expect(found(await everything(page))).toEqual([]);
});
