import { Failure } from "#contract/failures";
import { type Database, sql } from "../database/database.ts";

export interface AccountRow {
  readonly username: string;
  readonly password_hash: string;
}

const endSessions = sql`delete from sessions`;
const forgetLinks = sql`delete from sign_in_links`;

const insertLink = (tokenHash: string, expiresAt: number) =>
  sql`insert into sign_in_links (token_hash, expires_at) values (${tokenHash}, ${expiresAt})`;

export const adminTable = (db: Database) => ({
  account: () => db.first<AccountRow>(sql`select username, password_hash from admin_account where id = 1`),
  /** Reports whether the account was made, false when there is one already. */
  create: async ({ username, password_hash }: AccountRow, now: number) =>
    (await db.run(sql`
      insert into admin_account (id, username, password_hash, updated_at)
      values (1, ${username}, ${password_hash}, ${now}) on conflict (id) do nothing`)) === 1,
  /** Changes the account and ends every session and link, unless the account changed since `before` was read. */
  change: (before: AccountRow, after: AccountRow, now: number) =>
    db.batch([
      sql`update admin_account set username = ${after.username}, password_hash = ${after.password_hash}, updated_at = ${now}
          where id = 1 and password_hash = ${before.password_hash} and username = ${before.username}`.expect(
        1,
        new Failure("account.wrongPassword"),
      ),
      endSessions,
      forgetLinks,
    ]),
  addLink: (tokenHash: string, expiresAt: number) => db.run(insertLink(tokenHash, expiresAt)),
  /** Spends a link; reports whether it was there and still good. */
  spendLink: async (tokenHash: string, now: number) =>
    (await db.run(sql`delete from sign_in_links where token_hash = ${tokenHash} and expires_at > ${now}`)) === 1,
  removeExpiredLinks: (now: number) => db.run(sql`delete from sign_in_links where expires_at <= ${now}`),
});
