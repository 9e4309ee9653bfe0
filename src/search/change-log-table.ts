import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { subjectsOf } from "./change-subjects.ts";
import type { Change } from "./changes.ts";

interface ChangeLogRow {
  readonly id: string;
  /** A change, written as JSON. */
  readonly change: string;
}

/** Changes that wait for the index, in the order in which servers recorded them. */
export const changeLogTable = (db: Database) => ({
  /** Other servers learn of it in the same transaction: a change that was applied was announced. */
  add: (change: Change) => {
    const row = sql`insert into index_changes (id, version, change)
      select ${Bun.randomUUIDv7()}, coalesce((select version from change_version where id = 1), 0),
        ${JSON.stringify(change)}`.byRow();
    return db.run(subjectsOf(change).reduce((query, subject) => query.publishing("objects", subject), row));
  },
  first: (limit: number) =>
    db.all<ChangeLogRow>(sql`select id, change from index_changes order by version, id limit ${limit}`),
  isWaiting: sql`exists (select 1 from index_changes)`,
  isEmpty: async () => (await db.first(sql`select 1 from index_changes limit 1`)) === undefined,
  /** How many there are, so many at most. */
  count: async (most: number) =>
    (
      await db.first<{ waiting: number }>(
        sql`select count(*) as waiting from (select 1 from index_changes limit ${most}) as counted`,
      )
    )?.waiting ?? 0,
  remove: (ids: readonly string[]) =>
    db.batch(ids.map((id) => sql`delete from index_changes where id = ${id}`.byRow())),
});
