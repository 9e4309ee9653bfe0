import { describe, expect, test } from "bun:test";
import { standAlone } from "../../../src/cluster/alone.ts";
import { joinCluster } from "../../../src/cluster/cluster.ts";
import { LeaseLost } from "../../../src/cluster/held-leases.ts";
import { LEASE_LIFE } from "../../../src/cluster/lease-rows.ts";
import type { Database } from "../../../src/database/database.ts";
import { sql } from "../../../src/database/sql.ts";
import { createLog } from "../../../src/lib/log.ts";
import { withClock } from "../../support/cluster/two-servers.ts";
import { createTestClock } from "../../support/test-clock.ts";
import { openTestDatabase } from "../../support/test-database.ts";
import { until } from "../../support/until.ts";

/** Servers on one database, whose time passes when a test says so. */
async function open() {
  const db = await openTestDatabase();
  const present = createTestClock();
  let passed = 0;
  const log = createLog("silent", () => undefined);
  const busy = () => new Error("busy");
  const waits: (() => void)[] = [];
  const sleep = () => new Promise<void>((resolve) => void waits.push(resolve));
  const join = (engine: (db: Database) => Database = (inner) => inner) =>
    joinCluster({ db: engine(withClock(db, present.now)), log, busy, sleep, elapsed: () => passed });
  return {
    db,
    join,
    /** For the database and for the servers. */
    pass(milliseconds: number) {
      passed += milliseconds;
      present.advance(milliseconds);
    },
    /** How many wait until they try again. */
    waiting: () => waits.length,
    tryAgain: () => {
      for (const go of waits.splice(0)) go();
    },
    [Symbol.asyncDispose]: async () => await db.close(),
  };
}

const put = (name: string) => sql`insert into facts (name, value) values (${name}, 'here')`;
const find = (db: Database, name: string) => db.first(sql`select 1 as one from facts where name = ${name}`);

