import { READY_KEPT, READY_PATIENCE } from "#contract/limits";
import { type Database, sql } from "../database/database.ts";
import { neededStep } from "../database/migrate.ts";
import type { Clock } from "../lib/clock.ts";
import { type Log, unforeseen } from "../lib/log.ts";

/** Why a server should get no requests now. */
type NotReady = "stopping" | "database" | "migrations" | "storage";

interface ReadyDeps {
  readonly db: Database;
  /** Steps of the tables that this version knows. */
  readonly known: number;
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
export function createReadiness({ db, known, probe, elapsed, log, patience = READY_PATIENCE }: ReadyDeps) {
  let stopping = false;
  let kept: { readonly until: number; readonly found: readonly NotReady[] } | undefined;
  let asking: Promise<readonly NotReady[]> | undefined;

  /** Tables of a newer version are good for this one as well, unless that said otherwise. */
  const askDatabase = async (): Promise<NotReady | undefined> => {
    const row = await db.first<{ number: number; needed: number | null }>(
      sql`select max(number) as number, ${neededStep} as needed from migrations`,
    );
    return (row?.number ?? 0) < known || (row?.needed ?? 0) > known ? "migrations" : undefined;
  };
  const askStorage = async (): Promise<undefined> => {
    await probe();
  };

  const single = { database: createSingle(askDatabase), storage: createSingle(askStorage) };

  const ask = async (name: keyof typeof single): Promise<NotReady | undefined> => {
    const late = Promise.withResolvers<NotReady>();
    const timer = setTimeout(() => late.resolve(name), patience);
    try {
      return await Promise.race([single[name](), late.promise]);
    } catch (error) {
      log.warn("not ready", { what: name, ...unforeseen(error) });
      return name;
    } finally {
      clearTimeout(timer);
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

/** Asks once at a time: whoever asks meanwhile gets the same answer. */
function createSingle<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let open: Promise<Answer> | undefined;
  return () => {
    open ??= ask().finally(() => {
      open = undefined;
    });
    return open;
  };
}
