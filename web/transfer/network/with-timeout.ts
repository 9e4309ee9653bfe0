import { failed } from "../failures.ts";
import type { Sleep } from "../ports.ts";

/**
 * Waits for an action at most so many milliseconds: then aborts the signal that the action was given, and throws ApiFailure
 * `timeout`, whether the action heeds the signal or not.
 */
export async function withTimeout<T>(
  sleep: Sleep,
  milliseconds: number,
  act: (timedOut: AbortSignal) => Promise<T>,
): Promise<T> {
  const [timeout, settled] = [new AbortController(), new AbortController()];
  const late = new Promise<never>((_, reject) => {
    timeout.signal.addEventListener("abort", reject, { once: true });
  });
  void sleep(milliseconds, settled.signal).then(() => settled.signal.aborted || timeout.abort());
  try {
    return await Promise.race([act(timeout.signal), late]);
  } catch (error) {
    // An action that heeds the signal fails, too: which of them is first does not matter.
    throw timeout.signal.aborted ? failed("timeout") : error;
  } finally {
    settled.abort();
  }
}
