/** The present in epoch milliseconds. Injected, so that tests can stop and move it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/**
 * Returns a clock for durations that live in memory only: if `clock` is set back, it continues from its last reading,
 * so that nothing lasts longer than intended. Its readings are not for display.
 */
export function steadyClock(clock: Clock): Clock {
  let last = clock();
  let ahead = 0;
  return () => {
    const now = clock();
    ahead = Math.max(ahead, last - now);
    last = Math.max(last, now + ahead);
    return last;
  };
}

/** An instant as ISO 8601 with milliseconds and Z, as the wire carries it. */
export const iso = (instant: number): string => new Date(instant).toISOString();

/** As `iso`, keeping null for "never". */
export const isoOrNull = (instant: number | null): string | null => (instant === null ? null : iso(instant));

/** How long work may go on, in milliseconds. */
interface DeadlineLimits {
  /** After this, the signal aborts. */
  readonly stop: number;
  /** After this the caller stops waiting. */
  readonly leave: number;
}

/** A time by which a caller gets an answer, however far the work is. Dispose of it. */
export function createDeadline({ stop, leave }: DeadlineLimits) {
  const controller = new AbortController();
  const left = Promise.withResolvers<void>();
  let isLeft = false;
  const goAway = () => {
    isLeft = true;
    left.resolve();
  };
  const timers = [setTimeout(() => controller.abort(), stop), setTimeout(goAway, leave)];
  return {
    signal: controller.signal,
    /** Reports whether the caller has stopped waiting. */
    left: () => isLeft,
    /** Waits for the work, or until `leave` has passed; the owner of the work handles errors after that. */
    wait: (work: Promise<void>): Promise<void> => Promise.race([work, left.promise]),
    [Symbol.dispose]: () => timers.forEach(clearTimeout),
  };
}
