import { expect, test } from "bun:test";
import { ownTurns } from "../../../src/cluster/turns.ts";
import { createInFlight } from "../../../src/transfers/in-flight.ts";

/** A write that goes on until it is told to end, and tells whether it was stopped. */
function slow() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<AbortSignal>();
  return {
    end: resolve,
    signal: begun.promise,
    write: async (signal: AbortSignal) => {
      begun.resolve(signal);
      await promise;
      signal.throwIfAborted();
      return "written";
    },
  };
}

const nothing = async () => undefined;

const finished = { code: "upload.finished" };

test("a write alone is left alone", async () => {
  const inFlight = createInFlight(ownTurns(undefined));
  expect(await inFlight.latest("a", 1, async (signal) => signal.aborted)).toBe(false);
});

test("a later write for the same place stops the earlier one, even when it ends first", async () => {
  const inFlight = createInFlight(ownTurns(undefined));
  const [first, second, third] = [slow(), slow(), slow()];
  const all = Promise.allSettled([first, second, third].map(({ write }) => inFlight.latest("a", 1, write)));
  third.end();
  expect((await third.signal).aborted).toBe(false);
  first.end();
  second.end();
  expect(await all).toMatchObject([{ reason: finished }, { reason: finished }, { value: "written" }]);
});

test("other parts and other uploads are none of its business", async () => {
  const inFlight = createInFlight(ownTurns(undefined));
  const slows = [slow(), slow(), slow()];
  const places = [
    ["a", 1],
    ["a", 2],
    ["b", 1],
  ] as const;
  const all = places.map(([upload, part], index) => inFlight.latest(upload, part, slows[index]?.write ?? slow().write));
  for (const { end } of slows) end();
  expect(await Promise.all(all)).toEqual(["written", "written", "written"]);
});

test("stop ends all writes of one upload, and no later one", async () => {
  const inFlight = createInFlight(ownTurns(undefined));
  const [first, second, other] = [slow(), slow(), slow()];
  const stopped = Promise.allSettled([inFlight.latest("a", 1, first.write), inFlight.latest("a", 2, second.write)]);
  const spared = inFlight.latest("b", 1, other.write);
  await inFlight.exclusively("a", nothing);
  await inFlight.exclusively("nothing", nothing);
  for (const { end } of [first, second, other]) end();
  expect(await stopped).toMatchObject([{ reason: finished }, { reason: finished }]);
  expect(await spared).toBe("written");
  expect(await inFlight.latest("a", 1, async ({ aborted }) => aborted)).toBe(false);
});

test("a write that ended or failed is forgotten: nothing stops it afterwards", async () => {
  const inFlight = createInFlight(ownTurns(undefined));
  const signals: AbortSignal[] = [];
  await inFlight.latest("a", 1, async (signal) => void signals.push(signal));
  const failing = inFlight.latest("a", 2, async (signal) => {
    signals.push(signal);
    throw new Error("broken");
  });
  await expect(failing).rejects.toThrow("broken");
  await inFlight.latest("a", 1, async () => undefined);
  await inFlight.latest("a", 2, async () => undefined);
  await inFlight.exclusively("a", nothing);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
});

test("an earlier write that ends does not make the later one forgotten", async () => {
  const inFlight = createInFlight(ownTurns(undefined));
  const [first, second] = [slow(), slow()];
  const early = Promise.allSettled([inFlight.latest("a", 1, first.write)]);
  const late = Promise.allSettled([inFlight.latest("a", 1, second.write)]);
  first.end();
  expect(await early).toMatchObject([{ reason: finished }]);
  await inFlight.exclusively("a", nothing);
  second.end();
  expect(await late).toMatchObject([{ reason: finished }]);
});

test("who ends an upload is alone with it: others wait, and nothing begins to arrive", async () => {
  const inFlight = createInFlight(ownTurns(undefined));
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = inFlight.exclusively("a", async () => {
    await gate.promise;
    order.push("first");
  });
  const second = inFlight.exclusively("a", async () => void order.push("second"));
  await inFlight.exclusively("b", async () => void order.push("other"));
  await expect(inFlight.latest("a", 1, nothing)).rejects.toMatchObject(finished);
  expect(await inFlight.latest("b", 1, async () => "arrived")).toBe("arrived");
  gate.resolve();
  await Promise.all([first, second]);
  expect(order).toEqual(["other", "first", "second"]);
  expect(await inFlight.latest("a", 1, async () => "arrived")).toBe("arrived");
});

test("one that fails to end an upload keeps nobody else from it", async () => {
  const inFlight = createInFlight(ownTurns(undefined));
  const failing = inFlight.exclusively("a", async () => {
    throw new Error("broken");
  });
  const next = inFlight.exclusively("a", async () => "ended");
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("ended");
});

test("tells whether something is arriving", async () => {
  const inFlight = createInFlight(ownTurns(undefined));
  const one = slow();
  const running = inFlight.latest("a", 1, one.write);
  expect([inFlight.has("a"), inFlight.has("b")]).toEqual([true, false]);
  one.end();
  await running;
  expect(inFlight.has("a")).toBe(false);
});
