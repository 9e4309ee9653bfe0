import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "../../src/database/migrate.ts";
import { openPostgres } from "../../src/database/postgres/postgres.ts";
import { plainSql, sql } from "../../src/database/sql.ts";
import { json, signIn } from "../support/clients/sign-in.ts";
import { makeStep22 } from "../support/database/step-22.ts";
import { cluster, startCluster } from "../support/postgres/cluster.ts";
import { openCuttingProxy } from "../support/postgres/cutting-proxy.ts";
import { asOwner, databaseAt, emptyDatabase } from "../support/postgres/databases.ts";
import { SHARED } from "../support/postgres/shared.ts";
import { runSatchel, startServer } from "../support/server.ts";
import { openSmallBucket } from "../support/stores/pretend-s3.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";

/** The program on PostgreSQL, by its command line and its environment. */

const server = await cluster();

/** Why the server does not start. */
async function refusal(url: string, more: Record<string, string> = {}): Promise<string> {
  using folder = temporaryFolder();
  const { code, stdout, stderr } = await runSatchel([], {
    DATA_DIR: folder.path,
    DATABASE_URL: url,
    ...SHARED,
    ...more,
  });
  expect(code).toBe(1);
  expect(stderr + stdout).not.toContain("pass-word");
  return stderr;
}

async function shareAt(address: string, password: string, slug: string, content: string): Promise<number> {
  return (await fetch(`${address}/api/paste`, json({ slug, content }, await signIn(address, password)))).status;
}

const textAt = async (address: string, slug: string): Promise<string> =>
  await (await fetch(`${address}/api/raw/${slug}`)).text();

test("an address that is none is refused without its password", async () => {
  for (const url of [
    "mysql://u:pass-word@h/d",
    "postgres://u:pass-word@h",
    "u:pass-word@h/d",
    "postgres://u:pass-word%@h/d",
  ])
    expect(await refusal(url)).toContain("DATABASE_URL (--to) must be the address of a database");
});

test("a database that cannot be reached, or lets nobody in, is named without its password", async () => {
  // One that asks for passwords.
  await using own = await startCluster();
  await using place = await emptyDatabase(own.url);
  const { host, pathname } = new URL(place.url);
  await asOwner(own.url, "drop role if exists guarded", "create role guarded login password 'another'");
  expect(await refusal("postgres://u:pass-word@127.0.0.1:1/d")).toContain(
    "The database postgres://u@127.0.0.1:1/d cannot be used",
  );
  expect(await refusal(`postgres://guarded:pass-word@${host}${pathname}`)).toContain("password authentication failed");
  expect(await refusal(`postgres://satchel:pass-word@${host}/nowhere`)).toContain('database "nowhere" does not exist');
  expect(await refusal(`postgres://guarded:another@${host}${pathname}`)).toContain("permission denied");
});

test("a database without the collations of ICU is refused before a table is made", async () => {
  await using place = await emptyDatabase(server);
  await asOwner(place.url, 'drop collation pg_catalog."und-x-icu"');
  expect(await refusal(place.url)).toContain("lacks what Satchel needs");
  const db = openPostgres({ url: place.url, connections: 1 });
  expect(await db.all(plainSql("select tablename from pg_tables where schemaname = 'public'"))).toEqual([]);
  await db.close();
});

test("an engine that is older, or no PostgreSQL but speaks like it, is refused before a table is made", async () => {
  await using place = await emptyDatabase(server);
  // A function of the database's own is found before that of PostgreSQL.
  await asOwner(
    place.url,
    "create schema named",
    `alter database ${new URL(place.url).pathname.slice(1)} set search_path = public, named, pg_catalog`,
  );
  for (const [version, name] of [
    ["PostgreSQL 14.19 (Debian 14.19-1.pgdg13+1) on x86_64-pc-linux-gnu, compiled by gcc, 64-bit", "PostgreSQL 14.19"],
    ["PostgreSQL 15.12-YB-2025.1.0.0-b0 on x86_64-pc-linux-gnu, 64-bit", "PostgreSQL 15.12-YB-2025.1.0.0-b0"],
    ["CockroachDB CCL v25.4.0 (x86_64-pc-linux-gnu, built 2025/11/03, go1.23.12)", "CockroachDB CCL"],
  ] as const) {
    await asOwner(
      place.url,
      `create or replace function named.version() returns text immutable language sql as $$ select '${version}' $$`,
    );
    expect(await refusal(place.url)).toContain(`is ${name}. Satchel needs PostgreSQL 15 or newer.`);
  }
  expect(await tablesOf(place.url)).toEqual([]);
});

