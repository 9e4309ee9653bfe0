import { Failure } from "#contract/failures";
import type { Cluster, Lease } from "../cluster/cluster.ts";
import type { Sql } from "../database/sql.ts";
import type { Clock } from "../lib/clock.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import type { Settings } from "../settings/settings.ts";
import type { KnownBuckets } from "../stores/configs-table.ts";
import { type BackupRecord, backupsTable, type Run } from "./backups-table.ts";

/** Which backup is wanted. */
interface BackupWanted {
  /** A folder, or s3://bucket/prefix. */
  readonly target: string;
  readonly keep: number;
  readonly withObjects: boolean;
  /** Whether the files of storages on S3 are in it. */
  readonly withS3: boolean;
}

/** What became of it: `error` is a sentence. */
type BackupOutcome =
  | { readonly place: string; readonly size: number; readonly rows: number; readonly files: number }
  | { readonly error: string };

/** Makes a backup, and ends it soon after the signal. */
export type MakeBackup = (wanted: BackupWanted, signal: AbortSignal) => Promise<BackupOutcome>;

/** What a server makes backups with. */
export interface BackupMaker {
  readonly make: MakeBackup;
  /** For whom the secret key is sealed into each. */
  readonly recipient: string | undefined;
  /** Makes sure that backups can be made in a folder of the server, or throws why not. */
  readonly prepare?: ((folder: string) => Promise<void>) | undefined;
  /** Makes sure that backups can be made in a bucket, or throws why not. */
  readonly tryBucket?: ((address: string, known: KnownBuckets) => Promise<void>) | undefined;
}

interface PlaceCheckDeps extends Pick<BackupMaker, "prepare" | "tryBucket"> {
  readonly storages: () => Promise<KnownBuckets["storages"]>;
  readonly secret: string;
}

interface BackupsDeps extends BackupMaker {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Pick<Settings, "get" | "describe">;
  readonly cluster: Pick<Cluster, "db" | "leases">;
  /** Statements for the transaction that notes a backup which failed. */
  readonly failed?: ((run: Run) => readonly Sql[]) | undefined;
}

const SECOND = 1000;
const HOUR = 3600 * SECOND;
/** Between two looks at the timetable, and between two signs of life of a backup that runs. */
const EVERY = 30 * SECOND;
/** A backup without a sign of life for so long is one whose server has ended. */
const SILENT = 4 * EVERY;
/** From one that failed to the next try. */
const RETRY = HOUR;

const INTERRUPTED = "The server ended while the backup ran. Nothing of it stays.";

/** When backups are due, and what is wrong with those that were made. */
function createTimetable({ settings, clock }: Pick<BackupsDeps, "settings" | "clock">) {
  const target = () => settings.get("backup_target");
  const isEnabled = () => settings.get("backup_enabled") && target() !== "";
  const interval = () => settings.get("backup_interval") * HOUR;
  const offset = () => settings.get("backup_hour") * HOUR;
  const enabledAt = () => settings.describe("backup_enabled").updatedAt;

  /** When the timetable begins the next one; undefined while it is off. */
  const nextAfter = ({ last }: BackupRecord): number | undefined => {
    if (!isEnabled()) return undefined;
    const since = Math.max(last?.began ?? 0, enabledAt());
    const slot = (Math.floor((since - offset()) / interval()) + 1) * interval() + offset();
    const isToRetry = last && last.error !== null && last.began >= enabledAt();
    return isToRetry ? Math.min(slot, last.ended + RETRY) : slot;
  };

  return {
    target,
    isEnabled,
    nextAfter,
    isDue: (record: BackupRecord): boolean => clock() >= (nextAfter(record) ?? Number.POSITIVE_INFINITY),

    problemOf({ last, whole }: BackupRecord): "failed" | "late" | null {
      if (last && last.error !== null) return "failed";
      const late = clock() - Math.max(whole?.ended ?? 0, enabledAt()) > 2 * interval() + HOUR;
      return isEnabled() && late ? "late" : null;
    },

    wanted: () => ({
      target: target(),
      keep: settings.get("backup_keep"),
      withObjects: settings.get("backup_objects"),
      withS3: settings.get("backup_s3"),
    }),
  };
}

/** What became of backups, also of one whose server has ended. */
const createReading = (table: ReturnType<typeof backupsTable>, clock: Clock) => async (): Promise<BackupRecord> => {
  const record = await table.read();
  const { running } = record;
  if (!running || clock() - running.beat <= SILENT) return record;
  const none = { error: INTERRUPTED, place: null, size: 0, rows: 0, files: 0 };
  return { whole: record.whole, last: { began: running.began, ended: running.beat, by: running.by, ...none } };
};

