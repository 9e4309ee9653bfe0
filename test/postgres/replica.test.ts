import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { readConfig } from "../../src/config.ts";
import type { Database } from "../../src/database/database.ts";
import { openPostgres } from "../../src/database/postgres/postgres.ts";
import { openStandby } from "../../src/database/postgres/standby.ts";
import { createReplica } from "../../src/database/replica.ts";
import { plainSql, sql } from "../../src/database/sql.ts";
import { examine } from "../../src/doctor/doctor.ts";
import { createLog } from "../../src/lib/log.ts";
import { startCluster } from "../support/postgres/cluster.ts";
import { asOwner, databaseAt, emptyDatabase, SLOW } from "../support/postgres/databases.ts";
import { SHARED } from "../support/postgres/shared.ts";
import { shareText } from "../support/share-text.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { openTestHouse, type TestHouse } from "../support/test-house.ts";
import { until } from "../support/until.ts";

/** A primary with a standby that servers may read from, and that a test can hold at what it has replayed. */

const primary = await startCluster();
const standby = await startCluster(primary.url);
const place = await emptyDatabase(primary.url);
const name = new URL(place.url).pathname.slice(1);
const readUrl = databaseAt(standby.url, name);

const hold = () => asOwner(standby.url, "select pg_wal_replay_pause()");
const follow = () => asOwner(standby.url, "select pg_wal_replay_resume()");

afterEach(follow);
afterAll(async () => {
  await standby[Symbol.asyncDispose]();
  await primary[Symbol.asyncDispose]();
});

const openBoth = () => ({
  db: openPostgres({ url: place.url, connections: 5, patience: SLOW }),
  standby: openStandby({ url: readUrl, connections: 4 }),
});

/** Two servers on one database, each of which may read from the standby. */
async function openPair() {
  const [one, two] = [openBoth(), openBoth()];
  const here = await openTestHouse({ clustered: true, engine: () => one.db, standby: one.standby });
  const there = await openTestHouse({
    clustered: true,
    beside: { db: two.db, objects: here.objects },
    standby: two.standby,
  });
  const token = await here.signIn();
  return {
    here,
    there,
    headers: { authorization: `Bearer ${token}` },
    async [Symbol.asyncDispose]() {
      await there[Symbol.asyncDispose]();
      await here[Symbol.asyncDispose]();
    },
  };
}

const countsOf = ({ house }: TestHouse) => house.cluster.replica?.counts ?? { replica: 0, primary: 0 };

/** Returns when a house reads from the standby. */
const readsFrom = ({ house }: TestHouse, isUsed: boolean) =>
  until(
    async () => (await house.cluster.replica?.state())?.isCurrent,
    (used) => used === isUsed,
  );

/** What is answered, and by whom the statements were that a replica may answer. */
async function asked<Answer>(house: TestHouse, ask: () => Promise<Answer>) {
  const before = { ...countsOf(house) };
  const answer = await ask();
  const after = countsOf(house);
  return { answer, replica: after.replica - before.replica, primary: after.primary - before.primary };
}

describe("two servers with a standby", () => {
  test("lists, search and openings without a limit are read from it, once it has what was written", async () => {
    await using pair = await openPair();
    const { here, there, headers } = pair;
    await shareText(here, { content: "hello", slug: "plain" });
    await shareText(here, { content: "long ".repeat(10_000), slug: "long" });
    await here.request("/dav/drive/report.txt", { method: "PUT", headers, body: "report" });
    await here.house.vfs.search.settled();
    await readsFrom(there, true);
    for (const path of ["/api/pastes", "/api/pastes?search=hello", "/api/fs/search?q=report", "/api/admin/audit"]) {
      const { answer, replica } = await until(
        () => asked(there, () => there.request(path, { headers })),
        ({ primary }) => primary === 0,
      );
      expect([path, answer.status]).toEqual([path, 200]);
      expect(replica).toBeGreaterThan(0);
    }
    for (const slug of ["plain", "long"]) {
      const { answer, replica, primary } = await asked(there, () => there.request(`/api/raw/${slug}`));
      expect([answer.status, primary]).toEqual([200, 0]);
      expect(replica).toBeGreaterThan(0);
    }
  });

  test("while it is held, everybody finds what they have written, at each server, also without a credential", async () => {
    await using pair = await openPair();
    const { here, there, headers } = pair;
    await readsFrom(there, true);
    await hold();
    await shareText(here, { content: "fresh", slug: "fresh" });
    for (const house of [here, there]) {
      const { answer, replica } = await asked(house, () => house.request("/api/pastes?limit=50", { headers }));
      expect(await answer.text()).toContain('"fresh"');
      expect(replica).toBe(0);
      expect(await (await house.request("/api/raw/fresh")).text()).toBe("fresh");
    }
  });

  test("while it is held, a share that was deleted, changed or locked at one server is so at the other once that has heard of it", async () => {
    await using pair = await openPair();
    const { here, there, headers } = pair;
    const deleted = await shareText(here, { content: "before", slug: "deleted" });
    for (const slug of ["changed", "locked"]) await shareText(here, { content: "before", slug });
    await readsFrom(there, true);
    await hold();
    const change = async (method: string, path: string, body: object) => {
      const sent = { ...headers, "content-type": "application/json" };
      return (await here.request(`/api/pastes/${path}`, { method, headers: sent, body: JSON.stringify(body) })).status;
    };
    expect(await change("DELETE", "batch-delete", { ids: [deleted.id] })).toBe(200);
    expect(await change("PUT", "changed", { content: "after" })).toBe(200);
    expect(await change("PUT", "locked", { password: "a password" })).toBe(200);
    await there.house.cluster.beat();
    const read = async (slug: string) => {
      const response = await there.request(`/api/raw/${slug}`);
      return response.status === 200 ? await response.text() : response.status;
    };
    expect([await read("deleted"), await read("changed"), await read("locked")]).toEqual([404, "after", 401]);
  });

  test("limits and passwords are asked of the primary", async () => {
    await using pair = await openPair();
    const { here, there } = pair;
    await shareText(here, { content: "twice", slug: "twice", maxViews: 2 });
    await shareText(here, { content: "secret", slug: "secret", password: "a password" });
    await readsFrom(there, true);
    for (const [path, status] of [
      ["/api/raw/secret?password=a%20password", 200],
      ["/api/raw/twice", 200],
      ["/api/raw/twice", 200],
      ["/api/raw/twice", 410],
      ["/api/raw/nobody", 404],
    ] as const) {
      const { answer, replica } = await asked(there, () => there.request(path));
      expect([path, answer.status]).toEqual([path, status]);
      expect(replica).toBe(0);
    }
  });

  test("while it is gone the primary answers, and it is read again when it is back", async () => {
    await using pair = await openPair();
    const { here, there, headers } = pair;
    await shareText(here, { content: "there", slug: "there" });
    await readsFrom(there, true);
    await standby.stop("immediate");
    for (let count = 0; count < 3; count++) {
      const { answer, replica } = await asked(there, () => there.request("/api/pastes", { headers }));
      expect([answer.status, replica]).toEqual([200, 0]);
    }
    expect(there.log()).toContain("the replica of the database does not answer");
    await standby.start();
    await until(
      () => asked(there, () => there.request("/api/pastes", { headers })),
      ({ replica }) => replica > 0,
    );
    expect(there.log()).toContain("the replica of the database answers again");
  });
});

