import { Unavailable } from "../database.ts";

/** Lets so many tasks run at once; others wait in order, at most so many milliseconds. */
export function createSlots(width: number, wait: number) {
  let running = 0;
  const waiting = new Set<() => void>();

  const enter = () =>
    new Promise<void>((resolve, reject) => {
      if (running < width) {
        running += 1;
        return resolve();
      }
      const next = () => {
        clearTimeout(late);
        waiting.delete(next);
        resolve();
      };
      const late = setTimeout(() => {
        waiting.delete(next);
        reject(new Unavailable("nothing was sent: all connections were in use for too long"));
      }, wait);
      waiting.add(next);
    });

  const leave = () => {
    const [next] = waiting;
    if (next) next();
    else running -= 1;
  };

  return async <Result>(task: () => Promise<Result>): Promise<Result> => {
    await enter();
    try {
      return await task();
    } finally {
      leave();
    }
  };
}
