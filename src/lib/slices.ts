/** Milliseconds that long work may hold the event loop. */
const SLICE = 4;

/** Lets long work make way for others: between two steps `next` waits for them once a slice of time is used up. */
export function createSlices() {
  let began = performance.now();

  return {
    async next(): Promise<void> {
      if (performance.now() - began < SLICE) return;
      await new Promise(setImmediate);
      began = performance.now();
    },
  };
}

export type Slices = ReturnType<typeof createSlices>;
