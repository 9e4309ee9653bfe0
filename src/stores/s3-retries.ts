import { troubleOf } from "./s3-trouble.ts";

export interface RetryNeeds {
  /** Waits, in milliseconds. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
}

const RETRIES = 3;
const FIRST_DELAY = 200;

/** Asks storages again where that may help and cannot harm. */
export function createRetries({ sleep, random }: RetryNeeds) {
  /** Half of the delay is by chance, so that many who failed at once do not come back at once. */
  const delay = (attempt: number) => FIRST_DELAY * 2 ** (attempt - 1) * (0.5 + random() / 2);

  return {
    /** A request that has no other effect when it arrives twice; three more tries, over 0.7 to 1.4 seconds. */
    async again<Result>(ask: (attempt: number) => Promise<Result>): Promise<Result> {
      for (let attempt = 1; ; attempt++) {
        try {
          return await ask(attempt);
        } catch (error) {
          const { failure, transient } = troubleOf(error);
          if (!transient || attempt > RETRIES) throw failure;
        }
        await sleep(delay(attempt));
      }
    },

    /** A request that must not arrive twice. */
    async once<Result>(ask: (attempt: number) => Promise<Result>): Promise<Result> {
      try {
        return await ask(1);
      } catch (error) {
        throw troubleOf(error).failure;
      }
    },
  };
}

export type Retries = ReturnType<typeof createRetries>;
