import { describe, expect, spyOn, test } from "bun:test";
import { deleteDB, openDB } from "idb";
import { files } from "#contract/files";
import { fs } from "#contract/fs";
import { pastes } from "#contract/pastes";
import { COPY_LIFE } from "../../../web/offline/copies.ts";
import { DATABASE, databaseVersion, openDatabase, takeDamage } from "../../../web/offline/database.ts";
import { readSender } from "../../../web/offline/sender.ts";
import { leaveShared, readShared, takeShared } from "../../../web/offline/shared.ts";
import { contents, create, openBrowser } from "./browser.ts";

type Browser = Awaited<ReturnType<typeof openBrowser>>;
type Heard = Parameters<Browser["offline"]["standIn"]["heard"]>;

const opened = { slug: "abc", hasPassword: false, maxViews: 0, views: 1, viewsLeft: null, content: "kept" };
const abc = { params: { slug: "abc" }, query: { peek: "1" } };

const row = (slug: string, created_at: string, has_password = 0) => ({ slug, created_at, has_password, max_views: 0 });

/** Hears an answer and lets it reach the database. */
async function hear({ offline }: Browser, ...answer: Heard): Promise<void> {
  offline.standIn.heard(...answer);
  // Its turn comes after that.
  await offline.attend();
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
    expect(await takeDamage(older.database)).toBe(false);
    expect(await older.database.count("offlineQueue")).toBe(1);
  });

  test("without its stores is made anew, and says so once, whether a page or the worker has met it", async () => {
    const damaged = await openDB(DATABASE, databaseVersion("1.2.3"), {
      upgrade: (base) => void base.createObjectStore("x"),
    });
    damaged.close();
    // The worker, which has no way to say so.
    (await openDatabase("1.2.3")).close();
    await using browser = await openBrowser();
    expect(await takeDamage(browser.database)).toBe(true);
    expect(await takeDamage(browser.database)).toBe(false);
    expect(await create(browser, "works")).toBe(true);
  });

  test("that is out of reach for a moment keeps what waits", async () => {
    const before = await openBrowser();
    await create(before, "waits");
    before.close();
    using opening = spyOn(IDBFactory.prototype, "open");
    opening.mockImplementationOnce(() => {
      throw new DOMException("Connection to the server lost.", "UnknownError");
    });
    await using after = await openBrowser();
    expect(opening).toHaveBeenCalledTimes(2);
    expect(await after.database.count("offlineQueue")).toBe(1);
    expect(await takeDamage(after.database)).toBe(false);
  });

  test("of an earlier version keeps who is signed in, for the worker, and what was shared with it", async () => {
    const before = await openBrowser("1.2.3");
    await leaveShared(before.database, { text: "shared", files: [] }, 0);
    before.close();
    const database = await openDatabase("1.3.0");
    expect(await readSender(database)).toMatchObject({ person: "admin" });
    expect(await takeShared(database)).toMatchObject({ text: "shared" });
    database.close();
    await deleteDB(DATABASE);
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

  test("an open share is not recalled once the time that its owner gave it is over", async () => {
    await using browser = await openBrowser();
    const expiresAt = new Date(browser.at.now + 1000).toISOString();
    await hear(browser, pastes.open, abc, { ...opened, expiresAt });
    expect(await browser.offline.standIn.recall(pastes.open, abc)).toBeDefined();
    const file = { slug: "abc", has_password: false, max_views: 0, expires_at: expiresAt };
    await hear(browser, files.open, abc, { data: file });
    browser.at.now += 1000;
    expect(await browser.offline.standIn.recall(pastes.open, abc)).toBeUndefined();
    expect(await browser.offline.standIn.recall(files.open, abc)).toBeUndefined();
  });

  test("an open share is not made younger by a list that shows it", async () => {
    await using browser = await openBrowser();
    await hear(browser, pastes.open, abc, opened);
    browser.at.now += COPY_LIFE;
    await hear(browser, pastes.list, {}, { data: [row("abc", "2026-01-01")] });
    expect(await browser.offline.standIn.recall(pastes.open, abc)).toBeDefined();
    browser.at.now += 1;
    expect(await browser.offline.standIn.recall(pastes.open, abc)).toBeUndefined();
    expect(await browser.offline.standIn.recall(pastes.list, {})).toMatchObject({ data: [{ slug: "abc" }] });
  });

  test("one from the time to come, under a clock that was wrong, does not count", async () => {
    await using browser = await openBrowser();
    await hear(browser, pastes.open, abc, opened);
    browser.at.now -= COPY_LIFE + 1;
    expect(await browser.offline.standIn.recall(pastes.open, abc)).toBeUndefined();
    await browser.offline.sweep();
    expect(await browser.database.count("pastes")).toBe(0);
  });

  test("of a share that has a password since go when a list says so", async () => {
    await using browser = await openBrowser();
    await hear(browser, pastes.open, abc, opened);
    await hear(browser, pastes.list, {}, { data: [row("abc", "2026-01-01")] });
    await hear(browser, pastes.list, {}, { data: [row("abc", "2026-01-01", 1)] });
    expect(await browser.database.count("pastes")).toBe(0);
  });

  test("of rows that a page of the list no longer shows go; what other pages may show stays", async () => {
    await using browser = await openBrowser();
    const days = ["05", "04", "03", "02", "01"].map((day) => row(day, `2026-01-${day}`));
    const page = (rows: typeof days, offset: number, hasMore: boolean) => ({
      data: rows,
      pagination: { offset, hasMore },
    });
    const listed = async () => (await browser.database.getAllKeys("pastes")).toReversed();
    await hear(browser, pastes.list, {}, page(days, 0, false));
    // 04 was deleted: what comes behind the page may still be there.
    await hear(browser, pastes.list, {}, page([days[0], days[2]] as typeof days, 0, true));
    expect(await listed()).toEqual(["05", "03", "02", "01"]);
    await hear(browser, pastes.list, { query: { search: "x" } }, page([], 0, false));
    expect(await listed()).toHaveLength(4);
    await hear(browser, pastes.list, { query: { offset: 2 } }, page([days[4]] as typeof days, 2, false));
    expect(await listed()).toEqual(["05", "03", "02", "01"]);
    await hear(browser, pastes.list, {}, page([days[2], days[4]] as typeof days, 0, false));
    expect(await listed()).toEqual(["03", "01"]);
  });

  test("are not kept for one person while they are another's", async () => {
    await using browser = await openBrowser();
    browser.at.person = undefined;
    await hear(browser, fs.list, { query: { path: "/" } }, { data: { items: ["a visitor's"] } });
    browser.at.person = "admin";
    expect(await browser.offline.standIn.recall(fs.list, { query: { path: "/" } })).toBeUndefined();
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

  test("twice before a page has opened leaves both, also over a week", async () => {
    await using browser = await openBrowser();
    const [one, two] = ["1.txt", "2.txt"].map((name) => new File(["x"], name));
    await leaveShared(browser.database, { text: "first", files: [one as File] }, browser.at.now);
    await leaveShared(browser.database, { text: "second", files: [two as File] }, browser.at.now);
    browser.at.now += COPY_LIFE + 1;
    await browser.offline.sweep();
    const shared = await takeShared(browser.database);
    expect(shared?.text).toBe("first\n\nsecond");
    expect(shared?.files).toHaveLength(2);
  });
});

/** Fills the device: `isFull` says of each store whether nothing more can be written to it. */
function fullStorage(isFull: (store: string) => boolean) {
  const { put } = IDBObjectStore.prototype;
  const refuse = () => {
    throw new DOMException("No room.", "QuotaExceededError");
  };
  const spies = new DisposableStack();
  spies.use(
    spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, ...given) {
      return isFull(this.name) ? refuse() : put.apply(this, given);
    }),
  );
  spies.use(spyOn(IDBCursor.prototype, "update").mockImplementation(refuse));
  return spies;
}

