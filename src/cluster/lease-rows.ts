import { createHash } from "node:crypto";
import type { Database } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";

/** How long a lease lasts without being renewed, in milliseconds: so long after a server died others take over. */
export const LEASE_LIFE = 10_000;

interface LeaseRow {
  readonly name: string;
  readonly subject?: string;
  readonly amount?: number;
  readonly holder?: string;
  /** Milliseconds. */
  readonly life?: number;
}

/** Takes a name that nobody else holds: changes one row when it did. */
export type InsertLease = (row: LeaseRow) => Sql;

export const insertion =
  (db: Pick<Database, "now">, node: string): InsertLease =>
  ({ name, subject, amount, holder = node, life = LEASE_LIFE }) =>
    sql`
    insert into leases (name, subject, amount, holder, until)
    values (${name}, ${subject ?? null}, ${amount ?? null}, ${holder}, ${db.now} + ${life})
    on conflict (name) do update set subject = excluded.subject, amount = excluded.amount, holder = excluded.holder, until = excluded.until
      where leases.until <= ${db.now} or leases.holder = ${holder}`.byRow();

/** Names of paths have any length. */
export const digest = (name: string): string => createHash("sha256").update(name).digest("base64url");
