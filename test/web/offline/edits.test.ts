import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { type PasteChange, pastes } from "#contract/pastes";
import type { ShownChange } from "../../../web/offline/offline.ts";
import { openTestHouse } from "../../support/test-house.ts";
import { openBrowser } from "./browser.ts";

/** Several waiting changes of one text, sent to the real house. */

const house = await openTestHouse();
const token = await house.signIn();
afterAll(() => house[Symbol.asyncDispose]());

/** A request of the administrator. */
const admin = (path: string, { headers, ...init }: RequestInit = {}) => {
  const sent = new Headers(headers);
  sent.set("authorization", `Bearer ${token}`);
  if (init.body != null) sent.set("content-type", "application/json");
  return house.request(path, { ...init, headers: sent });
};

const share = async (slug: string): Promise<string> => {
  await admin("/api/paste", { method: "POST", body: JSON.stringify({ content: "first", slug }) });
  return await idOf(slug);
};

const read = async (slug: string) =>
  ((await (await admin(`/api/pastes/${slug}`)).json()) as { data: { id: string; content: string } }).data;
const idOf = async (slug: string) => (await read(slug)).id;

/** A browser out of reach of the house at first, and what its person does with one text. */
async function visit(id: string) {
  const browser = await openBrowser();
  const asked = (key: string, body: PasteChange) => ({ params: { id }, body, headers: { "idempotency-key": key } });
  const { offlineFallback, changes, attend } = browser.offline;
  return {
    browser,
    wait: (key: string, body: PasteChange) => offlineFallback.queue(pastes.update, asked(key, body)),
    /** Saves at once. */
    async save(key: string, body: PasteChange) {
      const { headers, body: data } = asked(key, body);
      const answer = await admin(`/api/pastes/${id}`, { method: "PUT", body: JSON.stringify(data), headers });
      expect(answer.status).toBe(200);
      offlineFallback.recordAnswer(pastes.update, asked(key, body), await answer.json());
      await attend();
    },
    connect() {
      browser.at.server = admin;
    },
    states: () => changes.get().map(({ status }) => status),
    first: () => changes.get()[0] as ShownChange,
    [Symbol.asyncDispose]: () => browser[Symbol.asyncDispose](),
  };
}

test("two that wait when a third holds already go on from it and from one another", async () => {
  const id = await share("overtaken");
  await using tab = await visit(id);
  await tab.wait("a", { content: "1", resetViews: true, version: 1 });
  await tab.wait("b", { content: "2", version: 1, after: ["a"] });
  await tab.save("c", { remark: "c", version: 1, after: ["a", "b"] });
  tab.connect();
  expect(await tab.browser.offline.send()).toMatchObject({ rejected: 0, waiting: 0 });
  expect(await read("overtaken")).toMatchObject({ content: "2", remark: "c" });
});

describe("one that goes on from a refused one", () => {
  let slug = "";
  let count = 0;

  beforeEach(() => {
    slug = `follower-${++count}`;
  });

  /** The first is refused because its link is taken. */
  async function refused() {
    await share(`taken-${count}`);
    const tab = await visit(await share(slug));
    await tab.wait("a", { content: "1", newSlug: `taken-${count}`, resetViews: true, version: 1 });
    await tab.wait("b", { remark: "b", version: 1 });
    tab.connect();
    expect(await tab.browser.offline.send()).toEqual({ sent: [], rejected: 1, waiting: 0 });
    expect(tab.states()).toEqual(["rejected", "behind"]);
    return tab;
  }

  test("waits until that is sent again, also with other values", async () => {
    await using tab = await refused();
    const { id, data } = tab.first();
    expect(await tab.browser.offline.retry(id)).toEqual({ sent: [], rejected: 1, waiting: 0 });
    const free = { ...(data as PasteChange), newSlug: `free-${count}` };
    expect(await tab.browser.offline.retry(id, free)).toMatchObject({ sent: ["updatePaste", "updatePaste"] });
    expect(await read(`free-${count}`)).toMatchObject({ content: "1", remark: "b" });
  });

  test("waits on when its values are overtaken, and goes once the other is discarded", async () => {
    await using tab = await refused();
    await tab.wait("d", { content: "d", version: 1 });
    await tab.save("c", { maxViews: 9, version: 1 });
    expect(await tab.browser.offline.send()).toEqual({ sent: [], rejected: 0, waiting: 0 });
    expect(await tab.browser.offline.discard(tab.first())).toBe("discarded");
    expect(await tab.browser.offline.send()).toMatchObject({ sent: ["updatePaste"], rejected: 0, waiting: 0 });
    expect(await read(slug)).toMatchObject({ content: "d", remark: "b", max_views: 9 });
  });
});
