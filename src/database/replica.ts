import { messageOf } from "../lib/errors.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import type { Database, Reading, Standby } from "./database.ts";
import { type Sql, sql } from "./sql.ts";

/** What a standby may answer, and when it may: it has to have replayed all that the primary had flushed at a moment that is recent enough. */
export interface Replica extends Reading {
  /** Something was changed that the next reader may know of: a replica has to have it. */
  renew(): void;
  /** What a replica would answer now. */
  state(): Promise<ReplicaState>;
  /** How many statements a replica answered, and how many of those that it might have the primary did. */
  readonly counts: Readonly<Record<"replica" | "primary", number>>;
  close(): Promise<void>;
}

/** `seconds` since the last transaction that it replayed; undefined where it has replayed none. */
type ReplicaState =
  | { readonly isCurrent: true }
  | { readonly isCurrent: false; readonly why: string; readonly seconds?: number | undefined };

interface ReplicaDeps {
  readonly primary: Pick<Database, "engine" | "first" | "all" | "run">;
  readonly standby: Standby;
  /** Milliseconds since some moment, which cannot be set. */
  readonly elapsed: () => number;
  readonly log: Log;
}

/** Milliseconds that an answer may be older than the primary. */
const MAX_STALENESS = 1000;
/** Milliseconds until a standby is given up that does not say how far it is. */
const STANDBY_TIMEOUT = 500;
/** Milliseconds for which a standby that is behind is not asked. */
const BEHIND_PAUSE = 20;
/** Milliseconds between two questions whether a standby that did not answer is back. */
const PROBE_INTERVAL = 1000;

/** The fact that names one promotion of the database, which a standby must have too: positions of the log compare within it alone. */
const LINEAGE = "history of the log";

const history = sql`(select value from facts where name = ${LINEAGE})`;

/** How far the log of the primary is flushed, and on which timeline. Without synchronous_commit a change is seen before it is flushed. */
const FLUSHED = sql`
  select case when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
      else pg_current_wal_flush_lsn() end - '0/0'::pg_lsn as flushed,
    substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8) as timeline, ${history} as history`;

const REPLAYED = sql`
  select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() - '0/0'::pg_lsn end as replayed,
    floor(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()))::bigint as seconds, ${history} as history`;

interface Flushed {
  readonly flushed: number;
  readonly timeline: string;
  readonly history: string | null;
}

interface Replayed {
  readonly replayed: number | null;
  readonly seconds: number | null;
  readonly history: string | null;
}

/** Begins a lineage when the timeline has changed, once however many servers do so. */
const beginLineage = (timeline: string): Sql =>
  sql`
  insert into facts (name, value) values (${LINEAGE}, ${`${timeline} ${crypto.randomUUID()}`})
  on conflict (name) do update set value = excluded.value where substr(facts.value, 1, 8) <> ${timeline}`.byRow();

/** Why what a standby has replayed is not enough; undefined when it is. */
function whyBehind(required: Flushed, { replayed, history }: Replayed): string | undefined {
  if (replayed === null) return "it is not a standby";
  if (history === required.history && replayed >= required.flushed) return undefined;
  return "it has not yet replayed what the primary has";
}

/** Asks the primary how far it is, at most once for all who may know the same, and never for one who may know more. */
function createPrimaryPosition({ primary, elapsed }: Pick<ReplicaDeps, "primary" | "elapsed">) {
  let changes = 0;
  let asked: { readonly changes: number; readonly at: number; readonly answer: Promise<Flushed> } | undefined;

  const ask = async (): Promise<Flushed> => {
    const now = await primary.first<Flushed>(FLUSHED);
    if (!now) throw new Error("The primary did not say how far its log is.");
    if (now.history?.startsWith(now.timeline)) return now;
    await primary.run(beginLineage(now.timeline));
    return await ask();
  };

  return {
    renew(): void {
      changes += 1;
    },
    required(): Promise<Flushed> {
      if (asked?.changes !== changes || elapsed() - asked.at >= MAX_STALENESS) {
        const one = { changes, at: elapsed(), answer: ask() };
        one.answer.catch(() => {
          if (asked === one) asked = undefined;
        });
        asked = one;
      }
      return asked.answer;
    },
  };
}

