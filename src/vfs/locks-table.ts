import { type Database, sql } from "../database/database.ts";
import type { Lock } from "./locks.ts";

/** A lock as it is kept; `until` is an instant in epoch milliseconds. */
interface LockRow extends Omit<Lock, "deep" | "shared"> {
  readonly deep: number;
  readonly shared: number;
}

export const locksTable = (db: Database) => ({
  all: (now: number) =>
    db.all<LockRow>(
      sql`select token, path, deep, shared, holder, owner, life, until from dav_locks where until > ${now}`,
    ),
  insert: ({ token, path, deep, shared, holder, owner, life, until }: Lock) =>
    db.run(sql`insert into dav_locks (token, path, deep, shared, holder, owner, life, until) values
      (${token}, ${path}, ${deep ? 1 : 0}, ${shared ? 1 : 0}, ${holder}, ${owner}, ${life}, ${until})`),
  refresh: ({ token, life, until }: Pick<Lock, "token" | "life" | "until">) =>
    db.run(sql`update dav_locks set life = ${life}, until = ${until} where token = ${token}`),
  remove: (tokens: readonly string[]) =>
    db.batch(tokens.map((token) => sql`delete from dav_locks where token = ${token}`)),
  removeEnded: (now: number) => db.run(sql`delete from dav_locks where until <= ${now}`),
});
