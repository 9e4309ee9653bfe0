import { type Database, sql } from "../database/database.ts";

/** One storage as an administrator configured it. */
export interface StorageRow {
  readonly id: string;
  readonly name: string;
  readonly provider_type: string;
  readonly bucket_name: string;
  /** Where shares put their files: empty or ending in a slash. */
  readonly default_folder: string;
  /** 1 when keys may use it. */
  readonly is_public: number;
  readonly is_default: number;
  /** Bytes; null is unlimited. */
  readonly total_storage_bytes: number | null;
  /** Seconds. */
  readonly signature_expires_in: number;
  readonly created_at: number;
  readonly updated_at: number;
}

const columns = sql`id, name, provider_type, bucket_name, default_folder, is_public, is_default, total_storage_bytes,
  signature_expires_in, created_at, updated_at`;

export const configsTable = (db: Database) => ({
  all: () => db.all<StorageRow>(sql`select ${columns} from storage_configs order by is_default desc, name, id`),
  find: (id: string) => db.first<StorageRow>(sql`select ${columns} from storage_configs where id = ${id}`),
  /** Adds the storage when there is none at all. */
  seed: (row: StorageRow) =>
    db.run(sql`insert into storage_configs (${columns})
      select ${row.id}, ${row.name}, ${row.provider_type}, ${row.bucket_name}, ${row.default_folder}, ${row.is_public},
        ${row.is_default}, ${row.total_storage_bytes}, ${row.signature_expires_in}, ${row.created_at}, ${row.updated_at}
      where not exists (select 1 from storage_configs)`),
});
