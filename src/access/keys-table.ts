import type { KeyRole } from "#contract/fields";
import type { Database } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";

export interface KeyRow {
  readonly id: string;
  readonly name: string;
  /** An HMAC of the key, to find it by. */
  readonly key_hash: string;
  readonly sealed_key: string;
  readonly permissions: number;
  readonly role: KeyRole;
  readonly basic_path: string;
  readonly is_guest: number;
  readonly s3_access_key_id: string;
  /** null is never. */
  readonly expires_at: number | null;
  /** Since when it is suspended; null for one that works. */
  readonly suspended_at: number | null;
  readonly last_used: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

/** Undefined fields stay unchanged. */
export interface KeyUpdate {
  readonly name: string | undefined;
  readonly permissions: number | undefined;
  readonly role: KeyRole | undefined;
  readonly basic_path: string | undefined;
  readonly is_guest: number | undefined;
  readonly expires_at: number | null | undefined;
}

const columns = sql`id, name, key_hash, sealed_key, permissions, role, basic_path, is_guest, s3_access_key_id,
  expires_at, suspended_at, last_used, created_at, updated_at`;

/** Turns an expired visitors' key into an ordinary key, so that another key can become the visitors' key. */
const retireGuest = (now: number, succeeds: Sql) =>
  sql`update api_keys set is_guest = 0 where is_guest = 1 and expires_at <= ${now} and ${succeeds}`;

const insertion = (row: KeyRow) =>
  sql`
  insert into api_keys (${columns})
  values (${row.id}, ${row.name}, ${row.key_hash}, ${row.sealed_key}, ${row.permissions}, ${row.role},
    ${row.basic_path}, ${row.is_guest}, ${row.s3_access_key_id}, ${row.expires_at}, ${row.suspended_at},
    ${row.last_used}, ${row.created_at}, ${row.updated_at})
  on conflict do nothing`.publishing("keys");

/** Writes the given fields, unless another key has the name or is the visitors' key. */
const changing = (id: string, change: KeyUpdate, now: number) =>
  sql`
  update api_keys set name = coalesce(${change.name ?? null}, name),
    permissions = coalesce(${change.permissions ?? null}, permissions),
    role = coalesce(${change.role ?? null}, role),
    basic_path = coalesce(${change.basic_path ?? null}, basic_path),
    is_guest = coalesce(${change.is_guest ?? null}, is_guest),
    expires_at = case when ${change.expires_at === undefined ? 0 : 1} = 1 then ${change.expires_at ?? null}
      else expires_at end,
    updated_at = ${now}
  where id = ${id}
    and not exists (select 1 from api_keys rival where rival.name = ${change.name ?? null} and rival.id <> ${id})
    and (${change.is_guest ?? 0} = 0
      or not exists (select 1 from api_keys rival where rival.is_guest = 1 and rival.id <> ${id}))`.publishing("keys");

export const keysTable = (db: Database) => ({
  /**
   * Reports whether name, key and S3 name were free, and the place of the visitors' key if it takes that one; an
   * expired visitors' key gives way.
   */
  async insert(row: KeyRow): Promise<boolean> {
    if (!row.is_guest) return (await db.run(insertion(row))) === 1;
    const succeeds = sql`not exists (
      select 1 from api_keys rival where rival.name = ${row.name} or rival.key_hash = ${row.key_hash})`;
    const [, added] = await db.batch([retireGuest(row.created_at, succeeds), insertion(row)]);
    return added === 1;
  },

  /** Adds those whose id, name and key are free, all in one transaction. None of them is that of visitors. */
  insertAll: (rows: readonly KeyRow[]) => db.batch(rows.map(insertion)),

  /** Newest first. */
  all: () => db.all<KeyRow>(sql`select ${columns} from api_keys order by created_at desc, id desc`),
  names: () => db.all<{ id: string; name: string }>(sql`select id, name from api_keys`),
  count: async () => (await db.first<{ total: number }>(sql`select count(*) as total from api_keys`))?.total ?? 0,
  /** Those that expire after an instant and not after another, the first to do so first. */
  expiring: (after: number, until: number, limit: number) =>
    db.all<Pick<KeyRow, "id" | "name"> & { readonly expires_at: number }>(sql`
      select id, name, expires_at from api_keys
      where expires_at > ${after} and expires_at <= ${until} order by expires_at, id limit ${limit}`),
  find: (id: string) => db.first<KeyRow>(sql`select ${columns} from api_keys where id = ${id}`),
  findByHash: (hash: string) => db.first<KeyRow>(sql`select ${columns} from api_keys where key_hash = ${hash}`),
  findByS3Name: (name: string) =>
    db.first<KeyRow>(sql`select ${columns} from api_keys where s3_access_key_id = ${name}`),
  findGuest: () => db.first<KeyRow>(sql`select ${columns} from api_keys where is_guest = 1`),

  /** Reports whether another key has the name. */
  nameIsTaken: async (name: string, id: string) =>
    (await db.first(sql`select 1 from api_keys where name = ${name} and id <> ${id}`)) !== undefined,
  /** Reports whether another key, which has not expired, is that of visitors. */
  guestIsTaken: async (id: string, now: number) =>
    (await db.first(sql`
      select 1 from api_keys where is_guest = 1 and id <> ${id}
        and (expires_at is null or expires_at > ${now})`)) !== undefined,

  /** Reports whether the key exists and no other key has its new name or is the visitors' key. */
  async update(id: string, change: KeyUpdate, now: number): Promise<boolean> {
    if (change.is_guest !== 1) return (await db.run(changing(id, change, now))) === 1;
    const succeeds = sql`id <> ${id} and exists (select 1 from api_keys heir where heir.id = ${id}) and not exists (
      select 1 from api_keys rival where rival.name = ${change.name ?? null} and rival.id <> ${id})`;
    const [, changed] = await db.batch([retireGuest(now, succeeds), changing(id, change, now)]);
    return changed === 1;
  },

  /** Reports whether the key was there and worked. What was signed with it goes on when it is resumed: it is not edited. */
  suspend: async (id: string, at: number) =>
    (await db.run(
      sql`update api_keys set suspended_at = ${at} where id = ${id} and suspended_at is null`.publishing("keys"),
    )) === 1,
  /** Reports whether the key was there and suspended. */
  resume: async (id: string) =>
    (await db.run(
      sql`update api_keys set suspended_at = null where id = ${id} and suspended_at is not null`.publishing("keys"),
    )) === 1,

  addUses: (uses: ReadonlyMap<string, number>) =>
    db.batch([...uses].map(([id, at]) => sql`update api_keys set last_used = ${at} where id = ${id}`.byRow())),

  /** Reports whether the key was there. */
  remove: async (id: string) => (await db.run(sql`delete from api_keys where id = ${id}`.publishing("keys"))) === 1,
});

export type KeysTable = ReturnType<typeof keysTable>;
