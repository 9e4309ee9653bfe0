import type { Database } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";

/** Nobody has used it up, and its time is not over. */
const lasts = (now: number): Sql => sql`spent_at is null and (expires_at is null or expires_at > ${now})`;

/** Reads the indexes pastes_by_owner, files_by_owner and files_pending. */
export const visitorSharesTable = (db: Database) => ({
  /** Counts the texts and files that an owner shares, those that are on their way too. */
  count: async (owner: string, now: number) =>
    (
      await db.first<{ total: number }>(sql`
        select (select count(*) from pastes where created_by = ${owner} and ${lasts(now)})
          + (select count(*) from files where created_by = ${owner} and pending = 0 and ${lasts(now)})
          + (select count(*) from files where created_by = ${owner} and pending = 1 and upload is not null and ${lasts(now)})
          as total`)
    )?.total ?? 0,
});
