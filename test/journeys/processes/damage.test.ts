import { Database as Engine } from "bun:sqlite";
import { expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openClient } from "../../support/clients/upload-client.ts";
import { step22File } from "../../support/database/step-22.ts";
import { startServer } from "../../support/server.ts";
import { root } from "../../support/sources.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A server that is started on a damaged data folder says so in one sentence and changes nothing. */

/** Starts the server and waits for its end. */
async function refused(dataDir: string, args: readonly string[] = [], environment: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, join(root, "src/main.ts"), ...args], {
    env: { PATH: process.env.PATH ?? "", DATA_DIR: dataDir, PORT: "0", ...environment },
    stdout: "pipe",
    stderr: "pipe",
  });
  const said = await new Response(child.stderr).text();
  return { code: await child.exited, said };
}

/** The bytes of every file that holds data, by name; not those that locks live in. */
const bytesIn = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.lock|-shm$/.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path, Bun.hash(readFileSync(path)).toString(16)] as const)
      // An empty log of SQLite says nothing.
      .filter(([path]) => !path.endsWith("-wal") || Bun.file(path).size > 0),
  );

const PAGE = 4096;

function destroy(file: string, from: number, length: number): void {
  const bytes = readFileSync(file);
  bytes.fill(0xa5, from, from + length);
  writeFileSync(file, bytes);
}

const damages: Readonly<Record<string, (database: string) => void>> = {
  "whose header is destroyed": (file) => destroy(file, 0, 100),
  "of which a page in the middle is destroyed": (file) =>
    destroy(file, PAGE * Math.floor(Bun.file(file).size / PAGE / 2), PAGE),
  "that is cut off": (file) => truncateSync(file, PAGE * 7 + 100),
  "that is empty": (file) => truncateSync(file, 0),
  "that is no database": (file) =>
    writeFileSync(file, "Dear diary, today I kept a diary where a database should be. ".repeat(50)),
};

test("a database that is damaged is refused in a sentence, and nothing is changed", async () => {
  using whole = temporaryFolder();
  const server = await startServer({ dataDir: whole.path });
  const client = await openClient(server);
  for (let count = 0; count < 20; count++)
    await fetch(`${server.address}/api/paste`, {
      method: "POST",
      body: JSON.stringify({ content: `text ${count} `.repeat(1000) }),
      headers: { authorization: `Bearer ${client.token}` },
    });
  expect(await server.stop()).toBe(0);
  for (const [name, damage] of Object.entries(damages)) {
    using folder = temporaryFolder();
    cpSync(whole.path, folder.path, { recursive: true });
    const database = join(folder.path, "satchel.db");
    damage(database);
    const before = bytesIn(folder.path);
    for (const args of [[], ["admin", "reset"]]) {
      const { code, said } = await refused(folder.path, args);
      expect({ name, code }).toEqual({ name, code: 1 });
      expect(said).toContain(`The database ${database} is ${name === "that is empty" ? "empty" : "damaged"}`);
      expect(said).toContain("Nothing was changed.");
      expect(said).not.toMatch(/\n\s+at /);
    }
    expect({ name, files: bytesIn(folder.path) }).toEqual({ name, files: before });
  }
});

test("a first start that was broken off before it had written anything is no damage", async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "satchel.db"), "");
  await using server = await startServer({ dataDir: folder.path });
  expect(existsSync(join(server.dataDir, "objects"))).toBe(true);
});

/** A data folder that was used, with a file in its built-in storage. */
async function usedFolder(dataDir: string) {
  await using server = await startServer({ dataDir });
  const { token } = await openClient(server);
  const headers = { authorization: `Bearer ${token}` };
  await fetch(`${server.address}/dav/drive/kept.txt`, { method: "PUT", body: "kept", headers });
  const share = await fetch(`${server.address}/api/paste`, {
    method: "POST",
    body: JSON.stringify({ slug: "kept", content: "a text" }),
    headers,
  });
  expect(share.status).toBe(201);
}

