import type { Log } from "../lib/log.ts";
import { unforeseen } from "../lib/unforeseen.ts";

/** Something that collects dust. */
export interface Dust {
  readonly name: string;
  /** Answers how many records it removed; notes storages that do not answer, and leaves alone those that are noted. */
  sweep(silent: Set<string>): Promise<number>;
}

const EVERY = 10 * 60_000;

/** Sweeps every ten minutes until it is stopped. One sweep that fails is logged and does not keep the others from theirs. */
export function createSweeper(dust: readonly Dust[], log: Log) {
  let timer: Timer | undefined;

  const sweepOne = async ({ name, sweep }: Dust, silent: Set<string>) => {
    try {
      const removed = await sweep(silent);
      if (removed > 0) log.info("swept", { what: name, removed });
    } catch (error) {
      log.error("sweep failed", { what: name, ...unforeseen(error) });
    }
  };

  const sweep = async () => {
    const silent = new Set<string>();
    for (const one of dust) await sweepOne(one, silent);
  };

  /** A storage that does not answer may make one sweep last longer than the time between two. */
  let running = false;
  const sweepAlone = async () => {
    if (running) return;
    running = true;
    await sweep().finally(() => {
      running = false;
    });
  };

  return {
    sweep,
    /** Begins with a sweep, so that nothing left by a crash waits for the first interval. */
    start() {
      timer = setInterval(sweepAlone, EVERY);
      void sweepAlone();
    },
    stop() {
      clearInterval(timer);
    },
  };
}

export type Sweeper = ReturnType<typeof createSweeper>;
