import { expect, test } from "bun:test";
import { plainSql, sql } from "../../../src/database/database.ts";
import { migrate } from "../../../src/database/migrate.ts";
import { openSqlite } from "../../../src/database/sqlite.ts";
import { fillBeforeTheTree } from "../../support/old-database.ts";

async function beforeTheTree() {
  const db = openSqlite({ file: ":memory:", synchronous: "NORMAL" });
  await fillBeforeTheTree(db);
  return db;
}

test("shares and their uploads come through, and what refers to them is still watched over", async () => {
  const db = await beforeTheTree();
  await migrate(db, true);
  expect(await db.all(sql`select id, key, size, state, addressed_until, overwrites from uploads`)).toEqual([
    { id: "u", key: "a.txt", size: 3, state: "ready", addressed_until: 7, overwrites: 0 },
  ]);
  expect(await db.first(sql`select upload, file_gone_at from files`)).toEqual({ upload: "u", file_gone_at: null });
  await expect(db.run(sql`delete from uploads`)).rejects.toThrow("FOREIGN KEY");
  const again = sql`insert into uploads (id, storage, key, content_type, state, created_by, created_at, touched_at)
    values ('v', 's', 'a.txt', 'text/plain', 'pending', 'admin', 1, 1)`;
  await expect(db.run(again)).rejects.toThrow("UNIQUE");
  db.close();
});

test("a row that refers to nothing stops the start", async () => {
  const db = await beforeTheTree();
  await db.run(plainSql("pragma foreign_keys = off"));
  await db.run(sql`delete from storage_configs`);
  await expect(migrate(db, true)).rejects.toThrow("refers to one that is not there");
  db.close();
});
