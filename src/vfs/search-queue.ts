import type { Log } from "../lib/log.ts";
import { unforeseen } from "../lib/unforeseen.ts";
import type { Change } from "../transfers/changes.ts";

/** Something that is done in its turn, between the changes that came before it and those that came after. */
interface Errand {
  readonly run: () => Promise<void>;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

interface QueueNeeds {
  readonly log: Log;
  /** Applies changes in their order. */
  readonly apply: (changes: readonly Change[]) => Promise<void>;
  /** What was told of the storages of these changes is lost. */
  readonly lost: (changes: readonly Change[]) => void;
  /** A step of what is done when nothing waits; answers whether there is more to do. */
  readonly tidy: () => Promise<boolean>;
}

/** Changes that may wait. */
const MOST_WAITING = 50_000;
/** Changes that are applied at once. */
const BATCH = 500;
/** Milliseconds after which changes that come alone are applied. */
const SOON = 3;
/** Milliseconds that somebody who asks the index waits for changes; after that it answers as it is. */
const PATIENCE = 50;

const isErrand = (item: Change | Errand): item is Errand => "run" in item;
const isChange = (item: Change | Errand | undefined): item is Change => item !== undefined && !isErrand(item);

/** One thing after another, whether it was told or listed. Nothing that goes wrong reaches who told it. */
export function createQueue({ log, apply, lost, tidy }: QueueNeeds) {
  let waiting: (Change | Errand)[] = [];
  let begun = 0;
  let changes = 0;
  let working: Promise<void> | undefined;
  let timer: Timer | undefined;
  let closed = false;

  /** What comes next: one errand, or changes up to the next one. */
  const take = (): readonly (Change | Errand)[] => {
    const first = waiting[begun];
    if (first === undefined) return [];
    let end = begun + 1;
    if (!isErrand(first)) while (end < begun + BATCH && isChange(waiting[end])) end += 1;
    const taken = waiting.slice(begun, end);
    begun = end;
    if (begun < MOST_WAITING && begun < waiting.length) return taken;
    waiting = waiting.slice(begun);
    begun = 0;
    return taken;
  };

  const applyAll = async (taken: readonly Change[]): Promise<void> => {
    try {
      await apply(taken);
    } catch (error) {
      log.error("changes not indexed", unforeseen(error));
      lost(taken);
    } finally {
      changes -= taken.length;
    }
  };

  const runErrand = async ({ run, done, failed }: Errand): Promise<void> => {
    try {
      await run();
      done();
    } catch (error) {
      failed(error);
    }
  };

  const tidyOnce = async (): Promise<boolean> => {
    try {
      return await tidy();
    } catch (error) {
      log.error("index not tidied", unforeseen(error));
      return false;
    }
  };

  const step = async (): Promise<boolean> => {
    const taken = take();
    const [first] = taken;
    if (first === undefined) return !closed && (await tidyOnce());
    if (isErrand(first)) await runErrand(first);
    else await applyAll(taken.filter(isChange));
    return true;
  };

  const work = async (): Promise<void> => {
    // Something may have come while the last step found nothing.
    while ((await step()) || waiting.length > 0);
    working = undefined;
  };

  const start = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    working ??= work();
    return working;
  };

  const run = (errand: () => Promise<void>): Promise<void> =>
    new Promise((done, failed) => {
      waiting.push({ run: errand, done, failed });
      void start();
    });

  const applied = async (): Promise<void> => {
    if (changes > 0) await run(async () => undefined);
  };

  return {
    run,

    add(change: Change): void {
      if (closed || changes >= MOST_WAITING) {
        lost([change]);
        return;
      }
      changes += 1;
      waiting.push(change);
      if (!working) timer ??= setTimeout(start, SOON);
    },

    /** Returns when the changes that came so far are applied. */
    applied,

    /** As `applied`, unless that takes longer than anybody wants to wait. */
    async calm(): Promise<void> {
      if (changes === 0) return;
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const alarm = setTimeout(resolve, PATIENCE);
      await Promise.race([applied(), late]);
      clearTimeout(alarm);
    },

    /** Begins what is done when nothing waits. */
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