test("a database from before the first release's tables is refused before anything is written", async () => {
  await using place = await emptyDatabase(server);
  await makeStep22(place.url, 21);
  expect(await refusal(place.url)).toContain(
    "it is at step 21). Nothing was changed. Start a preview of November 2026",
  );
  const db = openPostgres({ url: place.url, connections: 1 });
  expect(await db.all(sql`select name from facts`)).toEqual([]);
  expect(await db.first(sql`select max(number) as last from migrations`)).toEqual({ last: 21 });
  await db.close();
});

test("a database of another encoding is refused", async () => {
  const name = `satchel_test_latin_${Date.now()}`;
  await asOwner(server, `create database ${name} template template0 encoding 'LATIN1' locale 'C'`);
  expect(await refusal(databaseAt(server, name))).toContain("must have the encoding UTF8");
  await asOwner(server, `drop database ${name} with (force)`);
});

/** Every table of a database. */
const tablesOf = async (url: string) => {
  const db = openPostgres({ url, connections: 3 });
  try {
    return await db.all(plainSql("select tablename from pg_tables where schemaname = 'public'"));
  } finally {
    await db.close();
  }
};

test("a bucket that cannot be used is refused before anything is written", async () => {
  await using place = await emptyDatabase(server);
  await using readOnly = openSmallBucket("files", ({ method }) => method !== "PUT");
  await using keeping = openSmallBucket("files", ({ method }) => method !== "DELETE");
  const nobody = { S3_ENDPOINT: "http://127.0.0.1:1" };
  const at = (port: number) => ({ S3_ENDPOINT: `http://127.0.0.1:${port}` });
  for (const [more, reason] of [
    [{ S3_BUCKET: "flies" }, "The bucket does not exist in the storage."],
    [{ S3_BUCKET: "a/b" }, "A bucket name may contain"],
    [nobody, "The storage cannot be reached"],
    [at(readOnly.port), "The storage denies access to this server"],
    [at(keeping.port), "The storage denies access to this server"],
  ] as const) {
    const said = await refusal(place.url, more);
    expect(said).toContain("cannot be the first storage");
    expect(said).toContain(reason);
    expect(await tablesOf(place.url)).toEqual([]);
  }
  expect(readOnly.keys()).toEqual([]);
  // Nothing holds the name, or the secret, of a start that was refused.
  {
    await using running = await startServer({
      environment: { DATABASE_URL: place.url, ...SHARED, SECRET_KEY: "another one of enough letters" },
    });
    expect((await fetch(`${running.address}/api/health/ready`)).status).toBe(200);
  }
  // Later starts do not read it.
  await using again = await startServer({
    adminPassword: null,
    environment: { DATABASE_URL: place.url, ...SHARED, ...nobody, SECRET_KEY: "another one of enough letters" },
  });
  expect((await fetch(`${again.address}/api/health/ready`)).status).toBe(200);
});

test("another secret key on the same database is refused, and so is a newer one's", async () => {
  await using place = await emptyDatabase(server);
  {
    await using first = await startServer({
      environment: { DATABASE_URL: place.url, ...SHARED },
    });
    expect(await shareAt(first.address, first.adminPassword, "kept", "hello\0\ud83d\ude00")).toBe(201);
    expect(((await (await fetch(`${first.address}/api/version`)).json()) as { data: unknown }).data).toMatchObject({
      storage: "PostgreSQL",
    });
  }
  expect(await refusal(place.url, { SECRET_KEY: "another one of enough letters" })).toContain(
    "secret key is not the one",
  );
  {
    // On another data folder, as another machine would have.
    await using next = await startServer({
      adminPassword: null,
      environment: { DATABASE_URL: place.url, SECRET_KEY: SHARED.SECRET_KEY },
    });
    expect(await textAt(next.address, "kept")).toBe("hello\0\ud83d\ude00");
    using folder = temporaryFolder();
    const environment = { DATA_DIR: folder.path, DATABASE_URL: place.url, SECRET_KEY: "a secret of enough letters" };
    expect((await runSatchel(["admin", "reset"], environment)).stdout).toContain("/admin#setup=");
  }
  const db = openPostgres({ url: place.url, connections: 3 });
  const { known } = await migrate(db, true);
  await migrate(db, true, [{ needs: known + 1, statements: [] }]);
  await db.close();
  expect(await refusal(place.url)).toContain("newer Satchel");
});

test("a server that is stopped while PostgreSQL is away says what it could not write, and ends in order", async () => {
  await using place = await emptyDatabase(server);
  await using way = await openCuttingProxy(place.url);
  await using running = await startServer({ environment: { DATABASE_URL: way.url, ...SHARED } });
  expect(await shareAt(running.address, running.adminPassword, "opened", "hello")).toBe(201);
  expect(await textAt(running.address, "opened")).toBe("hello");
  way.cut();
  expect(await running.stop()).toBe(0);
  expect(running.stdout()).toContain('"event":"not closed","what":"texts"');
  expect(running.stderr()).not.toContain("error");
});

