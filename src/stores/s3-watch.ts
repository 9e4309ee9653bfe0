import { Failure } from "#contract/failures";

/** How long a storage may keep us waiting, in milliseconds. */
export interface Patience {
  /** For an answer to what has no body and takes no work. */
  readonly answer: number;
  /** While a body moves, for the next piece of it; for an answer to what takes work. */
  readonly silence: number;
}

/**
 * A time limit that begins anew so often that it must cost nothing: one timer looks now and then whether the time is over. It
 * is not to be left without `end`.
 */
export function createLimit(over: () => void) {
  let until = Number.POSITIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let due = Number.POSITIVE_INFINITY;

  const arm = (milliseconds: number) => {
    clearTimeout(timer);
    due = performance.now() + milliseconds;
    timer = setTimeout(look, milliseconds);
  };
  const look = () => {
    due = Number.POSITIVE_INFINITY;
    const left = until - performance.now();
    if (left <= 0) return over();
    if (left < Number.POSITIVE_INFINITY) arm(left);
  };

  return {
    /** The time begins anew, in milliseconds. */
    wait(milliseconds: number): void {
      until = performance.now() + milliseconds;
      if (until < due) arm(milliseconds);
    },
    /** There is no limit until the next `wait`. */
    pause(): void {
      until = Number.POSITIVE_INFINITY;
    },
    end(): void {
      until = Number.POSITIVE_INFINITY;
      clearTimeout(timer);
      due = Number.POSITIVE_INFINITY;
    },
  };
}

/** The time limit of one request: its signal aborts when the storage lets nothing move for a while. */
export function createWatch(milliseconds: number, signal: AbortSignal | undefined) {
  const stopped = new AbortController();
  const over = () => stopped.abort(new Failure("storage.unreachable"));
  const limit = createLimit(over);
  limit.wait(milliseconds);
  return {
    ...limit,
    signal: signal ? AbortSignal.any([signal, stopped.signal]) : stopped.signal,
    /** Ends the request itself. */
    stop(): void {
      limit.end();
      over();
    },
  };
}

export type Watch = ReturnType<typeof createWatch>;
