import { READY_KEPT, READY_PATIENCE } from "#contract/limits";
import type { Database } from "../database/database.ts";
import { neededStep } from "../database/migrate.ts";
import { sql } from "../database/sql.ts";
import type { Clock } from "../lib/clock.ts";
import { type Log, type LogFields, unforeseen } from "../lib/log.ts";
import { LATE, singleFlight } from "./single-flight.ts";

/** Why a server should get no requests now. */
type NotReady = "stopping" | "database" | "migrations" | "clock" | "storage";

/** The same, with what the log says of it. */
interface Trouble {
  readonly what: NotReady;
  readonly fields?: LogFields;
}

/** Milliseconds after which the log says again what it has said and what has not changed. */
const SAID_AGAIN = 60_000;

interface ReadyDeps {
  readonly db: Database;
  /** Steps of the tables that this version knows. */
  readonly known: number;
  /** What is wrong with the clock of this server; undefined when nothing is. */
  readonly clockFault: () => Promise<string | undefined>;
  /** Throws unless the default storage answers. */
  readonly probe: () => Promise<"here" | "elsewhere">;
  /** Whether other servers may work on the database, which do not see the disk of this one; not unless said. */
  readonly shared?: boolean | undefined;
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
  const { db, known, clockFault, probe, elapsed, log, shared, patience = READY_PATIENCE } = deps;
  let stopping = false;
  let isLocal = false;
  let kept: { readonly until: number; readonly found: readonly NotReady[] } | undefined;
  let asking: Promise<readonly NotReady[]> | undefined;
  let said = { names: "", at: 0 };

  /** Balancers ask every second: the log says what has changed, and now and then what has not. */
  const say = (troubles: readonly Trouble[]): void => {
    const names = troubles.map(({ what }) => what).join(" ");
    if (names === said.names && (names === "" || elapsed() - said.at < SAID_AGAIN)) return;
    for (const { what, fields } of troubles) log.warn("not ready", { what, ...fields });
    if (names === "") log.info("ready again");
    said = { names, at: elapsed() };
  };

  /** Tables of a newer version are good for this one as well, unless that said otherwise. */
  const askDatabase = async (): Promise<Trouble | undefined> => {
    const row = await db.first<{ number: number; needed: number | null }>(
      sql`select max(number) as number, ${neededStep} as needed from migrations`,
    );
    if ((row?.number ?? 0) < known || (row?.needed ?? 0) > known) return { what: "migrations" };
    const fault = await clockFault();
    return fault === undefined ? undefined : { what: "clock", fields: { error: fault } };
  };
  const askStorage = async (): Promise<undefined> => {
    const before = isLocal;
    isLocal = (await probe()) === "here" && shared === true;
    if (isLocal && !before) log.warn("the default storage is on the disk of this server, which others do not see");
  };

  const questions = { database: singleFlight(askDatabase, patience), storage: singleFlight(askStorage, patience) };

  const ask = async (name: keyof typeof questions): Promise<Trouble | undefined> => {
    try {
      const found = await questions[name]();
      return found === LATE ? { what: name, fields: { error: "no answer in time" } } : found;
    } catch (error) {
      return { what: name, fields: unforeseen(error) };
    }
  };

  const askAll = async (): Promise<readonly NotReady[]> => {
    const [database, storage] = await Promise.all([ask("database"), ask("storage")]);
    // Only the database knows which storage it is.
    const troubles = [database, database?.what === "database" ? undefined : storage].filter((one) => one !== undefined);
    const found = troubles.map(({ what }) => what);
    say(troubles);
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
    /** What is ready and would not be with a second server, as it was found last. */
    warnings: (): readonly "storage.local"[] => (isLocal ? ["storage.local"] : []),
    /** From now on this server is not ready, because it is about to stop. */
    stop(): void {
      stopping = true;
    },
  };
}
