import type { Database } from "./database.ts";

/** What SQLite says when the disk has no room (sqlite.org, "Result and Extended Result Codes"). */
const FULL = new Set(["SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_SHMSIZE", "SQLITE_IOERR_FSYNC"]);

const isFull = (error: unknown): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && FULL.has(error.code);

/** A database, and whether it had no room for what it was last to write. */
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
