import type { Log } from "../lib/log.ts";
import { unforeseen } from "../lib/unforeseen.ts";

/** Something that collects dust: answers how many records it removed. */
export interface Dust {
  readonly name: string;
  sweep(): Promise<number>;
}

const EVERY = 10 * 60_000;

/** Sweeps every ten minutes until it is stopped. One sweep that fails is logged and does not keep the others from theirs. */
export function createSweeper(dust: readonly Dust[], log: Log) {
  let timer: Timer | undefined;

  const sweepOne = async ({ name, sweep }: Dust) => {
    try {
      const removed = await sweep();
      if (removed > 0) log.info("swept", { what: name, removed });
    } catch (error) {
      log.error("sweep failed", { what: name, ...unforeseen(error) });
    }
  };

  const sweep = async () => {
    for (const one of dust) await sweepOne(one);
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
