import { expect, test } from "bun:test";
import { createLog } from "../../../src/lib/log.ts";
import { createLastUses } from "../../../src/lib/write-behind.ts";
import { createTestClock } from "../../support/test-clock.ts";
import { until } from "../../support/until.ts";

function open() {
  const clock = createTestClock(1_000_000);
  const written: (readonly [string, number])[][] = [];
  const lines: string[] = [];
  let broken = false;
  const uses = createLastUses({
    name: "key uses",
    clock: clock.now,
    log: createLog("error", (text) => void lines.push(text)),
    write: async (batch) => {
      if (broken) throw new Error("disk full");
      written.push([...batch]);
    },
  });
  const breakDisk = (is: boolean) => {
    broken = is;
  };
  return { clock, uses, written, lines, breakDisk };
}

test("one use a minute is noted, whatever was known before", async () => {
  const { clock, uses, written } = open();
  uses.note({ id: "new", last_used: null });
  uses.note({ id: "new", last_used: null });
  uses.note({ id: "recent", last_used: clock.now() - 59_999 });
  uses.note({ id: "old", last_used: clock.now() - 60_000 });
  await uses.flush();
  clock.advance(60_000);
  uses.note({ id: "old", last_used: null });
  await uses.flush();
  await uses.flush();
  expect(written).toEqual([
    [
      ["new", 1_000_000],
      ["old", 1_000_000],
    ],
    [["old", 1_060_000]],
  ]);
});

test("no more is remembered than a thousand uses, whatever is used", async () => {
  const { uses, written } = open();
  for (let index = 0; index <= 1000; index += 1) uses.note({ id: String(index), last_used: null });
  await uses.flush();
  for (const id of ["1000", "0"]) uses.note({ id, last_used: null });
  await uses.flush();
  expect(written[1]).toEqual([["0", 1_000_000]]);
});

test("what could not be written is kept, and a later use of the same key counts", async () => {
  const { clock, uses, written, breakDisk } = open();
  breakDisk(true);
  uses.note({ id: "a", last_used: null });
  uses.note({ id: "b", last_used: null });
  await expect(uses.flush()).rejects.toThrow("disk full");
  clock.advance(60_000);
  uses.note({ id: "a", last_used: null });
  breakDisk(false);
  await uses.flush();
  expect(Object.fromEntries(written.flat())).toEqual({ a: 1_060_000, b: 1_000_000 });
});

test("a use is written by itself before long, also after a write that failed", async () => {
  const { uses, written, lines, breakDisk } = open();
  breakDisk(true);
  uses.note({ id: "a", last_used: null });
  await until(
    () => lines.length,
    (count) => count > 0,
  );
  expect(lines.join("")).toContain("key uses not written");
  breakDisk(false);
  await until(
    () => written.length,
    (count) => count > 0,
  );
  expect(written).toEqual([[["a", 1_000_000]]]);
});