/** Of test houses. */
const SECRET = "a secret for tests only";

const silent = createLog("silent", () => undefined);

const replicaOf = (db: Database, url: string, elapsed = () => performance.now()) =>
  createReplica({ primary: db, standby: openStandby({ url, connections: 3 }), elapsed, log: silent });

test("what is read is a second old at most", async () => {
  const db = openPostgres({ url: place.url, connections: 3, patience: SLOW });
  let present = 0;
  const replica = replicaOf(db, readUrl, () => present);
  await db.run(plainSql("create table if not exists numbers (n bigint not null)"));
  await db.run(sql`insert into numbers values (1)`);
  replica.renew();
  await until(
    async () => (await replica.state()).isCurrent,
    (used) => used,
  );
  await hold();
  // Another server writes, and nobody here has heard of it.
  await db.run(sql`update numbers set n = 2`);
  const read = async () => (await replica.all<{ n: number }>(sql`select n from numbers`))[0]?.n;
  present = 999;
  expect(await read()).toBe(1);
  present = 1000;
  expect(await read()).toBe(2);
  await replica.close();
  await db.close();
});

test("a standby that went another way than the new primary is not read, however far it is", async () => {
  const first = await startCluster();
  const second = await startCluster(first.url);
  const other = await startCluster(first.url);
  await using stack = new AsyncDisposableStack();
  for (const one of [first, second, other]) stack.use(one);
  const before = openPostgres({ url: first.url, connections: 3, patience: SLOW });
  await before.run(plainSql("create table facts (name text primary key, value text not null)"));
  const reading = replicaOf(before, other.url);
  await until(
    async () => (await reading.state()).isCurrent,
    (used) => used,
  );
  await reading.close();
  await second.stop("fast");
  // Only the other one gets it.
  await before.run(plainSql("create table lost as select generate_series(1, 10000) as n"));
  const there = openPostgres({ url: other.url, connections: 3, patience: SLOW });
  await until(
    () => there.first(plainSql("select max(n) as n from lost")).catch(() => undefined),
    (row) => row !== undefined,
  );
  await Promise.all([before.close(), there.close()]);
  await first.stop("immediate");
  await second.start();
  await second.promote();
  const after = openPostgres({ url: second.url, connections: 3, patience: SLOW });
  const replica = replicaOf(after, other.url);
  expect(await replica.state()).toMatchObject({
    isCurrent: false,
    why: "it has not yet replayed what the primary has",
  });
  expect(await replica.all(plainSql("select to_regclass('lost') is null as never"))).toEqual([{ never: true }]);
  // One that became a primary itself is none either.
  await other.promote();
  const promoted = replicaOf(after, other.url);
  expect(await promoted.state()).toMatchObject({ isCurrent: false, why: "it is not a standby" });
  await Promise.all([replica.close(), promoted.close()]);
  await after.close();
});

test("the doctor says whether it is read, and another database is refused", async () => {
  await using another = await emptyDatabase(primary.url);
  using folder = temporaryFolder();
  const environment = { DATA_DIR: folder.path, DATABASE_URL: place.url, PORT: "1", ...SHARED };
  const tell = async (url: string): Promise<string> => {
    const { config } = readConfig(["doctor"], { ...environment, SECRET_KEY: SECRET, DATABASE_READ_URL: url });
    for await (const { subject, text } of examine(config, Date.now())) if (subject === "Replica") return text;
    return "nothing";
  };
  await until(
    () => tell(readUrl),
    (text) => text.includes("has everything that the database has"),
  );
  await hold();
  const db = openPostgres({ url: place.url, connections: 3, patience: SLOW });
  await db.run(plainSql("create table held (n bigint)"));
  await db.close();
  expect(await tell(readUrl)).toContain("is not read now: it has not yet replayed what the primary has");
  expect(await tell(another.url)).toContain("is no standby of the one that DATABASE_URL names: it is another database");
});
