import type { Cluster } from "../cluster/cluster.ts";
import type { Clock } from "../lib/clock.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import type { Place } from "../stores/store.ts";
import type { Arrivals } from "../transfers/arrivals.ts";
import { type ArrivalRow, arrivalsTable } from "./arrivals-table.ts";

/** Milliseconds after its arrival for which the SHA-256 of a file is looked for. */
const SOUGHT = 24 * 60 * 60_000;
/** Milliseconds for which a storage is left alone that could not be read. */
const REST = 60_000;
const SLICE = 50;

interface ArrivalDigestsDeps {
  readonly cluster: Pick<Cluster, "db" | "leases" | "regularly">;
  readonly clock: Clock;
  readonly log: Log;
  /** Reads a file of this version; undefined when it is not there. */
  readonly sha256Of: (place: Place, etag: string, signal: AbortSignal) => Promise<string | undefined>;
}

/** Whether the SHA-256 of a file that came is still to be known. */
export const isDigesting = ({ state, sha256, arrived_at }: ArrivalRow, now: number): boolean =>
  state === "there" && sha256 === null && arrived_at !== null && arrived_at > now - SOUGHT;

/**
 * Takes the SHA-256 of files that came by links in parts, in whatever order those came: each is read once when it is there, one at a time on
 * each server, by one server, and by another one when that has ended.
 */
export function createArrivalDigests({ cluster, clock, log, sha256Of }: ArrivalDigestsDeps) {
  const table = arrivalsTable(cluster.db);
  const stopping = new AbortController();
  const resting = new Map<string, number>();
  let alarm: Timer | undefined;
  let [running, isWanted]: [Promise<void> | undefined, boolean] = [undefined, false];

  const restingNow = (): readonly string[] =>
    [...resting].flatMap(([storage, until]) => (until > clock() ? [storage] : []));

  /** Answers whether it was this server that could. */
  const digest = async ({ id }: ArrivalRow): Promise<boolean> => {
    const lease = await cluster.leases.take(`digest of arrival ${id}`);
    if (!lease) return false;
    try {
      const row = await table.find(id);
      if (!row || !isDigesting(row, clock())) return true;
      const signal = AbortSignal.any([stopping.signal, lease.signal]);
      const sha256 = await sha256Of(row, row.etag ?? "", signal);
      await table.noteSha256(id, sha256 ?? "");
      return true;
    } finally {
      await lease.release();
    }
  };

  /** Answers whether there may be more. */
  const digestSome = async (): Promise<boolean> => {
    const before = restingNow();
    const rows = await table.undigested({ since: clock() - SOUGHT, except: before }, SLICE);
    let done = 0;
    for (const row of rows) {
      if (stopping.signal.aborted) return false;
      if (restingNow().includes(row.storage)) continue;
      try {
        if (await digest(row)) done += 1;
      } catch (error) {
        if (stopping.signal.aborted) return false;
        resting.set(row.storage, clock() + REST);
        clearTimeout(alarm);
        alarm = setTimeout(wake, REST);
        log.warn("file not read for its SHA-256", { storage: row.storage, ...unforeseen(error) });
      }
    }
    // Behind those of a storage that rests from now on there may be others.
    return done > 0 || restingNow().some((storage) => !before.includes(storage));
  };

  const run = async (): Promise<void> => {
    try {
      while (isWanted) {
        isWanted = false;
        while (await digestSome());
      }
    } catch (error) {
      log.error("SHA-256 of files not taken", unforeseen(error));
    } finally {
      running = undefined;
    }
  };

  /** Has it begin now, if it has anything to do. */
  const wake = (): void => {
    if (stopping.signal.aborted) return;
    isWanted = true;
    running ??= run();
  };

  cluster.regularly(table.mayBeUndigested, async () => wake());

  return {
    wake,

    /** The same, which begins when an upload in parts has ended. */
    after: (arrivals: Arrivals): Arrivals => ({
      ...arrivals,
      async settleUpload(upload, file) {
        await arrivals.settleUpload(upload, file);
        wake();
      },
    }),

    async stop(): Promise<void> {
      stopping.abort();
      clearTimeout(alarm);
      await running;
    },
  };
}
