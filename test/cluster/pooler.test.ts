import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { openPostgres } from "../../src/database/postgres/postgres.ts";
import { plainSql, sql } from "../../src/database/sql.ts";
import { examineLoad, json, newLoad, underLoad, untilMore } from "../support/cluster/node-load.ts";
import { startNodes } from "../support/cluster/nodes.ts";
import { startCluster } from "../support/postgres/cluster.ts";
import { emptyDatabase } from "../support/postgres/databases.ts";
import { startPooler } from "../support/postgres/pooler.ts";
import { startServer } from "../support/server.ts";
import { root } from "../support/sources.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";

/** Three servers that reach their PostgreSQL by PgBouncer, which shares a few connections between their transactions. */

const CONNECTIONS = 6;
const SECRET_KEY = "a secret for tests only";

const postgres = await startCluster();
const database = (await emptyDatabase(postgres.url)).url;
const pooler = await startPooler(database, CONNECTIONS);
const nodes = await startNodes(3, async () => ({
  settings: { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database },
  database,
  [Symbol.asyncDispose]: async () => undefined,
}));

afterAll(async () => {
  await nodes[Symbol.asyncDispose]();
  await pooler[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

/** What is asked of PostgreSQL itself, past the pooler. */
async function ask<Row>(text: string): Promise<Row[]> {
  const db = openPostgres({ url: database, connections: 3 });
  try {
    return await db.all<Row>(plainSql(text));
  } finally {
    await db.close();
  }
}

const listening = "application_name = 'satchel' and query ilike 'listen%'";

test("a connection of the pooler has the settings of one without it, and each server listens past it", async () => {
  const direct = openPostgres({ url: database, connections: 3 });
  const pooled = openPostgres({ url: pooler.url, directUrl: database, connections: 3 });
  const settings = sql`select name, setting from pg_settings where source in ('client', 'session') and name in
    ('statement_timeout', 'idle_in_transaction_session_timeout', 'default_transaction_isolation', 'jit', 'max_parallel_workers_per_gather')
    order by name`;
  const named = await direct.all(settings);
  expect(named).toHaveLength(5);
  expect(await pooled.all(settings)).toEqual(named);
  await Promise.all([direct.close(), pooled.close()]);
  await until(
    async () => (await ask(`select 1 as one from pg_stat_activity where ${listening}`)).length,
    (count) => count === 3,
  );
});

test("load while all connections of the pooler are cut: nothing acknowledged is lost, nothing is done twice, every job ends", async () => {
  const load = newLoad();
  let most = 0;
  await underLoad(nodes, load, async () => {
    await untilMore(load, 12);
    const pooled = "backend_type = 'client backend' and datname = current_database() and pid <> pg_backend_pid()";
    most = (await ask(`select 1 as one from pg_stat_activity where ${pooled} and not (${listening})`)).length;
    await ask(`select pg_terminate_backend(pid) as ended from pg_stat_activity where ${pooled} and not (${listening})`);
    await untilMore(load, 12);
  });
  await examineLoad(nodes, load);
  expect(load.jobs.size).toBeGreaterThan(0);
  // Beside them those of the question itself.
  expect(most).toBeLessThanOrEqual(CONNECTIONS + 2);
});

test("what needs a connection to itself has one: a backup, and the indexes of words", async () => {
  expect((await nodes.call("/api/paste", json({ content: "kept", slug: "kept" }))).status).toBe(201);
  using folder = temporaryFolder();
  const to = join(folder.path, "backup.tar.zst");
  const backup = Bun.spawn([process.execPath, join(root, "src/main.ts"), "backup", "--to", to], {
    env: { DATA_DIR: folder.path, DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database, SECRET_KEY },
    stdout: "ignore",
    stderr: "pipe",
  });
  const trouble = await new Response(backup.stderr).text();
  expect([await backup.exited, trouble]).toEqual([0, ""]);
  expect(Bun.file(to).size).toBeGreaterThan(0);
  const valid =
    "select indisvalid as valid from pg_index where indexrelid = to_regclass('paste_words_by_gram') and indisvalid";
  await until(
    () => ask(valid),
    (found) => found.length === 1,
  );
  // No lock of theirs stays with a connection that others get.
  expect(await ask("select 1 as one from pg_locks where locktype = 'advisory'")).toEqual([]);
});

async function refusal(environment: Record<string, string>): Promise<string> {
  return await startServer({ environment }).then(
    async (server) => {
      await server.kill();
      return "it started";
    },
    (error: unknown) => String(error),
  );
}

test("a start without the direct address, or with that of another database, is refused with a sentence that helps", async () => {
  expect(await refusal({ DATABASE_URL: pooler.url, SECRET_KEY, ...bucketSettings })).toContain(
    "It is a pooler: set DATABASE_DIRECT_URL to the address of PostgreSQL itself",
  );
  await using other = await emptyDatabase(postgres.url);
  expect(
    await refusal({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: other.url, SECRET_KEY, ...bucketSettings }),
  ).toContain("DATABASE_DIRECT_URL leads to another database than DATABASE_URL");
});

/** Never reached: the database comes first. */
const bucketSettings = {
  S3_ENDPOINT: "http://127.0.0.1:1",
  S3_BUCKET: "files",
  S3_ACCESS_KEY_ID: "somebody",
  S3_SECRET_ACCESS_KEY: "pass-word",
};
