import { expect, test } from "bun:test";
import { type Database, TooLong, Unavailable } from "../../src/database/database.ts";
import { openPostgres } from "../../src/database/postgres/postgres.ts";
import { plainSql, sql } from "../../src/database/sql.ts";
import { cluster, startCluster } from "../support/postgres/cluster.ts";
import { openCuttingProxy } from "../support/postgres/cutting-proxy.ts";
import { emptyDatabase, SLOW } from "../support/postgres/databases.ts";
import { openSilentServer } from "../support/servers/silent-server.ts";
import { shareFile } from "../support/share-file.ts";
import { shareText } from "../support/share-text.ts";
import { openTestHouse } from "../support/test-house.ts";

/** PostgreSQL that is away, slow, full or cut off: a wait or a clear failure, and never a change that is made twice. */

const server = await cluster();
/** Shorter than usual, and longer than anything takes that comes. */
const patience = { connect: 3000, wait: 3000 };

async function openCut() {
  const place = await emptyDatabase(server);
  const proxy = await openCuttingProxy(place.url);
  const db = openPostgres({ url: proxy.url, connections: 4, patience });
  const direct = openPostgres({ url: place.url, connections: 3 });
  await direct.run(plainSql("create table counts (id bigint primary key, n bigint not null)"));
  await direct.run(sql`insert into counts values (1, 0)`);
  return {
    db,
    proxy,
    count: async () => (await direct.first<{ n: number }>(sql`select n from counts where id = 1`))?.n,
    async [Symbol.asyncDispose]() {
      await db.close();
      await direct.close();
      await proxy[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

const add = sql`update counts set n = n + 1 where id = 1`;
const look = sql`select 1 as one`;

test("a change whose commit was not answered is made once, and nobody says that it was or was not", async () => {
  await using here = await openCut();
  // Only the first time a connection sends its text; later the name under which it was prepared.
  here.proxy.loseAnswerTo("commit\0");
  await expect(here.db.batch([add, look])).rejects.toThrow("nobody knows");
  expect(await here.count()).toBe(1);
});

test("a single change that was not answered is made once", async () => {
  await using here = await openCut();
  here.proxy.loseAnswerTo("update");
  await expect(here.db.run(add)).rejects.toBeInstanceOf(Unavailable);
  expect(await here.count()).toBe(1);
});

test("a transaction that was cut off at its beginning is not made, and the next one is", async () => {
  await using here = await openCut();
  here.proxy.loseAnswerTo("begin");
  await expect(here.db.batch([add, look])).rejects.toBeInstanceOf(Unavailable);
  expect(await here.count()).toBe(0);
  await here.db.batch([add, look]);
  expect(await here.count()).toBe(1);
});

test("a transaction whose beginning failed alone is never said to be unmade", async () => {
  await using here = await openCut();
  // What is sent behind it then commits by itself.
  here.proxy.swapNext("begin", "bogus");
  await expect(here.db.batch([add, look])).rejects.toThrow("nobody knows");
  await here.db.batch([add, look]);
  expect(await here.count()).toBe(2);
});

test("statements of a transaction run in their order, whether their connection knows them or not", async () => {
  await using here = await openCut();
  const db = openPostgres({ url: here.proxy.url, connections: 1, patience });
  const double = sql`update counts set n = n * ${2} where id = ${1}`.byRow();
  const plain = sql`update counts set n = n + 3 where id = 1`.byRow();
  let [wanted, fresh] = [0, 0];
  for (const order of ["dpf", "fdp", "pfd", "ffd", "dfp", "pdf", "fpf"]) {
    const batch = [...order].map((kind) => {
      wanted = { d: wanted * 2, p: wanted + 3, f: wanted + 1 }[kind] ?? Number.NaN;
      if (kind === "f") return sql`${plainSql(`update counts set n = n + 1 /* ${fresh++} */`)} where id = ${1}`.byRow();
      return kind === "d" ? double : plain;
    });
    // Others wait for the only connection.
    await Promise.all([db.batch(batch), db.first(look)]);
    expect(await here.count()).toBe(wanted);
  }
  await db.close();
});

test("what changes another number of rows than expected changes nothing, alone and with others", async () => {
  await using here = await openCut();
  const failure = new Error("no such row");
  const none = sql`update counts set n = n + 1 where id = 2`.expect(1, failure);
  for (const queries of [[none], [add, none], [none, add], [add, none.byRow(), add]])
    expect(await here.db.batch(queries).catch((error: unknown) => error)).toBe(failure);
  expect(await here.count()).toBe(0);
  expect(await here.db.batch([add.expect(1, failure)])).toEqual([1]);
  expect(await here.db.batch([none.expect(0, failure), add.expect(1, failure)])).toEqual([0, 1]);
  expect(await here.count()).toBe(2);
});

test("reading goes on over a new connection", async () => {
  await using here = await openCut();
  expect(await here.db.first(sql`select n from counts`)).toEqual({ n: 0 });
  here.proxy.loseAnswerTo("select");
  expect(await here.db.first(sql`select n + 1 as more from counts`)).toEqual({ more: 1 });
});

test("with the way cut nothing is changed, and it goes on when it is mended", async () => {
  await using here = await openCut();
  await here.db.run(add);
  here.proxy.cut();
  await expect(here.db.run(add)).rejects.toBeInstanceOf(Unavailable);
  await expect(here.db.batch([add])).rejects.toBeInstanceOf(Unavailable);
  await expect(here.db.first(sql`select n from counts`)).rejects.toBeInstanceOf(Unavailable);
  here.proxy.mend();
  expect(await here.db.run(add)).toBe(1);
  expect(await here.count()).toBe(2);
});

/** Fails with a code of PostgreSQL, whenever it is sent. */
const failing = (code: string) => plainSql(`do $$ begin raise exception using errcode = '${code}'; end $$`);
const HOUR = 3_600_000;

const connection = (db: Database) => db.first(plainSql("select pg_backend_pid()::bigint as pid"));

test("a transaction whose statements were prepared before their table changed is made again on the same connection", async () => {
  await using here = await openCut();
  const db = openPostgres({ url: here.proxy.url, connections: 1, patience });
  const change = [add, sql`select * from counts`, sql`update counts set n = n + ${1} returning *`];
  const before = await connection(db);
  await db.batch(change);
  await here.db.run(plainSql("alter table counts add column more bigint"));
  expect(await db.batch(change)).toEqual([1, 0, 1]);
  expect(await connection(db)).toEqual(before);
  expect(await here.count()).toBe(4);
  await db.close();
});

test("what PostgreSQL does not do is an error of ours, and its connection stays", async () => {
  await using place = await emptyDatabase(server);
  const db = openPostgres({ url: place.url, connections: 1, patience });
  const before = await connection(db);
  for (const change of [db.run(failing("0A000")), db.batch([failing("0A000")])])
    await expect(change).rejects.toThrow("PostgreSQL 0A000");
  expect(await connection(db)).toEqual(before);
  await db.close();
});

test("one that only reads is left for another, but not again and again, and so is the connection on which it is heard", async () => {
  await using place = await emptyDatabase(server);
  await using proxy = await openCuttingProxy(place.url);
  const db = openPostgres({ url: proxy.url, connections: 1, patience: { ...patience, elsewhere: HOUR } });
  let onNotify = 0;
  const wake = () => {
    onNotify += 1;
  };
  const hear = () => db.notifications?.listen(wake);
  await db.first(plainSql("select 1 as one"));
  await hear();
  await hear();
  expect([proxy.count(), onNotify]).toEqual([2, 1]);
  await expect(db.run(failing("25006"))).rejects.toBeInstanceOf(Unavailable);
  expect(proxy.count()).toBe(3);
  await hear();
  expect([proxy.count(), onNotify]).toEqual([4, 2]);
  await db.close();
});

test("a server that says nothing is given up", async () => {
  await using silent = await openSilentServer();
  const url = `postgres://satchel@${new URL(silent.endpoint).host}/satchel`;
  const db = openPostgres({ url, patience });
  await expect(db.first(sql`select 1`)).rejects.toBeInstanceOf(Unavailable);
  await expect(db.batch([add])).rejects.toBeInstanceOf(Unavailable);
  await db.close();
});

test("who finds every connection in use is refused after a while, and nothing of theirs was sent", async () => {
  await using place = await emptyDatabase(server);
  const db = openPostgres({ url: place.url, connections: 3, patience });
  const slow = sql`select pg_sleep(${8}) is null as slept`.byRow();
  const busy = [
    db.batch([slow, look]),
    db.all(sql`select pg_sleep(${8}) is null as one`),
    db.all(sql`select pg_sleep(${8}) is null as two`),
  ];
  await expect(db.batch([slow, slow])).rejects.toThrow("nothing was sent");
  await Promise.all(busy);
  await db.close();
});

test("a statement that takes too long is ended", async () => {
  await using place = await emptyDatabase(server);
  const db = openPostgres({ url: place.url, connections: 3, patience: { statement: 200 } });
  await expect(db.first(sql`select pg_sleep(${20}) is null as slept`)).rejects.toBeInstanceOf(Unavailable);
  await expect(db.batch([sql`select pg_sleep(${20}) is null as slept`])).rejects.toBeInstanceOf(Unavailable);
  await db.close();
});

test("a text that is too long for an index is refused as such", async () => {
  await using place = await emptyDatabase(server);
  const db = openPostgres({ url: place.url, connections: 3 });
  await db.run(plainSql("create table keys (key text primary key)"));
  const letters = Array.from({ length: 3000 }, (_, index) => String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)));
  await expect(db.run(sql`insert into keys values (${letters.join("")})`)).rejects.toBeInstanceOf(TooLong);
  await db.close();
});

test("while PostgreSQL is away every front answers 503 with Retry-After, and all is well when it is back", async () => {
  await using own = await startCluster();
  const db = openPostgres({ url: own.url, connections: 4, patience });
  await using house = await openTestHouse({ engine: () => db });
  const { slug } = await shareText(house, { content: "hello", maxViews: 2 });
  const token = await house.signIn();
  const headers = { authorization: `Bearer ${token}` };
  await own.stop("immediate");
  for (const [path, method] of [
    [`/api/raw/${slug}`, "GET"],
    ["/dav/drive", "PROPFIND"],
    ["/api/admin/sessions", "GET"],
  ] as const) {
    const answer = await house.request(path, { method, headers });
    expect([path, answer.status]).toEqual([path, 503]);
    expect(answer.headers.get("retry-after")).toBe("2");
    expect(await answer.text()).not.toContain("postgres");
  }
  expect(house.log()).toContain('"event":"database unavailable"');
  const alive = await house.request("/api/health");
  expect([alive.status, await alive.json()]).toMatchObject([200, { problems: [{ problem: "database.unavailable" }] }]);
  expect((await house.request("/api/health/ready")).status).toBe(503);
  await own.start();
  const views = [1, 2, 3].map(async () => (await house.request(`/api/raw/${slug}`)).status);
  expect((await Promise.all(views)).sort()).toEqual([200, 200, 410]);
  await shareFile(house, { filename: "a.txt" });
});

test("PostgreSQL is restarted under readers and writers: none gets a wrong answer", async () => {
  await using own = await startCluster();
  const db = openPostgres({ url: own.url, connections: 5, patience: SLOW });
  await db.run(plainSql("create table counts (id bigint primary key, n bigint not null)"));
  await db.run(sql`insert into counts values (1, 0)`);
  let [made, unknown, over] = [0, 0, false];
  const write = async () => {
    while (!over) {
      await db
        .batch([add.expect(1, new Error("no such row"))])
        .then(() => {
          made += 1;
        })
        .catch((error: unknown) => {
          if (!(error instanceof Unavailable)) throw error;
          unknown += 1;
        });
    }
  };
  const read = async () => {
    let before = 0;
    while (!over) {
      const row = await db.first<{ n: number }>(sql`select n from counts where id = 1`);
      expect(row?.n).toBeGreaterThanOrEqual(before);
      before = row?.n ?? 0;
    }
  };
  const all = Promise.all([write(), write(), write(), read(), read()]);
  for (const mode of ["fast", "immediate", "fast"] as const) {
    await own.stop(mode);
    await own.start();
  }
  const before = made;
  while (made < before + 10) await new Promise(setImmediate);
  over = true;
  await all;
  const { n = 0 } = (await db.first<{ n: number }>(sql`select n from counts where id = 1`)) ?? {};
  // A commit that was not answered may have been made.
  expect(n).toBeGreaterThanOrEqual(made);
  expect(n).toBeLessThanOrEqual(made + unknown);
  await db.close();
});
