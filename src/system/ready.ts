import { READY_KEPT, READY_PATIENCE } from "#contract/limits";
import { type Database, sql } from "../database/database.ts";
import { neededStep } from "../database/migrate.ts";
import type { Clock } from "../lib/clock.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import { askedOnce, LATE } from "./asked-once.ts";

/** Why a server should get no requests now. */
type NotReady = "stopping" | "database" | "migrations" | "clock" | "storage";

interface ReadyDeps {
  readonly db: Database;
  /** Steps of the tables that this version knows. */
  readonly known: number;
  /** What is wrong with the clock of this server; undefined when nothing is. */
  readonly clockFault: () => Promise<string | undefined>;
  /** Throws unless the default storage answers. */
  readonly probe: () => Promise<void>;
  /** Milliseconds since some moment, which cannot be set. */
  readonly elapsed: Clock;
  readonly log: Log;
  /** Milliseconds until what does not answer counts as not ready; READY_PATIENCE unless said. */
  readonly patience?: number | undefined;
}

/**
 * Whether this server should get requests. The question may come from anybody: what is asked of database and storage is asked
 * once in READY_KEPT milliseconds, and never again while it is not answered.
 */
export function createReadiness(deps: ReadyDeps) {
  const { db, known, clockFault, probe, elapsed, log, patience = READY_PATIENCE } = deps;
  let stopping = false;
  let kept: { readonly until: number; readonly found: readonly NotReady[] } | undefined;
  let asking: Promise<readonly NotReady[]> | undefined;

  /** Tables of a newer version are good for this one as well, unless that said otherwise. */
  const askDatabase = async (): Promise<NotReady | undefined> => {
    const row = await db.first<{ number: number; needed: number | null }>(
      sql`select max(number) as number, ${neededStep} as needed from migrations`,
    );
    if ((row?.number ?? 0) < known || (row?.needed ?? 0) > known) return "migrations";
    const fault = await clockFault();
    if (fault === undefined) return undefined;
    log.warn("not ready", { what: "clock", error: fault });
    return "clock";
  };
  const askStorage = async (): Promise<undefined> => {
    await probe();
  };

  const questions = { database: askedOnce(askDatabase, patience), storage: askedOnce(askStorage, patience) };

  const ask = async (name: keyof typeof questions): Promise<NotReady | undefined> => {
    try {
      const found = await questions[name]();
      return found === LATE ? name : found;
    } catch (error) {
      log.warn("not ready", { what: name, ...unforeseen(error) });
      return name;
    }
  };

  const askAll = async (): Promise<readonly NotReady[]> => {
    const [database, storage] = await Promise.all([ask("database"), ask("storage")]);
    // Only the database knows which storage it is.
    const found = [database, database === "database" ? undefined : storage].filter((one) => one !== undefined);
    kept = { until: elapsed() + READY_KEPT, found };
    asking = undefined;
    return found;
  };

  return {
    /** What is not ready; empty when everything is. */
    async check(): Promise<readonly NotReady[]> {
      if (stopping) return ["stopping"];
      if (kept && elapsed() < kept.until) return kept.found;
      asking ??= askAll();
      const found = await asking;
      return stopping ? ["stopping"] : found;
    },
    /** From now on this server is not ready, because it is about to stop. */
    stop(): void {
      stopping = true;
    },
  };
}
