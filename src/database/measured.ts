import type { Database } from "./database.ts";

/** Told of each call of a database: its name, the milliseconds that it took, and whether it failed. */
type Observe = (call: "first" | "all" | "run" | "batch", milliseconds: number, failed: boolean) => void;

/** The same database, whose calls are timed. */
export function measuredDatabase(db: Database, observe: Observe): Database {
  const timed = async <Result>(call: Parameters<Observe>[0], work: () => Promise<Result>): Promise<Result> => {
    const began = performance.now();
    let failed = true;
    try {
      const result = await work();
      failed = false;
      return result;
    } finally {
      observe(call, performance.now() - began, failed);
    }
  };

  return {
    ...db,
    get now() {
      return db.now;
    },
    first: <Row>(query: Parameters<Database["first"]>[0]) => timed("first", () => db.first<Row>(query)),
    all: <Row>(query: Parameters<Database["all"]>[0]) => timed("all", () => db.all<Row>(query)),
    run: (query) => timed("run", () => db.run(query)),
    batch: (queries) => timed("batch", () => db.batch(queries)),
  };
}