describe("what a server changes", () => {
  test("is told to all with its transaction, once, and only to those who follow it", async () => {
    await using room = await open();
    const [one, other] = [await room.join(), await room.join()];
    const heard: unknown[] = [];
    for (const [name, { follow }] of Object.entries({ one, other }))
      for (const topic of ["keys", "jobs"] as const)
        follow(topic, (subjects) => void heard.push([name, topic, subjects]));
    await one.db.run(put("a").publishing("keys"));
    await one.db.batch([
      put("b").publishing("jobs", "x"),
      put("c").publishing("jobs", "y").expect(1, new Error("never")),
    ]);
    await one.publish("caches");
    for (const server of [one, other]) await server.synced();
    await other.synced();
    expect(heard).toEqual([
      ["one", "keys", undefined],
      ["one", "jobs", ["x", "y"]],
      ["other", "keys", undefined],
      ["other", "jobs", ["x", "y"]],
    ]);
  });

  test("is not told when it was not changed", async () => {
    await using room = await open();
    const [one, other] = [await room.join(), await room.join()];
    const heard: unknown[] = [];
    other.follow("keys", (subjects) => void heard.push(subjects));
    const refused = one.db.batch([put("a").publishing("keys"), put("b").expect(2, new Error("not two"))]);
    expect(refused).rejects.toThrow("not two");
    await other.synced();
    expect(heard).toEqual([]);
    expect(await find(room.db, "a")).toBeUndefined();
  });

  test("is nothing new to a server that joins later", async () => {
    await using room = await open();
    const one = await room.join();
    await one.publish("settings");
    const other = await room.join();
    const heard: unknown[] = [];
    other.follow("settings", (subjects) => void heard.push(subjects));
    await other.synced();
    expect(heard).toEqual([]);
  });

  test("is known to who asks, also when somebody asked just before", async () => {
    await using room = await open();
    const [one, other] = [await room.join(), await room.join()];
    let version = 0;
    let known = 0;
    other.follow("settings", () => {
      known = version;
    });
    const early = other.synced();
    version = 1;
    await one.publish("settings");
    await other.synced();
    expect(known).toBe(1);
    await early;
  });

  test("is asked for again, as a whole, until a follower that failed knows it, and nobody is in step before", async () => {
    await using room = await open();
    const [one, other] = [await room.join(), await room.join()];
    const heard: unknown[] = [];
    let failures = 2;
    other.follow("locks", (subjects) => {
      heard.push(subjects);
      if (failures-- > 0) throw new Error("no answer");
    });
    await one.publish("locks", "a");
    expect(other.synced()).rejects.toThrow("no answer");
    await other.synced();
    expect(heard).toEqual([["a"], undefined, undefined]);
    await one.publish("locks", "b");
    await other.synced();
    expect(heard.slice(3)).toEqual([["b"]]);
  });

  test("is told with the next beat when it was only mentioned", async () => {
    await using room = await open();
    const [one, other] = [await room.join(), await room.join()];
    const heard: unknown[] = [];
    other.follow("jobs", (subjects) => void heard.push(subjects));
    for (const subject of ["a", "a", "b"]) one.publishLater("jobs", subject);
    await other.beat();
    expect(heard).toEqual([]);
    await one.beat();
    await other.beat();
    expect(heard).toEqual([["a", "b"]]);
  });

  test("is all when it is more than can be read at once, or was forgotten", async () => {
    await using room = await open();
    const [one, other, late] = [await room.join(), await room.join(), await room.join()];
    const heard: unknown[] = [];
    for (const { follow } of [other, late]) follow("objects", (subjects) => void heard.push(subjects));
    await one.publish("objects", ...Array.from({ length: 300 }, (_, index) => `key ${index}`));
    await other.synced();
    expect(heard.splice(0)).toStrictEqual([undefined]);
    for (let batch = 0; batch < 11; batch++)
      await one.publish("objects", ...Array.from({ length: 100 }, (_, index) => `${batch} ${index}`));
    expect(await one.sweep()).toBe(0);
    await other.synced();
    expect(heard.splice(0)).toStrictEqual([undefined]);
    for (let more = 0; more < 1001; more++) await one.publish("settings");
    expect(await one.sweep()).toBe(1101);
    expect(await one.sweep()).toBe(0);
    await late.synced();
    expect(heard).toStrictEqual([undefined]);
  });

  test("is nothing that stays in memory while the database does not answer", async () => {
    await using room = await open();
    let isCut = false;
    const other = await room.join((db) => ({
      ...withClock(db, () => 0),
      all: async (query) => {
        if (isCut) throw new Error("no answer");
        return await db.all(query);
      },
    }));
    const heard: unknown[] = [];
    other.follow("keys", (subjects) => void heard.push(subjects));
    isCut = true;
    await other.beat();
    expect(heard).toEqual([]);
    room.pass(1000);
    await other.beat();
    expect(heard.splice(0)).toStrictEqual([undefined]);
    isCut = false;
    await other.beat();
    heard.splice(0);
    await other.beat();
    expect(heard).toEqual([]);
  });
});

/** A database that has failed over to a standby without the last changes: it is as it was at a version before. */
async function loseChanges({ db }: { readonly db: Database }, version: number): Promise<void> {
  await db.run(sql`delete from changes where version > ${version}`);
  await db.run(sql`update change_version set version = ${version} where id = 1`);
}

describe("what others change in a database that has lost changes", () => {
  test("is heard of, whatever version that has now", async () => {
    await using room = await open();
    const [one, other] = [await room.join(), await room.join()];
    const heard: unknown[] = [];
    other.follow("keys", (subjects) => void heard.push(subjects));
    for (let more = 0; more < 9; more++) await one.publish("settings");
    await other.synced();
    await loseChanges(room, 4);
    await one.publish("keys", "gone");
    await other.synced();
    expect(heard).toStrictEqual([undefined]);
    await one.publish("keys", "later");
    await other.synced();
    await other.synced();
    expect(heard).toStrictEqual([undefined, ["later"]]);
  });

  test.each(["refuses", "is silent"])("is heard of also where as much has come since while it %s", async (how) => {
    await using room = await open();
    const one = await room.join();
    let question: PromiseWithResolvers<void> | undefined;
    const other = await room.join((db) => ({
      ...db,
      all: async (query) => {
        await question?.promise;
        return await db.all(query);
      },
    }));
    const heard: unknown[] = [];
    for (let more = 0; more < 9; more++) await one.publish("settings");
    await other.synced();
    other.follow("keys", (subjects) => void heard.push(subjects));
    question = Promise.withResolvers<void>();
    const asked = other.synced().catch((error: Error) => error.message);
    await loseChanges(room, 4);
    await one.publish("keys", "gone");
    for (let more = 0; more < 9; more++) await one.publish("settings");
    room.pass(1000);
    if (how === "refuses") question.reject(new Error("no answer"));
    else question.resolve();
    expect(await asked).toBe(how === "refuses" ? "no answer" : undefined);
    question = undefined;
    await other.synced();
    expect(heard).toStrictEqual([undefined]);
  });
});

