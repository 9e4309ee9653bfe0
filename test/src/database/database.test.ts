import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "../../../src/database/migrate.ts";
import { checkSecret, noteSecret } from "../../../src/database/secret-check.ts";
import { joined, plainSql, sql } from "../../../src/database/sql.ts";
import { openSqlite } from "../../../src/database/sqlite/sqlite.ts";
import { lockDataFolder, readSecret } from "../../../src/lib/data-folder.ts";
import { examineNewer } from "../../suites/newer-database.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { testOnSqlite } from "../../support/test-database.ts";
import { openTestHouse } from "../../support/test-house.ts";

const memory = () => openSqlite({ file: ":memory:", synchronous: "NORMAL" });

describe("the database", () => {
  test("statements nest and keep their values in order", () => {
    const inner = sql`b = ${2}`;
    expect(sql`select ${1} where ${inner} and c = ${"3"}`).toMatchObject({
      text: "select ? where b = ? and c = ?",
      values: [1, 2, "3"],
    });
  });

  test("statements are joined with their values in order", () => {
    const parts = ["a", "b"].map((name) => sql`select ${name} where ${sql`n = ${name.length}`}`);
    expect(sql`${0} in (${joined(parts, " union all ")}) and ${9}`).toMatchObject({
      text: "? in (select ? where n = ? union all select ? where n = ?) and ?",
      values: [0, "a", 1, "b", 1, 9],
    });
  });

  test("a batch changes all or nothing, with the failure that was expected", async () => {
    const db = memory();
    await db.run(sql`create table t (id integer primary key) strict`);
    const failure = new Error("not that one");
    const batch = db.batch([sql`insert into t values (1)`, sql`delete from t where id = 9`.expect(1, failure)]);
    await expect(batch).rejects.toBe(failure);
    expect(await db.all(sql`select * from t`)).toEqual([]);
    expect(await db.batch([sql`insert into t values (1)`, sql`insert into t values (2)`])).toEqual([1, 1]);
    expect(await db.first<{ n: number }>(sql`select count(*) as n from t`)).toEqual({ n: 2 });
    expect(await db.first(sql`select * from t where id = ${7}`)).toBeUndefined();
  });

  test("values are never text of the statement", async () => {
    const db = memory();
    const hostile = "'; drop table t; --";
    expect(await db.first<{ v: string }>(sql`select ${hostile} as v`)).toEqual({ v: hostile });
  });

  test("migrations run once, and not on the database of a server that may be running", async () => {
    const db = memory();
    const { version, known } = await migrate(db, true);
    expect(await migrate(db, true)).toMatchObject({ version, known: version });
    expect(known).toBe(version);
    await expect(migrate(memory(), false)).rejects.toThrow("older Satchel");
  });

  test("a newer one is worked on until it needs a newer server", async () => {
    await examineNewer(memory());
  });

  test("another secret than the first one stops the start", async () => {
    const db = memory();
    await migrate(db, true);
    await checkSecret(db, "another one");
    await noteSecret(db, "one secret of enough letters");
    await noteSecret(db, "one secret of enough letters");
    await checkSecret(db, "one secret of enough letters");
    await expect(checkSecret(db, "another one")).rejects.toThrow("secret key");
    await expect(noteSecret(db, "another one")).rejects.toThrow("secret key");
  });

  testOnSqlite("queries that grow with the shares use an index", async () => {
    await using house = await openTestHouse();
    const plan = async (text: TemplateStringsArray) =>
      (await house.db.all<{ detail: string }>(plainSql(`explain query plan ${text[0]}`)))
        .map(({ detail }) => detail)
        .join("\n");
    const newest = await plan`select id from pastes
      where number in (select number from pastes order by 1 desc limit 10) order by number desc`;
    const own = await plan`select id from pastes where number in (
      select number from pastes where created_by = 'a' union all select number from pastes where created_by = 'b'
      order by 1 desc limit 10) order by number desc`;
    const files = await plan`select id from files where number in (
      select number from files where pending = 0 and created_by = 'a' union all
      select number from files where pending = 0 and created_by = 'b' order by 1 desc limit 10) order by number desc`;
    expect(own).toContain("COVERING INDEX pastes_by_owner");
    expect(files).toContain("COVERING INDEX files_by_owner");
    expect(newest + own + files).not.toContain("TEMP B-TREE");
    const gone = await plan`select id from pastes where expires_at <= 1 or spent_at <= 1 limit 5`;
    expect(gone).toContain("pastes_expiry");
    expect(gone).toContain("pastes_spent");
    expect(gone).not.toContain("SCAN");
  });
});

test("temporary files of SQLite lie beside the database", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "it's here");
  mkdirSync(path);
  const db = openSqlite({ file: join(path, "t.db"), synchronous: "NORMAL" });
  expect(await db.first(plainSql("pragma temp_store_directory"))).toEqual({ temp_store_directory: path });
  await db.close();
});

test("space that rows leave is given back", async () => {
  using folder = temporaryFolder();
  const db = openSqlite({ file: join(folder.path, "t.db"), synchronous: "NORMAL" });
  await db.run(sql`create table t (content text) strict`);
  await db.run(sql`insert into t values (${"x".repeat(20_000_000)})`);
  await db.run(sql`delete from t`);
  expect(await db.shrink()).toBeGreaterThan(4000);
  expect(await db.shrink()).toBe(0);
  db.close();
});

describe("the data folder", () => {
  test("is held by one server at a time", () => {
    using folder = temporaryFolder();
    const first = lockDataFolder(folder.path);
    expect(() => lockDataFolder(folder.path)).toThrow("Another Satchel");
    first.release();
    lockDataFolder(folder.path).release();
  });

  test("keeps its own secret, readable by its owner only", async () => {
    using folder = temporaryFolder();
    expect(() => readSecret(folder.path, undefined, true)).toThrow("The secret key is missing");
    const secret = readSecret(folder.path, undefined, false);
    expect(secret.length).toBeGreaterThanOrEqual(43);
    expect(readSecret(folder.path, undefined, true)).toBe(secret);
    expect(readSecret(folder.path, "configured", true)).toBe("configured");
    const { mode } = await Bun.file(join(folder.path, "secret.key")).stat();
    expect(mode & 0o777).toBe(0o600);
    await Bun.write(join(folder.path, "secret.key"), "");
    expect(() => readSecret(folder.path, undefined, false)).toThrow("cut off");
  });
});

test("every setting is seeded, and what was changed stays", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "satchel.db");
  {
    await using house = await openTestHouse({ file });
    expect(house.house.settings.get("proxy_sign_all")).toBe(true);
    expect(house.house.settings.get("max_upload_size")).toBe(10_240);
    expect(house.house.settings.get("webdav_upload_mode")).toBe("direct");
    const groups = await house.db.all(
      sql`select group_id, count(*) as n from settings group by group_id order by group_id`,
    );
    expect(groups).toEqual([
      { group_id: 1, n: 11 },
      { group_id: 2, n: 6 },
      { group_id: 3, n: 1 },
      { group_id: 4, n: 7 },
      { group_id: 5, n: 3 },
      { group_id: 6, n: 6 },
    ]);
    await house.db.run(sql`update settings set value = '5' where name = 'max_upload_size'`);
  }
  await using again = await openTestHouse({ file });
  expect(again.house.settings.get("max_upload_size")).toBe(5);
});
