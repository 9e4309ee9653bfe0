import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openPostgres } from "../../src/database/postgres/postgres.ts";
import { openPostgresSnapshot, openSqliteSnapshot, type Snapshot } from "../../src/database/snapshot.ts";
import { sql } from "../../src/database/sql.ts";
import { cluster } from "../support/postgres/cluster.ts";
import { asOwner, emptyDatabase } from "../support/postgres/databases.ts";
import { runSatchel, startServer } from "../support/server.ts";
import { root } from "../support/sources.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";

/** A backup of one database is restored into the other, beside servers that go on writing. */

const server = await cluster();

const PASSWORD = "correct horse battery";
const basic = { authorization: `Basic ${btoa(`admin:${PASSWORD}`)}` };

const share = (address: string, slug: string, content: string) =>
  fetch(`${address}/api/paste`, {
    method: "POST",
    body: JSON.stringify({ slug, content }),
    headers: { ...basic, "content-type": "application/json" },
  });

const put = (address: string, name: string, body: Uint8Array<ArrayBuffer>) =>
  fetch(`${address}/dav/drive/${name}`, { method: "PUT", body, headers: basic });

/** All rows as texts, in an order of their own; the stamps of files are others where they were restored. */
async function rowsOf(snapshot: Snapshot): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  try {
    for (const table of snapshot.tables) {
      const rows: string[] = [];
      for await (const some of snapshot.rows(table))
        for (const row of some) {
          if (row.name === "restore" && table === "facts") continue;
          const same = table === "disk_attributes" ? { ...row, stamp: "" } : row;
          rows.push(JSON.stringify(Object.entries(same).sort(([one], [other]) => (one < other ? -1 : 1))));
        }
      all[table] = rows.sort();
    }
    return all;
  } finally {
    await snapshot.close();
  }
}

const sqliteRows = (dir: string) => rowsOf(openSqliteSnapshot(join(dir, "satchel.db")));
const postgresRows = async (url: string) => await rowsOf(await openPostgresSnapshot(url));

const filesOf = (dir: string) =>
  readdirSync(join(dir, "objects/drive"))
    .sort()
    .map((name) => [name, readFileSync(join(dir, "objects/drive", name)).toString("base64")]);

test("an installation goes from SQLite to PostgreSQL and back, with all of its rows and bytes", async () => {
  await using place = await emptyDatabase(server);
  using folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  mkdirSync(at("first"));
  {
    await using first = await startServer({ dataDir: at("first") });
    for (let n = 0; n < 30; n++) {
      expect((await share(first.address, `s${n}`, `text ${n} \0 \ufdd0 é ${"x".repeat(n * 1000)}`)).status).toBe(201);
      expect((await put(first.address, `${n}.bin`, new Uint8Array(n * 5000).fill(n))).status).toBe(201);
    }
  }
  const environment = { DATABASE_URL: place.url, SECRET_KEY_FILE: join(at("first"), "secret.key") };
  const archived = await runSatchel(["backup", "--to", at("a.tar.zst")], { DATA_DIR: at("first") });
  expect([archived.code, archived.stderr]).toEqual([0, ""]);
  const restored = await runSatchel(["restore", at("a.tar.zst")], { DATA_DIR: at("second"), ...environment });
  expect([restored.code, restored.stderr]).toEqual([0, ""]);
  expect(await postgresRows(place.url)).toEqual(await sqliteRows(at("first")));
  expect(filesOf(at("second"))).toEqual(filesOf(at("first")));
  {
    await using second = await startServer({ dataDir: at("second"), adminPassword: null, environment });
    expect(await (await fetch(`${second.address}/api/raw/s3`)).text()).toStartWith("text 3 \0 \ufdd0 é");
    // What counts up goes on where it was.
    expect((await share(second.address, "later", "later")).status).toBe(201);
    let isOver = false;
    const writing = (async () => {
      for (let n = 0; !isOver; n++) {
        expect((await share(second.address, `busy-${n}`, `busy ${n}`)).status).toBe(201);
        expect(
          (await put(second.address, `busy-${n % 5}.bin`, new Uint8Array(1000).fill(n % 256))).status,
        ).toBeLessThan(300);
      }
    })();
    const busy = await runSatchel(["backup", "--to", at("b.tar")], { DATA_DIR: at("second"), ...environment });
    isOver = true;
    await writing;
    expect([busy.code, busy.stderr]).toEqual([0, ""]);
  }
  expect((await runSatchel(["verify", at("b.tar")])).code).toBe(0);
  const last = await runSatchel(["backup", "--to", at("c.tar")], { DATA_DIR: at("second"), ...environment });
  expect([last.code, last.stderr]).toEqual([0, ""]);
  for (const name of ["b", "c"]) {
    const back = await runSatchel(["restore", at(`${name}.tar`)], { DATA_DIR: at(`third-${name}`) });
    expect([back.code, back.stderr]).toEqual([0, ""]);
  }
  expect(await sqliteRows(at("third-c"))).toEqual(await postgresRows(place.url));
  expect(filesOf(at("third-c"))).toEqual(filesOf(at("second")));
  const { SECRET_KEY_FILE } = environment;
  await using third = await startServer({
    dataDir: at("third-c"),
    adminPassword: null,
    environment: { SECRET_KEY_FILE },
  });
  expect(await (await fetch(`${third.address}/api/raw/later`)).text()).toBe("later");
});

