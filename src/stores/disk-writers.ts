interface Writer {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/**
 * The parts that are being written, by upload. Whoever ends an upload stops them and waits until they touch its files no
 * more: the file that parts grow in becomes the object itself.
 */
export function createWriters() {
  const running = new Map<string, Set<Writer>>();

  return {
    /** Runs a write that ends when either the signal or `stop` says so. */
    async run<Result>(
      upload: string,
      signal: AbortSignal | undefined,
      write: (signal: AbortSignal) => Promise<Result>,
    ): Promise<Result> {
      const stop = new AbortController();
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const writer = { stop, ended };
      const writers = running.get(upload) ?? new Set<Writer>();
      running.set(upload, writers.add(writer));
      try {
        return await write(signal ? AbortSignal.any([signal, stop.signal]) : stop.signal);
      } finally {
        writers.delete(writer);
        if (writers.size === 0 && running.get(upload) === writers) running.delete(upload);
        resolve();
      }
    },

    async stop(upload: string, reason: Error): Promise<void> {
      const writers = [...(running.get(upload) ?? [])];
      for (const { stop } of writers) stop.abort(reason);
      await Promise.all(writers.map(({ ended }) => ended));
    },
  };
}
