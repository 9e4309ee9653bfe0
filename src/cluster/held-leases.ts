/** The leases that this server holds, and renews until it gives them back. */

import type { Database } from "../database/database.ts";
import { list, type Sql, sql } from "../database/sql.ts";
import { LEASE_LIFE } from "./lease-rows.ts";

/** Milliseconds after the last renewal when a server stops relying on a lease; below its life, should clocks run apart. */
const RELIED_ON = 9000;
/** Milliseconds between two renewals. */
const RENEW_EVERY = 2500;
/** Names of one statement. */
const RENEWED_AT_ONCE = 32;

/** A lease was lost, because its server was silent for too long. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`The lease of ${name} was lost.`);
  }
}

export interface Lease {
  /** Aborts with LeaseLost when the lease cannot be relied on any more. */
  readonly signal: AbortSignal;
  /** Belongs into a transaction that only the holder may make: rolls it back with LeaseLost when the lease is another's. */
  readonly proof: readonly Sql[];
  /** Statements that give it back, for the transaction that ends the work. Call `release` all the same. */
  readonly ending: readonly Sql[];
  /** Gives it back; does not reject, because it ends by itself. */
  release(): Promise<void>;
}

export interface HeldDeps {
  readonly db: Database;
  /** The name of this server, which no other has. */
  readonly node: string;
  readonly elapsed: () => number;
  /** Called with what kept leases from being renewed or given back. */
  readonly failed: (error: unknown) => void;
}

interface Held {
  readonly controller: AbortController;
  /** By `elapsed`, when the statement began that renewed it last. */
  renewedAt: number;
}

/** Always as many names as one statement has, the last one again and again, so that there is only one such statement. */
const listed = (names: readonly string[]): Sql =>
  list(Array.from({ length: RENEWED_AT_ONCE }, (_, index) => names[index] ?? names.at(-1) ?? null));

/** Renews the leases of this server, and tells those who hold them when one is lost. */
export function createHeldLeases({ db, node, elapsed, failed }: HeldDeps) {
  const held = new Map<string, Held>();
  let renewedAt = Number.NEGATIVE_INFINITY;

  const deletion = (names: readonly string[]): Sql[] =>
    names.map((name) => sql`delete from leases where name = ${name} and holder = ${node}`.byRow());

  const lose = (name: string): void => {
    held.get(name)?.controller.abort(new LeaseLost(name));
    held.delete(name);
  };

  return {
    /** Begins to renew a lease of these names, whose statement was begun at this time. */
    track(names: readonly string[], began: number): Lease {
      const controller = new AbortController();
      const mine: Held = { controller, renewedAt: began };
      for (const name of names) held.set(name, mine);
      return {
        signal: controller.signal,
        proof: names.map((name) =>
          sql`update leases set holder = ${node} where name = ${name} and holder = ${node} and until > ${db.now}`
            .byRow()
            .expect(1, new LeaseLost(name)),
        ),
        ending: deletion(names),
        async release() {
          // One that was lost may be another's by now, also of this server.
          const still = names.filter((name) => held.get(name) === mine);
          for (const name of still) held.delete(name);
          try {
            await db.batch(deletion(still));
          } catch (error) {
            failed(error);
          }
        },
      };
    },

    /** Renews what this server holds when it is time, and tells those who have lost theirs. Called several times a second. */
    async beat(): Promise<void> {
      const now = elapsed();
      for (const [name, lease] of held) if (now - lease.renewedAt > RELIED_ON) lose(name);
      if (held.size === 0 || now - renewedAt < RENEW_EVERY) return;
      renewedAt = now;
      const before = new Map(held);
      const kept = new Set<string>();
      const names = [...before.keys()];
      // By name: what was taken or given back with an answer that never came has to end by itself.
      for (let from = 0; from < names.length; from += RENEWED_AT_ONCE) {
        const rows = await db.all<{ name: string }>(sql`
          update leases set until = ${db.now} + ${LEASE_LIFE}
          where holder = ${node} and until > ${db.now} and name in (${listed(names.slice(from, from + RENEWED_AT_ONCE))}) returning name`);
        for (const { name } of rows) kept.add(name);
      }
      for (const [name, lease] of before) {
        if (held.get(name) !== lease) continue;
        if (kept.has(name)) lease.renewedAt = now;
        else lose(name);
      }
    },
  };
}
