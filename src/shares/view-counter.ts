import type { Log } from "../lib/log.ts";

/** Adds views to shares that have no limit. */
export interface ViewCounter {
  /** Counts one view and answers how many are not written yet. */
  count(id: string): number;
  /** Writes what was counted, or throws and keeps it; call before reading or changing a share's views, and at the end. */
  flush(): Promise<void>;
}

const WRITE_AFTER = 1000;

/**
 * Counts views in memory and writes them together, at the latest after a second: where no limit depends on the number, a
 * write per opening would be the dearest part of it. A crash loses at most that second's count, never a share.
 */
export function createViewCounter(
  add: (views: ReadonlyMap<string, number>) => Promise<unknown>,
  log: Log,
): ViewCounter {
  let pending = new Map<string, number>();
  let timer: Timer | undefined;

  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    if (pending.size === 0) return;
    const views = pending;
    pending = new Map();
    try {
      await add(views);
    } catch (error) {
      for (const [id, count] of views) pending.set(id, (pending.get(id) ?? 0) + count);
      throw error;
    }
  };

  const writeLater = () => {
    flush().catch((error: unknown) => {
      log.error("views not written", { error: String(error) });
      timer ??= setTimeout(writeLater, WRITE_AFTER);
    });
  };

  return {
    count(id) {
      const views = (pending.get(id) ?? 0) + 1;
      pending.set(id, views);
      timer ??= setTimeout(writeLater, WRITE_AFTER);
      return views;
    },
    flush,
  };
}
