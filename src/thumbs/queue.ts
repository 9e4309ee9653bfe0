/** Who waits for a thumbnail. */
export interface Asker {
  /** Those of one name take turns with those of others, however many each of them asks for. */
  readonly name: string;
  /** Whether it is somebody without an account, who cannot take the place of those who have one. */
  readonly isVisitor: boolean;
  /** Aborted when they have gone. */
  readonly signal: AbortSignal;
}

interface QueueOptions {
  /** Tasks that run at once. */
  readonly width: number;
  /** Tasks that wait in all, and of one name. */
  readonly length: number;
  readonly each: number;
}

/**
 * Lets so many tasks run at once, and others wait: the names take turns, each with its own tasks in order. One that is given up does not
 * wait any longer.
 */
export function createQueue({ width, length, each }: QueueOptions) {
  const waiting = new Map<string, Set<() => void>>();
  let running = 0;

  const count = (): number => [...waiting.values()].reduce((sum, { size }) => sum + size, 0);

  const remove = (name: string, give: () => void): void => {
    const own = waiting.get(name);
    own?.delete(give);
    if (own?.size === 0) waiting.delete(name);
  };

  const next = (): void => {
    const [first] = waiting;
    if (!first) {
      running -= 1;
      return;
    }
    const [name, own] = first;
    const [give] = own;
    waiting.delete(name);
    if (own.size > 1) waiting.set(name, own);
    give?.();
  };

  /** Resolves at its turn; rejects with the reason of the signal when it is given up before. */
  const turn = ({ name, signal }: Asker): Promise<void> =>
    new Promise((resolve, reject) => {
      const give = (): void => {
        remove(name, give);
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        remove(name, give);
        reject(signal.reason);
      };
      waiting.set(name, (waiting.get(name) ?? new Set()).add(give));
      signal.addEventListener("abort", leave, { once: true });
    });

  return {
    /** Whether nobody else of this name may wait. */
    isFull: ({ name }: Asker): boolean =>
      running >= width && (count() >= length || (waiting.get(name)?.size ?? 0) >= each),

    /** Runs a task in its turn. */
    async run<Result>(asker: Asker, task: () => Promise<Result>): Promise<Result> {
      asker.signal.throwIfAborted();
      if (running < width) running += 1;
      else await turn(asker);
      try {
        return await task();
      } finally {
        next();
      }
    },
  };
}

/**
 * Queues of those who have an account, and of visitors, with a process of their own: pictures that take long can be shared by anybody who may
 * upload, and be asked for from anywhere.
 */
export function createQueues() {
  const queues = {
    accounts: createQueue({ width: 2, length: 200, each: 150 }),
    // As many as a page of a link shows at once.
    visitors: createQueue({ width: 1, length: 200, each: 60 }),
  };
  const of = ({ isVisitor }: Asker) => queues[isVisitor ? "visitors" : "accounts"];
  return {
    isFull: (asker: Asker): boolean => of(asker).isFull(asker),
    run: <Result>(asker: Asker, task: () => Promise<Result>): Promise<Result> => of(asker).run(asker, task),
  };
}

export type Queues = ReturnType<typeof createQueues>;
