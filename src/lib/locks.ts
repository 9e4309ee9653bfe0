/** How a task takes its names. */
export interface LockOptions {
  /** Tasks that share a name run at the same time; without this a task has its names to itself. */
  readonly shared?: boolean | undefined;
  /** Ends the wait with its reason. A task that runs sees it as part of its own signal. */
  readonly signal?: AbortSignal | undefined;
  /** Stops every task that holds or waits for one of these names, with this reason, and then waits for those that run. */
  readonly stop?: Error | undefined;
}

/** A task's turn on its names. */
export interface Turn {
  /** Aborts with the caller's signal, and when another task requests the lock with `stop`. */
  readonly signal: AbortSignal;
}

export interface Locks {
  /**
   * Runs a task once no earlier task holds or waits for a conflicting name; without one it runs at once. A name that
   * ends in `/` covers every name that begins with it. All names are taken together, so tasks with several names never
   * deadlock. A task must not request a name that it holds.
   */
  <Result>(
    names: string | readonly string[],
    task: (turn: Turn) => Promise<Result>,
    options?: LockOptions,
  ): Promise<Result>;
  /** Reports whether a task with this name alone would run at once. */
  isFree(name: string): boolean;
}

/** Creates locks between the tasks of this process. They keep no memory for unused names. */
export function createLocks(): Locks {
  /** Every task that holds or waits for a name, in the order of their requests. */
  const tickets = new Map<string, Set<Ticket>>();

  const enter = (ticket: Ticket, stop: Error | undefined): void => {
    for (const name of ticket.names) {
      for (const earlier of conflicts(tickets, name)) {
        if (ticket.shared && earlier.shared) continue;
        ticket.ahead.add(earlier);
        earlier.behind.add(ticket);
      }
    }
    for (const name of ticket.names) {
      const sameName = tickets.get(name);
      if (sameName) sameName.add(ticket);
      else tickets.set(name, new Set([ticket]));
    }
    if (stop) for (const earlier of ticket.ahead) earlier.stop(stop);
  };

  const leave = (ticket: Ticket): void => {
    for (const name of ticket.names) {
      const sameName = tickets.get(name);
      sameName?.delete(ticket);
      if (sameName?.size === 0) tickets.delete(name);
    }
    for (const earlier of ticket.ahead) earlier.behind.delete(ticket);
    for (const later of ticket.behind) later.passed(ticket);
  };

  const run = async <Result>(
    names: string | readonly string[],
    task: (turn: Turn) => Promise<Result>,
    { shared = false, signal, stop }: LockOptions = {},
  ): Promise<Result> => {
    signal?.throwIfAborted();
    const ticket = new Ticket(typeof names === "string" ? [names] : names, shared, signal);
    enter(ticket, stop);
    try {
      if (ticket.ahead.size > 0) await ticket.turn();
      return await task(ticket);
    } finally {
      leave(ticket);
    }
  };

  return Object.assign(run, { isFree: (name: string) => conflicts(tickets, name).next().done === true });
}

/** The tasks that hold or wait for a name, for one that covers it, or for one that it covers. */
function* conflicts(tickets: ReadonlyMap<string, ReadonlySet<Ticket>>, name: string): Generator<Ticket> {
  if (tickets.size === 0) return;
  for (let slash = name.indexOf("/"); slash >= 0 && slash < name.length - 1; slash = name.indexOf("/", slash + 1))
    yield* tickets.get(name.slice(0, slash + 1)) ?? [];
  if (!name.endsWith("/")) return yield* tickets.get(name) ?? [];
  for (const [other, held] of tickets) if (other.startsWith(name)) yield* held;
}

/** One task that holds its names or waits for them. */
class Ticket implements Turn {
  /** Earlier tasks that must end first. */
  readonly ahead = new Set<Ticket>();
  /** Later tasks that wait for this one. */
  readonly behind = new Set<Ticket>();
  #start: (() => void) | undefined;
  #stopped: AbortController | undefined;
  #signal: AbortSignal | undefined;

  constructor(
    readonly names: readonly string[],
    readonly shared: boolean,
    readonly given: AbortSignal | undefined,
  ) {}

  /** Created when it is first asked for: most tasks are never stopped. */
  get signal(): AbortSignal {
    this.#signal ??= this.given ? AbortSignal.any([this.given, this.#stopper.signal]) : this.#stopper.signal;
    return this.#signal;
  }

  get #stopper(): AbortController {
    this.#stopped ??= new AbortController();
    return this.#stopped;
  }

  stop(reason: Error): void {
    this.#stopper.abort(reason);
  }

  /** Notes that a task ahead has ended. */
  passed(earlier: Ticket): void {
    this.ahead.delete(earlier);
    if (this.ahead.size === 0) this.#start?.();
  }

  /** Returns when every task ahead has ended. Throws the reason of the signal when that aborts first. */
  async turn(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = () => reject(this.signal.reason);
    this.#start = resolve;
    this.signal.addEventListener("abort", abort, { once: true });
    try {
      await promise;
    } finally {
      this.signal.removeEventListener("abort", abort);
    }
  }
}
