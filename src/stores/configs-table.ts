import { FOLDER } from "#contract/providers";
import type { Database } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";

/** One storage as an administrator configured it. */
export interface StorageRow {
  readonly id: string;
  readonly name: string;
  readonly provider_type: string;
  /** Empty for the built-in disk, as region, access key and secret are. */
  readonly endpoint_url: string;
  readonly bucket_name: string;
  readonly region: string;
  /** 1 if the bucket is in the path of an address. */
  readonly path_style: number;
  readonly access_key_id: string;
  readonly sealed_secret: string;
  /** Where shares put their files: empty or ending in a slash. */
  readonly default_folder: string;
  /** 1 when keys may use it. */
  readonly is_public: number;
  readonly is_default: number;
  /** Bytes; null is unlimited. */
  readonly total_storage_bytes: number | null;
  /** Where the storage hands out files to everybody, without a slash at the end. */
  readonly custom_host: string | null;
  /** Seconds. */
  readonly signature_expires_in: number;
  readonly last_used: number | null;
  /** When it was tested last, and 1 if the test passed; null when it was not since it was changed. */
  readonly tested_at: number | null;
  readonly passed: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

/** By what a bucket is reached: the storages as they are configured, and what opens their secrets. */
export interface KnownBuckets {
  readonly storages: readonly Readonly<Record<string, string | number | null>>[];
  readonly secret: string;
}

/** What refers to a storage. */
interface Uses {
  /** File shares, and uploads that belong to none and are still wanted. */
  readonly files: number;
  readonly mounts: number;
  /** Things in its trash that can still come back. */
  readonly trashed: number;
  /** Dropped uploads whose objects are still to be removed. */
  readonly dropped: number;
  /** Until when the last address holds that may write one of those; null without any. */
  readonly addressed_until: number | null;
}

const columns = sql`id, name, provider_type, endpoint_url, bucket_name, region, path_style, access_key_id,
  sealed_secret, default_folder, is_public, is_default, total_storage_bytes, custom_host, signature_expires_in,
  last_used, tested_at, passed, created_at, updated_at`;

const valuesOf = (row: StorageRow): Sql => sql`${row.id}, ${row.name}, ${row.provider_type}, ${row.endpoint_url},
  ${row.bucket_name}, ${row.region}, ${row.path_style}, ${row.access_key_id}, ${row.sealed_secret},
  ${row.default_folder}, ${row.is_public}, ${row.is_default}, ${row.total_storage_bytes}, ${row.custom_host},
  ${row.signature_expires_in}, ${row.last_used}, ${row.tested_at}, ${row.passed}, ${row.created_at}, ${row.updated_at}`;

const insertion = (row: StorageRow): Sql =>
  sql`insert into storage_configs (${columns}) select ${valuesOf(row)}
    where not exists (select 1 from storage_configs as other where other.provider_type = ${FOLDER}
      and other.provider_type = ${row.provider_type} and other.bucket_name = ${row.bucket_name})
    on conflict do nothing`.publishing("storages");

/** Makes a storage the default one, if it is there. */
const makeDefault = (id: string): Sql =>
  sql`update storage_configs set is_default = case when id = ${id} then 1 else 0 end
    where exists (select 1 from storage_configs chosen where chosen.id = ${id})`.publishing("storages");

/** Whether its trash holds what would stay there unseen. What is about to go does not count: the storage may be gone itself. */
const keepsTrash = (id: string, now: number): Sql =>
  sql`exists (select 1 from trash where storage = ${id} and purge_at > ${now})`;

export const configsTable = (db: Database) => ({
  all: () => db.all<StorageRow>(sql`select ${columns} from storage_configs order by is_default desc, name, id`),
  find: (id: string) => db.first<StorageRow>(sql`select ${columns} from storage_configs where id = ${id}`),

  /** Adds the storage when there is none at all. */
  seed: (row: StorageRow) =>
    db.run(sql`insert into storage_configs (${columns}) select ${valuesOf(row)}
      where not exists (select 1 from storage_configs)`),

  /** Answers whether it was added: two built-in ones cannot share a bucket, and no two a folder. */
  async insert(row: StorageRow): Promise<boolean> {
    if (!row.is_default) return (await db.run(insertion(row))) === 1;
    const [added] = await db.batch([insertion(row), makeDefault(row.id)]);
    return added === 1;
  },

  /** Adds those whose id is free, all in one transaction. */
  insertAll: (rows: readonly StorageRow[]) => db.batch(rows.map(insertion)),

  /**
   * Writes what can be changed; answers whether the storage was there, and stays where it was when it holds files: another
   * bucket may have files of others under the same keys.
   */
  update: async (row: StorageRow, now: number) =>
    (await db.run(
      sql`
      update storage_configs set name = ${row.name}, provider_type = ${row.provider_type},
        endpoint_url = ${row.endpoint_url}, bucket_name = ${row.bucket_name}, region = ${row.region},
        path_style = ${row.path_style}, access_key_id = ${row.access_key_id}, sealed_secret = ${row.sealed_secret},
        default_folder = ${row.default_folder}, is_public = ${row.is_public},
        total_storage_bytes = ${row.total_storage_bytes}, custom_host = ${row.custom_host},
        signature_expires_in = ${row.signature_expires_in}, tested_at = null, passed = null,
        updated_at = ${row.updated_at}
      where id = ${row.id} and ((bucket_name = ${row.bucket_name} and endpoint_url = ${row.endpoint_url})
        or (not exists (select 1 from uploads where storage = ${row.id})
          and not ${keepsTrash(row.id, now)}))`.publishing("storages"),
    )) === 1,

  /** Answers whether the storage was there. */
  setDefault: async (id: string) => (await db.run(makeDefault(id))) > 0,

  uses: (id: string, now: number) =>
    db.first<Uses>(sql`select
      (select count(*) from files where storage = ${id})
        + (select count(*) from uploads where storage = ${id}
            and state <> 'removing' and not exists (select 1 from files where files.upload = uploads.id)) as files,
      (select count(*) from mounts where storage = ${id}) as mounts,
      (select count(*) from trash where storage = ${id} and purge_at > ${now}) as trashed,
      (select count(*) from uploads where storage = ${id} and state = 'removing') as dropped,
      (select max(addressed_until) from uploads where storage = ${id} and state = 'removing') as addressed_until`),

  /** What is shared from each storage, and where each is mounted. */
  async allUses() {
    const [files, mounts] = await Promise.all([
      db.all<{ id: string; files: number }>(sql`
        select id, coalesce(shared.files, 0) as files from storage_configs
        left join (select storage, count(*) as files from files group by storage) as shared on shared.storage = id`),
      db.all<{ id: string; name: string; path: string; storage: string }>(sql`
        select id, name, path, storage from mounts order by path`),
    ]);
    return files.map((one) => ({
      ...one,
      mounts: mounts.filter(({ storage }) => storage === one.id).map(({ id, name, path }) => ({ id, name, path })),
    }));
  },

  /** Removes a storage that nothing refers to; answers whether it was removed. */
  remove: async (id: string, now: number) =>
    (await db.run(
      sql`delete from storage_configs where id = ${id}
      and not exists (select 1 from files where storage = ${id})
      and not exists (select 1 from uploads where storage = ${id})
      and not exists (select 1 from mounts where storage = ${id})
      and not ${keepsTrash(id, now)}`.publishing("storages"),
    )) === 1,

  /** Notes a test of the storage as it was; one that was changed in the meantime has not been tested. */
  addTest: ({ id, updated_at }: StorageRow, passed: boolean, now: number) =>
    db.run(sql`update storage_configs set tested_at = ${now}, passed = ${Number(passed)}
      where id = ${id} and updated_at = ${updated_at}`),

  addUses: (uses: ReadonlyMap<string, number>) =>
    db.batch([...uses].map(([id, at]) => sql`update storage_configs set last_used = ${at} where id = ${id}`.byRow())),
});

export type ConfigsTable = ReturnType<typeof configsTable>;
