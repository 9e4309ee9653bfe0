import type { DeliveryProblem, WebhookEvent } from "#contract/webhooks";
import type { Database } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";

export interface DeliveryRow {
  /** Of the message, the same for every try and every webhook. */
  readonly id: string;
  readonly webhook: string;
  readonly event: WebhookEvent | "test";
  /** JSON. */
  readonly body: string;
  readonly at: number;
  readonly state: "waiting" | "delivered" | "failed";
  readonly attempts: number;
  readonly first_try_at: number | null;
  readonly due_at: number;
  readonly ended_at: number | null;
  readonly status: number | null;
  readonly problem: DeliveryProblem | null;
  readonly clock_ahead: number | null;
}

/** A message before it is known for whom it is. */
export type Message = Pick<DeliveryRow, "id" | "body" | "at"> & { readonly event: WebhookEvent };

/** What became of one try. */
export interface Tried {
  readonly now: number;
  readonly status: number | null;
  readonly problem: DeliveryProblem | null;
  readonly clockAhead: number | null;
}

/** A try that failed, and when its webhook and its message are tried again. */
interface FailedTry extends Tried {
  readonly again: number;
  readonly pausedUntil: number;
}

const deliveryColumns = sql`id, webhook, event, body, at, state, attempts, first_try_at, due_at, ended_at, status, problem, clock_ahead`;

/** How many wait for the webhook of the statement around it. */
export const waiting = sql`(select count(*) from webhook_deliveries queued where queued.webhook = webhooks.id and queued.state = 'waiting')`;

const isWanted = (event: WebhookEvent): Sql =>
  sql`webhooks.enabled = 1 and webhooks.id in (select webhook from webhook_events where event = ${event})`;

/**
 * Queues a message for every webhook that wants its event and for which not too many wait, and counts it for the others. For any
 * transaction; `when` is a condition on what that transaction has done.
 */
export const queueing = ({ id, event, body, at }: Message, most: number, when: Sql = sql`1 = 1`): readonly Sql[] => [
  sql`update webhooks set dropped = dropped + 1 where ${isWanted(event)} and ${waiting} >= ${most} and ${when}`,
  sql`insert into webhook_deliveries (id, webhook, event, body, at, state, attempts, due_at)
    select ${id}, webhooks.id, ${event}, ${body}, ${at}, 'waiting', 0, ${at} from webhooks
    where ${isWanted(event)} and ${waiting} < ${most} and ${when}`,
];

/** Gives up what waits for a webhook. */
export const emptying = (id: string, now: number, when: Sql = sql`1 = 1`): Sql =>
  sql`update webhook_deliveries set state = 'failed', ended_at = ${now}, problem = 'off'
    where webhook = ${id} and state = 'waiting' and ${when}`;

/** Has what waits for a webhook begin anew, in its order: the tries of before say nothing about where it leads now. */
export const beginningAnew = (id: string, when: Sql = sql`1 = 1`): Sql =>
  sql`update webhook_deliveries set attempts = 0, first_try_at = null, due_at = at
    where webhook = ${id} and state = 'waiting' and ${when}`;

/** Where a try went and how it was signed: what comes of it says nothing about another address, or another token or secret there. */
interface Target {
  readonly id: string;
  readonly sealed_address: string;
  readonly sealed_token: string | null;
  readonly sealed_secret: string | null;
}

const isStill = ({ id, sealed_address, sealed_token, sealed_secret }: Target): Sql =>
  sql`webhooks.id = ${id} and sealed_address = ${sealed_address} and coalesce(sealed_token, '') = ${sealed_token ?? ""}
    and coalesce(sealed_secret, '') = ${sealed_secret ?? ""}`;

const whenStill = (target: Target): Sql => sql`exists (select 1 from webhooks where ${isStill(target)})`;

const switchingOff = (target: Target, reason: "failed" | "gone", now: number): Sql[] => [
  sql`update webhooks set enabled = 0, disabled_reason = ${reason}, disabled_at = ${now} where ${isStill(target)}`.publishing(
    "webhooks",
  ),
  emptying(target.id, now, whenStill(target)),
];

/** Notes a try of one that waits; an ending one says how it ended. `when` is a condition. */
const noting = (
  { id, webhook }: Pick<DeliveryRow, "id" | "webhook">,
  { now, status, problem, clockAhead }: Tried,
  next: { readonly state: DeliveryRow["state"]; readonly due: number },
  when: Sql = sql`1 = 1`,
): Sql =>
  sql`update webhook_deliveries set state = ${next.state}, attempts = attempts + 1, first_try_at = coalesce(first_try_at, ${now}),
      due_at = ${next.due}, ended_at = ${next.state === "waiting" ? null : now}, status = ${status}, problem = ${problem},
      clock_ahead = ${clockAhead}
    where id = ${id} and webhook = ${webhook} and state = 'waiting' and ${when}`;

