import { expect, test } from "bun:test";
import type { Change } from "../../../src/stores/changes.ts";
import { createRemovalOrder, type Removal } from "../../../src/transfers/removal-order.ts";

/** Whose change is told first when something comes to a key that is being removed. */

const at = (key: string) => ({ storage: "one", key });
const removed = (key: string): Removal => ({ kind: "removed", at: at(key) });
const made = (key: string): Change => ({ kind: "made", at: at(key), modified: 0 });
const moved = (key: string): Change => ({ kind: "moved", from: at("elsewhere"), to: at(key) });

/** An order that notes what it tells; `halt` has the next change of a key wait. */
function noted() {
  const told: string[] = [];
  const halts = new Map<string, Promise<void>>();
  const order = createRemovalOrder(async (change) => {
    const { key } = change.kind === "moved" ? change.to : change.at;
    const halt = halts.get(key);
    halts.delete(key);
    await halt;
    told.push(`${change.kind} ${key}`);
  });
  return {
    ...order,
    told,
    halt(key: string): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      halts.set(key, promise);
      return resolve;
    },
  };
}

const nothing = async (): Promise<void> => undefined;

test("what comes to a key that is gone already is told after the removal, and waits for no other key", async () => {
  for (const [gone, comes] of [
    ["b", made("b")],
    ["b", moved("b")],
    ["d/", made("d/b")],
    ["d/b", moved("d/")],
  ] as const) {
    const order = noted();
    const goOn = order.halt("a");
    const removing = order.removing([removed("a"), removed(gone)], { make: nothing });
    await nothing();
    await order.tell(comes);
    const key = comes.kind === "moved" ? comes.to.key : comes.at.key;
    expect(order.told).toEqual([`removed ${gone}`, `${comes.kind} ${key}`]);
    goOn();
    await removing;
    expect(order.told.slice(2)).toEqual(["removed a"]);
  }
});

test("what lies elsewhere, or comes when all is told, waits for nothing", async () => {
  const order = noted();
  const goOn = order.halt("a");
  const removing = order.removing([removed("a")], { make: nothing });
  await nothing();
  await order.tell(made("ab"));
  await order.tell({ kind: "made", at: { storage: "two", key: "a" }, modified: 0 });
  expect(order.told).toEqual(["made ab", "made a"]);
  goOn();
  await removing;
  await order.tell(made("a"));
  expect(order.told.slice(2)).toEqual(["removed a", "made a"]);
});

test.each([
  ["it is there", true, ["made a"]],
  ["it is gone with the rest", false, ["made a", "removed a"]],
])("what comes while the storage is asked is looked at again: %s", async (_, isThere, told) => {
  const order = noted();
  const goOn = order.halt("a");
  const answered = Promise.withResolvers<void>();
  const asked: string[] = [];
  const removing = order.removing([removed("a"), removed("b")], {
    make: () => answered.promise,
    async isThere({ key }) {
      asked.push(key);
      return isThere;
    },
  });
  const coming = order.tell(made("a"));
  answered.resolve();
  // It is looked for when it was told.
  await nothing();
  expect(asked).toEqual([]);
  goOn();
  await Promise.all([coming, removing]);
  expect(order.told).toEqual([...told, "removed b"]);
  expect(asked).toEqual(["a"]);
});

test("a removal that was refused, or not made, is not told, and is in nobody's way", async () => {
  const order = noted();
  const failed = order.removing([removed("a")], { make: () => Promise.reject(new Error("refused")) });
  expect(await failed.catch((error: Error) => error.message)).toBe("refused");
  expect(await order.removing([removed("a")], { make: async () => false, isMade: (isGone) => isGone })).toBe(false);
  await order.tell(made("a"));
  expect(order.told).toEqual(["made a"]);
});

test("a follower that fails is no failure of what comes after", async () => {
  let isFirst = true;
  const told: string[] = [];
  const order = createRemovalOrder(async ({ kind }) => {
    if (isFirst) {
      isFirst = false;
      throw new Error("away");
    }
    told.push(kind);
  });
  const gone = Promise.withResolvers<void>();
  const removing = order.removing([removed("a")], { make: () => gone.promise });
  gone.resolve();
  await nothing();
  const coming = order.tell(made("a"));
  expect(await removing.catch((error: Error) => error.message)).toBe("away");
  await coming;
  expect(told).toEqual(["made"]);
});