/** Asks a standby, and leaves it alone while it does not answer: nobody waits for one that is known to be gone. */
function createStandbyClient({ standby, log }: Pick<ReplicaDeps, "standby" | "log">) {
  let away: Timer | undefined;
  let isClosed = false;

  /** What a standby says of itself, and its answers to what is asked right behind that, which may still be on their way. */
  const ask = async (queries: readonly Sql[]) => {
    const tooLate = Promise.withResolvers<never>();
    const timer = setTimeout(() => tooLate.reject(new Error("no answer in time")), STANDBY_TIMEOUT);
    const sent = standby.read<unknown>([REPLAYED, ...queries]);
    try {
      const [replayed, ...answers] = await Promise.race([sent, tooLate.promise]);
      const [row] = ((await Promise.race([replayed, tooLate.promise])) ?? []) as Replayed[];
      if (!row) throw new Error("It did not say how far it is.");
      return { row, answers };
    } finally {
      clearTimeout(timer);
    }
  };

  const probe = async (): Promise<void> => {
    const isBack = await ask([]).then(
      () => true,
      () => false,
    );
    if (!isBack || away === undefined) return;
    clearInterval(away);
    away = undefined;
    log.info("the replica of the database answers again");
  };

  return {
    ask,
    isAway: (): boolean => away !== undefined,
    markUnavailable(error: unknown): void {
      if (away !== undefined || isClosed) return;
      log.warn("the replica of the database does not answer", unforeseen(error));
      away = setInterval(() => void probe(), PROBE_INTERVAL);
    },
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(away);
      await standby.close();
    },
  };
}

/**
 * Reads from a standby what it has, and everything else from the primary: the standby says how far it is on the connection of each
 * statement and right before it, because several of them may stand behind one address.
 */
export function createReplica({ primary, standby, elapsed, log }: ReplicaDeps): Replica {
  const { renew, required } = createPrimaryPosition({ primary, elapsed });
  const { ask, isAway, markUnavailable, close } = createStandbyClient({ standby, log });
  const counts = { replica: 0, primary: 0 };
  let behindUntil = Number.NEGATIVE_INFINITY;

  /** Rows from a standby; undefined when the primary has to be asked. */
  const fromStandby = async (query: Sql): Promise<unknown[] | undefined> => {
    if (isAway() || elapsed() < behindUntil) return undefined;
    // The primary says itself what is wrong with it.
    const mark = await required().catch(() => undefined);
    if (!mark) return undefined;
    try {
      const { row, answers } = await ask([query]);
      if (whyBehind(mark, row) === undefined) return await answers[0];
      behindUntil = elapsed() + BEHIND_PAUSE;
    } catch (error) {
      markUnavailable(error);
    }
    return undefined;
  };

  return {
    engine: primary.engine,
    async first<Row>(query: Sql, accepts?: (row: Row) => boolean) {
      const rows = (await fromStandby(query)) as Row[] | undefined;
      const [row] = rows ?? [];
      const isFromReplica = rows !== undefined && (!accepts || (row !== undefined && accepts(row)));
      counts[isFromReplica ? "replica" : "primary"] += 1;
      return isFromReplica ? row : await primary.first<Row>(query);
    },
    async all<Row>(query: Sql) {
      const rows = (await fromStandby(query)) as Row[] | undefined;
      counts[rows ? "replica" : "primary"] += 1;
      return rows ?? (await primary.all<Row>(query));
    },
    renew,
    counts,
    async state() {
      try {
        const mark = await required();
        const { row } = await ask([]);
        const why = whyBehind(mark, row);
        return why === undefined ? { isCurrent: true } : { isCurrent: false, why, seconds: row.seconds ?? undefined };
      } catch (error) {
        return { isCurrent: false, why: messageOf(error) };
      }
    },
    close,
  };
}
