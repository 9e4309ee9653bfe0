import { describe, expect, test } from "bun:test";
import { Failure } from "#contract/failures";
import { createPathLocks, type NewLock } from "../../../src/vfs/locks.ts";
import { createTestClock, minutes } from "../../support/test-clock.ts";

const fields = (path: string, deep: boolean): NewLock => ({ path, deep, holder: "admin", note: "", life: minutes(10) });

const said = (act: () => unknown): string => {
  try {
    act();
    return "ok";
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
};

describe("locks", () => {
  /** The lock, what is touched, whether with all below it, and whether that is free. */
  const rows: readonly (readonly [string, boolean, string, boolean, "ok" | "path.locked"])[] = [
    ["/m/a", false, "/m/a", false, "path.locked"],
    ["/m/a", false, "/m/a", true, "path.locked"],
    ["/m/a", false, "/m", true, "path.locked"],
    ["/m/a", false, "/m", false, "ok"],
    ["/m/a", false, "/m/a/b", false, "ok"],
    ["/m/a", false, "/m/ab", true, "ok"],
    ["/m/a", true, "/m/a/b/c", false, "path.locked"],
    ["/m/a", true, "/m/ab", false, "ok"],
    ["/m/a", true, "/", true, "path.locked"],
    ["/", true, "/m/a", false, "path.locked"],
    ["/", false, "/m/a", false, "ok"],
  ];
  test.each(rows)("on %s (deep: %p) and %s (deep: %p): %s", (path, deep, touched, all, wanted) => {
    const locks = createPathLocks(createTestClock().now);
    const { token } = locks.acquire(fields(path, deep));
    const touch = (...tokens: string[]) => said(() => locks.demandFree({ path: touched, deep: all, tokens }));
    expect([touch(), touch("opaquelocktoken:other"), touch(token)]).toEqual([wanted, wanted, "ok"]);
    expect(said(() => locks.acquire(fields(touched, all)))).toBe(wanted);
  });

  test("last as long as they were taken for, and anew from each refresh on", () => {
    const clock = createTestClock();
    const locks = createPathLocks(clock.now);
    const { token } = locks.acquire(fields("/m/a", false));
    clock.advance(minutes(9));
    expect(locks.refresh(token, "/m/a", minutes(5))?.until).toBe(clock.now() + minutes(5));
    expect([locks.refresh("other", "/m/a", 1), locks.refresh(token, "/m/b", 1)]).toEqual([undefined, undefined]);
    clock.advance(minutes(5) - 1);
    expect(locks.at("/m/a")).toHaveLength(1);
    clock.advance(1);
    expect([locks.at("/m/a"), locks.refresh(token, "/m/a", 1)]).toEqual([[], undefined]);
    expect(said(() => locks.acquire(fields("/m/a", true)))).toBe("ok");
  });

  test("are given back by their token and their path, and go with what they are on", () => {
    const locks = createPathLocks(createTestClock().now);
    const { token } = locks.acquire(fields("/m/d/a", false));
    expect([locks.release(token, "/m/d/b"), locks.release("other", "/m/d/a"), locks.release(token, "/m/d/a")]).toEqual([
      ...[false, false, true],
    ]);
    locks.acquire(fields("/m/d/a", false));
    locks.acquire(fields("/m/da", false));
    locks.drop("/m/d");
    expect([locks.at("/m/d/a").length, locks.at("/m/da").length]).toEqual([0, 1]);
  });

  test("are not without end", () => {
    const clock = createTestClock();
    const locks = createPathLocks(clock.now);
    for (let index = 0; index < 10_000; index++) locks.acquire(fields(`/m/${index}`, false));
    expect(said(() => locks.acquire(fields("/m/more", false)))).toBe("server.busy");
    clock.advance(minutes(10));
    expect(said(() => locks.acquire(fields("/m/more", false)))).toBe("ok");
  });
});
