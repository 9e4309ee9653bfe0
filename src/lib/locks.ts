/** Runs tasks of one name one after the other, in the order in which they came; different names do not wait for each other. */
export function createLocks() {
  const last = new Map<string, Promise<void>>();

  return async <Result>(name: string, task: () => Promise<Result>): Promise<Result> => {
    const before = last.get(name);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    last.set(name, ended);
    await before;
    try {
      return await task();
    } finally {
      end();
      if (last.get(name) === ended) last.delete(name);
    }
  };
}
