import { expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startServer } from "../support/server.ts";
import { root } from "../support/sources.ts";
import { temporaryFolder } from "../support/test-house.ts";
import { openClient } from "../support/upload-client.ts";

/** A server that is started on a damaged data folder says so in one sentence and changes nothing. */

/** Starts the server and waits for its end. */
async function refused(dataDir: string, args: readonly string[] = []) {
  const child = Bun.spawn([process.execPath, join(root, "src/main.ts"), ...args], {
    env: { PATH: process.env.PATH ?? "", DATA_DIR: dataDir, PORT: "0" },
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
