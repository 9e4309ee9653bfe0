/** How long work goes on before the page gets its turn, in milliseconds. */
const SLICE = 12;
/** Slices grow: with each the browser lays out what is there. */
const LONGEST_SLICE = 48;
/** A first slice in which a short text is done as a whole. */
export const WHOLE = 40;

/**
 * Runs work that comes in short steps: begins at once, for `first` milliseconds, so that a little of it is done with the next frame, and lets
 * the page have its turn in between. Returns what ends it early.
 */
export function inSlices(work: Iterator<unknown>, first = SLICE): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = (most: number, next: number) => {
    const end = performance.now() + most;
    do if (work.next().done) return;
    while (performance.now() < end);
    timer = setTimeout(run, 0, next, Math.min(LONGEST_SLICE, next * 2));
  };
  run(first, SLICE);
  return () => clearTimeout(timer);
}

/** Returns what is awaited between the steps of long work: it lets the page have its turn where one is due. */
export function yieldEvery(): () => Promise<void> {
  let end = performance.now() + SLICE;
  return async () => {
    if (performance.now() < end) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    end = performance.now() + SLICE;
  };
}
