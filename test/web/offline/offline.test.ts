import { describe, expect, test } from "bun:test";
import { deleteDB, openDB } from "idb";
import { files } from "#contract/files";
import { fs } from "#contract/fs";
import { pastes } from "#contract/pastes";
import { settings } from "#contract/settings";
import { COPY_LIFE } from "../../../web/offline/copies.ts";
import { DATABASE, databaseVersion } from "../../../web/offline/database.ts";
import { MAX_QUEUED } from "../../../web/offline/queue.ts";
import { readSender } from "../../../web/offline/sender.ts";
import { leaveShared, readShared, takeShared } from "../../../web/offline/shared.ts";
import { openBrowser } from "./browser.ts";

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

const create = ({ offline }: Browser, content: string) => offline.standIn.queue(pastes.create, { body: { content } });
const contents = ({ offline }: Browser) =>
  offline.changes.get().map(({ data }) => (data as { content: string }).content);

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
    await browser.offline.mirror();
    expect((await readSender(browser.database)).authorization).toBe("Bearer of admin");
    await browser.offline.forgetPerson();
    expect(await browser.offline.standIn.recall(pastes.list, {})).toBeUndefined();
    expect(await browser.offline.standIn.recall(fs.list, { query: { path: "/" } })).toBeUndefined();
    expect(await browser.offline.standIn.recall(pastes.open, abc)).toEqual(opened);
    expect((await readSender(browser.database)).authorization).toBeUndefined();
    expect(contents(browser)).toEqual([]);
  });

  test("the sweep forgets what is older than a week", async () => {
    await using browser = await openBrowser();
    await hear(browser, pastes.open, abc, opened);
    browser.at.now += COPY_LIFE + 1;
    await browser.offline.sweep();
    expect(await browser.database.count("pastes")).toBe(0);
  });
});

