/** Lets at most `width` tasks run at once; others wait in order. With more than `queue` waiting, `run` returns undefined at once. */
export function createSemaphore(width: number, queue: number) {
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

/** Runs a task once for all who ask under the same name while it runs: they get its result, or what it throws. */
export function createSingleFlight<Result>() {
  const running = new Map<string, Promise<Result>>();
  return (name: string, task: () => Promise<Result>): Promise<Result> => {
    const before = running.get(name);
    if (before) return before;
    const run = task().finally(() => running.delete(name));
    running.set(name, run);
    return run;
  };
}

/** Runs a task for all who ask for it meanwhile: each gets a run that begins after its call. */
export function shared(task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = (): Promise<void> => {
    if (running) {
      next ??= running
        .catch(() => undefined)
        .then(() => {
          next = undefined;
          return run();
        });
      return next;
    }
    running = task().finally(() => {
      running = undefined;
    });
    return running;
  };
  return run;
}

/** Milliseconds that long work may hold the event loop. */
const SLICE = 4;

/** Lets other work run during long work: `yieldIfDue` yields the event loop between two steps once a slice of time is used up. */
export function createYielder() {
  let began = performance.now();

  return {
    async yieldIfDue(): Promise<void> {
      if (performance.now() - began < SLICE) return;
      await new Promise(setImmediate);
      began = performance.now();
    },
  };
}

/** Items that are taken without looking at the time. */
const TAKEN = 256;

/** Takes items some at a time, and lets other work run in between: an iterable that makes its items may be long. */
export async function* inSlices<Item>(items: Iterable<Item>): AsyncGenerator<readonly Item[]> {
  const yielder = createYielder();
  let some: Item[] = [];
  for (const item of items) {
    some.push(item);
    if (some.length < TAKEN) continue;
    yield some;
    some = [];
    await yielder.yieldIfDue();
  }
  yield some;
}

/** Removes a slice after the other until one is not full, and lets other work run in between; returns how much went. */
export async function removeInSlices(removeSlice: (size: number) => Promise<number>, size: number): Promise<number> {
  let removed = 0;
  for (;;) {
    const slice = await removeSlice(size);
    removed += slice;
    if (slice < size) return removed;
    await new Promise(setImmediate);
  }
}

/**
 * Runs `work` on each item, up to `width` at once, and yields the results in order. When one fails, or `items` does, the results
 * before it are yielded first. Ending the iteration waits for the work in flight.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  width: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  const broken: unknown[] = [];
  try {
    for await (const item of untilBroken(items, broken)) {
      const one = work(item);
      // It is awaited in its turn; until then its rejection has no handler.
      one.catch(() => undefined);
      running.push(one);
      const first = running.length >= width ? running.shift() : undefined;
      if (first) yield await first;
    }
    for (let one = running.shift(); one; one = running.shift()) yield await one;
    if (broken.length > 0) throw broken[0];
  } finally {
    await Promise.allSettled(running);
  }
}

/** Ends where the many break off, and leaves what they threw. */
async function* untilBroken<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  broken: unknown[],
): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch (error) {
    broken.push(error);
  }
}

/** Milliseconds that one step of the database should take: it holds the event loop. */
const STEP = 4;

/** Finds how many rows the database handles in a few milliseconds, by measuring each step. */
export function createPace({ first, least, most }: { first: number; least: number; most: number }) {
  let count = first;

  return {
    /** How many to do in the next step. */
    count: (): number => Math.round(count),

    /** Does a step and measures how long it held the event loop; `done` says how many that were. */
    async measure<Result>(done: number, step: () => Promise<Result>): Promise<Result> {
      const began = performance.now();
      const result = step();
      const took = Math.max(0.1, performance.now() - began);
      const wanted = (done * STEP) / took;
      // One pause of the disk says little of the next step.
      if (wanted < count || done >= count / 2) count = Math.max(least, count / 2, Math.min(wanted, 2 * count, most));
      return await result;
    },
  };
}
