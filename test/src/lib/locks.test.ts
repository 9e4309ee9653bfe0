import { describe, expect, test } from "bun:test";
import { createLocks, type LockOptions } from "../../../src/lib/locks.ts";

/** Locks with tasks that end when the test says so, and a record of what began and ended. */
function openLocks() {
  const locks = createLocks();
  const events: string[] = [];

  /** Asks for names; the task runs until `end` is called. */
  const ask = (label: string, names: string | readonly string[], options?: LockOptions) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const done = locks(
      names,
      async () => {
        events.push(`${label} begins`);
        await promise;
        events.push(`${label} ends`);
        return label;
      },
      options,
    );
    done.catch(() => undefined);
    return {
      done,
      fail: reject,
      end: async () => {
        resolve();
        await done;
      },
    };
  };

  /** The tasks that run now. */
  const running = async (): Promise<string[]> => {
    await settle();
    const labels = (what: string) =>
      events.flatMap((event) => (event.endsWith(what) ? [event.split(" ")[0] ?? ""] : []));
    const ended = new Set(labels("ends"));
    return labels("begins").filter((label) => !ended.has(label));
  };

  return { locks, events, ask, running };
}

/** Returns when everything that can go on without the test has gone on. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("one name", () => {
  test("is held by one task after the other, in the order in which they asked", async () => {
    const { ask, running } = openLocks();
    const tasks = ["a", "b", "c"].map((label) => ask(label, "name"));
    for (const [index, label] of ["a", "b", "c"].entries()) {
      expect(await running()).toEqual([label]);
      await tasks[index]?.end();
    }
    expect(await running()).toEqual([]);
  });

  test("begins at once when it is free, and keeps no other name waiting", async () => {
    const { ask, events } = openLocks();
    const [a, b] = [ask("a", "one"), ask("b", "two")];
    expect(events).toEqual(["a begins", "b begins"]);
    await Promise.all([a.end(), b.end()]);
  });

  test("answers what the task answers", async () => {
    const locks = createLocks();
    expect(await locks("name", async () => 5)).toBe(5);
  });

  test("is free again after a task that throws, now or later", async () => {
    const { locks, ask, running } = openLocks();
    const failing = ask("a", "name");
    const next = ask("b", "name");
    failing.fail(new Error("broken"));
    await expect(failing.done).rejects.toThrow("broken");
    expect(await running()).toContain("b");
    await next.end();
    const thrown = locks("name", () => {
      throw new Error("at once");
    });
    await expect(thrown).rejects.toThrow("at once");
    expect(locks.isFree("name")).toBe(true);
  });
});

describe("a shared name", () => {
  test("is held by many at once; one that wants it alone waits for all of them, and later ones for that one", async () => {
    const { ask, running } = openLocks();
    const [a, b] = [ask("a", "name", { shared: true }), ask("b", "name", { shared: true })];
    const alone = ask("alone", "name");
    const later = ask("later", "name", { shared: true });
    expect(await running()).toEqual(["a", "b"]);
    await a.end();
    expect(await running()).toEqual(["b"]);
    await b.end();
    expect(await running()).toEqual(["alone"]);
    await alone.end();
    expect(await running()).toEqual(["later"]);
    await later.end();
  });

  test("goes on past one that gives up waiting", async () => {
    const { ask, running } = openLocks();
    const stop = new AbortController();
    const first = ask("first", "name", { shared: true });
    const alone = ask("alone", "name", { signal: stop.signal });
    const later = ask("later", "name", { shared: true });
    expect(await running()).toEqual(["first"]);
    stop.abort(new Error("gone"));
    await expect(alone.done).rejects.toThrow("gone");
    expect(await running()).toEqual(["first", "later"]);
    await Promise.all([first.end(), later.end()]);
  });
});

describe("a name that ends in a slash", () => {
  test("covers all below it, whichever came first, and nothing else", async () => {
    const { ask, running } = openLocks();
    const file = ask("file", "drive a/b/c.txt");
    const folder = ask("folder", "drive a/");
    const below = ask("below", "drive a/x");
    const deeper = ask("deeper", "drive a/b/");
    const beside = ["drive a", "drive ab", "drive b/", "other a/x"].map((name) => ask(name.replace(" ", "_"), name));
    expect(await running()).toEqual(["file", "drive_a", "drive_ab", "drive_b/", "other_a/x"]);
    await file.end();
    expect(await running()).toContain("folder");
    expect(await running()).not.toContain("below");
    await folder.end();
    expect(await running()).toEqual(expect.arrayContaining(["below", "deeper"]));
    await Promise.all([below, deeper, ...beside].map(({ end }) => end()));
  });

  test("may be shared too", async () => {
    const { ask, running } = openLocks();
    const folder = ask("folder", "a/", { shared: true });
    const read = ask("read", "a/b", { shared: true });
    const write = ask("write", "a/c");
    expect(await running()).toEqual(["folder", "read"]);
    await folder.end();
    expect(await running()).toEqual(["read", "write"]);
    await Promise.all([read.end(), write.end()]);
  });
});

describe("several names", () => {
  test("are taken together, so that two tasks which name them in different order both end", async () => {
    const { ask, running } = openLocks();
    const one = ask("one", ["a", "b"]);
    const other = ask("other", ["b", "a"]);
    expect(await running()).toEqual(["one"]);
    await one.end();
    expect(await running()).toEqual(["other"]);
    await other.end();
  });

  test("may be the same, or cover each other", async () => {
    const { ask, running } = openLocks();
    const task = ask("task", ["a", "a", "f/", "f/x"]);
    expect(await running()).toEqual(["task"]);
    await task.end();
  });

  test("keep their order where only some of them conflict", async () => {
    const { ask, running } = openLocks();
    const [ab, bc, cd, d] = [ask("ab", ["a", "b"]), ask("bc", ["b", "c"]), ask("cd", ["c", "d"]), ask("d", "d")];
    expect(await running()).toEqual(["ab"]);
    await ab.end();
    expect(await running()).toEqual(["bc"]);
    await bc.end();
    await cd.end();
    await d.end();
  });

  test("of a thousand tasks all end, and hold nothing afterwards", async () => {
    const locks = createLocks();
    const holders = new Map<string, number>();
    let ended = 0;
    const names = Array.from({ length: 50 }, (_, index) => `a/${index}`);
    const tasks = Array.from({ length: 1000 }, (_, index) => {
      const mine = [names[index % 50] ?? "", names[(index * 7) % 50] ?? ""];
      return locks(mine, async () => {
        for (const name of new Set(mine)) {
          expect(holders.get(name) ?? 0).toBe(0);
          holders.set(name, 1);
        }
        await settle();
        for (const name of mine) holders.set(name, 0);
        ended += 1;
      });
    });
    expect(locks.isFree("a/")).toBe(false);
    await Promise.all(tasks);
    expect([ended, locks.isFree("a/")]).toEqual([1000, true]);
  });
});

describe("a signal", () => {
  test("that is aborted before keeps the task from the queue", async () => {
    const { locks, ask } = openLocks();
    const late = ask("late", "name", { signal: AbortSignal.abort(new Error("too late")) });
    await expect(late.done).rejects.toThrow("too late");
    expect(locks.isFree("name")).toBe(true);
  });

  test("ends the wait and leaves the others in their order", async () => {
    const { locks, ask, running } = openLocks();
    const stop = new AbortController();
    const first = ask("first", "name");
    const second = ask("second", "name", { signal: stop.signal });
    const third = ask("third", "name");
    stop.abort(new Error("gone"));
    await expect(second.done).rejects.toThrow("gone");
    expect(await running()).toEqual(["first"]);
    await first.end();
    expect(await running()).toEqual(["third"]);
    await third.end();
    expect(locks.isFree("name")).toBe(true);
  });

  test("does not end a task that runs, but the task sees it", async () => {
    const locks = createLocks();
    const stop = new AbortController();
    const run = locks(
      "name",
      async ({ signal }) => {
        stop.abort(new Error("gone"));
        return signal.aborted;
      },
      { signal: stop.signal },
    );
    expect(await run).toBe(true);
  });
});

describe("a task that stops the others", () => {
  test("ends those that run and those that wait, and runs when the last of them has ended", async () => {
    const locks = createLocks();
    const events: string[] = [];
    const part = (label: string) =>
      locks(
        "upload",
        async ({ signal }) => {
          const { promise, resolve } = Promise.withResolvers<void>();
          signal.addEventListener("abort", () => resolve(), { once: true });
          await promise;
          await settle();
          events.push(label);
          signal.throwIfAborted();
        },
        { shared: true },
      );
    const running = [part("one"), part("two")];
    const waiting = locks("upload", async () => events.push("never"));
    const ending = locks("upload", async () => events.push("end"), { stop: new Error("finished") });
    const stopped = await Promise.allSettled([...running, waiting]);
    expect(stopped.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    await ending;
    expect(events).toEqual(["one", "two", "end"]);
    expect(locks.isFree("upload")).toBe(true);
  });

  test("leaves alone those with other names and those that come later", async () => {
    const { ask, running } = openLocks();
    const beside = ask("beside", "b");
    const end = ask("end", "a", { stop: new Error("finished") });
    const later = ask("later", "a");
    expect(await running()).toEqual(["beside", "end"]);
    await end.end();
    expect(await running()).toEqual(["beside", "later"]);
    await Promise.all([beside.end(), later.end()]);
  });
});

test("a name is free when nobody holds or waits for it, what covers it, or what it covers", async () => {
  const { locks, ask } = openLocks();
  const file = ask("file", "a/b");
  const folder = ask("folder", "c/");
  expect(["a/b", "a/", "c/", "c/d", "c/d/"].map(locks.isFree)).toEqual([false, false, false, false, false]);
  expect(["a", "a/c", "c", "b", "a/b/"].map(locks.isFree)).toEqual([true, true, true, true, true]);
  await Promise.all([file.end(), folder.end()]);
  expect(["a/b", "c/d"].map(locks.isFree)).toEqual([true, true]);
});