describe("on a full device", () => {
  test("nothing of a person who signs out stays", async () => {
    await using browser = await openBrowser();
    await hear(browser, pastes.open, abc, opened);
    await hear(browser, pastes.list, {}, { data: [row("abc", "2026-01-01"), row("mine", "2026-01-02")] });
    await hear(browser, fs.list, { query: { path: "/" } }, { data: { items: [] } });
    await create(browser, "waits");
    browser.at.person = undefined;
    using _full = fullStorage(() => true);
    await browser.offline.leave("admin").catch(() => undefined);
    for (const name of browser.database.objectStoreNames)
      expect([name, await browser.database.getAll(name)]).toEqual([name, []]);
  });

  test("the credential of one person is not left to the worker when another signs in", async () => {
    await using browser = await openBrowser();
    browser.at.person = "apikey:1";
    using _full = fullStorage(() => true);
    await browser.offline.attend().catch(() => undefined);
    expect((await readSender(browser.database)).authorization).toBeUndefined();
  });

  test("copies make room for changes and for what was shared", async () => {
    await using browser = await openBrowser();
    await hear(browser, pastes.open, abc, opened);
    let room = false;
    using _full = fullStorage((store) => !room && ["offlineQueue", "settings"].includes(store));
    const remove = IDBObjectStore.prototype.delete;
    using _room = spyOn(IDBObjectStore.prototype, "delete").mockImplementation(function (this: IDBObjectStore, key) {
      room ||= this.name === "pastes";
      return remove.call(this, key);
    });
    expect(await create(browser, "worth more")).toBe(true);
    expect(browser.at.unkept).toEqual([]);
    expect(await browser.database.count("pastes")).toBe(0);
    room = false;
    await leaveShared(browser.database, { text: "shared", files: [] }, 0);
    expect(await takeShared(browser.database)).toMatchObject({ text: "shared" });
  });
});

test("the databases of these tests are gone with them", async () => {
  await deleteDB(DATABASE);
  expect(await indexedDB.databases()).toEqual([]);
});
