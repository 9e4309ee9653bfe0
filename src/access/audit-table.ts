import type { AuditAction } from "#contract/audit-actions";
import type { Database, Reading } from "../database/database.ts";
import { sql } from "../database/sql.ts";

export interface AuditRow {
  readonly number: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** An action, or a name that an earlier or later version used. */
  readonly action: string;
  readonly actor: string;
  readonly address: string;
  readonly subject: string | null;
  readonly name: string | null;
  /** A JSON array of names. */
  readonly fields: string;
}

export interface AuditPage {
  readonly limit: number;
  readonly offset: number;
  /** Only entries with this action. */
  readonly action?: AuditAction | undefined;
}

const columns = sql`number, at, action, actor, address, subject, name, fields`;

const only = (action: AuditAction | undefined) => (action === undefined ? sql`` : sql`where action = ${action}`);

export const auditTable = (db: Database, reading: Reading = db) => ({
  insert: (row: Omit<AuditRow, "number"> & { readonly action: AuditAction }) =>
    db.run(sql`
      insert into audit (at, action, actor, address, subject, name, fields)
      values (${row.at}, ${row.action}, ${row.actor}, ${row.address}, ${row.subject}, ${row.name}, ${row.fields})`),

  /** Newest first. */
  page: ({ limit, offset, action }: AuditPage) =>
    reading.all<AuditRow>(sql`
      select ${columns} from audit where number in (
        select number from audit ${only(action)} order by 1 desc limit ${limit} offset ${offset})
      order by number desc`),
  count: async (action: AuditAction | undefined) =>
    (await db.first<{ total: number }>(sql`select count(*) as total from audit ${only(action)}`))?.total ?? 0,

  /** Removes at most `limit` rows of an instant or before. */
  removeBefore: (instant: number, limit: number) =>
    db.run(sql`delete from audit where number in (select number from audit where at <= ${instant} limit ${limit})`),
  /** Removes the oldest rows, those of one action if it is given. */
  removeOldest: (action: AuditAction | undefined, limit: number) =>
    db.run(sql`
      delete from audit where number in (select number from audit ${only(action)} order by 1 limit ${limit})`),
});
