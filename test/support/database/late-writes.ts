import type { Database } from "../../../src/database/database.ts";

/** The same database, where other tasks get their turn before each statement that writes, as behind a network. */
export function lateWrites(db: Database): Database {
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    ...db,
    async run(query) {
      await turn();
      return await db.run(query);
    },
    async batch(queries) {
      await turn();
      return await db.batch(queries);
    },
  };
}
