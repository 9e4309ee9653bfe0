import { Failure } from "#contract/failures";

/** How long a storage may keep us waiting, in milliseconds. */
export interface Patience {
  /** For an answer to what has no body and takes no work. */
  readonly answer: number;
  /** While a body moves, for the next piece of it; for an answer to what takes work. */
  readonly silence: number;
}

/** The time limit of one request: its signal aborts when the storage lets nothing move for a while. */
export function createWatch(milliseconds: number, signal: AbortSignal | undefined) {
  const over = new AbortController();
  const stop = () => over.abort(new Failure("storage.unreachable"));
  let timer = setTimeout(stop, milliseconds);

  return {
    signal: signal ? AbortSignal.any([signal, over.signal]) : over.signal,
    /** The wait begins anew. */
    wait(limit: number): void {
      clearTimeout(timer);
      timer = setTimeout(stop, limit);
    },
    /** Nothing is waited for, or nothing of the storage. */
    end: (): void => clearTimeout(timer),
    /** Ends the request itself. */
    stop(): void {
      clearTimeout(timer);
      stop();
    },
  };
}

export type Watch = ReturnType<typeof createWatch>;
