/** Delivers what is queued: one server at a time, each webhook in its own turn, again and again until it arrives or is given up. */
import type { Cluster, Lease } from "../cluster/cluster.ts";
import { LeaseLost } from "../cluster/held-leases.ts";
import type { Clock } from "../lib/clock.ts";
import { settleWithin } from "../lib/closing.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import { shared } from "../lib/turns.ts";
import type { DeliveriesTable, DeliveryRow, Tried } from "./deliveries-table.ts";
import type { Outcome } from "./send.ts";
import type { WebhookRow, WebhooksTable } from "./webhooks-table.ts";

/** Tries once. */
type Send = (webhook: WebhookRow, row: DeliveryRow, stopped: AbortSignal) => Promise<Outcome>;

interface DelivererDeps {
  readonly cluster: Pick<Cluster, "leases" | "regularly" | "now">;
  readonly table: DeliveriesTable;
  readonly find: WebhooksTable["find"];
  readonly clock: Clock;
  readonly log: Log;
  readonly send: Send;
  /** Whether any webhook wants anything. */
  readonly isWanted: () => boolean;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** From one try to the next (Standard Webhooks 1.0, "Retries"): ten tries in about three days. */
const WAITS = [
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE],
  ...[2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
];
/** The share of a wait that chance adds to it, so that what failed together is not tried together. */
const JITTER = 0.1;
/** A webhook whose last tries failed is left alone, for so long at first and at most, whatever waits for it. */
const FIRST_PAUSE = 5 * SECOND;
const LONGEST_PAUSE = 5 * MINUTE;
/** Between two looks at the queue that nothing has caused. */
const LOOK_EVERY = 30 * SECOND;

/** Milliseconds until the next try of a delivery, after so many; undefined when that was the last. */
const waitAfter = (attempts: number, chance: number): number | undefined => {
  const wait = WAITS[attempts - 1];
  return wait === undefined ? undefined : Math.round(wait * (1 + JITTER * chance));
};

const pauseAfter = (failures: number): number => Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(failures, 10));

/** Writes down what came of a try. */
function createNote({ table, clock, log }: Pick<DelivererDeps, "table" | "clock" | "log">) {
  const giveUp = async (webhook: WebhookRow, row: DeliveryRow, tried: Tried, { proof }: Lease): Promise<void> => {
    const began = row.first_try_at ?? tried.now;
    const hasWorked = webhook.succeeded_at !== null && webhook.succeeded_at >= began;
    // A message that its receiver refuses says nothing about the others, which arrive.
    const reason = tried.problem === "gone" ? "gone" : hasWorked ? undefined : "failed";
    const isGivenUp = await table.giveUp(row, webhook, tried, reason, proof);
    if (reason && isGivenUp) log.warn("webhook switched off", { webhook: webhook.id, reason, status: tried.status });
  };

  return async (webhook: WebhookRow, row: DeliveryRow, outcome: Outcome, lease: Lease): Promise<void> => {
    const { status, problem, clockAhead, leaveAlone } = outcome;
    const now = clock();
    const tried: Tried = { now, status, problem, clockAhead };
    if (problem === null) return void (await table.arrived(row, webhook, tried, lease.proof));
    log.warn("delivery failed", { webhook: webhook.id, event: row.event, attempt: row.attempts + 1, problem, status });
    const wait = waitAfter(row.attempts + 1, Math.random());
    if (problem === "gone" || wait === undefined) return await giveUp(webhook, row, tried, lease);
    const again = now + Math.max(wait, leaveAlone);
    const pausedUntil = now + Math.max(pauseAfter(webhook.failures), leaveAlone);
    await table.retryLater(row, webhook, { ...tried, again, pausedUntil }, lease.proof);
  };
}

/** Holds the lease under which this server delivers, while it has something to do. */
function createHolding({ leases }: Pick<Cluster, "leases">) {
  let lease: Lease | undefined;
  return {
    /** Undefined while another server delivers. */
    async take(): Promise<Lease | undefined> {
      if (!lease || lease.signal.aborted) lease = await leases.take("webhooks");
      return lease;
    },
    async release(): Promise<void> {
      const held = lease;
      lease = undefined;
      await held?.release();
    },
  };
}

