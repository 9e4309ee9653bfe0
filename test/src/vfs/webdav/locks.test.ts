import { describe, expect, spyOn, test } from "bun:test";
import { Failure } from "#contract/failures";
import { standAlone } from "../../../../src/cluster/alone.ts";
import { migrate } from "../../../../src/database/migrate.ts";
import { openSqlite } from "../../../../src/database/sqlite/sqlite.ts";
import { type NewLock, openPathLocks } from "../../../../src/vfs/webdav/locks.ts";

async function open() {
  const db = openSqlite({ file: ":memory:", synchronous: "NORMAL" });
  await migrate(db, true);
  let now = 1_000_000;
  let readings = 0;
  const clock = () => {
    readings += 1;
    return now;
  };
  return {
    db,
    clock,
    locks: await openPathLocks({ cluster: standAlone({ db, clock }), clock }),
    /** How often somebody asked what time it is, as is done for each lock that is looked at. */
    readings: () => readings,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    [Symbol.dispose]: () => db.close(),
  };
}

const wish = (path: string, more: Partial<NewLock> = {}): NewLock => ({
  path,
  deep: false,
  shared: false,
  holder: "admin",
  owner: "",
  life: 1000,
  ...more,
});

async function code(work: () => unknown): Promise<string> {
  try {
    await work();
    return "ok";
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}

describe("locks", () => {
  test("keep away whoever does not name them", async () => {
    using here = await open();
    const { locks } = here;
    const { token } = await locks.acquire(wish("/m/a"));
    const free = (path: string, deep: boolean, tokens: string[] = [], member = false) =>
      code(() => locks.requireFree({ paths: [path], deep, member, tokens }));
    expect(await free("/m/a", false)).toBe("path.locked");
    expect(await free("/m/a", false, ["opaquelocktoken:other"])).toBe("path.locked");
    expect(await free("/m/a", false, [token])).toBe("ok");
    expect(await free("/m/ab", false)).toBe("ok");
    expect(await free("/m/a/b", false)).toBe("ok");
    expect(await free("/m/a/b", false, [], true)).toBe("path.locked");
    expect(await free("/m", false)).toBe("ok");
    expect(await free("/m", true)).toBe("path.locked");
    expect(await free("/", true, [token])).toBe("ok");
  });

  test("of a folder with all below it hold there, too", async () => {
    using here = await open();
    const { locks } = here;
    const { token } = await locks.acquire(wish("/m/a", { deep: true }));
    expect(locks.at("/m/a/b/c").map((lock) => lock.token)).toEqual([token]);
    expect(await code(() => locks.requireFree({ paths: ["/m/a/b/c"], deep: false, tokens: [] }))).toBe("path.locked");
    expect(await code(() => locks.acquire(wish("/m/a/b")))).toBe("path.locked");
    expect(await code(() => locks.acquire(wish("/m", { deep: true })))).toBe("path.locked");
    expect(await code(() => locks.acquire(wish("/m")))).toBe("ok");
  });

  test("are shared by those who all want that, and each of them may write", async () => {
    using here = await open();
    const { locks } = here;
    const one = await locks.acquire(wish("/m/a", { shared: true, holder: "apikey:1" }));
    const other = await locks.acquire(wish("/m/a", { shared: true, holder: "apikey:2" }));
    expect(await code(() => locks.acquire(wish("/m/a")))).toBe("path.locked");
    for (const tokens of [[one.token], [other.token]])
      expect(await code(() => locks.requireFree({ paths: ["/m/a"], deep: true, tokens }))).toBe("ok");
    expect(await code(() => locks.requireFree({ paths: ["/m/a"], deep: true, tokens: [] }))).toBe("path.locked");
    expect(locks.own([one.token, other.token], "apikey:1")).toEqual([one.token]);
  });

  test("each of several below a folder has to be named", async () => {
    using here = await open();
    const { locks } = here;
    const one = await locks.acquire(wish("/m/a/1"));
    const two = await locks.acquire(wish("/m/a/2"));
    expect(await code(() => locks.requireFree({ paths: ["/m/a"], deep: true, tokens: [one.token] }))).toBe(
      "path.locked",
    );
    const both = [one.token, two.token];
    expect(await code(() => locks.requireFree({ paths: ["/m/a"], deep: true, tokens: both }))).toBe("ok");
  });

  test("of which one is in the way are not all looked at", async () => {
    using here = await open();
    const { locks } = here;
    for (let index = 0; index < 200; index++) await locks.acquire(wish(`/m/a/${index}`));
    const before = here.readings();
    expect(await code(() => locks.requireFree({ paths: ["/m/a"], deep: true, tokens: [] }))).toBe("path.locked");
    expect(here.readings() - before).toBe(1);
  });

  test("are found without a step through the folders that they lie in", async () => {
    using here = await open();
    const { locks } = here;
    const folder = `/m/a${"/d".repeat(300)}`;
    const tokens: string[] = [];
    for (let index = 0; index < 20; index++)
      tokens.push((await locks.acquire(wish(`${folder}/${index}`, { shared: true }))).token);
    const steps = spyOn(Map.prototype, "get");
    try {
      expect(locks.against({ paths: ["/m/a"], deep: true, tokens: [] })).toHaveLength(20);
      expect(await code(() => locks.requireFree({ paths: ["/m/a"], deep: true, tokens }))).toBe("ok");
      expect(await code(() => locks.acquire(wish("/m/a", { deep: true, shared: true })))).toBe("ok");
      expect(steps.mock.calls.length).toBeLessThan(300);
    } finally {
      steps.mockRestore();
    }
  });

  test("that lie elsewhere are not looked at", async () => {
    using here = await open();
    const { locks } = here;
    for (let index = 0; index < 200; index++) await locks.acquire(wish(`/m/a/${index}`));
    const own = await locks.acquire(wish("/m/a-/b/c"));
    const asked = spyOn(String.prototype, "startsWith");
    try {
      expect(locks.against({ paths: ["/m/a-"], deep: true, tokens: [] })).toEqual([own]);
      expect(await code(() => locks.requireFree({ paths: ["/m/b"], deep: true, tokens: [] }))).toBe("ok");
      expect(asked.mock.calls.length).toBeLessThan(20);
    } finally {
      asked.mockRestore();
    }
    await locks.release({ token: own.token, path: own.path, holder: undefined });
    expect(locks.against({ paths: ["/m/a-"], deep: true, tokens: [] })).toEqual([]);
    expect(locks.against({ paths: ["/"], deep: true, tokens: [] })).toHaveLength(200);
    here.pass(1001);
    expect(locks.against({ paths: ["/m/a"], deep: true, tokens: [] })).toEqual([]);
  });

  test("hold together where one folder has them, whatever stands beside it", async () => {
    using here = await open();
    const { locks } = here;
    const together = { shared: true, deep: true };
    for (let index = 0; index < 9; index++) await locks.acquire(wish("/m/a", together));
    await locks.acquire(wish("/m/a-b", together));
    for (let index = 0; index < 10; index++) await locks.acquire(wish("/m/a/b", { shared: true }));
    expect(await code(() => locks.acquire(wish("/m", together)))).toBe("ok");
    expect(await code(() => locks.acquire(wish("/m", together)))).toBe("lock.tooMany");
    expect(await code(() => locks.acquire(wish("/m/a-b", together)))).toBe("ok");
  });

  test("end with their time, which a refresh lets begin anew", async () => {
    using here = await open();
    const { locks, pass } = here;
    const { token } = await locks.acquire(wish("/m/a"));
    const claim = { token, path: "/m/a", holder: "admin" };
    pass(900);
    expect((await locks.refresh(claim, 2000)).life).toBe(2000);
    pass(1900);
    expect(locks.at("/m/a")).toHaveLength(1);
    pass(100);
    expect(locks.at("/m/a")).toEqual([]);
    expect(await code(() => locks.refresh(claim, 2000))).toBe("lock.token");
    expect(await locks.sweep()).toBe(1);
  });

  test("are only their holder's to release, and by a path that they hold at", async () => {
    using here = await open();
    const { locks } = here;
    const { token } = await locks.acquire(wish("/m/a", { deep: true }));
    expect(await code(() => locks.release({ token, path: "/m/b", holder: "admin" }))).toBe("lock.token");
    expect(await code(() => locks.release({ token, path: "/m/a", holder: "apikey:1" }))).toBe("lock.holder");
    expect(await code(() => locks.release({ token, path: "/m/a/b", holder: "admin" }))).toBe("ok");
    expect(await code(() => locks.release({ token, path: "/m/a", holder: "admin" }))).toBe("lock.token");
  });

  test("survive a restart for as long as they had left", async () => {
    using here = await open();
    const { locks, db, clock, pass } = here;
    const kept = await locks.acquire(wish("/m/a", { deep: true, shared: true, owner: "<x/>" }));
    await locks.acquire(wish("/m/b", { life: 10 }));
    await locks.release({ token: (await locks.acquire(wish("/m/c"))).token, path: "/m/c", holder: "admin" });
    await locks.acquire(wish("/m/d/e"));
    await locks.drop(["/m/d"]);
    pass(500);
    const again = await openPathLocks({ cluster: standAlone({ db, clock }), clock });
    expect(again.at("/m/a/b")).toEqual([kept]);
    expect(["/m/b", "/m/c", "/m/d/e"].flatMap(again.at)).toEqual([]);
    pass(500);
    expect(again.at("/m/a")).toEqual([]);
  });

  test("are bounded, for one holder and for all", async () => {
    using here = await open();
    const { locks } = here;
    for (let holder = 0; holder < 5; holder++)
      for (let index = 0; index < 2000; index++)
        await locks.acquire(wish(`/m/${holder}/${index}`, { holder: `${holder}`, life: holder === 0 ? 10 : 1000 }));
    expect(await code(() => locks.acquire(wish("/m/x", { holder: "4" })))).toBe("lock.tooMany");
    expect(await code(() => locks.acquire(wish("/m/x", { holder: "5" })))).toBe("lock.tooMany");
    here.pass(10);
    expect(await code(() => locks.acquire(wish("/m/x", { holder: "5" })))).toBe("ok");
    expect(await code(() => locks.acquire(wish("/m/y", { holder: "4" })))).toBe("lock.tooMany");
  });

  test("that have ended count for nobody, also where nobody asks for their paths again", async () => {
    using here = await open();
    const { locks } = here;
    for (let index = 0; index < 2000; index++) await locks.acquire(wish(`/m/${index}`, { life: 10 }));
    expect(await code(() => locks.acquire(wish("/m/x")))).toBe("lock.tooMany");
    here.pass(10);
    expect(await code(() => locks.acquire(wish("/m/x")))).toBe("ok");
  });

  test("that have ended are swept out of memory with their rows", async () => {
    using here = await open();
    const { locks } = here;
    await locks.acquire(wish("/m/a", { life: 10 }));
    here.pass(10);
    expect(locks.any()).toBe(true);
    expect(await locks.sweep()).toBe(1);
    expect(locks.any()).toBe(false);
  });
});
