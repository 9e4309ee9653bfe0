import type { Database, Sql } from "../../src/database/database.ts";
import { compile } from "../../src/database/postgres-dialect.ts";

/** What a database was asked at once. */
export interface Asked {
  readonly queries: readonly Sql[];
  /** What PostgreSQL is sent for it, with the beginning and the end of a transaction. */
  readonly statements: number;
  /** How often somebody waits for an answer of PostgreSQL. */
  readonly roundTrips: number;
}

/** A database that notes what it is asked, as `postgres.ts` sends it: what may run by itself, and else a transaction. */
export function countedDatabase(db: Database) {
  let asked: Asked[] = [];
  const note = (queries: readonly Sql[]) => {
    const [only] = queries;
    if (!only) return;
    const { reads, asks } = compile(only.text, only.values);
    const isAlone = queries.length === 1 && (reads || only.isByRow || !asks);
    const more = queries.every(({ isByRow }) => isByRow) ? 2 : 3;
    asked.push({ queries, statements: queries.length + (isAlone ? 0 : more), roundTrips: 1 });
  };
  const noted: Database = {
    ...db,
    get now() {
      return db.now;
    },
    first: <Row>(query: Sql) => {
      note([query]);
      return db.first<Row>(query);
    },
    all: <Row>(query: Sql) => {
      note([query]);
      return db.all<Row>(query);
    },
    run: (query) => {
      note([query]);
      return db.run(query);
    },
    batch: (queries) => {
      note(queries);
      return db.batch(queries);
    },
  };
  return {
    db: noted,
    /** What was asked since the last time. */
    take(): readonly Asked[] {
      const taken = asked;
      asked = [];
      return taken;
    },
  };
}

export const sumOf = (asked: readonly Asked[]) => ({
  statements: asked.reduce((sum, one) => sum + one.statements, 0),
  roundTrips: asked.reduce((sum, one) => sum + one.roundTrips, 0),
});
