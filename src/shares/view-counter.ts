import type { Log } from "../lib/log.ts";
import { createWriteBehind } from "../lib/write-behind.ts";

/** Adds views to shares that have no limit. */
interface ViewCounter {
  /** Counts one view and answers how many are not written yet. */
  count(id: string): number;
  /** Writes what was counted, or throws and keeps it; call before reading or changing a share's views, and at the end. */
  flush(): Promise<void>;
}

/**
 * Counts views in memory and writes them together: where no limit depends on the number, a write per opening would be the
 * dearest part of it.
 */
export function createViewCounter(
  add: (views: ReadonlyMap<string, number>) => Promise<unknown>,
  log: Log,
): ViewCounter {
  const merge = (failed: number, later: number) => failed + later;
  const pending = createWriteBehind({ name: "views", log, write: add, merge });
  return {
    count(id) {
      const views = (pending.get(id) ?? 0) + 1;
      pending.set(id, views);
      return views;
    },
    flush: pending.flush,
  };
}
