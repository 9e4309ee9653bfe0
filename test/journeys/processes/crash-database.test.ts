import { expect, test } from "bun:test";
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plainSql, sql } from "../../../src/database/sql.ts";
import { openSqlite } from "../../../src/database/sqlite/sqlite.ts";
import { bytesOf, MiB } from "../../suites/store-bodies.ts";
import { openClient } from "../../support/clients/upload-client.ts";
import { step22File } from "../../support/database/step-22.ts";
import { startServer } from "../../support/server.ts";
import { root } from "../../support/sources.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A server that is killed in the middle of its first start on an old database, and with all its processes during writes. */

const ROWS = 100_000;

/** Starts a server and kills it when the database's log has grown to so many bytes, or when it is ready before that. */
async function killAtLogSize(dataDir: string, bytes: number): Promise<void> {
  const child = Bun.spawn([process.execPath, join(root, "src/main.ts")], {
    env: { PATH: process.env.PATH ?? "", DATA_DIR: dataDir, PORT: "0", ADMIN_PASSWORD: "correct horse battery" },
    stdout: "ignore",
    stderr: "pipe",
  });
  let said = "";
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stderr) said += decoder.decode(chunk, { stream: true });
  })();
  const log = join(dataDir, "satchel.db-wal");
  const size = () => statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  while (child.exitCode === null && !said.includes("is ready") && size() < bytes) await new Promise(setImmediate);
  child.kill("SIGKILL");
  await Promise.all([child.exited, reading]);
  expect(said).not.toContain("cannot start");
}

test("a migration of a large database that is killed again and again is whole or not begun, and goes on", async () => {
  using old = temporaryFolder();
  const original = join(old.path, "satchel.db");
  writeFileSync(original, await step22File());
  const db = openSqlite({ file: original, synchronous: "NORMAL" });
  // Step 25 makes a large index of them.
  await db.batch([
    sql`delete from jobs`,
    sql`
      with recursive numbers(number) as (select 1 union all select number + 1 from numbers where number < ${ROWS})
      insert into jobs (id, owner, state, task_count, created_at, finished_at)
      select hex(zeroblob(60)) || number, 'admin', 'completed', 0, number, ${Date.now()} from numbers`,
  ]);
  await db.close();

  const seen = new Set<number>();
  for (const megabytes of [0.1, 1, 4, 8, 12, 16, 24]) {
    using folder = temporaryFolder();
    const file = join(folder.path, "satchel.db");
    copyFileSync(original, file);
    writeFileSync(join(folder.path, "secret.key"), "the secret key of the old server", { mode: 0o600 });
    await killAtLogSize(folder.path, megabytes * MiB);
    const left = openSqlite({ file, synchronous: "NORMAL" });
    expect(await left.first(plainSql("pragma quick_check"))).toEqual({ quick_check: "ok" });
    const count = sql`select count(*) as rows from jobs`;
    expect(await left.first(count)).toEqual({ rows: ROWS });
    const { last } = (await left.first<{ last: number }>(sql`select max(number) as last from migrations`)) ?? {
      last: 0,
    };
    const indexes = await left.all<{ name: string }>(sql`select name from sqlite_schema where type = 'index'`);
    const has = (name: string) => indexes.some((index) => index.name === name);
    expect({ megabytes, last, keys: has("disk_multiparts_by_key"), states: has("jobs_by_state") }).toEqual({
      megabytes,
      last,
      keys: last >= 25,
      states: last >= 25,
    });
    left.close();
    seen.add(last);
    await using server = await startServer({ dataDir: folder.path });
    expect(server.stdout()).not.toContain('"level":"error"');
    expect(await server.stop()).toBe(0);
    const after = openSqlite({ file, synchronous: "NORMAL" });
    expect(await after.first(count)).toEqual({ rows: ROWS });
    after.close();
  }
  // At least one was stopped before the large step, else nothing was tried.
  expect([...seen]).toContain(24);
});

const ROUNDS = 6;
const WRITERS = 8;

test("kill -9 of the whole process group during writes with DB_SYNCHRONOUS=FULL: all that was answered is there, and whole", async () => {
  using folder = temporaryFolder();
  const environment = { DB_SYNCHRONOUS: "FULL" };
  // A group of its own, of which the server is one process.
  const command = ["setsid", "sh", "-c", '"$0" "$@"; true', process.execPath, join(root, "src/main.ts")];
  const texts: string[] = [];
  const files = new Map<string, number>();
  let cut = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const server = await startServer({ dataDir: folder.path, environment, command });
    const { token } = await openClient(server);
    const headers = { authorization: `Bearer ${token}` };
    let answered = 0;
    const killed = Promise.withResolvers<void>();
    const count = () => {
      answered += 1;
      if (answered !== 30 + 7 * round) return;
      process.kill(-server.pid, "SIGKILL");
      server.kill().then(killed.resolve, killed.reject);
    };
    const write = async (writer: number) => {
      for (let number = 0; ; number++) {
        const name = `r${round}-w${writer}-${number}`;
        const body = JSON.stringify({ content: `text ${name}`, slug: name });
        const text = await fetch(`${server.address}/api/paste`, { method: "POST", headers, body });
        if (text.status === 201) texts.push(name);
        count();
        const form = new FormData();
        const seed = files.size + 1;
        form.set("path", "/drive");
        form.set("file", new File([bytesOf(64 * 1024, seed)], `${name}.bin`));
        const file = await fetch(`${server.address}/api/fs/upload`, { method: "POST", headers, body: form });
        if (file.ok) files.set(`${name}.bin`, seed);
        count();
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    await killed.promise;
    cut += ends.filter(({ status }) => status === "rejected").length;
  }
  expect(cut).toBe(ROUNDS * WRITERS);

  await using server = await startServer({ dataDir: folder.path, environment });
  expect(server.stdout()).not.toContain('"level":"error"');
  for (const name of texts)
    expect(await (await fetch(`${server.address}/api/raw/${name}`)).text()).toBe(`text ${name}`);
  const drive = join(folder.path, "objects/drive");
  for (const [name, seed] of files) {
    expect({ name, whole: Buffer.compare(readFileSync(join(drive, name)), bytesOf(64 * 1024, seed)) }).toEqual({
      name,
      whole: 0,
    });
  }
  // What was not answered is whole or not there.
  for (const name of readdirSync(drive))
    expect({ name, size: Bun.file(join(drive, name)).size }).toEqual({ name, size: 64 * 1024 });
  expect(readdirSync(join(folder.path, "objects/.incoming"))).toEqual([]);
  expect(existsSync(join(folder.path, "satchel.db"))).toBe(true);
  expect(texts.length).toBeGreaterThan(ROUNDS * 10);
});
