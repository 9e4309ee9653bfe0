import { AsyncLocalStorage } from "node:async_hooks";
import type { Database } from "../../../src/database/database.ts";
import { compile } from "../../../src/database/postgres/dialect.ts";
import type { Sql } from "../../../src/database/sql.ts";

/** What a database was asked at once. */
export interface Asked {
  readonly queries: readonly Sql[];
  /** What PostgreSQL is sent for it, with the beginning and the end of a transaction. */
  readonly statements: number;
  /** How often somebody waits for an answer of PostgreSQL. */
  readonly roundTrips: number;
}

/**
 * A database that notes what it is asked on behalf of some work, as `postgres.ts` sends it: what may run by itself, and else a
 * transaction. What a server asks from time to time by itself is not noted.
 */
export function countedDatabase(db: Database) {
  const work = new AsyncLocalStorage<true>();
  let asked: Asked[] = [];
  let waiting = 0;
  const note = async <Result>(queries: readonly Sql[], ask: () => Promise<Result>): Promise<Result> => {
    const [only] = queries;
    if (!only || !work.getStore()) return await ask();
    const { reads, asks } = compile(only.text, only.values);
    const isAlone = queries.length === 1 && (reads || only.isByRow || !asks);
    const more = queries.every(({ isByRow }) => isByRow) ? 2 : 3;
    // What is asked while somebody waits already is waited for along with it.
    const roundTrips = waiting === 0 ? 1 : 0;
    asked.push({ queries, statements: queries.length + (isAlone ? 0 : more), roundTrips });
    waiting += 1;
    try {
      return await ask();
    } finally {
      waiting -= 1;
    }
  };
  const noted: Database = {
    ...db,
    get now() {
      return db.now;
    },
    first: <Row>(query: Sql) => note([query], () => db.first<Row>(query)),
    all: <Row>(query: Sql) => note([query], () => db.all<Row>(query)),
    run: (query) => note([query], () => db.run(query)),
    batch: (queries) => note(queries, () => db.batch(queries)),
  };
  return {
    db: noted,
    /** Notes what is asked on behalf of this work, until it has ended. What a timer begins meanwhile is nobody's. */
    async during<Result>(begin: () => Promise<Result>): Promise<Result> {
      using _timers = timersOutside(work);
      return await work.run(true, begin);
    },
    /** What was asked since the last time. */
    take(): readonly Asked[] {
      const taken = asked;
      asked = [];
      return taken;
    },
  };
}

/**
 * Has timers begin what they begin on nobody's behalf: the index follows a change after a moment, which on a slow machine passes before
 * the change is answered. Who waits for a timer goes on as before.
 */
function timersOutside(work: AsyncLocalStorage<true>): Disposable {
  const before = globalThis.setTimeout;
  const outside = (task: (...args: unknown[]) => void, delay?: number, ...args: unknown[]) =>
    before(() => work.exit(() => task(...args)), delay);
  globalThis.setTimeout = Object.assign(outside, before);
  return {
    [Symbol.dispose]() {
      globalThis.setTimeout = before;
    },
  };
}

export const sumOf = (asked: readonly Asked[]) => ({
  statements: asked.reduce((sum, one) => sum + one.statements, 0),
  roundTrips: asked.reduce((sum, one) => sum + one.roundTrips, 0),
});
