import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "#contract/failures";
import { boundDatabase } from "../../../../src/database/bounded.ts";
import type { Database } from "../../../../src/database/database.ts";
import { plainSql, sql } from "../../../../src/database/sql.ts";
import { createSpare } from "../../../../src/database/sqlite/spare.ts";
import { openSqlite } from "../../../../src/database/sqlite/sqlite.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

/** A database whose disk is full but for what it holds itself: SQLite may not make the file larger. */
async function openFull(file: string) {
  const engine = openSqlite({ file, synchronous: "NORMAL" });
  await engine.run(sql`create table t (content text) strict`);
  await engine.run(sql`insert into t values ('kept')`);
  const set = (pages: number) => void engine.first(plainSql(`pragma max_page_count = ${pages}`));
  set(1);
  const give = () => {
    const isGiven = engine.spare?.give() === true;
    if (isGiven) set(1_000_000);
    return isGiven;
  };
  const spare = { take: () => undefined, give };
  const inner: Database = { ...engine, spare };
  const full = () => new Failure("storage.full", { bound: "database" });
  const bounded = boundDatabase(inner, { full, unavailable: () => new Error(), tooLong: () => new Error() });
  return { ...bounded, own: engine };
}

const large = "x".repeat(100_000);
const insert = sql`insert into t values (${large})`;
const count = sql`select count(*) as rows from t`;

for (const [name, write] of [
  ["a statement", (db: Database) => db.run(insert)],
  [
    "a statement that returns rows",
    (db: Database) => db.first(sql`insert into t values (${large}) returning 1 as one`),
  ],
  ["a batch", (db: Database) => db.batch([sql`update t set content = 'changed'`, insert])],
] as const)
  test(`${name} that finds no room is made once, in the spare room of the database`, async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "t.db");
    const { db, isFull, own } = await openFull(file);
    await expect(write(db)).rejects.toMatchObject({ code: "storage.full" });
    expect([isFull(), await db.first(count)]).toEqual([true, { rows: 1 }]);
    expect(await db.first(sql`select content from t`)).toEqual({ content: "kept" });

    own.spare?.take(1);
    expect(existsSync(`${file}-spare`)).toBe(false);
    own.spare?.take(Number.MAX_SAFE_INTEGER);
    expect(Bun.file(`${file}-spare`).size).toBe(4 * 1024 * 1024);
    await write(db);
    expect(existsSync(`${file}-spare`)).toBe(false);
    expect(await db.first(count)).toEqual({ rows: 2 });
    await db.close();
  });

test("room that is held is taken once, and one that was broken off again", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "t.db");
  const spare = createSpare(file);
  expect(spare.give()).toBe(false);
  writeFileSync(`${file}-spare`, "half", { mode: 0o600 });
  spare.take(Number.MAX_SAFE_INTEGER);
  const { mtimeMs, size, mode } = await Bun.file(`${file}-spare`).stat();
  expect([size, mode & 0o777]).toEqual([4 * 1024 * 1024, 0o600]);
  spare.take(Number.MAX_SAFE_INTEGER);
  expect((await Bun.file(`${file}-spare`).stat()).mtimeMs).toBe(mtimeMs);
  expect([spare.give(), spare.give()]).toEqual([true, false]);
});
