import type { JobState } from "#contract/fs/jobs";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";

/** How many jobs there are, of everybody. */
export const jobCounts = (db: Database) => ({
  /** Those that are kept and failed, in whole or in part. */
  failed: async (): Promise<number> =>
    (
      await db.first<{ total: number }>(
        sql`select count(*) as total from jobs where state in ('failed', 'partial_complete')`,
      )
    )?.total ?? 0,

  byState: async (): Promise<ReadonlyMap<JobState, number>> => {
    const rows = await db.all<{ state: JobState; total: number }>(
      sql`select state, count(*) as total from jobs group by state`,
    );
    return new Map(rows.map(({ state, total }) => [state, total]));
  },
});
