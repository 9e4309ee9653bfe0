import { expect, test } from "bun:test";
import { commitTurn } from "../../../src/stores/s3/commit-turn.ts";

/** A turn that is given when the test says so. */
function lateTurn() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const events: string[] = [];
  return {
    events,
    give: resolve,
    async turn() {
      events.push("asked");
      await promise;
      events.push("taken");
      return () => void events.push("given back");
    },
    beforeCommit: async () => void events.push("confirmed"),
  };
}

test("a turn is taken before the first question, and given back at the end", async () => {
  const late = lateTurn();
  late.give();
  {
    using conditions = commitTurn(late);
    expect(late.events).toEqual([]);
    await conditions.beforeCommit();
    // The request is sent again.
    await conditions.beforeCommit();
    expect(late.events).toEqual(["asked", "taken", "confirmed", "confirmed"]);
  }
  expect(late.events.at(-1)).toBe("given back");
});

test("a turn that comes when the storage has broken off is given back at once", async () => {
  const late = lateTurn();
  let asked: Promise<void> | undefined;
  {
    using conditions = commitTurn(late);
    asked = conditions.beforeCommit();
  }
  late.give();
  expect(asked).rejects.toMatchObject({ code: "server.busy" });
  await asked.catch(() => undefined);
  expect(late.events).toEqual(["asked", "taken", "given back"]);
});
