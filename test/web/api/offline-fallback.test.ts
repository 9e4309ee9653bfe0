import { expect, test } from "bun:test";
import { pastes } from "#contract/pastes";
import { createCall } from "../../../web/api/call.ts";
import type { SessionState } from "../../../web/api/session/credential.ts";
import { createFallbackHolder, type OfflineFallback } from "../../../web/api/transport/offline-fallback.ts";
import { createStore } from "../../../web/lib/store.ts";

const nobody: SessionState = { authType: "none", lastValidated: 0 };
const admin: SessionState = { authType: "admin", token: "t", username: "admin", lastValidated: 0 };

const listening = () => {
  const heard: unknown[] = [];
  const fakeServer: OfflineFallback = {
    recordAnswer: (_endpoint, _asked, answer) => void heard.push(answer),
    recall: async () => undefined,
    queue: async () => false,
  };
  return { heard, fakeServer };
};

test("a stand-in hears what was answered before it had loaded", () => {
  const place = createFallbackHolder({ state: createStore(nobody) });
  place.recordAnswer(pastes.open, {}, "early");
  const { heard, fakeServer } = listening();
  place.set(fakeServer);
  place.recordAnswer(pastes.open, {}, "later");
  expect(heard).toEqual(["early", "later"]);
});

test("a call that needs it has it loaded", async () => {
  const place = createFallbackHolder({ state: createStore(nobody) });
  const { fakeServer } = listening();
  place.loadBy(async () => place.set(fakeServer));
  expect(await place.get()).toBe(fakeServer);
});

test("what was answered to one person is not handed over once they have left", () => {
  const state = createStore<SessionState>(admin);
  const place = createFallbackHolder({ state });
  place.recordAnswer(pastes.list, {}, "theirs");
  state.set({ ...admin, lastValidated: 1 });
  place.recordAnswer(pastes.list, {}, "theirs, too");
  state.set(nobody);
  place.recordAnswer(pastes.open, {}, "anybody's");
  const { heard, fakeServer } = listening();
  place.set(fakeServer);
  expect(heard).toEqual(["anybody's"]);
});

test.each([
  ["is kept for whoever made it", admin, ["POST"]],
  ["is not kept for who signed in before it failed", { ...admin, username: "another" }, []],
  ["is not kept for visitors when its maker left before it failed", nobody, []],
] as const)("a change that reaches nobody %s", async (_name, later, kept) => {
  const state = createStore<SessionState>(admin);
  const queued: string[] = [];
  const fakeServer: OfflineFallback = {
    recordAnswer: () => undefined,
    recall: async () => undefined,
    queue: async ({ method }) => queued.push(method) > 0,
  };
  // Nobody listens there.
  const base = () => "http://127.0.0.1:1/api";
  const place = { recordAnswer: () => undefined, get: async () => fakeServer };
  const call = createCall({ base, credential: { state }, language: () => "en", offlineFallback: place });
  const answer = call(pastes.create, { body: { content: "theirs" } }).catch(({ code }) => code);
  state.set(later);
  expect(await answer).toBe(kept.length > 0 ? "queued" : "network");
  expect(queued).toEqual([...kept]);
});
