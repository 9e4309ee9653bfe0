import { type Database, sql } from "../database/database.ts";

export interface SessionRow {
  readonly id: string;
  readonly created_at: number;
  readonly used_at: number;
  readonly expires_at: number;
  readonly address: string;
  readonly user_agent: string;
}

export const sessionsTable = (db: Database) => ({
  insert: (row: SessionRow) =>
    db.run(sql`
      insert into sessions (id, created_at, used_at, expires_at, address, user_agent)
      values (${row.id}, ${row.created_at}, ${row.used_at}, ${row.expires_at}, ${row.address}, ${row.user_agent})`),
  find: (id: string) => db.first<SessionRow>(sql`select * from sessions where id = ${id}`),
  touch: (id: string, usedAt: number, expiresAt: number) =>
    db.run(sql`update sessions set used_at = ${usedAt}, expires_at = ${expiresAt} where id = ${id}`),
  remove: (id: string) => db.run(sql`delete from sessions where id = ${id}`),
  removeExpired: (now: number) => db.run(sql`delete from sessions where expires_at <= ${now}`),
});
