import { expect } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "../../../src/database/sql.ts";
import { openSqlite } from "../../../src/database/sqlite/sqlite.ts";
import { createLog } from "../../../src/lib/log.ts";
import type { ObjectStore } from "../../../src/stores/store.ts";
import { openStores } from "../../../src/stores/stores.ts";
import { backUpTo, restoreTo, verifyAt } from "../../support/backups/backup.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { openTestDatabase, testOnSqlite } from "../../support/test-database.ts";
import { until } from "../../support/until.ts";

/** The built-in storage while its files are changed all the time: a backup has the bytes that its rows speak of. */

const md5 = (bytes: Uint8Array | string) => createHash("md5").update(bytes).digest("hex");

const put = (store: ObjectStore, key: string, text: string) =>
  store.put(key, new Response(text), { type: "text/plain", digesting: { names: ["md5"], check: () => undefined } });

/** Changes files in every way that there is, until it is stopped. Each file has its MD5 for an ETag. */
async function change(store: ObjectStore, who: number, isOver: () => boolean): Promise<number> {
  let turn = 0;
  for (; !isOver(); turn++) {
    const [here, there] = [`w${who}/${turn % 7}.txt`, `w${who}/moved/${turn % 5}.txt`];
    await put(store, here, `${who} ${turn} ${"x".repeat(turn % 3000)}`);
    if (turn % 3 === 0) await store.tree?.move(here, there, { aside: `w${who}/aside` });
    if (turn % 3 === 1) await store.remove([here]);
    const folder = `w${who}/folder-${turn % 4}/`;
    if (turn % 5 === 3) {
      await store.tree?.remove(folder);
      await store.tree?.move(`w${who}/moved/`, folder);
    }
  }
  return turn;
}

interface AttributeRow {
  readonly key: string;
  readonly stamp: string;
  readonly etag: string;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

testOnSqlite("what is restored is of one moment, however much is written, moved and removed", async () => {
  using folder = temporaryFolder();
  const dataDir = join(folder.path, "data");
  mkdirSync(dataDir);
  const db = await openTestDatabase(join(dataDir, "satchel.db"));
  const log = createLog("silent", () => undefined);
  const options = { db, clock: Date.now, log, secret: "a secret for tests only", folder: join(dataDir, "objects") };
  const stores = await openStores({ ...options, holdsDataFolder: true });
  const { store } = await stores.get();
  for (let at = 0; at < 200; at++) await put(store, `still/${at}.txt`, `still ${at}`);
  mkdirSync(join(dataDir, "objects/drive/by hand"), { recursive: true });
  const note = join(dataDir, "objects/drive/by hand/note.txt");
  writeFileSync(note, "a person put it here");
  // A file that nobody wrote down is of the moment when it is clearly older.
  await until(
    () => Promise.resolve(Date.now() - statSync(note).ctimeMs),
    (age) => age > 100,
  );
  let isOver = false;
  const writers = [1, 2, 3, 4].map((who) => change(store, who, () => isOver));
  for (let round = 0; round < 5; round++) {
    const file = join(folder.path, `${round}.tar`);
    const { manifest } = await backUpTo(file, dataDir);
    expect(await verifyAt(file)).toMatchObject({ damaged: [] });
    expect(manifest.objects.gone).toBe(0);
    const target = join(folder.path, `restored-${round}`);
    mkdirSync(target);
    await restoreTo(target, file);
    const restored = openSqlite({ file: join(target, "satchel.db"), synchronous: "NORMAL" });
    const rows = await restored.all<AttributeRow>(sql`select key, stamp, etag from disk_attributes`);
    await restored.close();
    const drive = join(target, "objects/drive");
    for (const { key, stamp, etag } of rows) {
      const stat = statSync(join(drive, key), { bigint: true });
      expect([key, md5(readFileSync(join(drive, key))), stamp]).toEqual([key, etag, `${stat.ino}:${stat.mtimeNs}`]);
    }
    // Beside them only what a person had put there: nothing of later.
    expect(filesBelow(drive).length).toBe(rows.length + 1);
    expect(rows.filter(({ key }) => key.startsWith("still/")).length).toBe(200);
  }
  isOver = true;
  const turns = await Promise.all(writers);
  expect(Math.min(...turns)).toBeGreaterThan(20);
  // Nothing stays in the data folder.
  expect(readdirSync(join(dataDir, "objects")).sort()).toEqual([".backup.lock", ".incoming", ".multipart", "drive"]);
  await stores.close();
  await db.close();
});
