import type { Cluster } from "../../cluster/cluster.ts";
import { type Sql, sql } from "../../database/sql.ts";

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

/** A lock as it was found. */
interface LockRow extends Omit<Lock, "deep" | "shared" | "until"> {
  readonly deep: number;
  readonly shared: number;
  /** Milliseconds that it lasts from now on. */
  readonly left: number;
}

/** Instants are by the clock that all servers share. */
export const locksTable = ({ db, now }: Pick<Cluster, "db" | "now">) => ({
  all: () =>
    db.all<LockRow>(
      sql`select token, path, deep, shared, holder, owner, life, until - ${now()} as "left"
        from dav_locks where until > ${now()}`,
    ),
  /** `proof` says that nobody else may have locked anything since it was looked whether something stands in the way. */
  insert: ({ token, path, deep, shared, holder, owner, life }: Lock, proof: readonly Sql[]) =>
    db.batch([
      ...proof,
      sql`insert into dav_locks (token, path, deep, shared, holder, owner, life, until) values
      (${token}, ${path}, ${deep ? 1 : 0}, ${shared ? 1 : 0}, ${holder}, ${owner}, ${life}, ${now()} + ${life})`.publishing(
        "locks",
      ),
    ]),
  refresh: ({ token, life }: Pick<Lock, "token" | "life">) =>
    db.run(
      sql`update dav_locks set life = ${life}, until = ${now()} + ${life} where token = ${token}`.publishing("locks"),
    ),
  remove: (tokens: readonly string[]) =>
    db.batch(tokens.map((token) => sql`delete from dav_locks where token = ${token}`.publishing("locks"))),
  removeEnded: () => db.run(sql`delete from dav_locks where until <= ${now()}`),
});
