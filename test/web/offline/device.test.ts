import { describe, expect, spyOn, test } from "bun:test";
import { deleteDB, openDB } from "idb";
import { fs } from "#contract/fs/fs";
import { pastes } from "#contract/pastes";
import { COPY_LIFE } from "../../../web/offline/copy-rules.ts";
import { DATABASE, databaseVersion, openDatabase, takeDamage } from "../../../web/offline/database.ts";
import type { Sender } from "../../../web/offline/replay.ts";
import { readSender } from "../../../web/offline/sender.ts";
import { leaveShared, readShared, takeShared } from "../../../web/offline/share-sheet.ts";
import { abc, contents, create, hear, openBrowser, opened, row } from "./browser.ts";

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

  test("that the browser itself has thrown away as damaged says so, too", async () => {
    Object.defineProperty(IDBVersionChangeEvent.prototype, "dataLoss", { configurable: true, value: "total" });
    try {
      await using browser = await openBrowser();
      expect(await takeDamage(browser.database)).toBe(true);
    } finally {
      Reflect.deleteProperty(IDBVersionChangeEvent.prototype, "dataLoss");
    }
  });

  test("of which one entry cannot be read any more keeps the others, and says so", async () => {
    await using browser = await openBrowser();
    const { database, offline } = browser;
    for (const content of ["first", "lost", "last"]) await create(browser, content);
    const lost = offline.changes.get()[1]?.id;
    const { get, getAll } = IDBObjectStore.prototype;
    const missing = () => {
      throw new DOMException("Data lost due to missing file.", "NotReadableError");
    };
    using _get = spyOn(IDBObjectStore.prototype, "get").mockImplementation(function (this: IDBObjectStore, id) {
      return this.name === "offlineQueue" && id === lost ? missing() : get.call(this, id);
    });
    let isThere = true;
    using _all = spyOn(IDBObjectStore.prototype, "getAll").mockImplementation(function (this: IDBObjectStore) {
      return this.name === "offlineQueue" && isThere ? missing() : getAll.call(this);
    });
    const remove = IDBObjectStore.prototype.delete;
    using _remove = spyOn(IDBObjectStore.prototype, "delete").mockImplementation(function (this: IDBObjectStore, id) {
      if (id === lost) isThere = false;
      return remove.call(this, id);
    });
    await offline.restore();
    expect(contents(browser)).toEqual(["first", "last"]);
    expect(await takeDamage(database)).toBe(true);
    await offline.restore();
    expect(await takeDamage(database)).toBe(false);
  });

  test("of which one entry cannot be read for a moment keeps it, too", async () => {
    await using browser = await openBrowser();
    const { database, offline } = browser;
    for (const content of ["first", "large"]) await create(browser, content);
    const short = () => {
      throw new DOMException("Internal error.", "UnknownError");
    };
    {
      using _get = spyOn(IDBObjectStore.prototype, "get").mockImplementation(short);
      using _all = spyOn(IDBObjectStore.prototype, "getAll").mockImplementation(short);
      await expect(offline.restore()).rejects.toThrow("Internal error.");
    }
    await offline.restore();
    expect(contents(browser)).toEqual(["first", "large"]);
    expect(await takeDamage(database)).toBe(false);
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

  test("says who is signed in at every moment in which the worker may ask", async () => {
    await using browser = await openBrowser();
    const worker = await openDatabase("1.2.3");
    const asked: Promise<Sender>[] = [];
    // The worker asks while something is written, and reads as soon as that is done.
    const { put, delete: remove } = IDBObjectStore.prototype;
    using _put = spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, ...given) {
      asked.push(readSender(worker));
      return put.apply(this, given);
    });
    using _remove = spyOn(IDBObjectStore.prototype, "delete").mockImplementation(function (this: IDBObjectStore, key) {
      asked.push(readSender(worker));
      return remove.call(this, key);
    });
    await browser.offline.attend();
    const found = await Promise.all(asked);
    worker.close();
    expect(found.map(({ person }) => person)).toEqual(["admin"]);
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

  test("takes the title beside files for no text, and what they are called neither", async () => {
    const photo = 'name="files"; filename="IMG_4187.jpg"';
    const fields = (text: string) => ({ 'name="title"': "Sunset over the bay", 'name="text"': text, [photo]: "x" });
    const sent = async (text: string) => {
      const parts = Object.entries(fields(text)).map(
        ([name, value]) => `--cut\r\nContent-Disposition: form-data; ${name}\r\n\r\n${value}\r\n`,
      );
      const headers = { "content-type": "multipart/form-data; boundary=cut" };
      const shared = readShared(await new Response(`${parts.join("")}--cut--\r\n`, { headers }).formData());
      return [shared.text, ...shared.files.map((file) => file.name)];
    };
    expect(await sent("")).toEqual(["", "IMG_4187.jpg"]);
    expect(await sent("IMG_4187.jpg")).toEqual(["", "IMG_4187.jpg"]);
    expect(await sent("Taken from the pier")).toEqual(["Taken from the pier", "IMG_4187.jpg"]);
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

  test("what the server has taken is noted in place of copies, and holds up no other where there is no room at all", async () => {
    await using browser = await openBrowser();
    await hear(browser, pastes.open, abc, opened);
    await create(browser, "first");
    await browser.offline.offlineFallback.queue(pastes.remove, { body: { ids: ["a"] } });
    let room = false;
    const full = fullStorage((store) => !room && store === "offlineQueue");
    for (const status of [201, 200]) browser.answer(status, { slug: "one" });
    expect(await browser.offline.send()).toEqual({ sent: ["batchDeletePastes"], rejected: 0, waiting: 1 });
    expect(await browser.database.count("pastes")).toBe(0);
    full.dispose();

    await hear(browser, pastes.open, abc, opened);
    using _full = fullStorage((store) => !room && store === "offlineQueue");
    const remove = IDBObjectStore.prototype.delete;
    using _room = spyOn(IDBObjectStore.prototype, "delete").mockImplementation(function (this: IDBObjectStore, key) {
      room ||= this.name === "pastes";
      return remove.call(this, key);
    });
    browser.answer(201, { slug: "one" });
    expect(await browser.offline.send()).toEqual({ sent: ["createPaste"], rejected: 0, waiting: 0 });
    expect(browser.offline.changes.get()).toMatchObject([{ status: "sent", answer: { slug: "one" } }]);
    const keys = browser.requests.map(({ init }) => new Headers(init.headers).get("idempotency-key"));
    expect(keys[2]).toBe(keys[0] as string);
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
    expect(browser.at.notQueued).toEqual([]);
    expect(await browser.database.count("pastes")).toBe(0);
    room = false;
    await leaveShared(browser.database, { text: "shared", files: [] }, 0);
    expect(await takeShared(browser.database)).toMatchObject({ text: "shared" });
  });
});
