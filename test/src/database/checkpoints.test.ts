import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startCheckpoints } from "../../../src/database/checkpoints.ts";
import { plainSql } from "../../../src/database/database.ts";
import { openSqlite } from "../../../src/database/sqlite.ts";
import { createLog } from "../../../src/lib/log.ts";
import { temporaryFolder } from "../../support/test-house.ts";
import { until } from "../../support/until.ts";

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
