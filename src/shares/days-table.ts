import type { Database } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";

/** Days from one to another, both included, counted from the epoch in UTC. */
export interface Days {
  readonly first: number;
  readonly last: number;
}

/** Counts rows of a table of shares for each of the days, of which each is a stretch of the index by time: grouping them sorts them. */
export async function countByDay(db: Database, shares: Sql, { first, last }: Days): Promise<number[]> {
  const counts = await db.all<{ total: number }>(sql`
    with recursive days (day) as (select ${first} union all select day + 1 from days where day < ${last})
    select (select count(*) from ${shares} and created_at >= day * 86400000 and created_at < (day + 1) * 86400000) as total
    from days order by day`);
  return counts.map(({ total }) => total);
}
