import type { Log } from "./log.ts";
import { unforeseen } from "./unforeseen.ts";

/** Values by id that are kept in memory for a moment and written together. */
export interface WriteBehind<Value> {
  /** What waits to be written under an id. */
  get(id: string): Value | undefined;
  /** Puts a value in the place of the one that waits under the id. */
  set(id: string, value: Value): void;
  /** Writes what waits, or throws and keeps it; call before reading what is written, and at the end. */
  flush(): Promise<void>;
}

interface WriteBehindNeeds<Value> {
  /** Names what waits in the log. */
  readonly name: string;
  readonly log: Log;
  readonly write: (values: ReadonlyMap<string, Value>) => Promise<unknown>;
  /** What becomes of a value that could not be written when another has come meanwhile. */
  readonly merge: (failed: Value, later: Value) => Value;
}

const WRITE_AFTER = 1000;

/** Writes at the latest a second after the first value, so that no request waits for it. A crash loses at most that second. */
export function createWriteBehind<Value>({ name, log, write, merge }: WriteBehindNeeds<Value>): WriteBehind<Value> {
  let waiting = new Map<string, Value>();
  let timer: Timer | undefined;

  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.size === 0) return;
    const values = waiting;
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
  };

  const writeLater = () => {
    flush().catch((error: unknown) => {
      log.error(`${name} not written`, unforeseen(error));
      timer ??= setTimeout(writeLater, WRITE_AFTER);
    });
  };

  return {
    get: (id) => waiting.get(id),
    set(id, value) {
      waiting.set(id, value);
      timer ??= setTimeout(writeLater, WRITE_AFTER);
    },
    flush,
  };
}
