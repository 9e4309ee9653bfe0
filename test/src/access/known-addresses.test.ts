import { expect, test } from "bun:test";
import { createKnownAddresses } from "../../../src/access/known-addresses.ts";
import { MAX_KNOWN, type Password } from "../../../src/access/limiter.ts";
import { standAlone } from "../../../src/cluster/alone.ts";
import type { Database } from "../../../src/database/database.ts";
import { sql } from "../../../src/database/sql.ts";
import { createLog } from "../../../src/lib/log.ts";
import { createTestClock, days } from "../../support/test-clock.ts";
import { openTestDatabase } from "../../support/test-database.ts";

/** Which addresses are remembered, for how long, and how many. */

const account: Password = { byAddress: "loginByAddress", byStrangers: "loginByAccount", subject: "admin" };
const share: Password = { byAddress: "sharePasswordByAddress", byStrangers: "sharePasswordByShare", subject: "s" };

async function openRoom() {
  const clock = createTestClock();
  const inner = await openTestDatabase();
  let isFull = false;
  const db: Database = {
    ...inner,
    async run(...query) {
      if (isFull) throw new Error("full");
      return await inner.run(...query);
    },
  };
  const lines: string[] = [];
  const log = createLog("info", (text) => void lines.push(text));
  /** Another one on the same database, as after a restart. */
  const open = () => createKnownAddresses({ cluster: standAlone({ db, clock: clock.now }), clock: clock.now, log });
  return {
    db,
    clock,
    open,
    fill: () => {
      isFull = true;
    },
    free: () => {
      isFull = false;
    },
    logged() {
      log.flush();
      return lines.join("");
    },
    count: async () => (await db.first<{ rows: number }>(sql`select count(*) as rows from known_addresses`))?.rows,
    /** Adds known addresses of shares, the first of them the oldest. */
    async addShares(count: number) {
      const all = Array.from({ length: count }, (_, index) => index);
      const { byStrangers, subject } = share;
      for (let from = 0; from < count; from += 1000) {
        const some = all.slice(from, from + 1000);
        await db.batch(
          some.map(
            (index) => sql`insert into known_addresses (name, used_at)
              values (${`${byStrangers} ${subject} ${index}`}, ${clock.now() + index})`,
          ),
        );
      }
    },
    [Symbol.asyncDispose]: () => inner.close(),
  };
}

test("one is known after a restart, for thirty days without a use", async () => {
  await using room = await openRoom();
  await room.open().trust(account, "192.0.2.1");
  room.clock.advance(days(29));
  const known = room.open();
  expect([await known.knows(account, "192.0.2.1"), await known.knows(account, "192.0.2.2")]).toEqual([true, false]);
  expect(await known.knows(share, "192.0.2.1")).toBe(false);
  await known.trust(account, "192.0.2.1");
  room.clock.advance(days(29));
  expect(await known.sweep()).toBe(0);
  room.clock.advance(days(1));
  expect(await known.sweep()).toBe(1);
  expect(await room.open().knows(account, "192.0.2.1")).toBe(false);
});

test("those of many shares push out the oldest of shares, and not the administrator's", async () => {
  await using room = await openRoom();
  const known = room.open();
  await known.trust(account, "192.0.2.1");
  room.clock.advance(1);
  const most = MAX_KNOWN.sharePasswordByShare;
  await room.addShares(most + 7);
  expect(await known.sweep()).toBe(7);
  expect(await room.count()).toBe(most + 1);
  const again = room.open();
  expect(await again.knows(account, "192.0.2.1")).toBe(true);
  expect([await again.knows(share, "6"), await again.knows(share, "7")]).toEqual([false, true]);
});

test("very many new ones do not wait for the sweeper", async () => {
  await using room = await openRoom();
  const known = room.open();
  const most = MAX_KNOWN.sharePasswordByShare;
  await room.addShares(most);
  room.clock.advance(days(1));
  for (let n = 0; n < 1999; n++) await known.trust(share, `new ${n}`);
  expect(await room.count()).toBe(most + 999);
  expect(await known.knows(share, "new 0")).toBe(true);
});

test("one that the database does not take is known until the restart, and is noted a day later", async () => {
  await using room = await openRoom();
  const known = room.open();
  room.fill();
  for (let n = 0; n < 3; n++) await known.trust(account, "192.0.2.1");
  expect(await known.knows(account, "192.0.2.1")).toBe(true);
  expect(room.logged().match(/known address not noted/g)?.length).toBe(1);
  expect(await room.open().knows(account, "192.0.2.1")).toBe(false);
  room.free();
  room.clock.advance(days(1));
  await known.trust(account, "192.0.2.1");
  expect(await room.open().knows(account, "192.0.2.1")).toBe(true);
});