test("a restore into PostgreSQL that is killed leaves an empty database, and one over data is refused", async () => {
  await using place = await emptyDatabase(server);
  using folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  mkdirSync(at("first"));
  {
    await using first = await startServer({ dataDir: at("first") });
    for (let n = 0; n < 20; n++) {
      expect((await share(first.address, `s${n}`, `text ${n}`)).status).toBe(201);
      expect((await put(first.address, `${n}.bin`, new Uint8Array(50_000).fill(n))).status).toBe(201);
    }
  }
  const environment = {
    DATA_DIR: at("second"),
    DATABASE_URL: place.url,
    SECRET_KEY_FILE: join(at("first"), "secret.key"),
  };
  expect((await runSatchel(["backup", "--to", at("a.tar")], { DATA_DIR: at("first") })).code).toBe(0);
  const bytes = await Bun.file(at("a.tar")).bytes();
  const db = openPostgres({ url: place.url, connections: 3 });
  for (let point = 1; point < 20; point++) {
    const child = Bun.spawn([process.execPath, join(root, "src/main.ts"), "restore", "-"], {
      env: { PATH: process.env.PATH ?? "", ...environment },
      stdin: "pipe",
      stdout: "ignore",
      stderr: "pipe",
    });
    child.stdin.write(bytes.subarray(0, Math.floor((bytes.byteLength * point) / 20)));
    await child.stdin.flush();
    await until(
      () => Promise.resolve(existsSync(join(at("second"), ".restore"))),
      (is) => is,
    );
    child.kill("SIGKILL");
    await child.exited;
    const made = await db.first<{ is: string | null }>(sql`select to_regclass('pastes')::text as is`);
    if (made?.is) expect(await db.all(sql`select number from pastes`)).toEqual([]);
  }
  const refused = await runSatchel([], environment);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining("was interrupted. Run satchel restore again"),
  ]);
  const done = await runSatchel(["restore", at("a.tar")], environment);
  expect([done.code, done.stderr]).toEqual([0, ""]);
  expect(await postgresRows(place.url)).toEqual(await sqliteRows(at("first")));
  // Everything was in its place, and the process ended before it had cleared up.
  mkdirSync(join(at("second"), ".restore"));
  const fact = await db.first<{ value: string }>(sql`select value from facts where name = 'restore'`);
  await Bun.write(join(at("second"), ".restore/id"), fact?.value ?? "");
  await Bun.write(join(at("second"), ".restore/objects.moved"), "");
  const again = await runSatchel(["restore", at("a.tar")], environment);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("was whole already")]);
  expect(filesOf(at("second"))).toEqual(filesOf(at("first")));
  const over = await runSatchel(["restore", at("a.tar")], { ...environment, DATA_DIR: at("other") });
  expect([over.code, over.stderr]).toEqual([1, expect.stringContaining("is not empty: a Satchel has used it")]);
  expect(over.stderr).not.toContain("pass-word");
  await db.close();
  await using strange = await emptyDatabase(server);
  await asOwner(strange.url, "create table somebody (id int)");
  const somebody = await runSatchel(["restore", at("a.tar")], {
    ...environment,
    DATA_DIR: at("other"),
    DATABASE_URL: strange.url,
  });
  expect([somebody.code, somebody.stderr]).toEqual([1, expect.stringContaining("holds tables of something else")]);
});
