import { type Sql, sql } from "../database/database.ts";

/** From an instant on, and before another one. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** How many shares were made on a day, counted from the epoch in UTC. */
export interface DayCount {
  readonly day: number;
  readonly total: number;
}

/** Counts rows of a table of shares by day; days without any are left out. */
export const countByDay = (shares: Sql, { from, until }: Span): Sql => sql`
  select created_at / 86400000 as day, count(*) as total from ${shares} and created_at >= ${from} and created_at < ${until}
  group by day`;
