import type { Lease } from "../cluster/cluster.ts";
import type { Clock } from "../lib/clock.ts";
import { settleWithin } from "../lib/closing.ts";
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
  /** Undefined when another server sweeps, or has done so less than so many milliseconds ago. */
  readonly takeTurn: (lately: number) => Promise<Lease | undefined>;
}

const EVERY = 10 * 60_000;
/** A server that swept so many milliseconds ago does so again, however exact its timer is; another does not. */
const LATELY = EVERY - 60_000;
/** The largest difference between the clock and the elapsed time, in milliseconds, before a sweep waits. */
const LARGEST_STEP = 5 * 60_000;

/**
 * Runs every cleanup every ten minutes, on one of the servers, until it is stopped. A cleanup that fails is logged, and the others still run. After the
 * clock was set, one run is skipped, so a mistake that is soon corrected makes nothing look old.
 */
export function createSweeper(cleanups: readonly Cleanup[], { log, clock, elapsed, takeTurn }: SweeperDeps) {
  let timer: Timer | undefined;
  let offset: number | undefined;
  let isStopped = false;

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

  const sweep = async (lease?: Lease) => {
    const silent = new Set<string>();
    for (const one of cleanups) if (!isStopped && !lease?.signal.aborted) await sweepOne(one, silent);
  };

  const sweepInTurn = async () => {
    const lease = await takeTurn(LATELY);
    if (!lease) return;
    await sweep(lease).finally(lease.release);
  };

  const sweepOrTell = async () => {
    try {
      await sweepInTurn();
    } catch (error) {
      log.error("sweep failed", unforeseen(error));
    }
  };

  /** A storage that does not answer can make a run last longer than ten minutes. */
  let running: Promise<void> | undefined;
  const sweepAlone = async () => {
    if (running) return;
    if (wasSet()) return log.warn("clock was set, sweep left out");
    running = sweepOrTell();
    await running;
    running = undefined;
  };

  return {
    sweep: () => sweep(),
    /** Called every ten minutes: does nothing while a run is in flight. */
    sweepAlone,
    /** Starts with a run, so that the records of a crash do not wait for the first interval. */
    start() {
      timer = setInterval(sweepAlone, EVERY);
      void sweepAlone();
    },
    /** Begins no further cleanup, and returns when the one in flight has ended, or after a moment. */
    async stop() {
      isStopped = true;
      clearInterval(timer);
      if (running) await settleWithin(running);
    },
  };
}
