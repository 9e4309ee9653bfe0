/** What several servers on one database do together; alone.ts is the same for one server. The start chooses. */

import type { Database, Reading, Standby } from "../database/database.ts";
import type { Replica } from "../database/replica.ts";
import type { Sql } from "../database/sql.ts";
import { settleWithin } from "../lib/closing.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import { createDatabaseAccess } from "./database-access.ts";
import type { Lease } from "./held-leases.ts";
import { createLeases, type Leases } from "./leases.ts";
import { createListening } from "./listening.ts";
import { publishingDatabase } from "./publish.ts";
import { createTakeover, type Regularly, type RunAll } from "./takeover.ts";
import { type InTurn, type Patience, sharedTurns } from "./turns.ts";
import { openVersions, type Versions } from "./versions.ts";

export type { Lease } from "./held-leases.ts";
export type { InTurn } from "./turns.ts";

export interface Cluster extends Pick<Versions, "follow" | "publish" | "publishLater" | "synced"> {
  /** Whether other servers may work on the database. */
  readonly shared: boolean;
  /** Names this server among them; null for one alone. */
  readonly node: string | null;
  /** The database, whose statements tell the other servers what they change. */
  readonly db: Database;
  /** What lists, search and openings read by: a replica that has all that the caller may know of, or the database itself. */
  readonly reading: Reading;
  /** What is read from now on has all that was written until now. */
  renew(): void;
  /** Undefined where there is none. */
  readonly replica?: Pick<Replica, "state" | "counts"> | undefined;
  readonly leases: Omit<Leases, "beat" | "sweep">;
  /** The present by the clock that all servers share, in epoch milliseconds, as a part of a statement. */
  now(): Sql;
  /**
   * Calls a task every few seconds while there are other servers, whose work it may have to take over: when this condition holds, which
   * all tasks ask with one statement.
   */
  readonly regularly: Regularly;
  /** Makes turns of a kind: of tasks with the same name one runs at a time, on whichever server. Without patience they wait long. */
  turns(kind: string, patience?: Patience): InTurn;
  /** Begins to read what others change, and to renew leases. */
  start(): Promise<void>;
  /** Called several times a second by itself once it was started. */
  beat(): Promise<void>;
  /** Removes what no server needs any more; returns how many rows. */
  sweep(): Promise<number>;
  /** Lets the others know that this server has ended. */
  close(): Promise<void>;
}

/** Milliseconds between two readings of what others have changed, for those whom nobody notifies. */
const BEAT_EVERY = 250;
/** Milliseconds without a question of a room after which a server is at rest. */
const REST_AFTER = 10_000;
/** Beats between two readings of a server at rest that others wake. */
const READ_AT_REST = 8;
/** Beats between two looks at what other servers may have left. */
const LOOK_EVERY = 10;

interface ClusterDeps {
  readonly db: Database;
  /** A standby of the database. */
  readonly standby?: Standby | undefined;
  readonly log: Log;
  /** What is thrown when somebody else works on the same for too long. */
  readonly busy: () => Error;
  /** Milliseconds since some moment, which cannot be set. */
  readonly elapsed?: (() => number) | undefined;
  readonly sleep?: (milliseconds: number) => Promise<void>;
  /** Milliseconds; for tests, BEAT_EVERY unless said. */
  readonly beatEvery?: number;
  /** Beats; for tests, LOOK_EVERY unless said. */
  readonly lookEvery?: number;
}

/** One of several servers on a database. */
export async function joinCluster(deps: ClusterDeps): Promise<Cluster> {
  const { log, busy, standby, elapsed = () => performance.now(), sleep = Bun.sleep } = deps;
  const { beatEvery = BEAT_EVERY, lookEvery = LOOK_EVERY } = deps;
  const node = crypto.randomUUID();
  let inTrouble = false;
  /** Logged once until the database answers again. */
  const failed = (error: unknown): void => {
    if (!inTrouble) log.warn("not in step with the other servers", unforeseen(error));
    inTrouble = true;
  };
  const read = () => void runAll([versions.synced]);
  const listening = createListening({ notifications: deps.db.notifications, log, read });
  const { notify } = listening;
  const db = publishingDatabase(deps.db, notify);
  const { observedDb, reading, replica, renew, sinceQuery } = createDatabaseAccess({ db, standby, elapsed, log });
  const leases = createLeases({ db, node, elapsed, sleep, failed, busy });
  const versions = await openVersions({ db, notify, elapsed, failed, news: renew });
  let timer: Timer | undefined;
  let present: Lease | undefined;
  let beats = 0;

  /** Says that this server runs, also after others had to take it for dead. */
  const appear = async (): Promise<void> => {
    if (!present || present.signal.aborted) present = await leases.take(`${SERVER}${node}`);
  };

  const runAll: RunAll = async (tasks) => {
    let isWell = true;
    for (const task of tasks) {
      await task().catch((error: unknown) => {
        failed(error);
        isWell = false;
      });
    }
    return isWell;
  };

  const takeover = createTakeover(db, runAll);

  const beat = async (): Promise<void> => {
    const isDue = ++beats % lookEvery === 0;
    // Others wake it; that it reads by itself too is for the case that they are cut off.
    const isResting = listening.isNotified() && sinceQuery() > REST_AFTER;
    const isReading = !isResting || beats % READ_AT_REST === 0;
    if (await runAll([leases.beat, () => versions.beat(isReading)])) inTrouble = false;
    if (isDue) await Promise.all([takeover.look(appear), listening.listen()]);
  };

  return {
    shared: true,
    node,
    db: observedDb,
    reading,
    renew,
    replica,
    now: () => db.now,
    follow: versions.follow,
    publish: versions.publish,
    publishLater: versions.publishLater,
    synced: versions.synced,
    regularly: takeover.regularly,
    leases,
    turns: (kind, patience) => sharedTurns(leases, kind, patience),
    async start() {
      await appear();
      timer = setInterval(() => void beat(), beatEvery);
      await listening.listen();
    },
    beat,
    sweep: async () => (await versions.sweep()) + (await leases.sweep()),
    async close() {
      listening.close();
      clearInterval(timer);
      await runAll([() => versions.beat(false)]);
      await settleWithin(takeover.close());
      await Promise.all([present?.release(), replica?.close()]);
    },
  };
}

/** With its name, the lease that a server holds while it runs. */
export const SERVER = "server ";