test("a server whose clock is not that of the database does not start, and one that runs is not ready meanwhile", async () => {
  await using place = await emptyDatabase(server);
  const { pathname } = new URL(place.url);
  // What PostgreSQL finds under the name of its clock; nobody can set its own.
  await asOwner(
    place.url,
    "create schema shifted",
    "create table shifted.clock (ahead interval not null)",
    "insert into shifted.clock values ('0')",
    `create function shifted.clock_timestamp() returns timestamptz volatile language plpgsql
      as 'begin return pg_catalog.clock_timestamp() + (select ahead from shifted.clock); end'`,
    `alter database ${pathname.slice(1)} set search_path = public, shifted, pg_catalog`,
  );
  const shift = (ahead: string) => asOwner(place.url, `update shifted.clock set ahead = '${ahead}'`);
  await shift("1 hour");
  expect(await refusal(place.url)).toMatch(
    /cannot start:\nThe clock of this server is 3(59|60)\d seconds behind that of the database; .* NTP/,
  );
  await shift("-2 minutes");
  expect(await refusal(place.url)).toMatch(/is 1[12]\d seconds ahead of that of the database/);
  await shift("30 seconds");
  await using running = await startServer({ environment: { DATABASE_URL: place.url, ...SHARED } });
  const failing = async () =>
    ((await (await fetch(`${running.address}/api/health/ready`)).json()) as { failing: string[] }).failing;
  expect(await failing()).toEqual([]);
  await shift("2 minutes");
  await until(failing, (names) => names.includes("clock"));
  await shift("0");
  await until(failing, (names) => !names.includes("clock"));
});

test("an installation is copied, again and again until it is used, and goes on there", async () => {
  await using place = await emptyDatabase(server);
  using folder = temporaryFolder();
  const dataDir = folder.path;
  {
    await using before = await startServer({ dataDir });
    const copying = await runSatchel(["database", "copy", "--to", place.url], { DATA_DIR: dataDir });
    expect([copying.code, copying.stderr]).toEqual([1, expect.stringContaining("Another Satchel is running")]);
    for (const slug of ["a", "b", "c"])
      expect(await shareAt(before.address, before.adminPassword, slug, `${slug}\0 ${"é".repeat(100_000)}`)).toBe(201);
  }
  for (const _ of [1, 2]) {
    const { code, stdout, stderr } = await runSatchel(["database", "copy", "--to", place.url], { DATA_DIR: dataDir });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^pastes: 3$/m);
    expect(stdout).toMatch(/^paste_texts: 3$/m);
    expect(stdout).toContain("Everything was copied");
  }
  const environment = { DATABASE_URL: place.url, SECRET_KEY_FILE: join(dataDir, "secret.key") };
  {
    const db = openPostgres({ url: place.url, connections: 3 });
    await db.run(sql`update facts set value = replace(value, ' done', ' begun') where name = 'copy'`);
    const { stderr } = await runSatchel([], { DATA_DIR: dataDir, ...environment });
    expect(stderr).toContain("The copy into this database is not whole");
    await db.run(sql`update facts set value = replace(value, ' begun', ' done') where name = 'copy'`);
    await db.close();
  }
  {
    await using after = await startServer({ dataDir, adminPassword: null, environment });
    const address = after.address;
    expect(await textAt(address, "b")).toBe(`b\0 ${"é".repeat(100_000)}`);
    // The one that counts up goes on where it was, and the account came along.
    expect(await shareAt(address, "correct horse battery", "d", "new")).toBe(201);
    expect(await textAt(address, "d")).toBe("new");
  }
  const again = await runSatchel(["database", "copy", "--to", place.url], { DATA_DIR: dataDir });
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("is not empty: a Satchel has used it")]);
  expect(again.stderr).not.toContain("at ");
});

test("a copy is refused where something else is, and of what is not there", async () => {
  await using place = await emptyDatabase(server);
  await asOwner(place.url, "create table somebody (id int)");
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, "empty"));
  const copy = async (dataDir: string, ...args: string[]) =>
    (await runSatchel(["database", "copy", ...args], { DATA_DIR: dataDir })).stderr;
  expect(await copy(join(folder.path, "empty"), "--to", place.url)).toContain("There is no Satchel in");
  expect(await copy(folder.path)).toContain("database copy needs --to");
  expect((await runSatchel(["--to", place.url], { DATA_DIR: folder.path })).stderr).toContain(
    "Only the commands database copy, backup, upgrade take --to",
  );
  const dataDir = join(folder.path, "data");
  mkdirSync(dataDir);
  await (await startServer({ dataDir })).stop();
  expect(await copy(dataDir, "--to", place.url)).toContain("holds tables of something else");
  expect(await copy(dataDir, "--to", "postgres://u:pass-word@127.0.0.1:1/d")).toContain(
    "postgres://u@127.0.0.1:1/d cannot be used",
  );
});
