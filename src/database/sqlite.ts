import { Database as Engine } from "bun:sqlite";
import type { Database, Sql } from "./database.ts";

export interface SqliteOptions {
  /** A file, or `:memory:`. */
  readonly file: string;
  readonly synchronous: "NORMAL" | "FULL";
}

/**
 * SQLite in this process. Statements are prepared once per text and run synchronously, so a batch cannot interleave with
 * another caller's statements although the interface is asynchronous.
 */
export function openSqlite({ file, synchronous }: SqliteOptions): Database {
  const engine = new Engine(file, { create: true, strict: true });
  engine.exec(`
    pragma busy_timeout = 5000;
    pragma journal_mode = wal;
    pragma synchronous = ${synchronous};
    pragma foreign_keys = on;
    pragma wal_autocheckpoint = 4000;
    pragma journal_size_limit = 67108864;
  `);

  const change = ({ text, values, expected }: Sql): number => {
    const { changes } = engine.query(text).run(...values);
    if (expected && changes !== expected.rows) throw expected.failure;
    return changes;
  };
  const changeAll = engine.transaction((queries: readonly Sql[]) => queries.map(change));

  return {
    async first<Row>({ text, values }: Sql) {
      return (engine.query(text).get(...values) ?? undefined) as Row | undefined;
    },
    async all<Row>({ text, values }: Sql) {
      return engine.query(text).all(...values) as Row[];
    },
    run: async (query) => change(query),
    batch: async (queries) => changeAll.immediate(queries),
    close() {
      engine.close();
    },
  };
}
