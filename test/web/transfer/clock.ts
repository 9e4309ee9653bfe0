import type { Sleep } from "../../../web/transfer/ports.ts";

/** Sleeps up to this long pass at once while the clock runs by itself, in milliseconds. */
const SHORT = 10_000;

interface Sleeper {
  readonly short: boolean;
  readonly due: number;
  readonly wake: () => void;
}

/**
 * Time that the test moves. While it runs by itself, pauses before another attempt pass at once and are only noted; what is
 * longer (a transfer's patience) waits for `advance`. What repeats runs when `tick` is called.
 */
export function createClock() {
  let time = Date.UTC(2026, 0, 1);
  let runs = true;
  let sleepers: Sleeper[] = [];
  const repeating = new Set<() => void>();
  const slept: number[] = [];

  const sleep: Sleep = (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      if (milliseconds <= SHORT) slept.push(milliseconds);
      if (runs && milliseconds <= SHORT) {
        time += milliseconds;
        return void setImmediate(resolve);
      }
      const sleeper = { short: milliseconds <= SHORT, due: time + milliseconds, wake: resolve };
      sleepers.push(sleeper);
      signal?.addEventListener("abort", () => {
        sleepers = sleepers.filter((one) => one !== sleeper);
        resolve();
      });
    });

  const tick = () => {
    for (const act of [...repeating]) act();
  };

  const advance = (milliseconds: number) => {
    time += milliseconds;
    const due = sleepers.filter((sleeper) => sleeper.due <= time);
    sleepers = sleepers.filter((sleeper) => sleeper.due > time);
    for (const { wake } of due) wake();
    tick();
  };

  /** Lets everything that can happen without time happen, until the condition holds. */
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) {
      await new Promise((resolve) => setImmediate(resolve));
      tick();
    }
  };

  return {
    now: () => time,
    sleep,
    every(_: number, act: () => void) {
      repeating.add(act);
      return () => void repeating.delete(act);
    },
    /** The short pauses that were asked for. */
    slept,
    /** Reports whether anything repeats. */
    isTicking: () => repeating.size > 0,
    tick,
    /** Pauses stand until `advance` from now on. */
    stand() {
      runs = false;
    },
    run() {
      runs = true;
    },
    /** Lets so many milliseconds pass. */
    advance,
    until,
    /** Waits until somebody makes a short pause, and lets that pass. */
    async elapse(): Promise<void> {
      await until(() => sleepers.some(({ short }) => short));
      const [first] = sleepers.filter(({ short }) => short);
      if (first) advance(first.due - time);
    },
  };
}

export type Clock = ReturnType<typeof createClock>;
