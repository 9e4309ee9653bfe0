import type { Database } from "../../../src/database/database.ts";
import type { Sql } from "../../../src/database/sql.ts";

interface Halt {
  readonly part: string;
  readonly reached: () => void;
  readonly goOn: Promise<void>;
}

/** A database of which a test can halt a statement before it runs. */
export function createHaltingDatabase() {
  let next: Halt | undefined;

  const pass = async ({ text }: Sql): Promise<void> => {
    if (!next || !text.includes(next.part)) return;
    const { reached, goOn } = next;
    next = undefined;
    reached();
    await goOn;
  };

  return {
    engine: (db: Database): Database => ({
      ...db,
      async first<Row>(query: Sql) {
        await pass(query);
        return await db.first<Row>(query);
      },
      async all<Row>(query: Sql) {
        await pass(query);
        return await db.all<Row>(query);
      },
      async run(query: Sql) {
        await pass(query);
        return await db.run(query);
      },
    }),

    /** Halts the next statement with this text: `reached` settles when it is its turn, and `goOn` lets it run. */
    haltAt(part: string) {
      const { promise: reached, resolve } = Promise.withResolvers<void>();
      const { promise: goOn, resolve: letGo } = Promise.withResolvers<void>();
      next = { part, reached: resolve, goOn };
      return { reached, goOn: letGo };
    },
  };
}

export type HaltingDatabase = ReturnType<typeof createHaltingDatabase>;
