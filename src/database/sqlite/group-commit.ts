import type { Database as Engine } from "bun:sqlite";
import type { Sql } from "../sql.ts";

interface Waiting {
  readonly queries: readonly Sql[];
  readonly resolve: (changes: number[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs statements until one fails. */
type Changes = (queries: readonly Sql[]) => number[];

type Outcome = { readonly changes: number[] } | { readonly error: unknown };

/** Milliseconds that one commit may hold the event loop; what still waits is committed in the next turn. */
const MAX_BLOCK = 10;

interface GroupCommit {
  /** Runs all statements or none. Resolves once they are committed. */
  batch(queries: readonly Sql[]): Promise<number[]>;
  /** Commits what waits. */
  flush(): void;
}

/**
 * Commits the batches of one turn of the event loop together, each all or nothing as if it were alone: a commit writes every page that it
 * touched, and with synchronous = FULL waits for the disk, which costs more than its statements. Only where one fails, all are taken back and
 * made again with a savepoint for each, at which FTS5 writes what it has as a part of its index that is merged later.
 */
export function createGroupCommit(engine: Engine, change: Changes): GroupCommit {
  // Within another transaction Bun makes a savepoint of it.
  const changeAll = engine.transaction(change);
  let waiting: Waiting[] = [];
  /** How many of those that wait are committed one by one, because something went wrong with the commit of all. */
  let alone = 0;

  const runBatch = (queries: readonly Sql[]): Outcome => {
    try {
      return { changes: changeAll(queries) };
    } catch (error) {
      // Some failures of the disk end the transaction of all.
      if (!engine.inTransaction) throw error;
      return { error };
    }
  };
  const runBatches = engine.transaction((run: (queries: readonly Sql[]) => Outcome): [Waiting, Outcome][] => {
    const done: [Waiting, Outcome][] = [];
    const began = performance.now();
    while (waiting.length > done.length && performance.now() - began < MAX_BLOCK) {
      const one = waiting[done.length];
      if (one) done.push([one, run(one.queries)]);
    }
    return done;
  });
  const runTogether = (): [Waiting, Outcome][] => {
    try {
      return runBatches.immediate((queries) => ({ changes: change(queries) }));
    } catch (error) {
      if (isBusy(error)) throw error;
      return runBatches.immediate(runBatch);
    }
  };

  const commitBatch = ({ queries, resolve, reject }: Waiting): void => {
    waiting = waiting.slice(1);
    alone = Math.max(0, alone - 1);
    try {
      resolve(changeAll.immediate(queries));
    } catch (error) {
      reject(error);
    }
  };

  const commitBatches = (): void => {
    const before = waiting;
    try {
      const done = runTogether();
      waiting = before.slice(done.length);
      for (const [{ resolve, reject }, outcome] of done)
        if ("error" in outcome) reject(outcome.error);
        else resolve(outcome.changes);
    } catch (error) {
      // One that found no room takes nobody with it; another process that writes would keep each of them waiting.
      if (!isBusy(error)) {
        alone = before.length;
        return;
      }
      waiting = [];
      for (const { reject } of before) reject(error);
    }
  };

  const commitNext = (): void => {
    const [first, second] = waiting;
    if (first && second && alone === 0) commitBatches();
    else if (first) commitBatch(first);
  };
  const commit = (): void => {
    commitNext();
    if (waiting.length > 0) setImmediate(commit);
  };

  return {
    batch: (queries) =>
      new Promise((resolve, reject) => {
        waiting.push({ queries, resolve, reject });
        if (waiting.length === 1) setImmediate(commit);
      }),

    flush(): void {
      while (waiting.length > 0) commitNext();
    },
  };
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
