import { type Database, sql } from "../database/database.ts";

export interface SessionRow {
  readonly id: string;
  readonly created_at: number;
  readonly used_at: number;
  readonly expires_at: number;
  readonly address: string;
  readonly user_agent: string;
}

const columns = sql`id, created_at, used_at, expires_at, address, user_agent`;

const removeExpired = (now: number) => sql`delete from sessions where expires_at <= ${now}`;

export const sessionsTable = (db: Database) => ({
  /** Adds a session and ends those that were used longest ago, so that at most `most` are left. */
  insert: (row: SessionRow, most: number) =>
    db.batch([
      sql`insert into sessions (${columns})
        values (${row.id}, ${row.created_at}, ${row.used_at}, ${row.expires_at}, ${row.address}, ${row.user_agent})`,
      sql`delete from sessions where id in (
        select id from sessions order by used_at desc, id desc limit -1 offset ${most})`,
    ]),
  find: (id: string) => db.first<SessionRow>(sql`select ${columns} from sessions where id = ${id}`),
  /** Those that live, the last used first. */
  living: (now: number, limit: number) =>
    db.all<SessionRow>(sql`
      select ${columns} from sessions where expires_at > ${now} order by used_at desc, id desc limit ${limit}`),
  count: async (now: number) =>
    (await db.first<{ total: number }>(sql`select count(*) as total from sessions where expires_at > ${now}`))?.total ??
    0,
  touch: (id: string, usedAt: number, expiresAt: number) =>
    db.run(sql`update sessions set used_at = ${usedAt}, expires_at = ${expiresAt} where id = ${id}`),
  /** Returns the session if it was there. */
  remove: (id: string) => db.first<SessionRow>(sql`delete from sessions where id = ${id} returning ${columns}`),
  /** Removes all but one; returns how many of them still lived. */
  removeOthers: async (id: string, now: number) => {
    const [, ended = 0] = await db.batch([removeExpired(now), sql`delete from sessions where id <> ${id}`]);
    return ended;
  },
  removeExpired: (now: number) => db.run(removeExpired(now)),
});
