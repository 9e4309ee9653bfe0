import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";

/** Remembers when keys were used last, to the minute. */
export interface LastUses {
  /** Notes a use, unless one was noted within the last minute. Costs the request no write. */
  note(key: { readonly id: string; readonly last_used: number | null }): void;
  /** Writes what was noted, or throws and keeps it; call before reading, and at the end. */
  flush(): Promise<void>;
}

const NOTED_EVERY = 60_000;
const WRITE_AFTER = 1000;

interface LastUsesRoom {
  readonly clock: Clock;
  readonly log: Log;
  readonly write: (uses: ReadonlyMap<string, number>) => Promise<unknown>;
}

/** Notes in memory and writes together, at the latest after a second, so that no request waits for it. */
export function createLastUses({ clock, log, write }: LastUsesRoom): LastUses {
  const noted = new Map<string, number>();
  let pending = new Map<string, number>();
  let timer: Timer | undefined;

  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    if (pending.size === 0) return;
    const uses = pending;
    pending = new Map();
    try {
      await write(uses);
    } catch (error) {
      pending = new Map([...uses, ...pending]);
      throw error;
    }
  };

  const writeLater = () => {
    flush().catch((error: unknown) => {
      log.error("key uses not written", { error: String(error) });
      timer ??= setTimeout(writeLater, WRITE_AFTER);
    });
  };

  return {
    note({ id, last_used }) {
      const now = clock();
      const before = noted.get(id) ?? last_used;
      if (before !== null && now - before < NOTED_EVERY) return;
      noted.set(id, now);
      pending.set(id, now);
      timer ??= setTimeout(writeLater, WRITE_AFTER);
    },
    flush,
  };
}
