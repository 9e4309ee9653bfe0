import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { createLog } from "../../../src/lib/log.ts";
import { createViewCounter } from "../../../src/shares/memory.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A counter over a table that fails as often as it is told to. */
function counting(failures: number) {
  let left = failures;
  const written: [string, number][][] = [];
  const add = async (views: ReadonlyMap<string, number>) => {
    if (left-- > 0) throw new Error("database is locked");
    written.push([...views]);
  };
  const lines: string[] = [];
  const log = createLog("info", (text) => void lines.push(text));
  return {
    counter: createViewCounter(add, log),
    written,
    log() {
      log.flush();
      return lines.join("");
    },
  };
}

/** Lets a second pass, and what it started come to its end. */
async function second(): Promise<void> {
  jest.advanceTimersByTime(1000);
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
}

test("views are written together after a second, and not again", async () => {
  const { counter, written } = counting(0);
  expect([counter.count("a"), counter.count("b"), counter.count("a")]).toEqual([1, 1, 2]);
  expect(written).toEqual([]);
  await second();
  const once: [string, number][][] = [
    [
      ["a", 2],
      ["b", 1],
    ],
  ];
  expect(written).toEqual(once);
  await second();
  await counter.flush();
  expect(written).toEqual(once);
});

test("what could not be written is kept, counted on and written the next time", async () => {
  const { counter, written } = counting(1);
  counter.count("a");
  counter.count("a");
  const failing = expect(counter.flush()).rejects.toThrow("locked");
  expect(counter.count("b")).toBe(1);
  await failing;
  expect(counter.count("a")).toBe(3);
  await counter.flush();
  expect(written.map((views) => Object.fromEntries(views))).toEqual([{ a: 3, b: 1 }]);
});

test("a write that fails by itself is logged and tried again", async () => {
  const { counter, written, log } = counting(2);
  counter.count("a");
  await second();
  await second();
  expect(written).toEqual([]);
  expect(log().match(/views not written/g)?.length).toBe(2);
  await second();
  expect(written).toEqual([[["a", 1]]]);
});

test("whoever flushes during a write waits for it, also when it fails", async () => {
  const started: PromiseWithResolvers<void>[] = [];
  const written: string[] = [];
  const counter = createViewCounter(
    async (views) => {
      const write = Promise.withResolvers<void>();
      started.push(write);
      await write.promise;
      written.push(...views.keys());
    },
    createLog("silent", () => undefined),
  );
  counter.count("a");
  await second();
  const flushed = counter.flush().then(() => written.push("flushed"));
  await second();
  expect(written).toEqual([]);
  started[0]?.reject(new Error("database is locked"));
  await second();
  started[1]?.resolve();
  await flushed;
  expect(written).toEqual(["a", "flushed"]);
});
