import type { WebdavPolicy } from "#contract/mounts";
import type { Database } from "../database/database.ts";
import { type Sql, type SqlValue, sql } from "../database/sql.ts";

/** A storage at its place in the tree. */
export interface MountRow {
  readonly id: string;
  readonly name: string;
  /** A clean path, never the root. */
  readonly path: string;
  readonly storage: string;
  readonly remark: string | null;
  readonly is_active: number;
  readonly sort_order: number;
  /** Seconds that a listing may be kept. */
  readonly cache_ttl: number;
  /** 1 when its files have public addresses here. */
  readonly web_proxy: number;
  readonly webdav_policy: WebdavPolicy;
  /** 1 when those addresses must be signed, whatever the settings say. */
  readonly enable_sign: number;
  /** Seconds, 0 is for ever; null is what the settings say. */
  readonly sign_expires: number | null;
  /** 1 when a README of a folder is shown below its list. */
  readonly readme: number;
  /** 1 when what is deleted waits in the trash first. */
  readonly trash: number;
  readonly created_by: string;
  readonly last_used: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A mount with what is shown of its storage. */
export interface ShownMountRow extends MountRow {
  readonly storage_name: string;
  readonly provider_type: string;
  /** 1 when keys may use the storage. */
  readonly is_public: number;
  /** Tells apart where objects are: two storages may stand on one bucket. */
  readonly bucket: string;
  /**
   * Only in the tree of a link: the key that stands at the path. That of a folder ends in a slash, as if only this part of the storage
   * were mounted; any other is of one file, and nothing else is there. Empty is the whole storage.
   */
  readonly root?: string | undefined;
}

const columns = sql`id, name, path, storage, remark, is_active, sort_order, cache_ttl, web_proxy, webdav_policy,
  enable_sign, sign_expires, readme, trash, created_by, last_used, created_at, updated_at`;

const valuesOf = (row: MountRow) => sql`${row.id}, ${row.name}, ${row.path}, ${row.storage}, ${row.remark},
  ${row.is_active}, ${row.sort_order}, ${row.cache_ttl}, ${row.web_proxy}, ${row.webdav_policy},
  ${row.enable_sign}, ${row.sign_expires}, ${row.readme}, ${row.trash}, ${row.created_by}, ${row.last_used}, ${row.created_at}, ${row.updated_at}`;

/** What an administrator says of a mount. */
export type SaidMount = Omit<MountRow, "id" | "created_by" | "last_used" | "created_at" | "updated_at">;

/** What is not given stays as it is. */
export type MountUpdate = Partial<SaidMount>;

/** The path is no other mount's, and the storage is there. */
const whenPossible = ({ id, path, storage }: MountRow) => sql`
  where not exists (select 1 from mounts rival where rival.path = ${path} and rival.id <> ${id})
    and exists (select 1 from storage_configs where storage_configs.id = ${storage})`;

const insertion = (row: MountRow): Sql =>
  sql`insert into mounts (${columns}) select ${valuesOf(row)} ${whenPossible(row)} on conflict do nothing`.publishing(
    "mounts",
  );

/** What is given, else the column itself. */
const orKept = (given: SqlValue | undefined, column: Sql): Sql => (given === undefined ? column : sql`${given}`);

export const mountsTable = (db: Database) => ({
  all: () => db.all<MountRow>(sql`select ${columns} from mounts order by sort_order, name, id`),

  /** Answers whether the path was free and the storage there. */
  insert: async (row: MountRow) => (await db.run(insertion(row))) === 1,

  /** Adds those whose id and path are free and whose storage is there, all in one transaction. */
  insertAll: (rows: readonly MountRow[]) => db.batch(rows.map(insertion)),

  /** Adds the first mount of an installation on the storage of its id, once: never again when somebody deleted it. */
  seed: (row: MountRow) =>
    db.batch([
      sql`insert into mounts (${columns}) select ${valuesOf(row)}
        where not exists (select 1 from facts where name = 'first mount') and not exists (select 1 from mounts)`,
      sql`insert into facts (name, value) values ('first mount', ${row.id}) on conflict (name) do nothing`,
    ]),

  /** When mounts were used last, of which nobody's memory is told. */
  uses: () => db.all<{ id: string; last_used: number | null }>(sql`select id, last_used from mounts`),

  addUses: (uses: ReadonlyMap<string, number>) =>
    db.batch([...uses].map(([id, at]) => sql`update mounts set last_used = ${at} where id = ${id}`.byRow())),

  /** Whether another mount has the path. */
  pathIsTaken: async (path: string, id: string) =>
    (await db.first(sql`select 1 from mounts where path = ${path} and id <> ${id}`)) !== undefined,

  /** Whether there is such a storage. */
  hasStorage: async (id: string) => (await db.first(sql`select 1 from storage_configs where id = ${id}`)) !== undefined,

  /** Writes what is given; answers whether mount and storage were there and the new path is no other's. */
  update: async (id: string, change: MountUpdate, now: number) =>
    (await db.run(
      sql`
      update mounts set name = ${orKept(change.name, sql`name`)}, path = ${orKept(change.path, sql`path`)},
        storage = ${orKept(change.storage, sql`storage`)}, remark = ${orKept(change.remark, sql`remark`)},
        is_active = ${orKept(change.is_active, sql`is_active`)},
        sort_order = ${orKept(change.sort_order, sql`sort_order`)},
        cache_ttl = ${orKept(change.cache_ttl, sql`cache_ttl`)},
        web_proxy = ${orKept(change.web_proxy, sql`web_proxy`)},
        webdav_policy = ${orKept(change.webdav_policy, sql`webdav_policy`)},
        enable_sign = ${orKept(change.enable_sign, sql`enable_sign`)},
        sign_expires = ${orKept(change.sign_expires, sql`sign_expires`)},
        readme = ${orKept(change.readme, sql`readme`)}, trash = ${orKept(change.trash, sql`trash`)},
        updated_at = ${now}
      where id = ${id}
        and not exists (select 1 from mounts rival where rival.path = ${change.path ?? null} and rival.id <> ${id})
        and exists (select 1 from storage_configs
          where storage_configs.id = ${orKept(change.storage, sql`mounts.storage`)})`.publishing("mounts"),
    )) === 1,

  /** Answers whether the mount was there. */
  remove: async (id: string) => (await db.run(sql`delete from mounts where id = ${id}`.publishing("mounts"))) === 1,
});
