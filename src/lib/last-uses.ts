import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import { Lru } from "./lru.ts";
import { createWriteBehind } from "./write-behind.ts";

/** Remembers when things were used last, to the minute. */
export interface LastUses {
  /** Notes a use, unless one was noted within the last minute. Costs the request no write. */
  note(used: { readonly id: string; readonly last_used: number | null }): void;
  /** Writes what was noted, or throws and keeps it; call before reading, and at the end. */
  flush(): Promise<void>;
}

const NOTED_EVERY = 60_000;
/** Whatever has to make room is only noted once more often. */
const MOST_NOTED = 1000;

interface LastUsesNeeds {
  /** Of what is used, for the log. */
  readonly name: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly write: (uses: ReadonlyMap<string, number>) => Promise<unknown>;
}

/** Notes uses in memory and writes them together. */
export function createLastUses({ name, clock, log, write }: LastUsesNeeds): LastUses {
  const noted = new Lru<string, number>(MOST_NOTED);
  const pending = createWriteBehind({ name, log, write, merge: (_, later: number) => later });
  return {
    note({ id, last_used }) {
      const now = clock();
      const before = noted.get(id) ?? last_used;
      if (before !== null && now - before < NOTED_EVERY) return;
      noted.set(id, now);
      pending.set(id, now);
    },
    flush: pending.flush,
  };
}
