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
  const transaction = (queries: readonly Sql[]) => {
    if (queries.length > 0) asked.push({ queries, statements: queries.length + 2, roundTrips: 2 });
  };
  const single = (query: Sql) => {
    const { reads, asks } = compile(query.text, query.values);
    if (reads || query.isByRow || !asks) asked.push({ queries: [query], statements: 1, roundTrips: 1 });
    else transaction([query]);
  };
  const noted: Database = {
    ...db,
    get now() {
      return db.now;
    },
    first: <Row>(query: Sql) => {
      single(query);
      return db.first<Row>(query);
    },
    all: <Row>(query: Sql) => {
      single(query);
      return db.all<Row>(query);
    },
    run: (query) => {
      single(query);
      return db.run(query);
    },
    batch: (queries) => {
      transaction(queries);
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
