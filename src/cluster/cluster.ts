/** What one server does alone and several on one database do together; which of the two is chosen at the start. */

import type { Database, Notifications } from "../database/database.ts";
import { joined, type Sql, sql, type Topic } from "../database/sql.ts";
import type { Clock } from "../lib/clock.ts";
import { createLocks } from "../lib/locks.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import { createLeases, digest, type Lease, type Leases } from "./leases.ts";
import { publishingDatabase } from "./publish.ts";
import { type Follow, openVersions, type Versions } from "./versions.ts";

export type { Lease } from "./leases.ts";

/** Runs tasks that share a name one after the other. A task whose signal aborts before its turn never begins: then `busy` is thrown. */
export type InTurn = <Result>(
  names: string | readonly string[],
  task: () => Promise<Result>,
  waiting?: { readonly signal?: AbortSignal | undefined },
) => Promise<Result>;

/** How long a task waits for its turn. */
interface Patience {
  /** Milliseconds, after which `busy` is thrown. */
  readonly patience: number;
  readonly busy: () => Error;
}

export interface Cluster extends Pick<Versions, "follow" | "publish" | "publishLater" | "synced"> {
  /** Whether other servers may work on the database. */
  readonly shared: boolean;
  /** Names this server among them; null for one alone. */
  readonly node: string | null;
  /** The database, whose statements tell the other servers what they change. */
  readonly db: Database;
  readonly leases: Omit<Leases, "beat" | "sweep">;
  /** The present by the clock that all servers share, in epoch milliseconds, as a part of a statement. */
  now(): Sql;
  /**
   * Calls a task every few seconds while there are other servers, whose work it may have to take over: when this condition holds, which
   * all tasks ask with one statement.
   */
  regularly(isDue: Sql, task: () => Promise<void>): void;
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
/** Milliseconds from a notification to reading, so that many changes are read at once. */
const NOTIFY_DELAY = 10;
/** Milliseconds without a question of a room after which a server is at rest. */
const REST_AFTER = 10_000;
/** Beats between two readings of a server at rest that others wake. */
const READ_AT_REST = 8;
/** Beats between two looks at what other servers may have left. */
const LOOK_EVERY = 10;
/** Looks between two attempts to listen, at most: a minute. */
const MOST_LOOKS = 24;

const nothing = async (): Promise<void> => undefined;

/** One server: nothing is read again, and a lease is always free. */
export function standAlone({ db, clock }: { readonly db: Database; readonly clock: Clock }): Cluster {
  const lease: Lease = { signal: new AbortController().signal, proof: [], ending: [], release: nothing };
  /** How often, and how much together, by subject. */
  const announced = new Map<string, { readonly times: number; readonly amount: number }>();
  const followers: { readonly topic: Topic; readonly changed: Follow }[] = [];
  const add = (subject: string, times: number, amount: number): void => {
    const before = announced.get(subject) ?? { times: 0, amount: 0 };
    const now = { times: before.times + times, amount: before.amount + amount };
    if (now.times === 0) announced.delete(subject);
    else announced.set(subject, now);
  };

  return {
    shared: false,
    node: null,
    db,
    now: () => sql`${clock()}`,
    follow: (topic, changed) => void followers.push({ topic, changed }),
    async publish(topic, ...subjects) {
      for (const one of followers)
        if (one.topic === topic) await one.changed(subjects.length > 0 ? subjects : undefined);
    },
    publishLater: () => undefined,
    synced: nothing,
    regularly: () => undefined,
    turns: (_, patience) => {
      const locks = createLocks();
      return (names, task, { signal } = {}) =>
        begins(patience, signal, (waiting, begun) =>
          locks(
            names,
            () => {
              begun();
              return task();
            },
            { signal: waiting },
          ),
        );
    },
    leases: {
      taking: () => ({ statements: [], isTaken: () => false, taken: () => lease }),
      take: async () => lease,
      takeEvery: async () => lease,
      wait: async () => lease,
      async announce(subject, amount = 0) {
        add(subject, 1, amount);
        return { ...lease, release: async () => add(subject, -1, -amount) };
      },
      amount: async (subject) => announced.get(subject)?.amount ?? 0,
      isHeld: () => sql`false`,
      isAnnounced: async (subjects) => subjects.some((subject) => announced.has(subject)),
    },
    start: nothing,
    beat: nothing,
    sweep: async () => 0,
    close: nothing,
  };
}

interface ClusterDeps {
  readonly db: Database;
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
  const { log, busy, elapsed = () => performance.now(), sleep = Bun.sleep } = deps;
  const { beatEvery = BEAT_EVERY, lookEvery = LOOK_EVERY } = deps;
  const node = crypto.randomUUID();
  let inTrouble = false;
  /** Logged once until the database answers again. */
  const failed = (error: unknown): void => {
    if (!inTrouble) log.warn("not in step with the other servers", unforeseen(error));
    inTrouble = true;
  };
  /** Filled once this server listens; one that never could notifies nobody either. All of them poll anyway. */
  const notify: Sql[] = [];
  let isListening = false;
  /** Looks until the next attempt to listen, and until the one after it: more each time while it fails, undefined while it does not. */
  let listenBackoff: { readonly wait: number; left: number } | undefined;
  const db = publishingDatabase(deps.db, notify);
  let askedAt = elapsed();
  const asking = observed(db, () => {
    askedAt = elapsed();
  });
  const leases = createLeases({ db, node, elapsed, sleep, failed, busy });
  const versions = await openVersions({ db, notify, elapsed, failed });
  let timer: Timer | undefined;
  let notifyTimer: Timer | undefined;
  let isClosed = false;
  let present: Lease | undefined;
  const looks: { readonly isDue: Sql; readonly task: () => Promise<void> }[] = [];
  let beats = 0;
  let isLooking = false;

