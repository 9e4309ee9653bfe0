/**
 * Keeps in memory what `read` returns until `forget` is called. All who ask while it is being read share that one reading; one that
 * began before `forget` answers those who asked before, and is not kept.
 */
export function createSnapshot<Value>(read: () => Promise<Value>) {
  let kept: Promise<Value> | undefined;
  const forget = (): void => {
    kept = undefined;
  };

  return {
    get(): Promise<Value> {
      if (kept) return kept;
      const reading = read();
      kept = reading;
      reading.catch(() => {
        if (kept === reading) kept = undefined;
      });
      return reading;
    },

    forget,

    /** Runs a change of what `read` returns; whoever asks after it has it read anew, also when it has failed and may have been made. */
    async forgetAfter<Result>(change: Promise<Result>): Promise<Result> {
      try {
        return await change;
      } finally {
        forget();
      }
    },
  };
}
