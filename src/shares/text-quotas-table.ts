import { type Database, type Sql, sql } from "../database/database.ts";

/** The quota that all texts count against. */
const TOTAL = "total";

/** A quota and the bytes that its texts may take together. */
export interface Quota {
  readonly name: string;
  /** 0 is no limit. */
  readonly limit: number;
}

/** The bytes of texts by quota, and the statements that keep them. */
export const textQuotasTable = (db: Database) => ({
  /**
   * Adds bytes to a quota, or subtracts them. Belongs into the batch that writes the text: the statement changes no row when the
   * quota would grow beyond its limit. What does not grow always fits, also in a quota that was lowered below its use.
   */
  add: ({ name, limit }: Quota, bytes: number): Sql => sql`
    insert into text_quotas (quota, bytes)
    select ${name}, ${bytes} where ${limit} = 0 or ${bytes} <= ${limit}
      or exists (select 1 from text_quotas where quota = ${name})
    on conflict (quota) do update set bytes = bytes + excluded.bytes
      where ${limit} = 0 or excluded.bytes <= 0 or bytes + excluded.bytes <= ${limit}`,

  /** Bytes that a quota's texts take. */
  used: async (quota: string): Promise<number> =>
    (await db.first<{ bytes: number }>(sql`select bytes from text_quotas where quota = ${quota}`))?.bytes ?? 0,

  /** Bytes of the API key whose texts take most. */
  largestKey: async (): Promise<number> =>
    (
      await db.first<{ bytes: number }>(sql`
      select coalesce(max(bytes), 0) as bytes from text_quotas where quota >= 'apikey:' and quota < 'apikey;'`)
    )?.bytes ?? 0,

  TOTAL,
});