  /** Says that this server runs, also after others had to take it for dead. */
  const appear = async (): Promise<void> => {
    if (!present || present.signal.aborted) present = await leases.take(`${SERVER}${node}`);
  };

  /** Reports whether all went well. */
  const runAll = async (tasks: readonly (() => Promise<void>)[]): Promise<boolean> => {
    let isWell = true;
    for (const task of tasks) {
      await task().catch((error: unknown) => {
        failed(error);
        isWell = false;
      });
    }
    return isWell;
  };

  const look = async (): Promise<void> => {
    // A storage that does not answer can make it last long.
    if (isLooking) return;
    isLooking = true;
    await runAll([appear, lookAll]);
    isLooking = false;
  };

  const lookAll = async (): Promise<void> => {
    const questions = looks.map(({ isDue }, index) => sql`select ${index} as number where ${isDue}`);
    const due = questions.length === 0 ? [] : await db.all<{ number: number }>(joined(questions, " union all "));
    // One that fails does not keep the others from being done.
    await runAll(due.flatMap(({ number }) => looks[number]?.task ?? []));
  };

  /** Reads what others have changed, soon. */
  const onNotify = (): void => {
    if (isClosed) return;
    notifyTimer ??= setTimeout(() => {
      notifyTimer = undefined;
      void runAll([versions.synced]);
    }, NOTIFY_DELAY);
  };

  const listen = async ({ notify: statement, listen: begin }: Notifications): Promise<void> => {
    try {
      await begin(onNotify);
      if (notify.length === 0) notify.push(statement);
      if (listenBackoff) log.info("LISTEN works again");
      listenBackoff = undefined;
    } catch (error) {
      if (!listenBackoff) log.warn("LISTEN failed, polling for changes", unforeseen(error));
      const wait = Math.min(2 * (listenBackoff?.wait ?? 0.5), MOST_LOOKS);
      listenBackoff = { wait, left: wait };
    }
  };

  /** Listens to the others, also when that was not possible before. */
  const listenAgain = async (): Promise<void> => {
    if (!deps.db.notifications || isListening || isClosed) return;
    if (listenBackoff && --listenBackoff.left > 0) return;
    // A server that does not answer can make it last long.
    isListening = true;
    await listen(deps.db.notifications);
    isListening = false;
  };

  const beat = async (): Promise<void> => {
    const isDue = ++beats % lookEvery === 0;
    // Others wake it; that it reads by itself too is for the case that they are cut off.
    const isResting = notify.length > 0 && !listenBackoff && elapsed() - askedAt > REST_AFTER;
    const isReading = !isResting || beats % READ_AT_REST === 0;
    if (await runAll([leases.beat, () => versions.beat(isReading)])) inTrouble = false;
    if (isDue) await Promise.all([look(), listenAgain()]);
  };

  return {
    shared: true,
    node,
    db: asking,
    now: () => db.now,
    follow: versions.follow,
    publish: versions.publish,
    publishLater: versions.publishLater,
    synced: versions.synced,
    regularly: (isDue, task) => void looks.push({ isDue, task }),
    leases,
    turns(kind, patience) {
      const here = createLocks();
      return (names, task, { signal } = {}) => {
        const hidden = [names].flat().map((name) => `${kind} ${digest(name)}`);
        const turn = async (waiting: AbortSignal | undefined, begun: () => void) => {
          const lease = await leases.wait(hidden, waiting);
          try {
            waiting?.throwIfAborted();
            begun();
            return await task();
          } finally {
            await lease.release();
          }
        };
        return begins(patience, signal, (waiting, begun) =>
          here(hidden, () => turn(waiting, begun), { signal: waiting }),
        );
      };
    },
    async start() {
      await appear();
      timer = setInterval(() => void beat(), beatEvery);
      await listenAgain();
    },
    beat,
    sweep: async () => (await versions.sweep()) + (await leases.sweep()),
    async close() {
      isClosed = true;
      clearInterval(timer);
      clearTimeout(notifyTimer);
      await beat();
      await present?.release();
    },
  };
}

/**
 * Runs what waits and then begins a task. Its signal aborts when that lasts too long or nobody waits for it any more, and never once
 * the task has begun, which is neither late nor to be left half done.
 */
async function begins<Result>(
  limit: Patience | undefined,
  signal: AbortSignal | undefined,
  run: (waiting: AbortSignal | undefined, begun: () => void) => Promise<Result>,
): Promise<Result> {
  if (!limit) return await run(undefined, () => undefined);
  const { patience, busy } = limit;
  if (signal?.aborted) throw busy();
  const waiting = new AbortController();
  const giveUp = () => waiting.abort(busy());
  const timer = setTimeout(giveUp, patience);
  const begun = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  };
  signal?.addEventListener("abort", giveUp);
  try {
    return await run(waiting.signal, begun);
  } finally {
    begun();
  }
}

/** A database that says when it is asked something. */
const observed = (db: Database, asked: () => void): Database => {
  const noting =
    <Sent extends readonly unknown[], Result>(ask: (...sent: Sent) => Result) =>
    (...sent: Sent): Result => {
      asked();
      return ask(...sent);
    };
  return {
    ...db,
    get now() {
      return db.now;
    },
    first: noting(db.first) as Database["first"],
    all: noting(db.all) as Database["all"],
    run: noting(db.run),
    batch: noting(db.batch),
  };
};

/** With its name, the lease that a server holds while it runs. */
export const SERVER = "server ";
