import { failed, stopIfAborted } from "../failures.ts";

/** How many requests of a row are being sent, wait for their turn, or wait for the connection. */
export interface WaitCounts {
  sending: number;
  turn: number;
  connection: number;
}

/** Makes the waits of a row that has not begun. */
export const createWaitCounts = (): WaitCounts => ({ sending: 0, turn: 0, connection: 0 });

interface QueueEntry {
  /** The lowest goes first. */
  readonly order: number;
  readonly signal: AbortSignal;
  /** Ends the turn early; `signal` by default. */
  readonly dropped?: AbortSignal;
  readonly waits: WaitCounts;
}

interface Waiter {
  readonly order: number;
  readonly begin: () => void;
}

/** Runs at most `width` actions at once. Those in line run by their order, equal ones first come, first served. */
export function createPriorityQueue(width: number) {
  const line: Waiter[] = [];
  let taken = 0;

  const callNext = () => {
    while (taken < width && line.length > 0) {
      const first = line.reduce((best, waiter) => (waiter.order < best.order ? waiter : best));
      line.splice(line.indexOf(first), 1);
      taken += 1;
      first.begin();
    }
  };

  const queue = ({ order, signal }: QueueEntry) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        line.splice(line.indexOf(waiter), 1);
        reject(failed("aborted"));
      };
      const begin = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const waiter: Waiter = { order, begin };
      line.push(waiter);
      signal.addEventListener("abort", leave, { once: true });
      callNext();
    });

  return {
    /**
     * Runs the action when its turn comes; the turn ends with the action or when it is dropped. Throws ApiFailure aborted if the
     * signal aborts before the turn comes.
     */
    async take<T>(place: QueueEntry, act: () => Promise<T>): Promise<T> {
      const { signal, dropped = signal, waits } = place;
      stopIfAborted(signal);
      waits.turn += 1;
      await queue(place).finally(() => {
        waits.turn -= 1;
      });
      waits.sending += 1;
      let holds = true;
      const release = () => {
        if (holds) taken -= 1;
        holds = false;
        callNext();
      };
      // An action that cannot be stopped goes on, but nobody waits for its turn to end.
      dropped.addEventListener("abort", release, { once: true });
      try {
        return await act();
      } finally {
        waits.sending -= 1;
        dropped.removeEventListener("abort", release);
        release();
      }
    },
  };
}

export type PriorityQueue = ReturnType<typeof createPriorityQueue>;
