import { Failure } from "#contract/failures";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";

export interface AccountRow {
  readonly username: string;
  readonly password_hash: string;
  /** 1 while the password is one that the terminal printed. */
  readonly is_generated: number;
}

const endSessions = sql`delete from sessions`;
const forgetLinks = sql`delete from sign_in_links`;

const insertLink = (tokenHash: string, expiresAt: number) =>
  sql`insert into sign_in_links (token_hash, expires_at) values (${tokenHash}, ${expiresAt})`;

export const adminTable = (db: Database) => ({
  account: () =>
    db.first<AccountRow>(sql`select username, password_hash, is_generated from admin_account where id = 1`),
  /** Reports whether the account was made, false when there is one already. */
  create: async ({ username, password_hash, is_generated }: AccountRow, now: number) =>
    (await db.run(sql`
      insert into admin_account (id, username, password_hash, is_generated, updated_at)
      values (1, ${username}, ${password_hash}, ${is_generated}, ${now}) on conflict (id) do nothing`)) === 1,
  /** Changes the account and ends every session and link, unless the account changed since `before` was read. */
  change: (before: AccountRow, after: AccountRow, now: number) =>
    db.batch([
      sql`update admin_account set username = ${after.username}, password_hash = ${after.password_hash},
            is_generated = ${after.is_generated}, updated_at = ${now}
          where id = 1 and password_hash = ${before.password_hash} and username = ${before.username}`.expect(
        1,
        new Failure("account.wrongPassword"),
      ),
      endSessions,
      forgetLinks,
    ]),
  /**
   * Reports whether the account is as it was read. It writes the row as it is, so that it waits for a change that is under way: one that has
   * ended the sessions there were, and is not to be seen yet, would miss the one that was opened meanwhile.
   */
  isStill: async ({ username, password_hash }: AccountRow) =>
    (await db.run(sql`update admin_account set updated_at = updated_at
      where username = ${username} and password_hash = ${password_hash}`)) === 1,
  addLink: (tokenHash: string, expiresAt: number) => db.run(insertLink(tokenHash, expiresAt)),
  /** Spends a link; reports whether it was there and still good. */
  spendLink: async (tokenHash: string, now: number) =>
    (await db.run(sql`delete from sign_in_links where token_hash = ${tokenHash} and expires_at > ${now}`)) === 1,
  removeExpiredLinks: (now: number) => db.run(sql`delete from sign_in_links where expires_at <= ${now}`),
});

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
        select id from sessions order by used_at desc, id desc limit ${Number.MAX_SAFE_INTEGER} offset ${most})`,
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

export type AdminTable = ReturnType<typeof adminTable>;
