import { expect, test } from "bun:test";
import { createQueue } from "../../../src/thumbs/queue.ts";

test("so many run at once, others wait in order, and one that is given up leaves its place", async () => {
  const queue = createQueue(2, 2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const givenUp = new AbortController();
  const never = new AbortController().signal;
  const run = (number: number, signal = never) =>
    queue.run(signal, () => {
      begun.push(number);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const first = [run(1), run(2)];
  const third = run(3, givenUp.signal);
  expect(queue.isFull()).toBe(false);
  const fourth = run(4);
  expect([begun, queue.isFull()]).toEqual([[1, 2], true]);
  givenUp.abort(new Error("nobody waits"));
  await expect(third).rejects.toThrow("nobody waits");
  expect(queue.isFull()).toBe(false);
  ends[0]?.();
  await first[0];
  await Promise.resolve();
  expect(begun).toEqual([1, 2, 4]);
  for (const end of ends) end();
  await Promise.all([...first, fourth]);
  await expect(run(5, givenUp.signal)).rejects.toThrow("nobody waits");
  const last = run(6);
  for (const end of ends) end();
  await last;
});
