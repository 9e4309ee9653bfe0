import { expect, test } from "bun:test";
import { pastes } from "#contract/pastes";
import { createStandInPlace, type StandIn } from "../../../web/api/stand-in.ts";

const listening = () => {
  const heard: unknown[] = [];
  const standIn: StandIn = {
    heard: (_endpoint, _asked, answer) => void heard.push(answer),
    recall: async () => undefined,
    queue: async () => false,
  };
  return { heard, standIn };
};

test("a stand-in hears what was answered before it had loaded", () => {
  const place = createStandInPlace();
  place.heard(pastes.open, {}, "early");
  const { heard, standIn } = listening();
  place.set(standIn);
  place.heard(pastes.open, {}, "later");
  expect(heard).toEqual(["early", "later"]);
});

test("a call that needs it has it loaded", async () => {
  const place = createStandInPlace();
  const { standIn } = listening();
  place.loadBy(async () => place.set(standIn));
  expect(await place.get()).toBe(standIn);
});