describe("changes that wait", () => {
  test("are sent in their order, each once, with the credential of the moment", async () => {
    await using browser = await openBrowser();
    await create(browser, "first");
    await create(browser, "second");
    browser.answer(201, { slug: "one" });
    browser.answer(201, { slug: "two" });
    expect(await browser.offline.send()).toEqual({ sent: ["createPaste", "createPaste"], rejected: 0, waiting: 0 });
    expect(await browser.offline.send()).toEqual({ sent: [], rejected: 0, waiting: 0 });
    expect(browser.requests.map(({ init }) => JSON.parse(String(init.body)).content)).toEqual(["first", "second"]);
    const [first] = browser.requests;
    expect(first?.url).toBe("/api/paste");
    expect(new Headers(first?.init.headers).get("authorization")).toBe("Bearer of admin");
    // Their links are still to be seen.
    expect(browser.offline.changes.get().map(({ status, answer }) => [status, answer])).toEqual([
      ["sent", { slug: "one" }],
      ["sent", { slug: "two" }],
    ]);
  });

  test("keep the name of the request whose answer was lost", async () => {
    await using browser = await openBrowser();
    const headers = { "idempotency-key": "pressed once" };
    await browser.offline.standIn.queue(pastes.create, { body: { content: "x" }, headers });
    await browser.offline.send();
    browser.answer(201, { slug: "one" });
    await browser.offline.send();
    const keys = browser.requests.map(({ init }) => new Headers(init.headers).get("idempotency-key"));
    expect(keys).toEqual(["pressed once", "pressed once"]);
  });

  test.each([500, 503, 429, 401])("wait on, and those behind them too, when the server answers %d", async (status) => {
    await using browser = await openBrowser();
    await create(browser, "first");
    await create(browser, "second");
    browser.answer(status, { message: "not now" });
    expect(await browser.offline.send()).toEqual({ sent: [], rejected: 0, waiting: 2 });
    expect(browser.requests).toHaveLength(1);
  });

  test("that the server refuses stay with its sentence, can be changed and sent again, or discarded", async () => {
    await using browser = await openBrowser();
    await create(browser, "first");
    await create(browser, "second");
    browser.answer(409, { message: "Link suffix is already taken" });
    browser.answer(201, { slug: "two" });
    expect(await browser.offline.send()).toEqual({ sent: ["createPaste"], rejected: 1, waiting: 0 });
    const [refused] = browser.offline.changes.get();
    expect(refused).toMatchObject({ status: "rejected", refusal: "Link suffix is already taken" });
    browser.answer(201, { slug: "other" });
    await browser.offline.retry(refused?.id ?? 0, { content: "changed" });
    expect(JSON.parse(String(browser.requests[2]?.init.body))).toEqual({ content: "changed" });
    for (const { id } of browser.offline.changes.get()) await browser.offline.discard(id);
    expect(browser.offline.changes.get()).toEqual([]);
  });

  test("settings of which one is wrong are refused although the status says success", async () => {
    await using browser = await openBrowser();
    const asked = { params: { group: "1" }, body: { max_upload_size: "-1" } };
    await browser.offline.standIn.queue(settings.update, asked);
    browser.answer(200, { code: 202, success: false, message: "Some settings are wrong." });
    expect(await browser.offline.send()).toMatchObject({ rejected: 1 });
    expect(browser.requests[0]?.url).toBe("/api/admin/settings/group/1");
  });

  test("of another person are not sent", async () => {
    await using browser = await openBrowser();
    await create(browser, "mine");
    browser.at.person = "apikey:1";
    expect(await browser.offline.send()).toEqual({ sent: [], rejected: 0, waiting: 1 });
    expect(browser.requests).toEqual([]);
  });

  test("are kept once, however often the same button was pressed", async () => {
    await using browser = await openBrowser();
    const { standIn, changes } = browser.offline;
    const headers = { "idempotency-key": "pressed once" };
    for (const _ of [1, 2]) await standIn.queue(pastes.create, { body: { content: "x" }, headers });
    for (const _ of [1, 2]) await standIn.queue(pastes.remove, { body: { ids: ["a"] } });
    await standIn.queue(pastes.remove, { body: { ids: ["b"] } });
    // Somebody may well share the same text twice.
    for (const _ of [1, 2]) await create(browser, "again");
    const types = changes.get().map(({ type }) => type);
    expect(types).toEqual(["createPaste", "batchDeletePastes", "batchDeletePastes", ...["createPaste", "createPaste"]]);
  });

  test("of one text become one, to the version that it had before the first", async () => {
    await using browser = await openBrowser();
    const params = { id: "abc" };
    await browser.offline.standIn.queue(pastes.update, { params, body: { content: "1", version: 4 } });
    await browser.offline.standIn.queue(pastes.update, { params, body: { content: "2", remark: "r", version: 5 } });
    await browser.offline.standIn.queue(pastes.update, { params: { id: "other" }, body: { content: "3" } });
    expect(browser.offline.changes.get().map(({ data }) => data)).toEqual([
      { content: "2", remark: "r", version: 4 },
      { content: "3" },
    ]);
  });

  test("that become another one while they are sent are sent once more", async () => {
    await using browser = await openBrowser();
    const params = { id: "abc" };
    const change = (content: string) => browser.offline.standIn.queue(pastes.update, { params, body: { content } });
    await change("1");
    browser.at.meanwhile = () => {
      browser.at.meanwhile = undefined;
      return change("2");
    };
    browser.answer(200, { success: true });
    expect(await browser.offline.send()).toMatchObject({ waiting: 1 });
    browser.answer(200, { success: true });
    expect(await browser.offline.send()).toMatchObject({ sent: ["updatePaste"], waiting: 0 });
    expect(browser.requests.map(({ init }) => JSON.parse(String(init.body)).content)).toEqual(["1", "2"]);
  });

  test("that delete what is gone already are done", async () => {
    await using browser = await openBrowser();
    await browser.offline.standIn.queue(pastes.remove, { body: { ids: ["a"] } });
    browser.answer(404, { message: "Not found" });
    expect(await browser.offline.send()).toEqual({ sent: ["batchDeletePastes"], rejected: 0, waiting: 0 });
    expect(browser.offline.changes.get()).toEqual([]);
  });

  test("are refused beyond the most that are kept", async () => {
    await using browser = await openBrowser();
    for (let count = 0; count < MAX_QUEUED; count++) await create(browser, String(count));
    expect(await create(browser, "one more")).toBe(false);
    expect(browser.at.unkept).toEqual(["full"]);
  });

  test("are refused with a word when a newer version in another tab has taken the database over", async () => {
    await using browser = await openBrowser("1.2.3");
    const newer = await openBrowser("1.3.0");
    expect(await create(browser, "too late")).toBe(false);
    expect(browser.at.unkept).toEqual(["closed"]);
    newer.close();
  });

  test("of a call that may not wait are none, and those of another version of the pages are left alone", async () => {
    await using browser = await openBrowser();
    expect(await browser.offline.standIn.queue(fs.list, {})).toBe(false);
    await browser.database.add("offlineQueue", { type: "of the future" } as never);
    await browser.offline.refresh();
    expect(browser.offline.changes.get()).toMatchObject([{ status: "foreign" }]);
    expect(await browser.offline.send()).toEqual({ sent: [], rejected: 0, waiting: 0 });
    expect(await browser.database.count("offlineQueue")).toBe(1);
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
