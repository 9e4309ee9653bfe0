import { describe, expect, test } from "bun:test";
import { createQueue } from "../../../src/thumbs/queue.ts";

const never = new AbortController().signal;

/** A queue whose tasks end when they are told to. */
function open(options = { width: 2, length: 5, each: 3 }) {
  const queue = createQueue(options);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const asker = (name: string, signal = never) => ({ name, isVisitor: false, signal });
  return {
    queue,
    begun,
    asker,
    /** Runs a task of the one whose name is its first letter. */
    run: (task: string, signal = never) =>
      queue.run(asker(task.charAt(0), signal), () => {
        begun.push(task);
        return new Promise<void>((resolve) => ends.push(resolve));
      }),
    /** Ends the task that has run longest, and returns what begins then. */
    async end(): Promise<string | undefined> {
      const before = begun.length;
      ends.shift()?.();
      await Bun.sleep(0);
      return begun[before];
    },
  };
}

describe("a queue of thumbnails", () => {
  test("runs so many at once, others in order, and not one that is given up", async () => {
    const { queue, begun, run, end } = open();
    const givenUp = new AbortController();
    const all = [run("a1"), run("a2")];
    const third = run("a3", givenUp.signal);
    all.push(run("a4"), run("a5"));
    expect(begun).toEqual(["a1", "a2"]);
    givenUp.abort(new Error("nobody waits"));
    await expect(third).rejects.toThrow("nobody waits");
    expect([await end(), await end()]).toEqual(["a4", "a5"]);
    await end();
    await end();
    await Promise.all(all);
    await expect(queue.run({ name: "a", isVisitor: false, signal: givenUp.signal }, async () => 1)).rejects.toThrow();
    const last = run("a6");
    await end();
    await last;
  });

  test("gives each name its turn, however much another one asks for", async () => {
    const { run, end } = open({ width: 1, length: 10, each: 10 });
    const all = ["a1", "a2", "a3", "a4", "b1", "c1", "b2"].map((task) => run(task));
    const order: (string | undefined)[] = [];
    for (let index = 0; index < 7; index += 1) order.push(await end());
    expect(order).toEqual(["a2", "b1", "c1", "a3", "b2", "a4", undefined]);
    await Promise.all(all);
  });

  test("is full for a name that has its share, and for all when all places are taken", async () => {
    const { queue, run, end, asker } = open();
    const all = ["a1", "a2", "a3", "a4", "a5"].map((task) => run(task));
    expect([queue.isFull(asker("a")), queue.isFull(asker("b"))]).toEqual([true, false]);
    all.push(run("b1"), run("b2"));
    expect(queue.isFull(asker("c"))).toBe(true);
    for (let index = 0; index < 7; index += 1) await end();
    await Promise.all(all);
    expect(queue.isFull(asker("a"))).toBe(false);
  });
});