/** Leaves webhooks alone, in memory, of which nothing can be written down: without that the same message would be sent as fast as its receiver answers. */
function createPauses(clock: Clock) {
  const paused = new Map<string, { readonly failures: number; readonly until: number }>();
  return {
    begin(id: string): void {
      const failures = paused.get(id)?.failures ?? 0;
      paused.set(id, { failures: failures + 1, until: clock() + pauseAfter(failures) });
    },
    end: (id: string): boolean => paused.delete(id),
    isOver: (id: string): boolean => (paused.get(id)?.until ?? 0) <= clock(),
  };
}

export function createDeliverer(deps: DelivererDeps) {
  const { cluster, table, find, clock, log, send, isWanted } = deps;
  const note = createNote(deps);
  const holding = createHolding(cluster);
  const pauses = createPauses(clock);
  const stopping = new AbortController();
  /** Webhooks that are being served, each by one task. */
  const serving = new Map<string, Promise<void>>();
  let alarm: Timer | undefined;

  /** Delivers one; reports whether there was one to deliver. */
  const deliverNext = async (id: string, lease: Lease): Promise<boolean> => {
    const [row, webhook] = [await table.next(id, clock()), await find(id)];
    const stopped = AbortSignal.any([lease.signal, stopping.signal]);
    if (!row || !webhook || stopped.aborted) return false;
    await note(webhook, row, await send(webhook, row, stopped), lease);
    pauses.end(id);
    return true;
  };

  const serve = async (id: string, lease: Lease): Promise<void> => {
    try {
      while (await deliverNext(id, lease));
    } catch (error) {
      // Whoever goes on with it tries again, under the same id.
      if (stopping.signal.aborted || lease.signal.aborted || error instanceof LeaseLost) return;
      pauses.begin(id);
      log.error("webhook not served", { webhook: id, ...unforeseen(error) });
    } finally {
      serving.delete(id);
    }
  };

  const setAlarm = (at: number): void => {
    clearTimeout(alarm);
    if (stopping.signal.aborted) return;
    alarm = setTimeout(() => void look(), Math.min(LOOK_EVERY, Math.max(SECOND, at - clock())));
    alarm.unref();
  };

  const begin = async (ids: readonly string[]): Promise<void> => {
    const lease = await holding.take();
    if (!lease) return;
    for (const id of ids) serving.set(id, serve(id, lease).then(look));
  };

  const lookOnce = shared(async () => {
    if (stopping.signal.aborted) return;
    const due = isWanted() || serving.size > 0 ? await table.due(clock()) : [];
    const ids = due.filter((id) => !serving.has(id) && pauses.isOver(id));
    if (ids.length > 0) await begin(ids);
    if (serving.size === 0) await holding.release();
    setAlarm((isWanted() ? await table.nextDue() : null) ?? Number.POSITIVE_INFINITY);
  });

  /** Begins what is due. Never rejects: what fails is tried again. */
  const look = async (): Promise<void> => {
    try {
      await lookOnce();
    } catch (error) {
      log.warn("the queue of webhooks was not read", unforeseen(error));
      setAlarm(clock() + LOOK_EVERY);
    }
  };

  return {
    look,

    /** Begins to look by itself, and takes over what another server has left. */
    start(): void {
      cluster.regularly(table.areDue(cluster.now()), look);
      void look();
    },

    /** Returns when nothing is being delivered here. */
    async idle(): Promise<void> {
      while (serving.size > 0) await Promise.all(serving.values());
    },

    /** Breaks off what is under way, which the next start or another server delivers. */
    async stop(): Promise<void> {
      clearTimeout(alarm);
      stopping.abort();
      await settleWithin(Promise.all(serving.values()));
      await holding.release();
    },
  };
}
