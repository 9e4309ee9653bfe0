/** Lets at most `width` tasks run at once; others wait in order. With more than `queue` waiting, `run` answers undefined at once. */
export function createTurns(width: number, queue: number) {
  let running = 0;
  const waiting: (() => void)[] = [];

  const enter = () => {
    if (running < width) {
      running += 1;
      return Promise.resolve();
    }
    return new Promise<void>((resolve) => waiting.push(resolve));
  };

  const leave = () => {
    const next = waiting.shift();
    if (next) return next();
    running -= 1;
  };

  return {
    async run<Result>(task: () => Promise<Result>): Promise<{ result: Result } | undefined> {
      if (running >= width && waiting.length >= queue) return undefined;
      await enter();
      try {
        return { result: await task() };
      } finally {
        leave();
      }
    },
  };
}

export type Turns = ReturnType<typeof createTurns>;
