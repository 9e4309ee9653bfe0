/** Names that one server at a time may hold, for a while unless it renews them: rows in the database, whose clock decides. */
import { type Sql, sql } from "../database/sql.ts";
import { createAnnouncements } from "./announcements.ts";
import { createHeldLeases, type HeldDeps, type Lease } from "./held-leases.ts";
import { insertion, LEASE_LIFE } from "./lease-rows.ts";

/** Milliseconds between two tries to take a name that another holds: short at first. */
const FIRST_PAUSE = 15;
const LONGEST_PAUSE = 250;
/** Tries, over half a minute, until a name that is always held is given up. */
const TRIES = 120;

/** A name was held by others. */
class Taken extends Error {}

/** A lease that is taken in the transaction that begins the work. */
interface Taking {
  /** Rolls the transaction back when another server holds the name. */
  readonly statements: readonly Sql[];
  /** Reports whether an error of the transaction says so. */
  isTaken(error: unknown): boolean;
  /** Begins to renew it, once the transaction is through. */
  taken(): Lease;
}

interface LeasesDeps extends HeldDeps {
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** What is thrown when a name is held for too long. */
  readonly busy: () => Error;
}

export function createLeases({ db, node, elapsed, sleep, failed, busy }: LeasesDeps) {
  const held = createHeldLeases({ db, node, elapsed, failed });
  const insert = insertion(db, node);

  const taking = (wanted: readonly string[], also: readonly Sql[] = []): Taking => {
    // In one order, so that two servers that want the same never wait for each other.
    const names = [...new Set(wanted)].sort();
    const taken = new Taken();
    const began = elapsed();
    return {
      statements: [...names.map((name) => insert({ name })), ...also].map((one) => one.expect(1, taken)),
      isTaken: (error) => error === taken,
      taken: () => held.track(names, began),
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
      run(taking([name], [insert({ name: `${name} lately`, holder: `lately ${node}`, life })])),

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

    ...createAnnouncements({ db, node, elapsed, insert, track: held.track }),

    beat: held.beat,

    /** A condition of a statement: some server holds the lease of this name, whose columns are written with their table. */
    isHeld: (name: Sql): Sql =>
      sql`exists (select 1 from leases where leases.name = ${name} and leases.until > ${db.now})`,

    /** Removes those that have ended; returns how many. */
    sweep: (): Promise<number> => db.run(sql`delete from leases where until <= ${db.now} - ${LEASE_LIFE}`),
  };
}

export type Leases = ReturnType<typeof createLeases>;
