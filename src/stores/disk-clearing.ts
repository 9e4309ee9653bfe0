import { rm } from "node:fs/promises";
import type { Log } from "../lib/log.ts";
import { unforeseen } from "../lib/unforeseen.ts";

/** How long what is being cleared may keep the server from stopping, in milliseconds; the next start goes on with it. */
const LONGEST_GOODBYE = 2000;

/** Clears away folders that nobody sees any more, one after the other, while nobody waits for it. */
export function createClearing(log: Log) {
  let last = Promise.resolve();

  const clear = async (path: string): Promise<void> => {
    try {
      await rm(path, { recursive: true, force: true });
    } catch (error) {
      log.warn("removed folder not cleared away", unforeseen(error));
    }
  };

  return {
    begin(path: string): void {
      last = last.then(() => clear(path));
    },

    /** Returns when all is cleared away that was begun, or after a moment. */
    async settled(): Promise<void> {
      const patience = Promise.withResolvers<void>();
      const timer = setTimeout(patience.resolve, LONGEST_GOODBYE);
      await Promise.race([last, patience.promise]);
      clearTimeout(timer);
    },
  };
}

export type Clearing = ReturnType<typeof createClearing>;
