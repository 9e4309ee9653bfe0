import type { Clock } from "../lib/clock.ts";
import { type Log, unforeseen } from "../lib/log.ts";

/** Removes records of one kind that are no longer needed. */
interface Cleanup {
  readonly name: string;
  /** Returns how many records it removed. Adds storages that do not answer to `silent`, and skips those that are in it. */
  sweep(silent: Set<string>): Promise<number>;
}

interface SweeperDeps {
  readonly log: Log;
  readonly clock: Clock;
  /** Milliseconds since some moment, which cannot be set. */
  readonly elapsed: () => number;
}

const EVERY = 10 * 60_000;
/** The largest difference between the clock and the elapsed time, in milliseconds, before a sweep waits. */
const LARGEST_STEP = 5 * 60_000;

/**
 * Runs every cleanup every ten minutes until it is stopped. A cleanup that fails is logged, and the others still run. After the
 * clock was set, one run is skipped, so a mistake that is soon corrected makes nothing look old.
 */
export function createSweeper(cleanups: readonly Cleanup[], { log, clock, elapsed }: SweeperDeps) {
  let timer: Timer | undefined;
  let offset: number | undefined;

  /** Reports whether the clock was set since the last call. */
  const wasSet = (): boolean => {
    const before = offset;
    offset = clock() - elapsed();
    return before !== undefined && Math.abs(offset - before) > LARGEST_STEP;
  };

  const sweepOne = async ({ name, sweep }: Cleanup, silent: Set<string>) => {
    try {
      const removed = await sweep(silent);
      if (removed > 0) log.info("swept", { what: name, removed });
    } catch (error) {
      log.error("sweep failed", { what: name, ...unforeseen(error) });
    }
  };

  const sweep = async () => {
    const silent = new Set<string>();
    for (const one of cleanups) await sweepOne(one, silent);
  };

  /** A storage that does not answer can make a run last longer than ten minutes. */
  let running = false;
  const sweepAlone = async () => {
    if (running) return;
    if (wasSet()) return log.warn("clock was set, sweep left out");
    running = true;
    await sweep().finally(() => {
      running = false;
    });
  };

  return {
    sweep,
    /** Called every ten minutes: does nothing while a run is in flight. */
    sweepAlone,
    /** Starts with a run, so that the records of a crash do not wait for the first interval. */
    start() {
      timer = setInterval(sweepAlone, EVERY);
      void sweepAlone();
    },
    stop() {
      clearInterval(timer);
    },
  };
}
