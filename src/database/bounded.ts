import { type Database, type Spare, TooLong, Unavailable } from "./database.ts";

/**
 * What says that the disk has no room: codes of SQLite (sqlite.org, "Result and Extended Result Codes"), and of PostgreSQL
 * ("PostgreSQL Error Codes", disk_full), those of the system, and the failure that callers are told.
 */
const FULL = new Set([
  ...["SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_SHMSIZE", "SQLITE_IOERR_FSYNC", "53100"],
  ...["ENOSPC", "EDQUOT", "EFBIG", "storage.full"],
]);

/** Reports whether an error of an engine or of the system says that a disk has no room. */
export const isFull = (error: unknown): boolean =>
  error instanceof Error &&
  [("code" in error && error.code) || "", ("errno" in error && error.errno) || ""].some((code) => FULL.has(`${code}`));

/** Runs what writes to a disk, and runs it once more with the spare room of the database if the disk is full. It must have written nothing. */
export function orWithSpare<Result>(spare: Spare | undefined, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (isFull(error) && spare?.give()) return run();
    throw error;
  }
}

/** A database, and whether its last write failed because the disk was full. */
interface BoundedDatabase {
  readonly db: Database;
  isFull(): boolean;
}

/** What is thrown in place of what an engine throws. */
interface Failures {
  /** There is no room to write. */
  full(): Error;
  /** The database does not answer; `reason` is for the log. */
  unavailable(reason: string): Error;
  tooLong(): Error;
}

/** Makes a database throw failures that callers understand; every other error stays as it is. */
export function boundDatabase(inner: Database, failures: Failures): BoundedDatabase {
  let full = false;

  const failureOf = (error: unknown): unknown => {
    if (error instanceof Unavailable) return failures.unavailable(error.message);
    if (error instanceof TooLong) return failures.tooLong();
    if (!isFull(error)) return error;
    full = true;
    return failures.full();
  };

  /** A statement or batch that found no room has changed nothing, so it runs again in the spare room. */
  const again = async <Result>(error: unknown, run: () => Promise<Result>): Promise<Result> => {
    if (isFull(error) && inner.spare?.give()) return await run();
    throw error;
  };
  const translated = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    try {
      return await run().catch((error: unknown) => again(error, run));
    } catch (error) {
      throw failureOf(error);
    }
  };
  const writing = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    const result = await translated(run);
    full = false;
    return result;
  };

  const db: Database = {
    engine: inner.engine,
    get now() {
      return inner.now;
    },
    notifications: inner.notifications,
    spare: inner.spare,
    // Spending a view is an update with RETURNING, so reading may write as well.
    first: (query) => translated(() => inner.first(query)),
    all: (query) => translated(() => inner.all(query)),
    run: (query) => writing(() => inner.run(query)),
    batch: (queries) => writing(() => inner.batch(queries)),
    holdBack: inner.holdBack,
    ready: inner.ready,
    shrink: () => translated(() => inner.shrink()),
    buildIndexes: () => translated(() => inner.buildIndexes()),
    lastStep: () => translated(() => inner.lastStep()),
    apply: (steps) => inner.apply(steps),
    close: () => inner.close(),
  };
  return { db, isFull: () => full };
}
