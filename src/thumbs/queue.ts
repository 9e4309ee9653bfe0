/** Lets at most `width` tasks run at once and `length` wait, in order; one that is given up does not wait any longer. */
export function createQueue(width: number, length: number) {
  const waiting = new Set<() => void>();
  let running = 0;

  const next = (): void => {
    const [first] = waiting;
    if (!first) {
      running -= 1;
      return;
    }
    waiting.delete(first);
    first();
  };

  /** Resolves at its turn; rejects with the reason of `signal` when it is given up before. */
  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const give = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        waiting.delete(give);
        reject(signal.reason);
      };
      waiting.add(give);
      signal.addEventListener("abort", leave, { once: true });
    });

  return {
    /** Whether nobody else may wait. */
    isFull: (): boolean => running >= width && waiting.size >= length,

    /** Runs a task in its turn. */
    async run<Result>(signal: AbortSignal, task: () => Promise<Result>): Promise<Result> {
      signal.throwIfAborted();
      if (running < width) running += 1;
      else await turn(signal);
      try {
        return await task();
      } finally {
        next();
      }
    },
  };
}
