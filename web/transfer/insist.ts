import { PART_RETRIES, RETRY_DELAY } from "#contract/limits";
import { isFailure } from "../api/failure.ts";
import type { Connection } from "./connection.ts";
import { isPassing, isSilence } from "./failures.ts";
import type { Sleep } from "./ports.ts";
import { createWaits, type Waits } from "./turns.ts";

interface Insisting {
  readonly signal: AbortSignal;
  readonly waits: Waits;
  /** Asked after a failure while the server answers: whether there is another way, on which to go at once. */
  readonly otherWay?: (error: unknown) => Promise<boolean>;
}

/** Repeats an action until it succeeds, fails permanently or has been repeated PART_RETRIES times. */
export type Insist = <T>(act: () => Promise<T>, insisting: Insisting) => Promise<T>;

/** Makes the function that tries again. Times in which the server cannot be reached are waited for and do not count. */
export function createInsist(connection: Connection, sleep: Sleep): Insist {
  /** Reports whether the connection was lost and has come back. */
  const cameBack = async ({ signal, waits }: Insisting): Promise<boolean> => {
    let lost = 0;
    const onLost = () => {
      lost = 1;
      waits.connection += 1;
    };
    const found = await connection.survive({ signal, onLost });
    waits.connection -= lost;
    return found === "back";
  };

  return async (act, insisting) => {
    const { signal } = insisting;
    for (let attempt = 1; ; ) {
      try {
        return await act();
      } catch (error) {
        if (signal.aborted || !isPassing(error)) throw error;
        if (isSilence(error) && (await cameBack(insisting))) continue;
        if (isSilence(error) && !connection.isDown() && (await insisting.otherWay?.(error))) continue;
        if (signal.aborted || attempt > PART_RETRIES || (isSilence(error) && connection.isDown())) throw error;
        const retryAfter = isFailure(error) ? error.retryAfter : undefined;
        await sleep((retryAfter ?? attempt) * RETRY_DELAY, signal);
        if (signal.aborted) throw error;
        attempt += 1;
      }
    }
  };
}

/** Has the server delete something, as far as it can be reached; what is left, the server sweeps a day later. Never rejects. */
export async function tryToDelete(insist: Insist, act: () => Promise<unknown>): Promise<void> {
  const { signal } = new AbortController();
  try {
    await insist(act, { signal, waits: createWaits() });
  } catch {
    // Nobody waits for the outcome, and the server sweeps.
    return;
  }
}
