import { describe, expect, test } from "bun:test";
import { MAX_EARLIER_CHANGES } from "#contract/limits";
import { type PasteChange, pastes } from "#contract/pastes";
import { settings } from "#contract/settings";
import { openBrowser } from "./browser.ts";

describe("changes of the same thing", () => {
  test("are kept once, however often the same button was pressed", async () => {
    await using browser = await openBrowser();
    const { offlineFallback, changes } = browser.offline;
    const headers = { "idempotency-key": "pressed once" };
    for (const _ of [1, 2]) await offlineFallback.queue(pastes.create, { body: { content: "x" }, headers });
    for (const _ of [1, 2]) await offlineFallback.queue(pastes.remove, { body: { ids: ["a"] } });
    await offlineFallback.queue(pastes.remove, { body: { ids: ["b"] } });
    // Somebody may well share the same text twice.
    for (const _ of [1, 2]) await offlineFallback.queue(pastes.create, { body: { content: "again" } });
    const types = changes.get().map(({ type }) => type);
    expect(types).toEqual(["createPaste", "batchDeletePastes", "batchDeletePastes", ...["createPaste", "createPaste"]]);
  });

  test("that go back and forth are all kept, in their order", async () => {
    await using browser = await openBrowser();
    const set = (max_upload_size: string) =>
      browser.offline.offlineFallback.queue(settings.update, { params: { group: "1" }, body: { max_upload_size } });
    for (const size of ["77", "88", "88", "77"]) await set(size);
    const sizes = browser.offline.changes
      .get()
      .map(({ data }) => (data as { max_upload_size: string }).max_upload_size);
    expect(sizes).toEqual(["77", "88", "77"]);
  });

  test("of settings do not undo what was set since", async () => {
    await using browser = await openBrowser();
    const params = { group: "1" };
    const { offlineFallback } = browser.offline;
    await offlineFallback.queue(settings.update, { params, body: { max_upload_size: "77", site_title: "kept" } });
    await offlineFallback.queue(settings.update, { params, body: { max_upload_size: "78" } });
    await offlineFallback.queue(settings.update, { params: { group: "2" }, body: { max_upload_size: "79" } });
    const body = { max_upload_size: "88" };
    offlineFallback.recordAnswer(settings.update, { params, body }, { success: false, data: {} });
    offlineFallback.recordAnswer(settings.update, { params: { group: "3" }, body }, { data: {} });
    await browser.offline.attend();
    expect(browser.offline.changes.get()).toHaveLength(3);
    offlineFallback.recordAnswer(settings.update, { params, body }, { data: {} });
    await browser.offline.attend();
    expect(browser.offline.changes.get().map(({ data }) => data)).toEqual([
      { site_title: "kept" },
      { max_upload_size: "79" },
    ]);
  });

  test("of one text become one, to the version that it had before the first", async () => {
    await using browser = await openBrowser();
    const params = { id: "abc" };
    await browser.offline.offlineFallback.queue(pastes.update, { params, body: { content: "1", version: 4 } });
    await browser.offline.offlineFallback.queue(pastes.update, {
      params,
      body: { content: "2", remark: "r", version: 5 },
    });
    await browser.offline.offlineFallback.queue(pastes.update, { params: { id: "other" }, body: { content: "3" } });
    expect(browser.offline.changes.get().map(({ data }) => data)).toEqual([
      { content: "2", remark: "r", version: 4, after: [expect.any(String), expect.any(String)] },
      { content: "3" },
    ]);
  });

  test("of one text name those before them, whose answers may have been lost, and go under a name of their own", async () => {
    await using browser = await openBrowser();
    const change = (key: string, body: PasteChange) => {
      const headers = { "idempotency-key": key };
      return browser.offline.offlineFallback.queue(pastes.update, { params: { id: "abc" }, body, headers });
    };
    await change("a", { content: "1", version: 4 });
    await browser.offline.send();
    await change("b", { content: "2", version: 4, after: ["0"] });
    await browser.offline.send();
    const [first, second] = browser.requests.map(({ init }) => ({
      body: JSON.parse(String(init.body)),
      key: new Headers(init.headers).get("idempotency-key"),
    }));
    expect(first).toEqual({ body: { content: "1", version: 4 }, key: "a" });
    expect(second?.body).toEqual({ content: "2", version: 4, after: ["a", "0", "b"] });
    expect(["a", "b"]).not.toContain(second?.key);
    for (let count = 0; count < MAX_EARLIER_CHANGES; count++) await change(String(count), { content: "3", version: 4 });
    const [all] = browser.offline.changes.get().map(({ data }) => (data as PasteChange).after);
    expect(all).toHaveLength(MAX_EARLIER_CHANGES);
  });

  test.each<PasteChange>([{ resetViews: true }, { newSlug: null }])(
    "of one text repeat %j under its own name alone: its answer may have been lost",
    async (anew) => {
      await using browser = await openBrowser();
      const change = (key: string, body: PasteChange) =>
        browser.offline.offlineFallback.queue(pastes.update, {
          params: { id: "abc" },
          body: { version: 4, ...body },
          headers: { "idempotency-key": key },
        });
      const first = { content: "1", ...anew };
      await change("a", first);
      await browser.offline.send();
      await change("b", { content: "2" });
      await change("c", { remark: "r" });
      for (const _ of [1, 2]) browser.answer(200, { data: { id: "abc", slug: "abc" } });
      expect(await browser.offline.send()).toMatchObject({ sent: ["updatePaste", "updatePaste"], waiting: 0 });
      const sent = browser.requests.map(({ init }) => ({
        key: new Headers(init.headers).get("idempotency-key") ?? "",
        body: JSON.parse(String(init.body)),
      }));
      const made = { key: "a", body: { version: 4, ...first } };
      expect(sent).toEqual([
        made,
        made,
        { key: expect.any(String), body: { content: "2", remark: "r", version: 4, after: ["a", "b", "c"] } },
      ]);
    },
  );

  test("of one text of which both count the views from zero become one", async () => {
    await using browser = await openBrowser();
    for (const content of ["1", "2"])
      await browser.offline.offlineFallback.queue(pastes.update, {
        params: { id: "abc" },
        body: { content, resetViews: true },
      });
    expect(browser.offline.changes.get().map(({ data }) => data)).toEqual([
      { content: "2", resetViews: true, after: [expect.any(String), expect.any(String)] },
    ]);
  });

  test("of one text do not undo what was set since, a password neither", async () => {
    await using browser = await openBrowser();
    const { offlineFallback, changes } = browser.offline;
    const params = { id: "abc" };
    const headers = { "idempotency-key": "direct" };
    await offlineFallback.queue(pastes.update, {
      params,
      body: { content: "1", remark: "r", clearPassword: true, version: 4 },
    });
    await offlineFallback.queue(pastes.update, { params: { id: "other" }, body: { content: "1", version: 1 } });
    const body = { content: "2", password: "sesame", version: 4 };
    offlineFallback.recordAnswer(pastes.update, { params, body, headers }, undefined);
    await browser.offline.attend();
    expect(changes.get()[0]?.data).toMatchObject({ content: "1" });
    const knowing = { ...body, after: [changes.get()[0]?.requestKey ?? ""] };
    offlineFallback.recordAnswer(
      pastes.update,
      { params, body: knowing, headers },
      { data: { id: "abc", slug: "abc" } },
    );
    await browser.offline.attend();
    const [left, other] = changes.get();
    expect(left?.data).toMatchObject({ remark: "r", version: 4 });
    expect(left?.data).not.toHaveProperty("content");
    expect(left?.data).toHaveProperty("after", expect.arrayContaining(["direct"]));
    expect(other?.data).toEqual({ content: "1", version: 1 });
  });

  test("of one text leave a text that another tab did not know, as a change of the version that it was made to", async () => {
    await using browser = await openBrowser();
    const { offlineFallback, changes } = browser.offline;
    const params = { id: "abc" };
    const headers = { "idempotency-key": "waits" };
    await offlineFallback.queue(pastes.update, { params, body: { content: "long", remark: "r", version: 4 }, headers });
    const answer = { data: { id: "abc", slug: "abc" } };
    const body = { content: "short", remark: "s", version: 4 };
    offlineFallback.recordAnswer(pastes.update, { params, body, headers: { "idempotency-key": "direct" } }, answer);
    await browser.offline.attend();
    expect(changes.get().map(({ data }) => data)).toEqual([{ content: "long", version: 4, after: ["waits"] }]);
    const knowing = { content: "both", version: 5, after: [changes.get()[0]?.requestKey ?? ""] };
    offlineFallback.recordAnswer(
      pastes.update,
      { params, body: knowing, headers: { "idempotency-key": "next" } },
      answer,
    );
    await browser.offline.attend();
    expect(changes.get()).toEqual([]);
  });

  test("of one text keep its last word about the password", async () => {
    await using browser = await openBrowser();
    for (const body of [{ clearPassword: true }, { password: "sesame" }])
      await browser.offline.offlineFallback.queue(pastes.update, { params: { id: "abc" }, body });
    expect(browser.offline.changes.get()[0]?.data).toEqual({ password: "sesame", after: expect.anything() });
  });

  test("that become another one while they are sent are sent once more", async () => {
    await using browser = await openBrowser();
    const params = { id: "abc" };
    const change = (content: string) =>
      browser.offline.offlineFallback.queue(pastes.update, { params, body: { content } });
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
    await browser.offline.offlineFallback.queue(pastes.remove, { body: { ids: ["a"] } });
    browser.answer(404, { error: "share.missing", message: "Not found" });
    expect(await browser.offline.send()).toEqual({ sent: ["batchDeletePastes"], rejected: 0, waiting: 0 });
    expect(browser.offline.changes.get()).toEqual([]);
  });
});
