import { MAX_SEALED_KEYS } from "#contract/limits";
import type { NewSealedKey } from "#contract/sealed-keys";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";

export interface SealedKeyRow extends NewSealedKey {
  /** Later ones are greater. */
  readonly id: string;
  readonly owner: string;
  readonly created_at: number;
}

const columns = sql`id, owner, recipient, passkey, sealed, created_at`;

export const sealedKeysTable = (db: Database) => ({
  /** Newest first. */
  of: (owner: string) =>
    db.all<SealedKeyRow>(
      sql`select ${columns} from sealed_keys where owner = ${owner} order by id desc limit ${MAX_SEALED_KEYS}`,
    ),

  /** Answers whether its owner had fewer than so many. */
  insert: async ({ id, owner, recipient, passkey, sealed, created_at }: SealedKeyRow) =>
    (await db.run(sql`insert into sealed_keys (${columns})
      select ${id}, ${owner}, ${recipient}, ${passkey}, ${sealed}, ${created_at}
      where (select count(*) from sealed_keys where owner = ${owner}) < ${MAX_SEALED_KEYS}`)) === 1,

  remove: async (owner: string, id: string) =>
    (await db.run(sql`delete from sealed_keys where owner = ${owner} and id = ${id}`)) === 1,

  /** Removes those of API keys that are gone. */
  sweep: () =>
    db.run(sql`delete from sealed_keys where owner <> 'admin'
      and not exists (select 1 from api_keys where api_keys.id = substr(sealed_keys.owner, 8))`),
});
