import { expect, test } from "bun:test";
import { joinCluster } from "../../src/database/cluster.ts";
import { plainSql, sql } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { createLog } from "../../src/lib/log.ts";
import { cluster } from "../support/postgres/cluster.ts";
import { openCuttingProxy } from "../support/postgres/cutting-proxy.ts";
import { emptyDatabase } from "../support/postgres/databases.ts";
import { until } from "../support/until.ts";

/** Servers on one PostgreSQL wake each other (NOTIFY); here they look by themselves once in an hour. */

const server = await cluster();
const HOUR = 3_600_000;

async function twoServers() {
  await using stack = new AsyncDisposableStack();
  const place = stack.use(await emptyDatabase(server));
  const proxy = stack.use(await openCuttingProxy(place.url));
  const lines: string[] = [];
  const log = createLog("info", (line) => void lines.push(line));
  const join = async (url: string) => {
    const db = stack.adopt(openPostgres({ url, connections: 4 }), (one) => one.close());
    await migrate(db, true);
    const node = await joinCluster({ db, log, busy: () => new Error("busy"), beatEvery: HOUR });
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
  await servers.here.tell("settings", "told");
  await servers.hasSeen("told");
  await servers.here.db.run(sql`insert into facts (name, value) values ('a', 'b')`.telling("settings", "one"));
  await servers.hasSeen("one");
  await servers.here.db.batch([plainSql("delete from facts").telling("settings", "several")]);
  await servers.hasSeen("several");
  expect(servers.lines).toEqual([]);
});

test("what is rolled back wakes nobody, and nothing of it is told", async () => {
  await using servers = await twoServers();
  const failure = new Error("not that one");
  const change = plainSql("delete from facts").telling("settings", "undone").expect(9, failure);
  await expect(servers.here.db.batch([change])).rejects.toBe(failure);
  await servers.here.tell("settings", "done");
  await servers.hasSeen("done");
  expect(servers.seen).not.toContain("undone");
});

test("what was told while the way was cut is read when it is mended", async () => {
  await using servers = await twoServers();
  servers.proxy.cut();
  await servers.here.tell("settings", "meanwhile");
  servers.proxy.mend();
  await servers.hasSeen("meanwhile");
  await servers.here.tell("settings", "afterwards");
  await servers.hasSeen("afterwards");
});

test("where nobody can be heard, servers look by themselves and the log says so once", async () => {
  await using place = await emptyDatabase(server);
  const real = openPostgres({ url: place.url, connections: 4 });
  await migrate(real, true);
  const all = sql`select this_would_fail()`;
  const db = { ...real, waking: { all, hear: () => Promise.reject(new Error("LISTEN is not implemented")) } };
  const lines: string[] = [];
  const log = createLog("info", (line) => void lines.push(line));
  const nodes = [1, 2].map(() => joinCluster({ db, log, busy: () => new Error("busy"), beatEvery: HOUR }));
  const [here, there] = (await Promise.all(nodes)) as [Awaited<(typeof nodes)[0]>, Awaited<(typeof nodes)[0]>];
  await Promise.all([here.start(), there.start()]);
  const seen: string[] = [];
  there.follow("settings", (subjects) => void seen.push(...(subjects ?? [])));
  await here.tell("settings", "told");
  expect(seen).toEqual([]);
  await there.beat();
  expect(seen).toEqual(["told"]);
  expect(lines.filter((line) => line.includes("seen a moment later"))).toHaveLength(2);
  await here.close();
  await there.close();
  await real.close();
});
