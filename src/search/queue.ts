import { type Log, unforeseen } from "../lib/log.ts";
import type { Change } from "./changes.ts";

interface QueueDeps {
  readonly log: Log;
  /** Applies changes in their order. */
  readonly apply: (changes: readonly Change[]) => Promise<void>;
  /** Receives changes that will never be applied. */
  readonly lost: (changes: readonly Change[]) => void;
  /** Milliseconds that a query waits for changes before it reads the index as it is. */
  readonly patience: number;
  /** Does a step of the work that can wait; reports whether there is more. */
  readonly tidy: () => Promise<boolean>;
}

/** Changes that may wait. */
const MAX_WAITING = 50_000;
/** Changes of one task. */
const BATCH = 500;
/** Milliseconds after which changes that come alone are applied. */
const SOON = 3;

/**
 * Runs the work on the index one task after the other. Failures of changes are logged and never reach the caller that
 * recorded them.
 */
export function createQueue({ log, apply, lost, patience, tidy }: QueueDeps) {
  const tasks: (() => Promise<void>)[] = [];
  /** The changes of the last task, while it can take more. */
  let open: Change[] | undefined;
  let changes = 0;
  let working: Promise<void> | undefined;
  let timer: Timer | undefined;
  let closed = false;

  const applyAll = async (batch: readonly Change[]): Promise<void> => {
    if (open === batch) open = undefined;
    try {
      await apply(batch);
    } catch (error) {
      log.error("changes not indexed", unforeseen(error));
      lost(batch);
    } finally {
      changes -= batch.length;
    }
  };

  const tidyOnce = async (): Promise<boolean> => {
    try {
      return !closed && (await tidy());
    } catch (error) {
      log.error("index not tidied", unforeseen(error));
      return false;
    }
  };

  const work = async (): Promise<void> => {
    for (let more = true; more || tasks.length > 0; ) {
      const task = tasks.shift();
      if (task) await task();
      more = task !== undefined || (await tidyOnce());
    }
    working = undefined;
  };

  const start = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    working ??= work();
    return working;
  };

  /** Runs a task after all earlier ones. */
  const run = (task: () => Promise<void>): Promise<void> =>
    new Promise((resolve, reject) => {
      open = undefined;
      tasks.push(() => task().then(resolve, reject));
      void start();
    });

  /** Returns when all earlier changes are applied. */
  const applied = async (): Promise<void> => {
    if (changes > 0) await run(async () => undefined);
  };

  return {
    run,
    applied,

    add(change: Change): void {
      if (closed || changes >= MAX_WAITING) {
        lost([change]);
        return;
      }
      changes += 1;
      if (!open || open.length >= BATCH) {
        const batch: Change[] = [];
        open = batch;
        tasks.push(() => applyAll(batch));
      }
      open.push(change);
      if (!working) timer ??= setTimeout(start, SOON);
    },

    /** As `applied`, and no longer than a question may wait. */
    async caughtUp(): Promise<void> {
      if (changes === 0) return;
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const alarm = setTimeout(resolve, patience);
      await Promise.race([applied(), late]);
      clearTimeout(alarm);
    },

    /** Begins to tidy unless there is other work. */
    wake: (): void => void start(),

    isClosed: (): boolean => closed,

    /** Finishes what waits and takes no more. */
    async close(): Promise<void> {
      closed = true;
      await start();
    },
  };
}

export type Queue = ReturnType<typeof createQueue>;
