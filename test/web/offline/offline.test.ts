import { describe, expect, test } from "bun:test";
import { deleteDB, openDB } from "idb";
import { files } from "#contract/files";
import { fs } from "#contract/fs";
import { pastes } from "#contract/pastes";
import { COPY_LIFE } from "../../../web/offline/copies.ts";
import { DATABASE, databaseVersion } from "../../../web/offline/database.ts";
import { readSender } from "../../../web/offline/sender.ts";
import { leaveShared, readShared, takeShared } from "../../../web/offline/shared.ts";
import { contents, create, openBrowser } from "./browser.ts";

type Browser = Awaited<ReturnType<typeof openBrowser>>;
type Heard = Parameters<Browser["offline"]["standIn"]["heard"]>;

const opened = { slug: "abc", hasPassword: false, maxViews: 0, views: 1, viewsLeft: null, content: "kept" };
const abc = { params: { slug: "abc" }, query: { peek: "1" } };

/** Hears an answer and lets it reach the database. */
async function hear({ offline, database }: Browser, ...answer: Heard): Promise<void> {
  offline.standIn.heard(...answer);
  await Bun.sleep(0);
  await database.getAll("pastes");
  await database.getAll("directories");
}

describe("the offline database", () => {
  test("has the stores of the specification, and a number that grows with the app", async () => {
    await using browser = await openBrowser();
    const names = ["directories", "files", "offlineQueue", "pastes", "searchHistory", "settings"] as const;
    expect([...browser.database.objectStoreNames]).toEqual([...names]);
    expect(browser.database.version).toBe(databaseVersion("1.2.3"));
    expect(databaseVersion("1.2.3")).toBeLessThan(databaseVersion("1.10.0"));
  });

  test("of an earlier version keeps what waits, but no answers", async () => {
    const before = await openBrowser("1.2.3");
    await create(before, "waits");
    await hear(before, pastes.open, abc, opened);
    expect(await before.database.count("pastes")).toBe(1);
    before.close();
    await using after = await openBrowser("1.3.0");
    expect(await after.database.count("offlineQueue")).toBe(1);
    expect(await after.database.count("pastes")).toBe(0);
  });

  test("of a newer version opens as it is", async () => {
    const newer = await openBrowser("2.0.0");
    await create(newer, "waits");
    newer.close();
    await using older = await openBrowser("1.2.3");
    expect(older.state).toBe("whole");
    expect(await older.database.count("offlineQueue")).toBe(1);
  });

  test("without its stores is made anew, and says so", async () => {
    const damaged = await openDB(DATABASE, databaseVersion("1.2.3"), {
      upgrade: (base) => void base.createObjectStore("x"),
    });
    damaged.close();
    await using browser = await openBrowser();
    expect(browser.state).toBe("fresh");
    expect(await create(browser, "works")).toBe(true);
  });
});

