import { describe, expect, test } from "bun:test";
import { deleteDB } from "idb";
import { files } from "#contract/files";
import { fs } from "#contract/fs/fs";
import { mounts } from "#contract/mounts";
import { pastes } from "#contract/pastes";
import { COPY_LIFE } from "../../../web/offline/copy-rules.ts";
import { DATABASE } from "../../../web/offline/database.ts";
import { readSender } from "../../../web/offline/sender.ts";
import { abc, contents, create, hear, openBrowser, opened, row } from "./browser.ts";

describe("copies of answers", () => {
  test("an open share is recalled for a week, and forgotten when it is gone", async () => {
    await using browser = await openBrowser();
    await hear(browser, pastes.open, abc, opened);
    expect(await browser.offline.offlineFallback.recall(pastes.open, abc)).toEqual(opened);
    browser.at.now += COPY_LIFE + 1;
    expect(await browser.offline.offlineFallback.recall(pastes.open, abc)).toBeUndefined();
    browser.at.now -= 2;
    await hear(browser, pastes.open, abc, undefined);
    expect(await browser.offline.offlineFallback.recall(pastes.open, abc)).toBeUndefined();
  });

  test.each([
    ["a password", { ...opened, hasPassword: true, content: undefined }],
    ["a limit", { ...opened, maxViews: 3 }],
  ])("a share with %s is never kept, and one that got it later is forgotten", async (_, guarded) => {
    await using browser = await openBrowser();
    await hear(browser, pastes.open, abc, opened);
    await hear(browser, pastes.open, abc, guarded);
    expect(await browser.offline.offlineFallback.recall(pastes.open, abc)).toBeUndefined();
    const file = {
      slug: "abc",
      requires_password: false,
      has_password: guarded.hasPassword,
      max_views: guarded.maxViews,
    };
    await hear(browser, files.open, abc, { data: file });
    expect(await browser.database.count("files")).toBe(0);
  });

  test("a file that is on its way is not kept before it is there", async () => {
    await using browser = await openBrowser();
    const file = { slug: "abc", requires_password: false, has_password: false, max_views: 0 };
    for (const state of ["uploading", "stalled"]) {
      await hear(browser, files.open, abc, { data: { ...file, state } });
      expect(await browser.database.count("files")).toBe(0);
    }
    await hear(browser, files.open, abc, { data: file });
    expect(await browser.database.count("files")).toBe(1);
  });

  test("a text that was only read can be changed, by slug and by id, by who is signed in", async () => {
    await using browser = await openBrowser();
    const recalled = (id: string) => browser.offline.offlineFallback.recall(pastes.read, { params: { id } });
    await hear(browser, pastes.open, abc, opened);
    // Without its version a change could fall on what somebody else has written.
    expect(await recalled("abc")).toBeUndefined();
    await hear(browser, pastes.open, abc, { ...opened, id: "0197", version: 3, created_by: "admin" });
    for (const id of ["abc", "0197"])
      expect(await recalled(id)).toMatchObject({ data: { id: "0197", slug: "abc", content: "kept", version: 3 } });
    browser.at.now += COPY_LIFE + 1;
    expect(await recalled("abc")).toBeUndefined();
    browser.at.now -= COPY_LIFE + 1;
    browser.at.person = undefined;
    expect(await recalled("abc")).toBeUndefined();
  });

  test("a list is made of the rows that were seen, newest first, without protected ones", async () => {
    await using browser = await openBrowser();
    const data = [row("new", "2026-02-01"), row("old", "2026-01-01"), row("secret", "2026-03-01", 1)];
    await hear(browser, pastes.list, { query: { page: 1, limit: 10 } }, { data });
    const recalled = await browser.offline.offlineFallback.recall(pastes.list, { query: { page: 1, limit: 10 } });
    expect(recalled).toMatchObject({
      data: [{ slug: "new" }, { slug: "old" }],
      pagination: { total: 2, hasMore: false },
    });
    expect(
      await browser.offline.offlineFallback.recall(pastes.list, { query: { page: 1, search: "x" } }),
    ).toBeUndefined();
  });

  test("a folder is recalled as its first page, without the way to the next", async () => {
    await using browser = await openBrowser();
    const asked = { query: { path: "/drive/", limit: 2 } };
    await hear(browser, fs.list, asked, { data: { items: [{ name: "a" }], next_cursor: "b" } });
    const recalled = await browser.offline.offlineFallback.recall(fs.list, asked);
    expect(recalled).toEqual({ data: { items: [{ name: "a" }], next_cursor: null } });
    expect(
      await browser.offline.offlineFallback.recall(fs.list, { query: { path: "/drive/", cursor: "b" } }),
    ).toBeUndefined();
  });

  test("of what the server withholds go: a folder with all that lies below it, a list, a configuration", async () => {
    await using browser = await openBrowser();
    const { recall } = browser.offline.offlineFallback;
    const at = (path: string) => ({ query: { path } });
    const paths = ["/drive/secret", "/drive/secret/deep/", "/drive/secret 2", "/drive/secret0", "/drive"];
    for (const path of paths) await hear(browser, fs.list, at(path), { data: { items: [] } });
    await hear(browser, fs.list, at("/drive/secret/"), undefined);
    const left = [];
    for (const path of paths) if (await recall(fs.list, at(path))) left.push(path);
    expect(left).toEqual(["/drive/secret 2", "/drive/secret0", "/drive"]);
    await hear(browser, fs.list, at("/"), undefined);
    expect(await browser.database.count("directories")).toBe(0);

    browser.at.person = undefined;
    await hear(browser, pastes.open, abc, opened);
    browser.at.person = "admin";
    await hear(browser, pastes.list, {}, { data: [row("abc", "2026-01-01"), row("other", "2026-01-01")] });
    await hear(browser, pastes.list, {}, undefined);
    expect(await recall(pastes.list, {})).toBeUndefined();
    // What anybody may read was not withheld.
    expect(await recall(pastes.open, abc)).toEqual(opened);
    await hear(browser, mounts.visible, {}, { data: [] });
    await hear(browser, mounts.visible, {}, undefined);
    expect(await recall(mounts.visible, {})).toBeUndefined();
  });

  test("an open share is not recalled once the time that its owner gave it is over", async () => {
    await using browser = await openBrowser();
    const expiresAt = new Date(browser.at.now + 1000).toISOString();
    await hear(browser, pastes.open, abc, { ...opened, expiresAt });
    expect(await browser.offline.offlineFallback.recall(pastes.open, abc)).toBeDefined();
    const file = { slug: "abc", has_password: false, max_views: 0, expires_at: expiresAt };
    await hear(browser, files.open, abc, { data: file });
    browser.at.now += 1000;
    expect(await browser.offline.offlineFallback.recall(pastes.open, abc)).toBeUndefined();
    expect(await browser.offline.offlineFallback.recall(files.open, abc)).toBeUndefined();
  });

  test("an open share is not made younger by a list that shows it", async () => {
    await using browser = await openBrowser();
    await hear(browser, pastes.open, abc, opened);
    browser.at.now += COPY_LIFE;
    await hear(browser, pastes.list, {}, { data: [row("abc", "2026-01-01")] });
    expect(await browser.offline.offlineFallback.recall(pastes.open, abc)).toBeDefined();
    browser.at.now += 1;
    expect(await browser.offline.offlineFallback.recall(pastes.open, abc)).toBeUndefined();
    expect(await browser.offline.offlineFallback.recall(pastes.list, {})).toMatchObject({ data: [{ slug: "abc" }] });
  });

  test("one from the time to come, under a clock that was wrong, does not count", async () => {
    await using browser = await openBrowser();
    await hear(browser, pastes.open, abc, opened);
    browser.at.now -= COPY_LIFE + 1;
    expect(await browser.offline.offlineFallback.recall(pastes.open, abc)).toBeUndefined();
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
    expect(await browser.offline.offlineFallback.recall(fs.list, { query: { path: "/" } })).toBeUndefined();
  });

  test("what belongs to a person goes with them; what a visitor has opened stays", async () => {
    await using browser = await openBrowser();
    const seen = { params: { slug: "seen" }, query: { peek: "1" } };
    await hear(browser, pastes.open, seen, { ...opened, slug: "seen" });
    browser.at.person = undefined;
    await hear(browser, pastes.open, abc, opened);
    browser.at.person = "admin";
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
    expect(await browser.offline.offlineFallback.recall(pastes.list, {})).toBeUndefined();
    expect(await browser.offline.offlineFallback.recall(fs.list, { query: { path: "/" } })).toBeUndefined();
    expect(await browser.offline.offlineFallback.recall(pastes.open, abc)).toEqual(opened);
    expect(await browser.offline.offlineFallback.recall(pastes.open, seen)).toBeUndefined();
    expect((await readSender(browser.database)).authorization).toBeUndefined();
    expect(contents(browser)).toEqual([]);
  });

  test("what belongs to a person is nothing for others, nor for visitors once the session has ended by itself", async () => {
    await using browser = await openBrowser();
    const folder = { query: { path: "/" } };
    const recall = () => browser.offline.offlineFallback.recall(fs.list, folder);
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

test("the databases of these tests are gone with them", async () => {
  await deleteDB(DATABASE);
  expect(await indexedDB.databases()).toEqual([]);
});
