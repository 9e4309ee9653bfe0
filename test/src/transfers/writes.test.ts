import { expect, test } from "bun:test";
import { createWrites } from "../../../src/transfers/writes.ts";

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

const finished = { code: "upload.finished" };

test("a write alone is left alone", async () => {
  const writes = createWrites();
  expect(await writes.latest("a", 1, async (signal) => signal.aborted)).toBe(false);
});

test("a later write for the same place stops the earlier one, even when it ends first", async () => {
  const writes = createWrites();
  const [first, second, third] = [slow(), slow(), slow()];
  const all = Promise.allSettled([first, second, third].map(({ write }) => writes.latest("a", 1, write)));
  third.end();
  expect((await third.signal).aborted).toBe(false);
  first.end();
  second.end();
  expect(await all).toMatchObject([{ reason: finished }, { reason: finished }, { value: "written" }]);
});

test("other parts and other uploads are none of its business", async () => {
  const writes = createWrites();
  const slows = [slow(), slow(), slow()];
  const places = [
    ["a", 1],
    ["a", 2],
    ["b", 1],
  ] as const;
  const all = places.map(([upload, part], index) => writes.latest(upload, part, slows[index]?.write ?? slow().write));
  for (const { end } of slows) end();
  expect(await Promise.all(all)).toEqual(["written", "written", "written"]);
});

test("stop ends all writes of one upload, and no later one", async () => {
  const writes = createWrites();
  const [first, second, other] = [slow(), slow(), slow()];
  const stopped = Promise.allSettled([writes.latest("a", 1, first.write), writes.latest("a", 2, second.write)]);
  const spared = writes.latest("b", 1, other.write);
  writes.stop("a");
  writes.stop("nothing");
  for (const { end } of [first, second, other]) end();
  expect(await stopped).toMatchObject([{ reason: finished }, { reason: finished }]);
  expect(await spared).toBe("written");
  expect(await writes.latest("a", 1, async ({ aborted }) => aborted)).toBe(false);
});

test("a write that ended or failed is forgotten: nothing stops it afterwards", async () => {
  const writes = createWrites();
  const signals: AbortSignal[] = [];
  await writes.latest("a", 1, async (signal) => void signals.push(signal));
  const failing = writes.latest("a", 2, async (signal) => {
    signals.push(signal);
    throw new Error("broken");
  });
  await expect(failing).rejects.toThrow("broken");
  await writes.latest("a", 1, async () => undefined);
  await writes.latest("a", 2, async () => undefined);
  writes.stop("a");
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
});

test("an earlier write that ends does not make the later one forgotten", async () => {
  const writes = createWrites();
  const [first, second] = [slow(), slow()];
  const early = Promise.allSettled([writes.latest("a", 1, first.write)]);
  const late = Promise.allSettled([writes.latest("a", 1, second.write)]);
  first.end();
  expect(await early).toMatchObject([{ reason: finished }]);
  writes.stop("a");
  second.end();
  expect(await late).toMatchObject([{ reason: finished }]);
});