describe("a lease", () => {
  test("is held by one server until it gives it back", async () => {
    await using room = await open();
    const [one, other] = [await room.join(), await room.join()];
    const lease = await one.leases.take("a", "b");
    expect(await other.leases.take("b")).toBeUndefined();
    expect(await other.leases.take("b", "c")).toBeUndefined();
    const third = await other.leases.take("c");
    expect(third).toBeDefined();
    await lease?.release();
    expect(await other.leases.take("b")).toBeDefined();
  });

  test("lasts while its server renews it, and ends with it", async () => {
    await using room = await open();
    const [one, other] = [await room.join(), await room.join()];
    const lease = await one.leases.take("a");
    for (let time = 0; time < 5; time++) {
      room.pass(LEASE_LIFE / 2);
      await one.beat();
    }
    expect(await other.leases.take("a")).toBeUndefined();
    room.pass(LEASE_LIFE);
    expect(await other.leases.take("a")).toBeDefined();
    expect(lease?.signal.aborted).toBe(false);
    await one.beat();
    expect(lease?.signal.reason).toBeInstanceOf(LeaseLost);
    // What is another's stays so.
    await lease?.release();
    expect(await one.leases.take("a")).toBeUndefined();
  });

  test("whose taking was never answered ends by itself, while its server goes on", async () => {
    await using room = await open();
    let isCut = false;
    const cut = (db: Database): Database => ({
      ...db,
      get now() {
        return db.now;
      },
      async batch(queries) {
        const counts = await db.batch(queries);
        if (isCut) throw new Error("no answer");
        return counts;
      },
    });
    const [one, other] = [await room.join(cut), await room.join()];
    const lease = await one.leases.take("kept");
    isCut = true;
    await expect(one.leases.take("x")).rejects.toThrow("no answer");
    isCut = false;
    for (let beat = 0; beat < 6; beat += 1) {
      room.pass(LEASE_LIFE / 5);
      await one.beat();
    }
    expect(await other.leases.take("x")).toBeDefined();
    expect(await other.leases.take("kept")).toBeUndefined();
    expect(lease?.signal.aborted).toBe(false);
  });

  test("that was lost lets no transaction through", async () => {
    await using room = await open();
    const [one, other] = [await room.join(), await room.join()];
    const lease = await one.leases.take("a");
    await one.db.batch([put("x"), ...(lease?.proof ?? [])]);
    room.pass(LEASE_LIFE);
    await other.leases.take("a");
    expect(one.db.batch([put("y"), ...(lease?.proof ?? [])])).rejects.toBeInstanceOf(LeaseLost);
    expect([await find(room.db, "x"), await find(room.db, "y")]).toEqual([{ one: 1 }, undefined]);
  });

  test("is taken with the transaction that needs it, or neither is", async () => {
    await using room = await open();
    const [one, other] = [await room.join(), await room.join()];
    const taking = one.leases.taking("a");
    await one.db.batch([put("x"), ...taking.statements]);
    taking.taken();
    const late = other.leases.taking("a");
    const refused = await other.db.batch([put("y"), ...late.statements]).catch((error: unknown) => error);
    expect(late.isTaken(refused)).toBe(true);
    expect(await find(room.db, "y")).toBeUndefined();
  });

  test("of what is done now and then is free to one server in each span", async () => {
    await using room = await open();
    const [one, other] = [await room.join(), await room.join()];
    const first = await one.leases.takeEvery("sweep", 60_000);
    await first?.release();
    expect(await other.leases.takeEvery("sweep", 60_000)).toBeUndefined();
    expect(await one.leases.takeEvery("sweep", 60_000)).toBeDefined();
    room.pass(60_001);
    expect(await other.leases.takeEvery("sweep", 60_000)).toBeDefined();
  });

  test("of an announcement is one of several, and ends with its server", async () => {
    await using room = await open();
    const [one, other] = [await room.join(), await room.join()];
    const [here, there] = [await one.leases.announce("a"), await other.leases.announce("a")];
    await here.release();
    expect(await one.leases.isAnnounced(["b", "a"])).toBe(true);
    await there.release();
    expect(await one.leases.isAnnounced(["b", "a"])).toBe(false);
    await other.leases.announce("b");
    room.pass(LEASE_LIFE);
    expect(await one.leases.isAnnounced(["b"])).toBe(false);
  });
});

