import { Lru } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { createWriteBehind } from "../lib/write-behind.ts";
import type { ActivityRow, ActivityTable } from "./activity-table.ts";

/** What happened, once. */
type Happened = Omit<ActivityRow, "at" | "id" | "times">;

/** An entry in memory, to which is added where it is: a thousand openings a second make no thousand objects. */
interface Waiting extends Happened, Pick<ActivityRow, "at" | "id"> {
  bytes: number | null;
  times: number;
}

/** Entries that wait to be written: a killed server loses them, which are those of a second. */
const MAX_WAITING = 2000;
const WRITTEN_AT_ONCE = 500;

/**
 * Entries of one subject within a minute. Beyond them it is counted how often each thing happened, and not from where: whoever floods a
 * share, or guesses its password from everywhere, does not fill the table.
 */
const MOST_PER_MINUTE = 600;
const MOST_REFUSED_PER_MINUTE = 30;
const MINUTE = 60_000;
const MAX_COUNTED = 10_000;

interface Minute {
  readonly since: number;
  entries: number;
}

const added = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : one + other;

const merged = (before: Waiting, { bytes, times }: Pick<Waiting, "bytes" | "times">): Waiting => {
  before.bytes = added(before.bytes, bytes);
  before.times += times;
  return before;
};

const nameOf = ({ kind, subject, event, outcome, name, network, program }: Happened): string =>
  `${kind}\n${subject}\n${event}\n${outcome}\n${name}\n${network}\n${program}`;

interface RecorderDeps {
  readonly table: Pick<ActivityTable, "insert">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Gathers what happens in memory, where the same things within a second are one entry, and writes it together. */
export function createRecorder({ table, clock, log }: RecorderDeps) {
  const minutes = new Lru<string, Minute>(MAX_COUNTED);
  let dropped = 0;

  const write = async (entries: ReadonlyMap<string, Waiting>): Promise<void> => {
    const rows = [...entries.values()];
    for (let from = 0; from < rows.length; from += WRITTEN_AT_ONCE)
      await table.insert(rows.slice(from, from + WRITTEN_AT_ONCE));
    if (dropped > 0) log.warn("activity not logged, because too much happened", { entries: dropped });
    dropped = 0;
  };
  const pending = createWriteBehind<Waiting>({ name: "activity", log, write, merge: merged });

  /** Whether one more entry of a subject fits in its minute. */
  const fits = ({ kind, subject, event }: Happened, now: number): boolean => {
    const refused = event === "refused";
    const counted = `${kind} ${subject} ${refused}`;
    const before = minutes.get(counted);
    const minute = before && Math.abs(now - before.since) < MINUTE ? before : { since: now, entries: 0 };
    if (minute !== before) minutes.set(counted, minute);
    if (minute.entries >= (refused ? MOST_REFUSED_PER_MINUTE : MOST_PER_MINUTE)) return false;
    minute.entries += 1;
    return true;
  };

  /** Adds to the entry that waits under the name; false where there is none. */
  const joined = (name: string, { bytes }: Happened): boolean => {
    const before = pending.get(name);
    if (before) merged(before, { bytes, times: 1 });
    return before !== undefined;
  };

  const begin = (name: string, happened: Happened, now: number): void => {
    if (pending.size() >= MAX_WAITING) {
      dropped += 1;
      return;
    }
    pending.set(name, { ...happened, at: now, id: Bun.randomUUIDv7(), times: 1 });
  };

  return {
    add(happened: Happened): void {
      const name = nameOf(happened);
      if (joined(name, happened)) return;
      const now = clock();
      const kept = fits(happened, now) ? happened : { ...happened, name: "", network: "", program: "" };
      const keptName = nameOf(kept);
      if (!joined(keptName, kept)) begin(keptName, kept, now);
    },

    /** Writes what waits, or throws and keeps it. */
    flush: pending.flush,
  };
}
