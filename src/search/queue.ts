import { type Log, unforeseen } from "../lib/log.ts";
import type { ChangeLog } from "./change-log.ts";
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
  /** Changes that wait in the database, when other servers record some too. */
  readonly changeLog?: Pick<ChangeLog, "exclusively" | "next" | "isEmpty"> | undefined;
}

interface Task {
  readonly run: () => Promise<void>;
  /** Tells that it could not be run. */
  readonly fail: (error: unknown) => void;
}

/** Changes that may wait. */
const MAX_WAITING = 50_000;
/** Changes of one task. */
const BATCH = 500;
/** Milliseconds after which changes that come alone are applied. */
const SOON = 3;
/** The same when other servers take turns, of which each takes several statements. */
const IN_TURN = 100;

/**
 * Runs the work on the index one task after the other. Failures of changes are logged and never reach the caller that
 * recorded them.
 */
export function createQueue({ log, apply, lost, patience, tidy, changeLog }: QueueDeps) {
  const tasks = createTaskRunner({ log, tidy, changeLog });
  /** The changes of the last task, while it can take more. */
  let open: Change[] | undefined;
  let changes = 0;

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

  /** Runs a task after all earlier ones. */
  const run = (task: () => Promise<void>): Promise<void> =>
    new Promise((resolve, reject) => {
      open = undefined;
      tasks.add({ run: () => task().then(resolve, reject), fail: reject });
      void tasks.start();
    });

  /** Returns when all earlier changes are applied. */
  const applied = async (): Promise<void> => {
    if (changeLog ? !(await changeLog.isEmpty()) : changes > 0) await run(async () => undefined);
  };

  return {
    run,
    applied,

    add(change: Change): void {
      if (tasks.isClosed() || changes >= MAX_WAITING) {
        lost([change]);
        return;
      }
      changes += 1;
      if (!open || open.length >= BATCH) {
        const batch: Change[] = [];
        open = batch;
        tasks.add({ run: () => applyAll(batch), fail: () => lost(batch) });
      }
      open.push(change);
      tasks.startSoon();
    },

    /** Returns when all earlier changes are applied, and no later than a question may wait. */
    async synced(): Promise<void> {
      if (!changeLog && changes === 0) return;
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const alarm = setTimeout(resolve, patience);
      await Promise.race([applied(), late]);
      clearTimeout(alarm);
    },

    /** Begins to tidy unless there is other work. */
    wake: (): void => void tasks.start(),

    /** Begins in a moment to apply what waits in the database. */
    wakeSoon: tasks.startSoon,

    /** How many changes are not applied yet; those that wait in the database do not count. */
    waiting: (): number => changes,

    isClosed: tasks.isClosed,

    /** Finishes what waits and takes no more. */
    close: tasks.close,
  };
}

/** Runs tasks in their order, then tidies, and rests until there is more to do. */
function createTaskRunner({ log, tidy, changeLog }: Pick<QueueDeps, "log" | "tidy" | "changeLog">) {
  const tasks: Task[] = [];
  let working: Promise<void> | undefined;
  let timer: Timer | undefined;
  let closed = false;
  /** Whether something was recorded while the work may have been at its end. */
  let again = false;

  const tidyOnce = async (): Promise<boolean> => {
    try {
      return !closed && (await tidy());
    } catch (error) {
      log.error("index not tidied", unforeseen(error));
      return false;
    }
  };

  const workAll = async (): Promise<void> => {
    for (let more = true; more || tasks.length > 0; ) {
      const applied = changeLog ? await changeLog.next() : false;
      const task = tasks.shift();
      if (task) await task.run();
      more = applied || task !== undefined || (await tidyOnce());
    }
  };

  const work = async (): Promise<void> => {
    try {
      await (changeLog ? changeLog.exclusively(workAll) : workAll());
    } catch (error) {
      log.warn("index not written", unforeseen(error));
      for (const task of tasks.splice(0)) task.fail(error);
    }
    working = undefined;
    // A task that came while the work was at its end did not begin another.
    if (tasks.length > 0) void start();
    else if (again) startSoon();
  };

  const startSoon = (): void => {
    again = changeLog !== undefined && working !== undefined;
    if (!working && !closed) timer ??= setTimeout(start, changeLog ? IN_TURN : SOON);
  };

  const start = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    working ??= work();
    return working;
  };

  return {
    add: (task: Task): void => void tasks.push(task),
    start,
    startSoon,
    isClosed: (): boolean => closed,

    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      // What waits in the database is for whoever comes next.
      await (changeLog ? working : start());
    },
  };
}

export type Queue = ReturnType<typeof createQueue>;