/** Makes one backup under a lease, and writes down what became of it. */
function createPerform({ cluster, clock, log, make, failed }: BackupsDeps, stopped: AbortSignal) {
  const table = backupsTable(cluster.db);

  const beat = async (record: BackupRecord, lease: Lease): Promise<void> => {
    try {
      await table.write(record, lease.proof);
    } catch (error) {
      log.warn("a backup gave no sign of life", unforeseen(error));
    }
  };

  return async (by: Run["by"], before: BackupRecord, wanted: BackupWanted, lease: Lease): Promise<void> => {
    const began = clock();
    const beating = setInterval(() => beat({ ...before, running: { began, beat: clock(), by } }, lease), EVERY);
    const outcome = await made(make(wanted, AbortSignal.any([stopped, lease.signal])), log);
    clearInterval(beating);
    // The next start makes what a stop has broken off.
    if (stopped.aborted) return void (await table.write(before, lease.proof));
    const run: Run = {
      ...{ began, ended: clock(), by },
      ...{ error: null, place: null, size: 0, rows: 0, files: 0, ...outcome },
    };
    const told = run.error === null ? [] : (failed?.(run) ?? []);
    await table.write({ last: run, whole: run.error === null ? run : before.whole }, lease.proof, told);
    if (run.error === null) log.info("backup made", { place: run.place, bytes: run.size, files: run.files });
    else log.error("backup failed", { reason: run.error });
  };
}

/**
 * Makes what is asked before settings of backups are set: whether the folder or the bucket takes them, whoever names it or has the timetable
 * begin with the one that is named already.
 */
export const createPlaceCheck =
  ({ prepare, tryBucket, storages, secret }: PlaceCheckDeps) =>
  async (name: string, wanted: ReadonlyMap<string, string>, kept: Settings["get"]): Promise<void> => {
    const begins = name === "backup_enabled" && wanted.get(name) === "true" && !wanted.has("backup_target");
    const target = begins ? kept("backup_target") : name === "backup_target" ? (wanted.get(name) ?? "") : "";
    if (target.startsWith("s3://")) await tryBucket?.(target, { storages: await storages(), secret });
    else if (target !== "") await prepare?.(target);
  };

/** The backups that the server makes itself: by a timetable, by one of the servers, and when the administrator says so. */
export function createBackups(deps: BackupsDeps) {
  const { cluster, clock, log, recipient } = deps;
  const table = backupsTable(cluster.db);
  const read = createReading(table, clock);
  const timetable = createTimetable(deps);
  const stopping = new AbortController();
  const perform = createPerform(deps, stopping.signal);
  let timer: Timer | undefined;
  let isBusy = false;
  let work: Promise<void> = Promise.resolve();

  const beginWith = async (by: Run["by"], lease: Lease, over: () => Promise<void>): Promise<boolean> => {
    const { running, ...before } = await read();
    if (running || (by === "timetable" && !timetable.isDue(before))) return false;
    await table.write({ ...before, running: { began: clock(), beat: clock(), by } }, lease.proof);
    work = perform(by, before, timetable.wanted(), lease)
      .catch((error: unknown) => log.error("backup not recorded", unforeseen(error)))
      .finally(over);
    return true;
  };

  /** Begins one unless one runs, on whichever server, or the timetable has none to begin. Reports whether it has. */
  const begin = async (by: Run["by"]): Promise<boolean> => {
    if (isBusy || stopping.signal.aborted) return false;
    isBusy = true;
    let lease: Lease | undefined;
    let isBegun = false;
    const over = async () => {
      isBusy = false;
      await lease?.release();
    };
    try {
      lease = await cluster.leases.take("backup");
      isBegun = lease !== undefined && (await beginWith(by, lease, over));
      return isBegun;
    } finally {
      if (!isBegun) await over();
    }
  };

  /** Looks whether it is time for one. */
  const look = async (): Promise<void> => {
    try {
      if (timetable.isEnabled() && !isBusy && timetable.isDue(await read())) await begin("timetable");
    } catch (error) {
      log.warn("the timetable of backups was not read", unforeseen(error));
    }
  };

  return {
    look,
    async status() {
      const record = await read();
      const { last, whole, running } = record;
      return {
        ...{ enabled: timetable.isEnabled(), runningSince: running?.began, next: timetable.nextAfter(record) },
        ...{ last, whole, problem: timetable.problemOf(record), recipient },
      };
    },
    /** Begins one behind the answer. 400 backup.targetMissing, 409 backup.running. */
    async begin(): Promise<void> {
      if (timetable.target() === "") throw new Failure("backup.targetMissing");
      if (!(await begin("admin"))) throw new Failure("backup.running");
    },
    start(): void {
      timer = setInterval(look, EVERY);
    },
    /** Ends the one that this server makes, and returns when it has ended. */
    async stop(): Promise<void> {
      clearInterval(timer);
      stopping.abort();
      await work;
    },
    /** Returns when the one that this server makes has ended. */
    ended: (): Promise<void> => work,
  };
}

export type Backups = ReturnType<typeof createBackups>;

async function made(making: Promise<BackupOutcome>, log: Log): Promise<BackupOutcome> {
  try {
    return await making;
  } catch (error) {
    log.error("backup not begun", unforeseen(error));
    return { error: "The backup could not be started. The log of the server says why." };
  }
}