test("tasks with one name take turns on all servers", async () => {
  await using room = await open();
  const [one, other] = [await room.join(), await room.join()];
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  const first = one.turns("path")("a", async () => {
    order.push("one begins");
    began.resolve();
    await gate.promise;
    order.push("one ends");
  });
  await began.promise;
  const turns = other.turns("path");
  await turns("b", async () => void order.push("another name"));
  const second = turns(["b", "a"], async () => void order.push("other"));
  while (room.waiting() === 0) await Bun.sleep(0);
  gate.resolve();
  await first;
  room.tryAgain();
  await second;
  expect(order).toEqual(["one begins", "another name", "one ends", "other"]);
});

describe("a task that waits for its turn", () => {
  const busy = () => new Error("busy");

  /** Two who take turns, on one server or on two, and a task of the first that goes on until the test says so. */
  const kinds = { "of its own server": false, "of another server": true } as const;

  test.each(Object.entries(kinds))(
    "%s leaves when nobody waits for it any more, and never begins",
    async (_, apart) => {
      await using room = await open();
      const { first, second, end } = await held(room, apart, 60_000);
      const leave = new AbortController();
      let isBegun = false;
      const begin = async () => {
        isBegun = true;
      };
      const gone = second("a", begin, { signal: leave.signal });
      leave.abort();
      room.tryAgain();
      while (apart && (await stillWaits(gone))) room.tryAgain();
      expect(gone).rejects.toThrow("busy");
      expect(second("a", begin, { signal: AbortSignal.abort() })).rejects.toThrow("busy");
      await end();
      await first("a", async () => undefined);
      expect(isBegun).toBe(false);
    },
  );

  test.each(Object.entries(kinds))("%s waits only for so long", async (_, apart) => {
    await using room = await open();
    const { second, end } = await held(room, apart, 1);
    const late = second("a", async () => undefined);
    while (apart && (await stillWaits(late))) room.tryAgain();
    expect(late).rejects.toThrow("busy");
    await late.catch(() => undefined);
    await end();
    // Whoever has begun may take longer.
    if (!apart) expect(await second("a", async () => await Bun.sleep(5).then(() => "done"))).toBe("done");
  });

  const stillWaits = (task: Promise<void>): Promise<boolean> =>
    Promise.race([
      task.then(
        () => false,
        () => false,
      ),
      Bun.sleep(1).then(() => true),
    ]);

  async function held(room: Awaited<ReturnType<typeof open>>, apart: boolean, patience: number) {
    const alone = standAlone({ db: room.db, clock: Date.now });
    const [one, other] = apart ? [await room.join(), await room.join()] : [alone, alone];
    const second = other.turns("path", { patience, busy });
    const first = apart ? one.turns("path", { patience: 60_000, busy }) : second;
    const began = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    const holding = first("a", async () => {
      began.resolve();
      await over.promise;
    });
    await began.promise;
    const end = async () => {
      over.resolve();
      await holding;
    };
    return { first, second, end };
  }
});

test("a server that ends takes nothing over any more, and waits for what it takes over", async () => {
  await using room = await open();
  const one = await room.join();
  const { promise, resolve } = Promise.withResolvers<void>();
  const seen: string[] = [];
  one.regularly(sql`1 = 1`, async () => {
    seen.push("begun");
    await promise;
    seen.push("ended");
  });
  const beats = Array.from({ length: 10 }, () => one.beat());
  await until(
    () => seen.length,
    (length) => length === 1,
  );
  const closed = one.close().then(() => void seen.push("closed"));
  resolve();
  await closed;
  await Promise.all(beats);
  expect(seen).toEqual(["begun", "ended", "closed"]);
  for (let count = 0; count < 20; count++) await one.beat();
  expect(seen).toHaveLength(3);
});
