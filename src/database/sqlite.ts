import { Database as Engine } from "bun:sqlite";
import { type Database, plainSql, type Sql } from "./database.ts";

export interface SqliteOptions {
  /** A file, or `:memory:`. */
  readonly file: string;
  readonly synchronous: "NORMAL" | "FULL";
}

/** Pages in the write-ahead log from which a commit moves them into the database file. */
export const AUTOMATIC_PAGES = 4000;

/** A slice of giving pages back that takes a few milliseconds. */
const PAGES_AT_ONCE = 1000;

/**
 * SQLite in this process. Statements are prepared once per text and run synchronously, so a batch cannot interleave with
 * another caller's statements although the interface is asynchronous.
 */
export function openSqlite({ file, synchronous }: SqliteOptions): Database {
  const engine = new Engine(file, { create: true, strict: true });
  engine.exec(`
    pragma busy_timeout = 5000;
    pragma auto_vacuum = incremental;
    pragma journal_mode = wal;
    pragma synchronous = ${synchronous};
    pragma foreign_keys = on;
    pragma wal_autocheckpoint = ${AUTOMATIC_PAGES};
    pragma journal_size_limit = 67108864;
  `);

  let held: Promise<void> = Promise.resolve();

  const freePages = () =>
    engine.query<{ freelist_count: number }, []>("pragma freelist_count").get()?.freelist_count ?? 0;

  const change = ({ text, values, expected }: Sql): number => {
    const { changes } = engine.query(text).run(...values);
    if (expected && changes !== expected.rows) throw expected.failure;
    return changes;
  };
  const changeAll = engine.transaction((queries: readonly Sql[]) => queries.map(change));

  return {
    now: plainSql("cast(unixepoch('subsec') * 1000 as integer)"),
    async first<Row>({ text, values }: Sql) {
      return (engine.query(text).get(...values) ?? undefined) as Row | undefined;
    },
    async all<Row>({ text, values }: Sql) {
      return engine.query(text).all(...values) as Row[];
    },
    run: async (query) => change(query),
    batch: async (queries) => changeAll.immediate(queries),
    holdBack(until) {
      held = until;
    },
    ready: () => held,
    async shrink() {
      let freed = 0;
      while (freePages() > 0) {
        const before = freePages();
        engine.exec(`pragma incremental_vacuum(${PAGES_AT_ONCE})`);
        freed += before - freePages();
        await Bun.sleep(0);
      }
      return freed;
    },
    close() {
      engine.close();
    },
  };
}

/** What SQLite says when the disk has no room (sqlite.org, "Result and Extended Result Codes"). */
const FULL = new Set(["SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_SHMSIZE", "SQLITE_IOERR_FSYNC"]);

const isFull = (error: unknown): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && FULL.has(error.code);

/** A database, and whether its last write failed because the disk was full. */
interface BoundedDatabase {
  readonly db: Database;
  isFull(): boolean;
}

/** Makes a database throw what `failure` returns when there is no room to write; every other error stays as it is. */
export function boundDatabase(inner: Database, failure: () => Error): BoundedDatabase {
  let full = false;

  const telling = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    try {
      return await run();
    } catch (error) {
      if (!isFull(error)) throw error;
      full = true;
      throw failure();
    }
  };
  const writing = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    const result = await telling(run);
    full = false;
    return result;
  };

  const db: Database = {
    get now() {
      return inner.now;
    },
    // Spending a view is an update with RETURNING, so reading may write as well.
    first: (query) => telling(() => inner.first(query)),
    all: (query) => telling(() => inner.all(query)),
    run: (query) => writing(() => inner.run(query)),
    batch: (queries) => writing(() => inner.batch(queries)),
    holdBack: inner.holdBack,
    ready: inner.ready,
    shrink: () => telling(() => inner.shrink()),
    close: () => inner.close(),
  };
  return { db, isFull: () => full };
}
