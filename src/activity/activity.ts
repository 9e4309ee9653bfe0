import { ACTIVITY_CHART_DAYS, MAX_ACTIVITY } from "#contract/limits";
import type { Cluster } from "../cluster/cluster.ts";
import { networkOf } from "../lib/addresses.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { removeInSlices } from "../lib/turns.ts";
import type { Settings } from "../settings/settings.ts";
import {
  type ActivityEvent,
  type ActivityMark,
  type ActivityOutcome,
  type ActivityRow,
  activityTable,
  type DayCount,
  type RecentRow,
  type Subject,
} from "./activity-table.ts";
import { programOf } from "./programs.ts";
import { createRecorder } from "./recorder.ts";

/** What is known of who sends a request. Of the address the network is kept, and of the program its family. */
export interface Client {
  readonly address: string;
  /** User-Agent. */
  readonly agent?: string | null | undefined;
}

/** What somebody did to a subject. */
interface Action {
  readonly event: ActivityEvent;
  readonly outcome: ActivityOutcome;
  /** Of the file, where the subject has several. */
  readonly name?: string | undefined;
  /** Those that were sent or received; null where nobody knows. */
  readonly bytes: number | null;
}

interface ActivityDeps {
  readonly cluster: Pick<Cluster, "db">;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Pick<Settings, "get">;
}

const DAY = 86_400_000;
const LONGEST_NAME = 300;
const SLICE = 2000;
/** Entries that are read at once where all are asked for. */
const READ_AT_ONCE = 500;

/** The log of who has used texts, files and links, for their owners. */
export function createActivity({ cluster, clock, log, settings }: ActivityDeps) {
  const table = activityTable(cluster.db);
  const recorder = createRecorder({ table, clock, log });

  const removeAll = (before?: number): Promise<number> =>
    removeInSlices((limit) => table.removeOldest(limit, before), SLICE);

  const keepNewest = async (): Promise<number> => {
    let beyond = (await table.count()) - MAX_ACTIVITY;
    return await removeInSlices(async (limit) => {
      const removed = beyond > 0 ? await table.removeOldest(Math.min(limit, beyond)) : 0;
      beyond -= removed;
      return removed;
    }, SLICE);
  };

  const page = async (subject: Subject, limit: number, before?: ActivityMark): Promise<ActivityRow[]> => {
    await recorder.flush();
    return await table.page(subject, limit, before);
  };

  return {
    /** Whether anything is logged. */
    isOn: (): boolean => settings.get("activity_log"),

    /** Logs something behind the request that did it, which waits for nothing. A killed server loses a second of it. */
    note({ kind, id: subject }: Subject, { address, agent = null }: Client, action: Action): void {
      if (!settings.get("activity_log")) return;
      const { event, outcome, name = "", bytes } = action;
      const [network, program] = [networkOf(address), programOf(agent)];
      recorder.add({ kind, subject, event, outcome, name: name.slice(0, LONGEST_NAME), network, program, bytes });
    },

    /** Newest first. What other servers have seen within the last second is not in it. */
    page,

    /** The last entries of everything. */
    async latest(limit: number): Promise<readonly RecentRow[]> {
      await recorder.flush();
      return (await table.latest(limit)).filter(({ slug }) => slug !== "");
    },

    /** All of them, newest first. */
    async *all(subject: Subject): AsyncGenerator<readonly ActivityRow[]> {
      let before: ActivityMark | undefined;
      for (;;) {
        const rows = await page(subject, READ_AT_ONCE, before);
        if (rows.length > 0) yield rows;
        before = rows.at(-1);
        if (rows.length < READ_AT_ONCE) return;
      }
    },

    /** The days of the chart, counted from the epoch in UTC, and how often something happened on them. */
    async chart(subject: Subject): Promise<{ readonly first: number; readonly counts: readonly DayCount[] }> {
      await recorder.flush();
      const first = Math.floor(clock() / DAY) - ACTIVITY_CHART_DAYS + 1;
      return { first, counts: await table.countByDay(subject, first * DAY) };
    },

    /** Removes what is too old, and the oldest of what is too much. */
    sweep: async (): Promise<number> =>
      (await removeAll(clock() - settings.get("activity_days") * DAY)) + (await keepNewest()),

    /** Removes all entries of everything; returns how many. */
    async clear(): Promise<number> {
      await recorder.flush();
      return await removeAll();
    },

    /** Writes what is still in memory. */
    close: recorder.flush,
  };
}

export type Activity = ReturnType<typeof createActivity>;
