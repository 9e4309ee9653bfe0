import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { plainSql, sql } from "../../../../src/database/sql.ts";
import { startCheckpoints } from "../../../../src/database/sqlite/checkpoints.ts";
import { openSqlite } from "../../../../src/database/sqlite/sqlite.ts";
import { createLog } from "../../../../src/lib/log.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { until } from "../../../support/until.ts";

test("where no thread can checkpoint, the log says so once and commits do it", async () => {
  using folder = temporaryFolder();
  const db = openSqlite({ file: join(folder.path, "satchel.db"), synchronous: "NORMAL" });
  const pages = () => db.first(plainSql("pragma wal_autocheckpoint"));
  const lines: string[] = [];
  const log = createLog("info", (text) => void lines.push(text));
  // A long log of a database that is not there: the thread cannot open it.
  const missing = join(folder.path, "missing.db");
  writeFileSync(`${missing}-wal`, new Uint8Array(17 * 1024 ** 2));
  const checkpoints = startCheckpoints({ db, file: missing, synchronous: "NORMAL", log });
  expect(await pages()).toEqual({ wal_autocheckpoint: 64_000 });
  await until(
    () => lines.length,
    (count) => count > 0,
  );
  await checkpoints.stop();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("unable to open database file");
  expect(await pages()).toEqual({ wal_autocheckpoint: 4000 });
  db.close();
});

test("long work waits while a long log is emptied, and the log begins anew", async () => {
  using folder = temporaryFolder();
  const options = { file: join(folder.path, "satchel.db"), synchronous: "NORMAL" } as const;
  const db = openSqlite(options);
  const holds: Promise<void>[] = [];
  const holdBack = (until: Promise<void>) => {
    holds.push(until);
    db.holdBack(until);
  };
  const lines: string[] = [];
  const log = createLog("info", (text) => void lines.push(text));
  const checkpoints = startCheckpoints({ ...options, db: { ...db, holdBack }, log });
  await db.run(plainSql("create table bytes (content blob)"));
  // 160 MB, of which SQLite would move some by itself only from 256 MB on.
  for (let write = 0; write < 40; write++) await db.run(sql`insert into bytes values (zeroblob(${4_000_000}))`);
  await until(
    () => holds.length,
    (count) => count > 0,
  );
  expect(db.ready()).toBe(holds.at(-1) ?? Promise.resolve());
  await db.ready();
  const left = await db.first<{ log: number; checkpointed: number }>(plainSql("pragma wal_checkpoint(passive)"));
  expect(left?.log).toBeLessThan(100);
  await checkpoints.stop();
  expect(lines).toEqual([]);
  db.close();
});
