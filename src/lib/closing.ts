import { type Log, unforeseen } from "./log.ts";

/** Makes what runs the steps of a shutdown: one that fails is logged, and never keeps the next ones from running. */
export const createClosing =
  (log: Log) =>
  async (what: string, close: () => unknown): Promise<void> => {
    try {
      await close();
    } catch (error) {
      log.error("not closed", { what, ...unforeseen(error) });
    }
  };

/** Milliseconds that a shutdown waits for work which the next start goes on with. */
const LONGEST_WAIT = 5000;

/** Returns when the work in flight has ended, or after a moment. Throws what the work throws. */
export async function settleWithin(work: Promise<unknown>): Promise<void> {
  const patience = Promise.withResolvers<void>();
  const timer = setTimeout(patience.resolve, LONGEST_WAIT);
  await Promise.race([work, patience.promise]).finally(() => clearTimeout(timer));
}
