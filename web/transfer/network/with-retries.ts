import { PART_RETRIES, RETRY_DELAY } from "#contract/limits";
import { isFailure } from "../../api/failure.ts";
import { isPassing, isSilence } from "../failures.ts";
import type { Sleep } from "../ports.ts";
import type { Connection } from "./connection.ts";
import { createWaitCounts, type WaitCounts } from "./priority-queue.ts";

interface Retrying {
  readonly signal: AbortSignal;
  readonly waits: WaitCounts;
  /** Called after a request without an answer while the server does answer. Reports whether there is another way, which is tried at once. */
  readonly otherWay?: (error: unknown) => Promise<boolean>;
}

/** Repeats an action until it succeeds, fails permanently or has been repeated PART_RETRIES times. */
export type WithRetries = <T>(act: () => Promise<T>, retrying: Retrying) => Promise<T>;

/** Makes the function that repeats actions. While the server cannot be reached it waits, and that does not count as an attempt. */
export function createRetries(connection: Connection, sleep: Sleep): WithRetries {
  /** Reports whether the connection was lost and has come back. */
  const cameBack = async ({ signal, waits }: Retrying): Promise<boolean> => {
    let lost = 0;
    const onLost = () => {
      lost = 1;
      waits.connection += 1;
    };
    const found = await connection.waitUntilBack({ signal, onLost });
    waits.connection -= lost;
    return found === "back";
  };

  return async (act, retrying) => {
    const { signal } = retrying;
    for (let attempt = 1; ; ) {
      try {
        return await act();
      } catch (error) {
        if (signal.aborted || !isPassing(error)) throw error;
        if (isSilence(error) && (await cameBack(retrying))) continue;
        if (isSilence(error) && !connection.isDown() && (await retrying.otherWay?.(error))) continue;
        if (signal.aborted || attempt > PART_RETRIES || (isSilence(error) && connection.isDown())) throw error;
        const retryAfter = isFailure(error) ? error.retryAfter : undefined;
        await sleep((retryAfter ?? attempt) * RETRY_DELAY, signal);
        if (signal.aborted) throw error;
        attempt += 1;
      }
    }
  };
}

/** Has the server delete something. If that fails, the server sweeps it a day later. Never rejects. */
export async function tryToDelete(withRetries: WithRetries, act: () => Promise<unknown>): Promise<void> {
  const { signal } = new AbortController();
  try {
    await withRetries(act, { signal, waits: createWaitCounts() });
  } catch {
    return;
  }
}
