import { type Database, sql } from "../database/database.ts";

/** A write lock (RFC 4918 sections 6 and 7). */
export interface Lock {
  /** A URI that nobody guesses. */
  readonly token: string;
  /** A clean path in Unicode NFC. */
  readonly path: string;
  /** Whether all that lies below is locked too. */
  readonly deep: boolean;
  /** Whether others may hold a shared lock at the same time. */
  readonly shared: boolean;
  /** Who made it, as records name owners; nobody else can use it. */
  readonly holder: string;
  /** What the client said about its owner, as XML; empty when it said nothing. */
  readonly owner: string;
  /** Milliseconds that it lasts from each refresh on. */
  readonly life: number;
  /** Epoch milliseconds. */
  readonly until: number;
}

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
