import { describe, expect, spyOn, test } from "bun:test";
import { files } from "#contract/files";
import { fs } from "#contract/fs/fs";
import { SLOWEST_LINE } from "#contract/limits";
import { pastes } from "#contract/pastes";
import { settings } from "#contract/settings";
import type { ShownChange } from "../../../web/offline/offline.ts";
import { MAX_QUEUED } from "../../../web/offline/queue.ts";
import { contents, create, openBrowser } from "./browser.ts";

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
    await browser.offline.offlineFallback.queue(pastes.create, { body: { content: "x" }, headers });
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

  test("are not sent when they were discarded while another one was", async () => {
    await using browser = await openBrowser();
    await create(browser, "first");
    await browser.offline.offlineFallback.queue(pastes.remove, { body: { ids: ["a"] } });
    const [, deletion] = browser.offline.changes.get();
    browser.at.meanwhile = () => browser.offline.discard(deletion as ShownChange);
    browser.answer(201, { slug: "one" });
    browser.answer(200, { data: { deleted: 1 } });
    expect(await browser.offline.send()).toEqual({ sent: ["createPaste"], rejected: 0, waiting: 0 });
    expect(browser.requests).toHaveLength(1);
  });

  test("are not discarded while they are sent, nor once they were", async () => {
    await using browser = await openBrowser();
    await create(browser, "first");
    const [first] = browser.offline.changes.get();
    const discard = () => browser.offline.discard(first as ShownChange);
    const became: string[] = [];
    browser.at.meanwhile = async () => became.push(await discard());
    await browser.offline.send();
    browser.answer(201, { slug: "one" });
    await browser.offline.send();
    expect(became).toEqual(["sending", "sending"]);
    expect(await discard()).toBe("gone");
    expect(browser.offline.changes.get()).toMatchObject([{ status: "sent", answer: { slug: "one" } }]);
    expect(await browser.offline.discard(browser.offline.changes.get()[0] as ShownChange)).toBe("discarded");
    expect(await discard()).toBe("gone");
    expect(browser.offline.changes.get()).toEqual([]);
  });

  test("are sent once each, however often a page without locks of the browser tries at once", async () => {
    await using browser = await openBrowser();
    await create(browser, "first");
    browser.answer(201, { slug: "one" });
    const [one, other] = await Promise.all([browser.offline.send(), browser.offline.send()]);
    expect([one.sent, other.sent]).toEqual([["createPaste"], []]);
    expect(browser.requests).toHaveLength(1);
  });

  test("are sent as they have become while another one was, and so are those that came then", async () => {
    await using browser = await openBrowser();
    const change = (content: string) =>
      browser.offline.offlineFallback.queue(pastes.update, { params: { id: "abc" }, body: { content, version: 4 } });
    await create(browser, "first");
    await change("1");
    browser.at.meanwhile = async () => {
      browser.at.meanwhile = undefined;
      await change("2");
      await create(browser, "last");
    };
    for (const status of [201, 200, 201]) browser.answer(status, { slug: "any" });
    expect(await browser.offline.send()).toMatchObject({ waiting: 0 });
    expect(browser.requests.map(({ init }) => JSON.parse(String(init.body)).content)).toEqual(["first", "2", "last"]);
  });

  test("wait on when a page comes in place of the answer, as from a sign-in to the network", async () => {
    await using browser = await openBrowser();
    await create(browser, "first");
    browser.answerPage(200, "<title>Please accept the terms of this network</title>");
    expect(await browser.offline.send()).toEqual({ sent: [], rejected: 0, waiting: 1 });
    expect(contents(browser)).toEqual(["first"]);
  });

  test("that a gateway answers with a page of its own wait for the server; what is too long for it says so", async () => {
    await using browser = await openBrowser();
    await create(browser, "first");
    await browser.offline.offlineFallback.queue(pastes.remove, { body: { ids: ["a"] } });
    browser.answerPage(413, "<h1>Too large</h1>");
    browser.answerPage(404, "<h1>No such page</h1>");
    expect(await browser.offline.send()).toEqual({ sent: [], rejected: 1, waiting: 1 });
    expect(browser.offline.changes.get().map(({ refusal }) => refusal)).toEqual(["HTTP 413", undefined]);
  });

  test.each([
    ["a visitor's, who may share nothing any more", undefined, 401, { error: "auth.required", message: "Sign in" }],
    ["that bring a fault of the server to light", "admin", 500, { error: "internal", message: "Something went wrong" }],
    ["beyond a quota", "admin", 507, { error: "storage.full", message: "Storage is full" }],
  ])("%s, hold nothing up", async (_, person, status, answer) => {
    await using browser = await openBrowser();
    browser.at.person = person;
    await create(browser, "first");
    browser.at.person = "admin";
    await create(browser, "second");
    browser.answer(status, answer);
    browser.answer(201, { slug: "two" });
    expect(await browser.offline.send()).toEqual({ sent: ["createPaste"], rejected: 1, waiting: 0 });
    expect(browser.offline.changes.get()[0]).toMatchObject({ status: "rejected", refusal: answer.message });
  });

  test("get the time that their bytes need on a slow line", async () => {
    await using browser = await openBrowser();
    using timeout = spyOn(AbortSignal, "timeout");
    await create(browser, "x".repeat(10_000_000));
    await browser.offline.send();
    expect(timeout.mock.calls[0]?.[0]).toBeGreaterThan((10_000_000 / SLOWEST_LINE) * 1000);
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
    for (const change of browser.offline.changes.get()) await browser.offline.discard(change);
    expect(browser.offline.changes.get()).toEqual([]);
  });

  test("settings of which one is wrong are refused although the status says success", async () => {
    await using browser = await openBrowser();
    const asked = { params: { group: "1" }, body: { max_upload_size: "-1" } };
    await browser.offline.offlineFallback.queue(settings.update, asked);
    browser.answer(200, { code: 202, success: false, message: "Some settings are wrong." });
    expect(await browser.offline.send()).toMatchObject({ rejected: 1 });
    expect(browser.requests[0]?.url).toBe("/api/admin/settings/group/1");
  });

  test("of another person are neither sent nor shown, and go once they are back", async () => {
    await using browser = await openBrowser();
    await create(browser, "mine");
    browser.at.person = "apikey:1";
    await browser.offline.attend();
    expect(await browser.offline.send()).toEqual({ sent: [], rejected: 0, waiting: 0 });
    expect(browser.requests).toEqual([]);
    expect(browser.offline.changes.get()).toMatchObject([{ status: "others", data: undefined }]);
    await create(browser, "the key's");
    await browser.offline.leave("apikey:1");
    browser.at.person = "admin";
    await browser.offline.attend();
    expect(contents(browser)).toEqual(["mine"]);
    browser.answer(201, { slug: "one" });
    expect(await browser.offline.send()).toMatchObject({ sent: ["createPaste"] });
    expect(new Headers(browser.requests[0]?.init.headers).get("authorization")).toBe("Bearer of admin");
  });

  test("of a visitor go without a credential, whoever is here", async () => {
    await using browser = await openBrowser();
    browser.at.person = undefined;
    await create(browser, "anybody's");
    browser.at.person = "admin";
    browser.answer(201, { slug: "one" });
    expect(await browser.offline.send()).toMatchObject({ sent: ["createPaste"] });
    expect(new Headers(browser.requests[0]?.init.headers).has("authorization")).toBe(false);
  });

  test("that prove a password spend no view of a limited share, and a wrong one holds nothing up", async () => {
    await using browser = await openBrowser();
    const params = { slug: "abc" };
    await browser.offline.offlineFallback.queue(files.unlock, { params, body: { password: "wrong" } });
    await browser.offline.offlineFallback.queue(files.unlock, { params, body: { password: "sesame" } });
    browser.answer(401, { error: "password.wrong", message: "Wrong password" });
    browser.answer(200, { success: true, data: { slug: "abc", requires_password: false } });
    expect(await browser.offline.send()).toEqual({ sent: ["verifyFilePassword"], rejected: 1, waiting: 0 });
    expect(browser.requests[1]?.url).toBe("/api/public/files/abc/verify?peek=1");
    const [, proven] = browser.offline.changes.get();
    expect(proven).toMatchObject({ status: "sent", answer: { data: { slug: "abc" } } });
    expect(proven?.data).toBeUndefined();
  });

  test("are refused beyond the most that are kept", async () => {
    await using browser = await openBrowser();
    for (let count = 0; count < MAX_QUEUED; count++) await create(browser, String(count));
    expect(await create(browser, "one more")).toBe(false);
    expect(browser.at.notQueued).toEqual(["full"]);
    // A link that nobody has looked at yet takes no place.
    browser.answer(201, { slug: "one" });
    await browser.offline.send();
    expect(await create(browser, "one more")).toBe(true);
  });

  test("are refused with a word when a newer version in another tab has taken the database over", async () => {
    await using browser = await openBrowser("1.2.3");
    const newer = await openBrowser("1.3.0");
    expect(await create(browser, "too late")).toBe(false);
    expect(browser.at.notQueued).toEqual(["closed"]);
    newer.close();
  });

  test("are refused with a word of its own when the database fails", async () => {
    await using browser = await openBrowser();
    using _put = spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
      throw new DOMException("Internal error.", "UnknownError");
    });
    expect(await create(browser, "nowhere")).toBe(false);
    expect(browser.at.notQueued).toEqual(["broken"]);
  });

  test("of a call that may not wait are none, and those of another version of the pages are left alone", async () => {
    await using browser = await openBrowser();
    expect(await browser.offline.offlineFallback.queue(fs.list, {})).toBe(false);
    await browser.database.add("offlineQueue", { type: "of the future" } as never);
    await browser.offline.refresh();
    expect(browser.offline.changes.get()).toMatchObject([{ status: "foreign" }]);
    expect(await browser.offline.send()).toEqual({ sent: [], rejected: 0, waiting: 0 });
    expect(await browser.database.count("offlineQueue")).toBe(1);
  });
});
