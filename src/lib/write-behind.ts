import { Lru } from "./cache.ts";
import type { Clock } from "./clock.ts";
import { type Log, unforeseen } from "./log.ts";
import { shared } from "./turns.ts";

/** Values by id that are kept in memory for a moment and written together. */
interface WriteBehind<Value> {
  /** How many values wait, without those that are being written. */
  size(): number;
  /** What waits to be written under an id. */
  get(id: string): Value | undefined;
  /** Puts a value in the place of the one that waits under the id. */
  set(id: string, value: Value): void;
  /** Writes all values that were set before the call, or throws and keeps them; call before reading them, and at the end. */
  flush(): Promise<void>;
}

interface WriteBehindDeps<Value> {
  /** Names what waits in the log. */
  readonly name: string;
  readonly log: Log;
  readonly write: (values: ReadonlyMap<string, Value>) => Promise<unknown>;
  /** Merges a value that could not be written with a newer one. */
  readonly merge: (failed: Value, later: Value) => Value;
}

const WRITE_AFTER = 1000;

/** Writes at the latest a second after the first value, so that no request waits for it. A crash loses at most that second. */
export function createWriteBehind<Value>({ name, log, write, merge }: WriteBehindDeps<Value>): WriteBehind<Value> {
  let waiting = new Map<string, Value>();
  let timer: Timer | undefined;

  // Whoever calls it during a write gets one that begins afterwards, so that nothing counted before is written later.
  const flush = shared(async () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.size === 0) return;
    // In one order on every server, so that two that write the same rows never wait for each other.
    const values = new Map([...waiting].sort(([one], [other]) => (one < other ? -1 : 1)));
    waiting = new Map();
    try {
      await write(values);
    } catch (error) {
      for (const [id, failed] of values) {
        const later = waiting.get(id);
        waiting.set(id, later === undefined ? failed : merge(failed, later));
      }
      throw error;
    }
  });

  const writeLater = () => {
    flush().catch((error: unknown) => {
      log.error(`${name} not written`, unforeseen(error));
      timer ??= setTimeout(writeLater, WRITE_AFTER);
    });
  };

  return {
    size: () => waiting.size,
    get: (id) => waiting.get(id),
    set(id, value) {
      waiting.set(id, value);
      timer ??= setTimeout(writeLater, WRITE_AFTER);
    },
    flush,
  };
}

/** Remembers when things were used last, to the minute. */
interface LastUses {
  /** Notes a use, unless one was noted within the last minute. Costs the request no write. */
  note(used: { readonly id: string; readonly last_used: number | null }): void;
  /** Writes the recorded uses, or throws and keeps them; call before reading, and at the end. */
  flush(): Promise<void>;
}

const NOTED_EVERY = 60_000;
/** An evicted entry only costs one more write. */
const MAX_NOTED = 1000;

interface LastUsesDeps {
  /** The subject, for the log. */
  readonly name: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly write: (uses: ReadonlyMap<string, number>) => Promise<unknown>;
}

/** Notes uses in memory and writes them together. */
export function createLastUses({ name, clock, log, write }: LastUsesDeps): LastUses {
  const noted = new Lru<string, number>(MAX_NOTED);
  const pending = createWriteBehind({ name, log, write, merge: (_, later: number) => later });
  return {
    note({ id, last_used }) {
      const now = clock();
      const before = noted.get(id) ?? last_used;
      if (before !== null && Math.abs(now - before) < NOTED_EVERY) return;
      noted.set(id, now);
      pending.set(id, now);
    },
    flush: pending.flush,
  };
}
