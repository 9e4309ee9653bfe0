import { expect, test } from "bun:test";
import { TEXT_OVERHEAD } from "#contract/limits";
import { plainSql, sql } from "../../../src/database/database.ts";
import { migrate } from "../../../src/database/migrate.ts";
import { foundation } from "../../../src/database/migrations/0001-foundation.ts";
import { files } from "../../../src/database/migrations/0002-files.ts";
import { keys } from "../../../src/database/migrations/0003-keys.ts";
import { openSqlite } from "../../../src/database/sqlite.ts";

test("texts from before there were quotas count in those of their owners", async () => {
  const db = openSqlite({ file: ":memory:", synchronous: "NORMAL" });
  await db.run(plainSql("create table migrations (number integer primary key, applied_at integer not null) strict"));
  for (const [index, statements] of [foundation, files, keys].entries())
    await db.batch([
      ...statements.map(plainSql),
      sql`insert into migrations (number, applied_at) values (${index + 1}, 1)`,
    ]);
  const key = (id: string, guest: number) => sql`
    insert into api_keys (id, name, key_hash, sealed_key, permissions, role, basic_path, is_guest, s3_access_key_id,
      expires_at, last_used, created_at, updated_at)
    values (${id}, ${id}, ${id}, '', 1, 'GENERAL', '/', ${guest}, ${id}, null, null, 1, 1)`;
  const text = (slug: string, owner: string, size: number, remark: string | null) => sql`
    insert into pastes (id, slug, remark, preview, size, max_views, created_by, created_at, updated_at)
    values (${slug}, ${slug}, ${remark}, '', ${size}, 0, ${owner}, 1, 1)`;
  await db.batch([
    key("k", 0),
    key("g", 1),
    text("a", "admin", 1, "é"),
    text("b", "apikey:k", 10, null),
    text("c", "k", 20, null),
    text("d", "apikey:g", 100, null),
    text("e", "apikey:deleted", 1000, null),
  ]);
  await migrate(db, true);

  const quotas = sql`select quota, bytes from text_quotas order by quota`;
  expect(await db.all(quotas)).toEqual([
    { quota: "admin", bytes: 1 + 2 + TEXT_OVERHEAD },
    { quota: "apikey:deleted", bytes: 1000 + TEXT_OVERHEAD },
    { quota: "apikey:k", bytes: 10 + 20 + 2 * TEXT_OVERHEAD },
    { quota: "total", bytes: 1 + 2 + 10 + 20 + 100 + 1000 + 5 * TEXT_OVERHEAD },
    { quota: "visitors", bytes: 100 + TEXT_OVERHEAD },
  ]);
  await db.run(sql`delete from pastes`);
  expect((await db.all<{ bytes: number }>(quotas)).map(({ bytes }) => bytes)).toEqual([0, 0, 0, 0, 0]);
  db.close();
});
