import { expect, test } from "bun:test";
import { plainSql, sql } from "../../../src/database/database.ts";
import { migrate } from "../../../src/database/migrate.ts";
import { foundation } from "../../../src/database/migrations/0001-foundation.ts";
import { files } from "../../../src/database/migrations/0002-files.ts";
import { keys } from "../../../src/database/migrations/0003-keys.ts";
import { security } from "../../../src/database/migrations/0004-security.ts";
import { mounts } from "../../../src/database/migrations/0005-mounts.ts";
import { storages } from "../../../src/database/migrations/0006-storages.ts";
import { openSqlite } from "../../../src/database/sqlite.ts";

/** A database as the version before the tree left it. */
async function beforeTheTree() {
  const db = openSqlite({ file: ":memory:", synchronous: "NORMAL" });
  await db.run(plainSql("create table migrations (number integer primary key, applied_at integer not null) strict"));
  for (const [index, statements] of [foundation, files, keys, security, mounts, storages].entries())
    await db.batch([
      ...statements.map(plainSql),
      sql`insert into migrations (number, applied_at) values (${index + 1}, 1)`,
    ]);
  await db.batch([
    sql`insert into storage_configs (id, name, provider_type, bucket_name, default_folder, is_public, is_default,
        signature_expires_in, created_at, updated_at)
      values ('s', 'Built-in', 'Built-in disk', 'drive', '', 1, 1, 3600, 1, 1)`,
    sql`insert into uploads (id, storage, key, content_type, size, state, created_by, created_at, touched_at, addressed_until)
      values ('u', 's', 'a.txt', 'text/plain', 3, 'ready', 'admin', 1, 1, 7)`,
    sql`insert into files (id, slug, filename, storage, key, upload, pending, content_type, size, max_views, use_proxy,
        created_by, created_at, updated_at)
      values ('f', 'slug', 'a.txt', 's', 'a.txt', 'u', 0, 'text/plain', 3, 0, 0, 'admin', 1, 1)`,
  ]);
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
