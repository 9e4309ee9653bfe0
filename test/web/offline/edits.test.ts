import { afterAll, expect, test } from "bun:test";
import { type PasteChange, pastes } from "#contract/pastes";
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
  const { standIn, attend } = browser.offline;
  return {
    browser,
    wait: (key: string, body: PasteChange) => standIn.queue(pastes.update, asked(key, body)),
    /** Saves at once. */
    async save(key: string, body: PasteChange) {
      const { headers, body: data } = asked(key, body);
      const answer = await admin(`/api/pastes/${id}`, { method: "PUT", body: JSON.stringify(data), headers });
      expect(answer.status).toBe(200);
      standIn.heard(pastes.update, asked(key, body), await answer.json());
      await attend();
    },
    connect: () => void (browser.at.server = admin),
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