export const deliveriesTable = (db: Database) => ({
  /** Queues messages, all or none. */
  queue: (messages: readonly Message[], most: number) =>
    db.batch(messages.flatMap((message) => queueing(message, most))),

  /** A condition: some delivery is due. */
  areDue: (now: Sql): Sql =>
    sql`exists (select 1 from webhook_deliveries where state = 'waiting' and due_at <= ${now})`,

  /** Webhooks for which something is due. */
  due: async (now: number): Promise<readonly string[]> => {
    const rows = await db.all<{ id: string }>(sql`
      select id from webhooks where enabled = 1 and paused_until <= ${now} and exists (
        select 1 from webhook_deliveries where webhook = webhooks.id and state = 'waiting' and due_at <= ${now})`);
    return rows.map(({ id }) => id);
  },

  /** When the next delivery is due; null when none waits. */
  nextDue: async (): Promise<number | null> => {
    const row = await db.first<{ at: number | null }>(sql`
      select min(case when first_due > paused_until then first_due else paused_until end) as at from (
        select paused_until, (select min(due_at) from webhook_deliveries where webhook = webhooks.id and state = 'waiting') as first_due
        from webhooks where enabled = 1) as waiting_webhooks where first_due is not null`);
    return row?.at ?? null;
  },

  /** The delivery of a webhook that has been due for longest. */
  next: (id: string, now: number) =>
    db.first<DeliveryRow>(sql`
      select ${deliveryColumns} from webhook_deliveries
      where webhook = ${id} and state = 'waiting' and due_at <= ${now}
        and exists (select 1 from webhooks where webhooks.id = ${id} and enabled = 1 and paused_until <= ${now})
      order by due_at, id limit 1`),

  /** Ends a delivery that has arrived where it was sent. */
  arrived: (row: DeliveryRow, target: Target, tried: Tried, proof: readonly Sql[]) =>
    db.batch([
      noting(row, tried, { state: "delivered", due: tried.now }),
      sql`update webhooks set failures = 0, paused_until = 0, succeeded_at = ${tried.now} where ${isStill(target)}`,
      ...proof,
    ]),

  /** Has a delivery wait for its next try, and its webhook for a while; one that leads elsewhere by now is tried there at once. */
  retryLater: (row: DeliveryRow, target: Target, tried: FailedTry, proof: readonly Sql[]) =>
    db.batch([
      noting(row, tried, { state: "waiting", due: tried.again }, whenStill(target)),
      sql`update webhooks set failures = failures + 1, paused_until = ${tried.pausedUntil} where ${isStill(target)}`,
      ...proof,
    ]),

  /**
   * Gives a delivery up, and switches its webhook off when there is a reason. Reports whether it did: one that leads elsewhere by now is
   * tried there.
   */
  async giveUp(
    row: DeliveryRow,
    target: Target,
    tried: Tried,
    reason: "failed" | "gone" | undefined,
    proof: readonly Sql[],
  ): Promise<boolean> {
    const [given] = await db.batch([
      noting(row, tried, { state: "failed", due: tried.now }, whenStill(target)),
      ...(reason ? switchingOff(target, reason, tried.now) : []),
      ...proof,
    ]);
    return given === 1;
  },

  /** Notes a delivery that was made beside the queue. */
  insertEnded: (row: DeliveryRow) =>
    db.run(sql`
      insert into webhook_deliveries (${deliveryColumns})
      select ${row.id}, ${row.webhook}, ${row.event}, ${row.body}, ${row.at}, ${row.state}, ${row.attempts}, ${row.first_try_at},
        ${row.due_at}, ${row.ended_at}, ${row.status}, ${row.problem}, ${row.clock_ahead}
      where exists (select 1 from webhooks where id = ${row.webhook})`),

  /** Newest first. */
  page: (id: string, limit: number, offset: number) =>
    db.all<DeliveryRow>(sql`
      select ${deliveryColumns} from webhook_deliveries where webhook = ${id}
      order by at desc, id desc limit ${limit} offset ${offset}`),

  /** Gives up at most so many that have waited since an instant or longer. */
  giveUpOld: (before: number, now: number, limit: number) =>
    db.run(sql`
      update webhook_deliveries set state = 'failed', ended_at = ${now}, problem = 'old'
      where state = 'waiting' and (id, webhook) in (
        select id, webhook from webhook_deliveries where state = 'waiting' and at <= ${before} limit ${limit})`),
  /** Removes at most so many that ended at an instant or before. */
  removeEnded: (before: number, limit: number) =>
    db.run(sql`
      delete from webhook_deliveries where (id, webhook) in (
        select id, webhook from webhook_deliveries where ended_at <= ${before} limit ${limit})`),
  /** Removes at most so many of a webhook, the oldest first, beyond those that are kept. */
  removeBeyond: (id: string, kept: number, limit: number) =>
    db.run(sql`
      delete from webhook_deliveries where webhook = ${id} and state <> 'waiting' and id in (
        select id from webhook_deliveries where webhook = ${id} and state <> 'waiting'
        order by at desc, id desc limit ${limit} offset ${kept})`),
});

export type DeliveriesTable = ReturnType<typeof deliveriesTable>;
