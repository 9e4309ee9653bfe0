/** Names that one server at a time may hold, for a while unless it renews them: rows in the database, whose clock decides. */
import { createHash } from "node:crypto";
import type { Database } from "../database/database.ts";
import { list, type Sql, sql } from "../database/sql.ts";

/** How long a lease lasts without being renewed, in milliseconds: so long after a server died others take over. */
export const LEASE_LIFE = 10_000;
/** Milliseconds after the last renewal when a server stops relying on a lease; below its life, should clocks run apart. */
const RELIED_ON = 9000;
/** Milliseconds between two renewals. */
const RENEW_EVERY = 2500;
/** Names of one statement. */
const RENEWED_AT_ONCE = 32;
/** Milliseconds between two tries to take a name that another holds: short at first. */
const FIRST_PAUSE = 15;
const LONGEST_PAUSE = 250;
/** Tries, over half a minute, until a name that is always held is given up. */
const TRIES = 120;

/** A lease was lost, because its server was silent for too long. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`The lease of ${name} was lost.`);
  }
}

/** A name was held by others. */
class Taken extends Error {}

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

/** A lease that is taken in the transaction that begins the work. */
interface Taking {
  /** Rolls the transaction back when another server holds the name. */
  readonly statements: readonly Sql[];
  /** Reports whether an error of the transaction says so. */
  isTaken(error: unknown): boolean;
  /** Begins to renew it, once the transaction is through. */
  taken(): Lease;
}

interface LeasesDeps {
  readonly db: Database;
  /** The name of this server, which no other has. */
  readonly node: string;
  readonly elapsed: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Called with what kept leases from being renewed or given back. */
  readonly failed: (error: unknown) => void;
  /** What is thrown when a name is held for too long. */
  readonly busy: () => Error;
}

interface Held {
  readonly controller: AbortController;
  /** By `elapsed`, when the statement began that renewed it last. */
  renewedAt: number;
}

interface Row {
  readonly name: string;
  readonly subject?: string;
  readonly amount?: number;
  readonly holder?: string;
  /** Milliseconds. */
  readonly life?: number;
}

/** As many as one statement has, the last one again and again, so that there is only one such statement. */
const listed = (names: readonly string[]): Sql =>
  list(Array.from({ length: RENEWED_AT_ONCE }, (_, index) => names[index] ?? names.at(-1) ?? null));

export function createLeases({ db, node, elapsed, sleep, failed, busy }: LeasesDeps) {
  const held = new Map<string, Held>();
  let renewedAt = Number.NEGATIVE_INFINITY;
  let announced = 0;

  const insertion = ({ name, subject, amount, holder = node, life = LEASE_LIFE }: Row): Sql =>
    sql`
    insert into leases (name, subject, amount, holder, until)
    values (${name}, ${subject ?? null}, ${amount ?? null}, ${holder}, ${db.now} + ${life})
    on conflict (name) do update set subject = excluded.subject, amount = excluded.amount, holder = excluded.holder, until = excluded.until
      where leases.until <= ${db.now} or leases.holder = ${holder}`.byRow();
  const deletion = (names: readonly string[]): Sql[] =>
    names.map((name) => sql`delete from leases where name = ${name} and holder = ${node}`.byRow());

  const lose = (name: string): void => {
    held.get(name)?.controller.abort(new LeaseLost(name));
    held.delete(name);
  };

  const track = (names: readonly string[], began: number): Lease => {
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
  };

  const taking = (wanted: readonly string[], also: readonly Sql[] = []): Taking => {
    // In one order, so that two servers that want the same never wait for each other.
    const names = [...new Set(wanted)].sort();
    const taken = new Taken();
    const began = elapsed();
    return {
      statements: [...names.map((name) => insertion({ name })), ...also].map((one) => one.expect(1, taken)),
      isTaken: (error) => error === taken,
      taken: () => track(names, began),
    };
  };

  const run = async ({ statements, isTaken, taken }: Taking): Promise<Lease | undefined> => {
    try {
      await db.batch(statements);
      return taken();
    } catch (error) {
      if (isTaken(error)) return undefined;
      throw error;
    }
  };

  return {
    /** Takes a name with a transaction that is about to begin. */
    taking: (name: string): Taking => taking([name]),

    /** Takes all of these names, or none: undefined when another server holds one. This server must not hold them already. */
    take: (...names: readonly string[]): Promise<Lease | undefined> => run(taking(names)),

    /** As `take`, unless some server took the name within so many milliseconds before. */
    takeEvery: (name: string, life: number): Promise<Lease | undefined> =>
      run(taking([name], [insertion({ name: `${name} lately`, holder: `lately ${node}`, life })])),

    /** As `take`, and waits for those that others hold. Throws `busy` after half a minute, and what its signal says before. */
    async wait(names: readonly string[], signal?: AbortSignal): Promise<Lease> {
      for (let attempt = 0; attempt < TRIES; attempt++) {
        signal?.throwIfAborted();
        const lease = await run(taking(names));
        if (lease) return lease;
        await sleep(Math.min(FIRST_PAUSE * 2 ** attempt, LONGEST_PAUSE));
      }
      throw busy();
    },

    /** Says that something is done about a subject, as several may at a time, and how much of it. */
    async announce(subject: string, amount = 0): Promise<Lease> {
      announced += 1;
      const name = `${node} ${announced}`;
      const began = elapsed();
      await db.run(insertion({ name, subject: digest(subject), amount }));
      return track([name], began);
    },

    /** Reports whether something is done by any server about one of these subjects. */
    async isAnnounced(subjects: readonly string[]): Promise<boolean> {
      if (subjects.length === 0) return false;
      const wanted = list(subjects.map(digest));
      return (
        (await db.first(sql`select 1 from leases where subject in (${wanted}) and until > ${db.now} limit 1`)) !==
        undefined
      );
    },

    /** How much all servers have announced about a subject. */
    async amount(subject: string): Promise<number> {
      const row = await db.first<{ total: number }>(sql`
        select cast(coalesce(sum(amount), 0) as bigint) as total from leases
        where subject = ${digest(subject)} and until > ${db.now}`);
      return row?.total ?? 0;
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

    /** A condition of a statement: some server holds the lease of this name, whose columns are written with their table. */
    isHeld: (name: Sql): Sql =>
      sql`exists (select 1 from leases where leases.name = ${name} and leases.until > ${db.now})`,

    /** Removes those that have ended; returns how many. */
    sweep: (): Promise<number> => db.run(sql`delete from leases where until <= ${db.now} - ${LEASE_LIFE}`),
  };
}

/** Names of paths have any length. */
export const digest = (name: string): string => createHash("sha256").update(name).digest("base64url");

export type Leases = ReturnType<typeof createLeases>;
