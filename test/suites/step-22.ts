import { expect } from "bun:test";
import type { Database } from "../../src/database/database.ts";
import { numbersWith } from "../../src/database/full-text.ts";
import { migrate } from "../../src/database/migrate.ts";
import { plainSql, sql } from "../../src/database/sql.ts";
import { schemaOf } from "../support/database/schema.ts";

/** What becomes of a database at step 22 (test/support/database/step-22.ts), compared with a new one, which is empty. */
export async function examineStep22(old: Database, fresh: Database): Promise<void> {
  const { known } = await migrate(fresh, true);
  expect(await migrate(old, true)).toMatchObject({ version: known, known, createdAt: 1 });
  const lines = await schemaOf(fresh);
  expect(lines.length).toBeGreaterThan(100);
  expect(await schemaOf(old)).toEqual(lines);

  const count = async (table: string) =>
    (await old.first<{ rows: number }>(plainSql(`select count(*) as rows from ${table}`)))?.rows;
  for (const [table, rows] of Object.entries({
    storage_configs: 1,
    mounts: 1,
    uploads: 2,
    files: 1,
    pastes: 1,
    jobs: 1,
  }))
    expect([table, await count(table)]).toEqual([table, rows]);
  expect(await old.first(sql`select checksum, tags, network from uploads where id = 'v'`)).toEqual({
    checksum: null,
    tags: null,
    network: null,
  });
  const found = numbersWith(old.engine, { table: "pastes", words: "paste_words" }, ["hello"]);
  expect(await old.all(sql`select slug from pastes where number in (${found})`)).toEqual([{ slug: "kept" }]);
  // References and triggers are still there.
  await expect(old.run(sql`delete from uploads where id = 'u'`)).rejects.toThrow(/foreign key/i);
  await old.run(sql`delete from pastes where id = 'p'`);
  expect([await count("paste_texts"), await count("pastes")]).toEqual([0, 0]);
  expect(await old.all(sql`select quota, bytes from text_quotas order by quota`)).toEqual([
    { quota: "admin", bytes: 0 },
    { quota: "total", bytes: 0 },
  ]);
}

/** What a database from before step 22 is refused with. */
export async function examineOlder(db: Database): Promise<void> {
  const before = await db.all(sql`select number, applied_at from migrations order by number`);
  for (const mayChange of [true, false])
    await expect(migrate(db, mayChange)).rejects.toThrow("Start a preview of November 2026");
  expect(await db.all(sql`select number, applied_at from migrations order by number`)).toEqual(before);
}
