import { expect, test } from "bun:test";
import { joinCluster } from "../../src/cluster/cluster.ts";
import type { Database, Notifications } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { openPostgres } from "../../src/database/postgres/postgres.ts";
import { plainSql, sql } from "../../src/database/sql.ts";
import { createLog } from "../../src/lib/log.ts";
import { cluster } from "../support/postgres/cluster.ts";
import { openCuttingProxy } from "../support/postgres/cutting-proxy.ts";
import { emptyDatabase } from "../support/postgres/databases.ts";
import { until } from "../support/until.ts";

/** Servers on one PostgreSQL wake each other (NOTIFY); here they look by themselves once in an hour. */

const server = await cluster();
/** Beats come from the tests alone, and with each a server looks whether it hears. */
const NEVER = { beatEvery: 3_600_000, lookEvery: 1 };
const patience = { connect: 500, wait: 300 };

async function twoServers() {
  await using stack = new AsyncDisposableStack();
  const place = stack.use(await emptyDatabase(server));
  const proxy = stack.use(await openCuttingProxy(place.url));
  const lines: string[] = [];
  const log = createLog("info", (line) => void lines.push(line));
  const join = async (url: string) => {
    const db = stack.adopt(openPostgres({ url, connections: 4, patience }), (one) => one.close());
    await migrate(db, true);
    const node = await joinCluster({ db, log, busy: () => new Error("busy"), ...NEVER });
    stack.defer(() => node.close());
    await node.start();
    return node;
  };
  const [here, there] = [await join(place.url), await join(proxy.url)];
  const seen: string[] = [];
  there.follow("settings", (subjects) => void seen.push(...(subjects ?? ["all"])));
  const moved = stack.move();
  return {
    here,
    there,
    proxy,
    lines,
    /** How often the log says so. */
    said: (event: string) => lines.filter((line) => line.includes(event)).length,
    /** Returns when the other server knows of a change. */
    hasSeen: (subject: string) =>
      until(
        () => seen,
        (subjects) => subjects.includes(subject),
      ),
    seen,
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}

test("what one tells the other sees at once, whether with a change or alone", async () => {
  await using servers = await twoServers();
  await servers.here.publish("settings", "told");
  await servers.hasSeen("told");
  await servers.here.db.run(sql`insert into facts (name, value) values ('a', 'b')`.publishing("settings", "one"));
  await servers.hasSeen("one");
  await servers.here.db.batch([plainSql("delete from facts").publishing("settings", "several")]);
  await servers.hasSeen("several");
  expect(servers.lines).toEqual([]);
});

test("what is rolled back wakes nobody, and nothing of it is told", async () => {
  await using servers = await twoServers();
  const failure = new Error("not that one");
  const change = plainSql("delete from facts").publishing("settings", "undone").expect(9, failure);
  await expect(servers.here.db.batch([change])).rejects.toBe(failure);
  await servers.here.publish("settings", "done");
  await servers.hasSeen("done");
  expect(servers.seen).not.toContain("undone");
});

test("a server whose way was cut begins anew when it is mended, and what is told then is heard again", async () => {
  await using servers = await twoServers();
  servers.proxy.cut();
  await servers.here.publish("settings", "meanwhile");
  await servers.there.beat();
  await servers.there.beat();
  expect(servers.said("LISTEN failed")).toBe(1);
  servers.seen.splice(0);
  servers.proxy.mend();
  await until(
    () => servers.there.beat().then(() => servers.said("LISTEN works again")),
    (count) => count === 1,
  );
  // Another database may have come behind the address meanwhile.
  await servers.hasSeen("all");
  await servers.here.publish("settings", "afterwards");
  await servers.hasSeen("afterwards");
});

test("a connection on which one hears is made again when it alone is lost", async () => {
  await using servers = await twoServers();
  const listening = plainSql(
    "select pid::bigint from pg_stat_activity where datname = current_database() and query ilike 'listen%'",
  );
  const before = await servers.here.db.all<{ pid: number }>(listening);
  expect(before).toHaveLength(2);
  for (const { pid } of before) await servers.here.db.first(sql`select pg_terminate_backend(${pid}::int)`);
  // A process of PostgreSQL that was told to end is there for a moment yet.
  const lost = new Set(before.map(({ pid }) => pid));
  const remade = async () => {
    await servers.here.beat();
    await servers.there.beat();
    return (await servers.here.db.all<{ pid: number }>(listening)).filter(({ pid }) => !lost.has(pid)).length;
  };
  await until(remade, (count) => count === 2);
  await servers.here.publish("settings", "afterwards");
  await servers.hasSeen("afterwards");
});

test("a connection on which listening is never answered is given up, and another is made", async () => {
  await using place = await emptyDatabase(server);
  await using proxy = await openCuttingProxy(place.url);
  const db = openPostgres({ url: proxy.url, connections: 2, patience: { ...patience, silence: 300 } });
  let onNotify = 0;
  const wake = () => {
    onNotify += 1;
  };
  proxy.silenceAt("LISTEN");
  await expect(Promise.resolve(db.notifications?.listen(wake))).rejects.toThrow();
  expect(onNotify).toBe(0);
  await db.notifications?.listen(wake);
  expect(onNotify).toBe(1);
  await db.close();
});

test("a server that cannot listen at its start tries again, and says so once", async () => {
  await using place = await emptyDatabase(server);
  await using stack = new AsyncDisposableStack();
  const open = () => stack.adopt(openPostgres({ url: place.url, connections: 4 }), (one) => one.close());
  const [db, second] = [open(), open()];
  await migrate(db, true);
  let [tries, fails] = [0, true];
  const listen: Notifications["listen"] = async (onNotify) => {
    tries += 1;
    if (fails) throw new Error("too many connections");
    await db.notifications?.listen(onNotify);
  };
  const lines: string[] = [];
  const log = createLog("info", (line) => void lines.push(line));
  const notifications = db.notifications && { ...db.notifications, listen };
  const join = (own: Database) => joinCluster({ db: own, log, busy: () => new Error("busy"), ...NEVER });
  const node = await join({ ...db, notifications });
  stack.defer(() => node.close());
  const other = await join(second);
  stack.defer(() => other.close());
  await node.start();
  for (let count = 0; count < 50; count++) await node.beat();
  // After 1, 2, 4, 8 and 16 looks, and every 24 then.
  expect(tries).toBe(6);
  expect(lines.filter((line) => line.includes("LISTEN failed"))).toHaveLength(1);
  fails = false;
  await until(
    () => node.beat().then(() => lines.filter((line) => line.includes("LISTEN works again")).length),
    (count) => count === 1,
  );
  await other.start();
  const seen: string[] = [];
  for (const one of [node, other]) one.follow("settings", (subjects) => void seen.push(...(subjects ?? [])));
  await other.publish("settings", "told");
  await until(
    () => seen,
    (subjects) => subjects.length === 2,
  );
  // It wakes others now as well.
  await node.publish("settings", "answered");
  await until(
    () => seen,
    (subjects) => subjects.length === 4,
  );
  expect(seen).toEqual(["told", "told", "answered", "answered"]);
});

test("where nobody can be heard, servers look by themselves and the log says so once", async () => {
  await using place = await emptyDatabase(server);
  const real = openPostgres({ url: place.url, connections: 4 });
  await migrate(real, true);
  const notify = sql`select this_would_fail()`;
  const db = {
    ...real,
    notifications: { notify, listen: () => Promise.reject(new Error("LISTEN is not implemented")) },
  };
  const lines: string[] = [];
  const log = createLog("info", (line) => void lines.push(line));
  const nodes = [1, 2].map(() => joinCluster({ db, log, busy: () => new Error("busy"), ...NEVER }));
  const [here, there] = (await Promise.all(nodes)) as [Awaited<(typeof nodes)[0]>, Awaited<(typeof nodes)[0]>];
  await Promise.all([here.start(), there.start()]);
  const seen: string[] = [];
  there.follow("settings", (subjects) => void seen.push(...(subjects ?? [])));
  await here.publish("settings", "told");
  expect(seen).toEqual([]);
  await there.beat();
  expect(seen).toEqual(["told"]);
  expect(lines.filter((line) => line.includes("LISTEN failed"))).toHaveLength(2);
  await here.close();
  await there.close();
  await real.close();
});