test("a database whose secret key is another one or missing is refused before anything is changed, an older one too", async () => {
  using folder = temporaryFolder();
  await usedFolder(folder.path);
  const write = (text: string) => {
    const engine = new Engine(join(folder.path, "satchel.db"));
    engine.exec(text);
    engine.exec("pragma wal_checkpoint(truncate)");
    engine.close();
  };
  // Whoever migrates this one writes, or fails.
  write("update migrations set number = -number where number = (select max(number) from migrations)");
  const before = bytesIn(folder.path);
  for (const args of [[], ["admin", "reset"]]) {
    const { code, said } = await refused(folder.path, args, { SECRET_KEY: "another one of enough letters" });
    expect(code).toBe(1);
    expect(said).toContain("secret key is not the one");
    expect(bytesIn(folder.path)).toEqual(before);
  }
  const key = join(folder.path, "secret.key");
  const secret = readFileSync(key, "utf8").trim();
  rmSync(key);
  before.delete(key);
  for (const args of [[], ["admin", "reset"]]) {
    const { code, said } = await refused(folder.path, args);
    expect(code).toBe(1);
    expect(said).toContain(`The secret key is missing: there is no ${key}, and SECRET_KEY is not set.`);
    expect(bytesIn(folder.path)).toEqual(before);
  }
  write("update migrations set number = -number where number < 0");
  await using server = await startServer({ dataDir: folder.path, environment: { SECRET_KEY: secret } });
  expect(await (await fetch(`${server.address}/api/raw/kept`)).text()).toBe("a text");
});

test("a database from before the first release's tables is refused before anything is changed", async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "satchel.db"), await step22File(18));
  writeFileSync(join(folder.path, "secret.key"), "the secret key of the old server", { mode: 0o600 });
  // Opening it puts its log in order, whatever becomes of the start.
  await refused(folder.path);
  const before = bytesIn(folder.path);
  for (const args of [[], ["admin", "reset"]]) {
    const { code, said } = await refused(folder.path, args);
    expect(code).toBe(1);
    expect(said).toContain("it is at step 18). Nothing was changed. Start a preview of November 2026");
    expect(said).not.toMatch(/\n\s+at /);
    expect(bytesIn(folder.path)).toEqual(before);
  }
});

test("a database that is missing beside files is told, and begun anew only on demand", async () => {
  using folder = temporaryFolder();
  await usedFolder(folder.path);
  const file = join(folder.path, "satchel.db");
  const there = await refused(folder.path, ["--new-database"]);
  expect(there).toEqual({ code: 1, said: expect.stringContaining("is there. Start without --new-database.") });
  for (const name of ["satchel.db", "satchel.db-wal", "satchel.db-shm"])
    rmSync(join(folder.path, name), { force: true });
  const before = bytesIn(folder.path);
  const { code, said } = await refused(folder.path);
  expect(code).toBe(1);
  expect(said).toContain(`The database ${file} is missing, but there are files in ${join(folder.path, "objects")}.`);
  expect(said).toContain("--new-database");
  expect(bytesIn(folder.path)).toEqual(before);
  const command = [process.execPath, join(root, "src/main.ts"), "--new-database"];
  await using server = await startServer({ dataDir: folder.path, command });
  const { token } = await openClient(server);
  const kept = await fetch(`${server.address}/dav/drive/kept.txt`, { headers: { authorization: `Bearer ${token}` } });
  expect(await kept.text()).toBe("kept");
  expect((await fetch(`${server.address}/api/raw/kept`)).status).toBe(404);
});

test("a log that has lost its database is told and kept, also where everything is to begin anew", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "satchel.db");
  writeFileSync(`${file}-wal`, "what was written last");
  const whenAsked = async (args: readonly string[], fate: string) => {
    const before = bytesIn(folder.path);
    const { code, said } = await refused(folder.path, args);
    expect({ args, code }).toEqual({ args, code: 1 });
    expect(said).toContain(`The database ${file} is ${fate}, but its log ${file}-wal is there`);
    expect(bytesIn(folder.path)).toEqual(before);
  };
  for (const args of [[], ["--new-database"]]) await whenAsked(args, "missing");
  writeFileSync(file, "");
  for (const args of [[], ["--new-database"], ["admin", "reset"]]) await whenAsked(args, "empty");
  rmSync(`${file}-wal`);
  // What is shared by those who read the log is made anew, whatever it was.
  writeFileSync(`${file}-shm`, new Uint8Array(32 * 1024).fill(0xa5));
  const command = [process.execPath, join(root, "src/main.ts"), "--new-database"];
  await using server = await startServer({ dataDir: folder.path, command });
  const { token } = await openClient(server);
  expect(token).not.toBe("");
});
