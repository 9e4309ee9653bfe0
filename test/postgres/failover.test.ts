import { expect, test } from "bun:test";
import { type Database, Unavailable } from "../../src/database/database.ts";
import { openPostgres } from "../../src/database/postgres/postgres.ts";
import { plainSql, sql } from "../../src/database/sql.ts";
import { startCluster } from "../support/postgres/cluster.ts";
import { openCuttingProxy } from "../support/postgres/cutting-proxy.ts";
import { asOwner, SLOW } from "../support/postgres/databases.ts";
import { shareText } from "../support/share-text.ts";
import { openTestHouse } from "../support/test-house.ts";
import { until } from "../support/until.ts";

/** A primary with a synchronous standby, behind an address that is led from one to the other. */

const { connect, wait } = SLOW;

async function startPair() {
  await using stack = new AsyncDisposableStack();
  const primary = stack.use(await startCluster());
  const standby = stack.use(await startCluster(primary.url));
  const proxy = stack.use(await openCuttingProxy(primary.url));
  const direct = stack.adopt(openPostgres({ url: primary.url, connections: 3 }), (db) => db.close());
  await asOwner(primary.url, "alter system set synchronous_standby_names = '*'", "select pg_reload_conf()");
  await until(
    () => direct.first<{ state: string }>(plainSql("select sync_state as state from pg_stat_replication")),
    (row) => row?.state === "sync",
  );
  const moved = stack.move();
  return { primary, standby, proxy, [Symbol.asyncDispose]: () => moved.disposeAsync() };
}

/** Writers that note what was answered as written; whatever fails otherwise than by a clear refusal ends them. */
function writers(db: Database) {
  const made = new Set<string>();
  let [refused, over] = [0, false];
  const write = async (name: string, how: (id: string) => Promise<unknown>) => {
    for (let count = 0; !over; count++) {
      const id = `${name}-${count}`;
      try {
        await how(id);
        made.add(id);
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        refused += 1;
      }
    }
  };
  const insert = (id: string) => sql`insert into things (id) values (${id})`;
  const all = Promise.all([
    write("a", (id) => db.run(insert(id))),
    write("b", (id) => db.run(insert(id))),
    write("c", (id) => db.batch([insert(id), sql`update sums set n = n + 1 where id = 1`])),
    write("d", (id) => db.batch([insert(id), sql`update sums set n = n + 1 where id = 1`])),
  ]);
  return {
    made,
    refused: () => refused,
    /** Returns when some more are written. */
    async more(count: number) {
      const before = made.size;
      await until(
        () => made.size,
        (size) => size >= before + count,
      );
    },
    async end() {
      over = true;
      await all;
    },
  };
}

const prepare = async (db: Database) => {
  await db.run(plainSql("create table things (id text primary key)"));
  await db.run(plainSql("create table sums (id bigint primary key, n bigint not null)"));
  await db.run(plainSql("insert into sums values (1, 0)"));
};

/** Everything that was answered as written is there; a batch is there as a whole. */
async function examine(db: Database, { made, refused }: ReturnType<typeof writers>) {
  const there = new Set((await db.all<{ id: string }>(sql`select id from things`)).map(({ id }) => id));
  expect([...made].filter((id) => !there.has(id))).toEqual([]);
  expect(there.size - made.size).toBeLessThanOrEqual(refused());
  const batches = [...there].filter((id) => /^[cd]/.test(id)).length;
  expect(await db.first<{ n: number }>(sql`select n from sums where id = 1`)).toEqual({ n: batches });
}

test("a primary that dies loses nothing that was answered, and writing goes on at the standby once it is promoted", async () => {
  await using pair = await startPair();
  const db = openPostgres({ url: pair.proxy.url, connections: 6, patience: { connect, wait } });
  await prepare(db);
  const work = writers(db);
  await work.more(40);
  await pair.primary.stop("immediate");
  pair.proxy.lead(pair.standby.url);
  // Reading goes on before that.
  expect(await db.first(sql`select n from sums where id = ${2}`)).toBeUndefined();
  await pair.standby.promote();
  await work.more(40);
  await work.end();
  await examine(db, work);
  await db.close();
});

test("a primary that becomes one that only reads is left for the new one, although its connections stand", async () => {
  await using pair = await startPair();
  const db = openPostgres({ url: pair.proxy.url, connections: 6, patience: { connect, wait } });
  await prepare(db);
  const work = writers(db);
  await work.more(40);
  await asOwner(pair.primary.url, "alter system set default_transaction_read_only = on", "select pg_reload_conf()");
  await pair.standby.promote();
  // As soon as it is one, the standby does not say any more to the old primary that it has what was written.
  pair.proxy.lead(pair.standby.url);
  await work.more(40);
  await work.end();
  await examine(db, work);
  await db.close();
});

test("while there is only a standby, shares are shown, changes are answered 503 with Retry-After, and nothing else", async () => {
  await using pair = await startPair();
  const patience = { connect: 3000, wait: 3000 };
  const db = openPostgres({ url: pair.proxy.url, connections: 4, patience });
  await using house = await openTestHouse({ engine: () => db });
  const shared = await shareText(house, { content: "hello" });
  const limited = await shareText(house, { content: "twice", maxViews: 2 });
  const headers = { authorization: `Bearer ${await house.signIn()}`, "content-type": "application/json" };
  await pair.primary.stop("fast");
  pair.proxy.lead(pair.standby.url);
  const status = async (path: string, init: RequestInit = {}) => {
    const response = await house.request(path, init);
    if (response.status === 503) expect(response.headers.get("retry-after")).toBe("2");
    return response.status;
  };
  const share = (slug: string) => ({ method: "POST", headers, body: JSON.stringify({ content: slug, slug }) });
  expect(await status(`/api/raw/${shared.slug}`)).toBe(200);
  expect(await status(`/api/raw/${limited.slug}`)).toBe(503);
  expect(await status("/api/paste", share("during"))).toBe(503);
  await pair.standby.promote();
  expect(await status("/api/paste", share("after"))).toBe(201);
  expect(await status("/api/raw/during")).toBe(404);
  const views = [1, 2, 3].map(() => status(`/api/raw/${limited.slug}`));
  expect((await Promise.all(views)).sort()).toEqual([200, 200, 410]);
});
