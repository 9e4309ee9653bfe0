import { Failure } from "#contract/failures";
import { SLOWEST_LINE, STORAGE_RETRY_WITHIN } from "#contract/limits";
import { createTimer } from "../../lib/timer.ts";
import { classify } from "./errors.ts";

/** How long a storage may take, how often a request is repeated, and when a storage is left alone for a moment. */

/** Time limits in milliseconds. */
export interface Timeouts {
  /** For the answer to a request that has no body and takes no work. */
  readonly answer: number;
  /** For the next piece of a large body, and the most for an answer to a request that takes work. */
  readonly idle: number;
}

/** Bytes per millisecond that a storage copies at least. */
const SLOWEST_COPY = 10_000;

/** The time limit of a request that takes work, in milliseconds. It grows with the work, up to `idle`. */
export const timeoutFor = {
  /** A body of so many bytes, in either direction. */
  body: ({ answer, idle }: Timeouts, bytes: number): number => Math.min(idle, answer + (bytes / SLOWEST_LINE) * 1000),
  /** A copy of so many bytes inside the storage. */
  copy: ({ answer, idle }: Timeouts, bytes: number): number => Math.min(idle, answer + bytes / SLOWEST_COPY),
  /** So many items, each of which takes up to so many milliseconds. */
  many: ({ answer, idle }: Timeouts, count: number, each: number): number => Math.min(idle, answer + count * each),
};

/**
 * Creates the timeout of one request. Its signal aborts with 502 storage.unreachable after so many milliseconds without a
 * `restart`. `onTimeout` then gets the time at which the request began, by `performance.now`.
 */
export function createTimeout(
  milliseconds: number,
  signal: AbortSignal | undefined,
  onTimeout: (began: number) => void = () => undefined,
) {
  const began = performance.now();
  const controller = new AbortController();
  const abort = () => controller.abort(new Failure("storage.unreachable"));
  const timer = createTimer(() => {
    onTimeout(began);
    abort();
  });
  timer.restart(milliseconds);
  return {
    ...timer,
    signal: signal ? AbortSignal.any([signal, controller.signal]) : controller.signal,
    /** Ends the request itself. */
    abort(): void {
      timer.clear();
      abort();
    },
  };
}

export type Timeout = ReturnType<typeof createTimeout>;

export interface RetryDeps {
  /** Waits so many milliseconds. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
}

const RETRIES = 3;
const FIRST_DELAY_MS = 200;

/** Sends requests, and sends them again where that may help and cannot harm. Errors are thrown as `classify` reads them. */
export function createRetries({ sleep, random }: RetryDeps) {
  /** Half of the delay is random, so that requests that failed together do not come back together. */
  const delay = (attempt: number) => FIRST_DELAY_MS * 2 ** (attempt - 1) * (0.5 + random() / 2);

  return {
    /**
     * Sends a request that has the same effect when it arrives twice. Retries three times, over 0.7 to 1.4 seconds. A request
     * that fails slowly is not retried: its caller has waited long enough.
     */
    async retry<Result>(send: (attempt: number) => Promise<Result>): Promise<Result> {
      const began = performance.now();
      for (let attempt = 1; ; attempt++) {
        try {
          return await send(attempt);
        } catch (error) {
          const { failure, transient } = classify(error);
          const late = performance.now() - began > STORAGE_RETRY_WITHIN;
          if (!transient || late || attempt > RETRIES) throw failure;
        }
        await sleep(delay(attempt));
      }
    },

    /** Sends a request that must not arrive twice. */
    async once<Result>(send: (attempt: number) => Promise<Result>): Promise<Result> {
      try {
        return await send(1);
      } catch (error) {
        throw classify(error).failure;
      }
    },
  };
}

export type Retries = ReturnType<typeof createRetries>;

/** How long the circuit breaker stays open, in milliseconds. */
const OPEN_MS = 3000;

/**
 * Creates the circuit breaker of one storage. After a short request that timed out, requests fail at once for a moment, so that
 * a call that sends many waits for a silent storage only once.
 */
export function createBreaker() {
  let openUntil = Number.NEGATIVE_INFINITY;
  let answeredAt = Number.NEGATIVE_INFINITY;
  return {
    /** Throws 502 storage.unreachable while the breaker is open. */
    assertClosed(): void {
      if (performance.now() < openUntil) throw new Failure("storage.unreachable");
    },
    /** Notes an answer, which closes the breaker. */
    onAnswer(): void {
      answeredAt = performance.now();
      openUntil = Number.NEGATIVE_INFINITY;
    },
    /** Records a timeout of a request that began at this time. Does nothing if another request was answered in the meantime. */
    onTimeout(began: number): void {
      if (answeredAt < began) openUntil = performance.now() + OPEN_MS;
    },
  };
}
