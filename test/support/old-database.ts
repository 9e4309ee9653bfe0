import { type Database, plainSql, sql } from "../../src/database/database.ts";
import { foundation } from "../../src/database/migrations/0001-foundation.ts";
import { files } from "../../src/database/migrations/0002-files.ts";
import { keys } from "../../src/database/migrations/0003-keys.ts";
import { security } from "../../src/database/migrations/0004-security.ts";
import { mounts } from "../../src/database/migrations/0005-mounts.ts";
import { storages } from "../../src/database/migrations/0006-storages.ts";

/** Makes a database what the version before the tree left, with one upload and its share. */
export async function fillBeforeTheTree(db: Database): Promise<void> {
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
}