describe("copies of answers", () => {
  test("an open share is recalled for a week, and forgotten when it is gone", async () => {
    await using browser = await openBrowser();
    await hear(browser, pastes.open, abc, opened);
    expect(await browser.offline.standIn.recall(pastes.open, abc)).toEqual(opened);
    browser.at.now += COPY_LIFE + 1;
    expect(await browser.offline.standIn.recall(pastes.open, abc)).toBeUndefined();
    browser.at.now -= 2;
    await hear(browser, pastes.open, abc, undefined);
    expect(await browser.offline.standIn.recall(pastes.open, abc)).toBeUndefined();
  });

  test.each([
    ["a password", { ...opened, hasPassword: true, content: undefined }],
    ["a limit", { ...opened, maxViews: 3 }],
  ])("a share with %s is never kept, and one that got it later is forgotten", async (_, guarded) => {
    await using browser = await openBrowser();
    await hear(browser, pastes.open, abc, opened);
    await hear(browser, pastes.open, abc, guarded);
    expect(await browser.offline.standIn.recall(pastes.open, abc)).toBeUndefined();
    const file = {
      slug: "abc",
      requires_password: false,
      has_password: guarded.hasPassword,
      max_views: guarded.maxViews,
    };
    await hear(browser, files.open, abc, { data: file });
    expect(await browser.database.count("files")).toBe(0);
  });

  test("a list is made of the rows that were seen, newest first, without protected ones", async () => {
    await using browser = await openBrowser();
    const row = (slug: string, created_at: string, has_password = 0) => ({
      slug,
      created_at,
      has_password,
      max_views: 0,
    });
    const data = [row("new", "2026-02-01"), row("old", "2026-01-01"), row("secret", "2026-03-01", 1)];
    await hear(browser, pastes.list, { query: { page: 1, limit: 10 } }, { data });
    const recalled = await browser.offline.standIn.recall(pastes.list, { query: { page: 1, limit: 10 } });
    expect(recalled).toMatchObject({
      data: [{ slug: "new" }, { slug: "old" }],
      pagination: { total: 2, hasMore: false },
    });
    expect(await browser.offline.standIn.recall(pastes.list, { query: { page: 1, search: "x" } })).toBeUndefined();
  });

  test("a folder is recalled as its first page, without the way to the next", async () => {
    await using browser = await openBrowser();
    const asked = { query: { path: "/drive/", limit: 2 } };
    await hear(browser, fs.list, asked, { data: { items: [{ name: "a" }], next_cursor: "b" } });
    const recalled = await browser.offline.standIn.recall(fs.list, asked);
    expect(recalled).toEqual({ data: { items: [{ name: "a" }], next_cursor: null } });
    expect(await browser.offline.standIn.recall(fs.list, { query: { path: "/drive/", cursor: "b" } })).toBeUndefined();
  });

  test("what belongs to a person goes with them; what anybody may open stays", async () => {
    await using browser = await openBrowser();
    await hear(browser, pastes.open, abc, opened);
    await hear(
      browser,
      pastes.list,
      {},
      { data: [{ slug: "mine", created_at: "2026", has_password: 0, max_views: 0 }] },
    );
    await hear(browser, fs.list, { query: { path: "/" } }, { data: { items: [] } });
    await create(browser, "waits");
    expect((await readSender(browser.database)).authorization).toBe("Bearer of admin");
    browser.at.person = undefined;
    await browser.offline.leave("admin");
    expect(await browser.offline.standIn.recall(pastes.list, {})).toBeUndefined();
    expect(await browser.offline.standIn.recall(fs.list, { query: { path: "/" } })).toBeUndefined();
    expect(await browser.offline.standIn.recall(pastes.open, abc)).toEqual(opened);
    expect((await readSender(browser.database)).authorization).toBeUndefined();
    expect(contents(browser)).toEqual([]);
  });

  test("what belongs to a person is nothing for others, nor for visitors once the session has ended by itself", async () => {
    await using browser = await openBrowser();
    const folder = { query: { path: "/" } };
    const recall = () => browser.offline.standIn.recall(fs.list, folder);
    await hear(browser, fs.list, folder, { data: { items: [] } });
    browser.at.person = undefined;
    await browser.offline.attend();
    expect(await recall()).toBeUndefined();
    browser.at.person = "admin";
    await browser.offline.attend();
    expect(await recall()).toBeDefined();
    browser.at.person = "apikey:1";
    await browser.offline.attend();
    expect(await recall()).toBeUndefined();
    browser.at.person = "admin";
    await browser.offline.attend();
    expect(await recall()).toBeUndefined();
  });

  test("the sweep forgets what is older than a week", async () => {
    await using browser = await openBrowser();
    await hear(browser, pastes.open, abc, opened);
    browser.at.now += COPY_LIFE + 1;
    await browser.offline.sweep();
    expect(await browser.database.count("pastes")).toBe(0);
  });
});

describe("the share sheet", () => {
  test("leaves text and files for the page, once", async () => {
    await using browser = await openBrowser();
    const form = new FormData();
    form.set("title", "A page");
    form.set("text", "https://example.com");
    form.set("url", "https://example.com");
    const shared = readShared(form);
    expect(shared).toEqual({ text: "A page\n\nhttps://example.com", files: [] });
    await leaveShared(browser.database, shared, 0);
    expect(await takeShared(browser.database)).toEqual(shared);
    expect(await takeShared(browser.database)).toBeUndefined();
  });
});

test("the databases of these tests are gone with them", async () => {
  await deleteDB(DATABASE);
  expect(await indexedDB.databases()).toEqual([]);
});
