import type { Language } from "#contract/languages";
import type { WebhookEvent, WebhookKind } from "#contract/webhooks";
import type { Database } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";
import { beginningAnew, emptying, waiting } from "./deliveries-table.ts";

export interface WebhookRow {
  readonly id: string;
  readonly name: string;
  readonly kind: WebhookKind;
  readonly language: Language;
  readonly host: string;
  readonly sealed_address: string;
  readonly sealed_token: string | null;
  readonly sealed_secret: string | null;
  /** The secret before the last rotation, and until when it signs too. */
  readonly sealed_old_secret: string | null;
  readonly old_secret_until: number | null;
  readonly enabled: number;
  readonly disabled_reason: "failed" | "gone" | null;
  readonly disabled_at: number | null;
  /** Tries that failed since the last success. */
  readonly failures: number;
  /** Nothing is tried before. */
  readonly paused_until: number;
  readonly succeeded_at: number | null;
  /** Events that were left out because too many waited. */
  readonly dropped: number;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface ListedWebhook extends WebhookRow {
  readonly waiting: number;
}

/** What an administrator changes beside the fields of the row. */
interface WebhookUpdate {
  readonly events: readonly WebhookEvent[] | undefined;
  readonly enabled: boolean | undefined;
  readonly isElsewhere: boolean;
}

const webhookColumns = sql`id, name, kind, language, host, sealed_address, sealed_token, sealed_secret, sealed_old_secret,
  old_secret_until, enabled, disabled_reason, disabled_at, failures, paused_until, succeeded_at, dropped, created_at, updated_at`;

const subscribing = (id: string, events: readonly WebhookEvent[]): Sql[] => [
  sql`delete from webhook_events where webhook = ${id}`,
  ...events.map((event) => sql`insert into webhook_events (event, webhook) values (${event}, ${id})`),
];

export const webhooksTable = (db: Database) => ({
  all: () =>
    db.all<ListedWebhook>(sql`select ${webhookColumns}, ${waiting} as waiting from webhooks order by name, id`),
  find: (id: string) =>
    db.first<ListedWebhook>(sql`select ${webhookColumns}, ${waiting} as waiting from webhooks where id = ${id}`),
  /** What each webhook wants to be told of. */
  events: () => db.all<{ event: WebhookEvent; webhook: string }>(sql`select event, webhook from webhook_events`),
  /** The events that some webhook wants now. */
  wanted: () =>
    db.all<{ event: WebhookEvent }>(sql`
      select distinct event from webhook_events where webhook in (select id from webhooks where enabled = 1)`),
  /** Those that the server has switched off. */
  switchedOff: () =>
    db.all<Pick<WebhookRow, "id" | "name"> & { readonly disabled_reason: "failed" | "gone" }>(sql`
      select id, name, disabled_reason from webhooks where disabled_reason is not null order by name, id`),

  /** Throws `refusal` when there are so many already. */
  insert: (row: WebhookRow, events: readonly WebhookEvent[], most: number, refusal: Error) =>
    db.batch([
      sql`insert into webhooks (${webhookColumns})
        select ${row.id}, ${row.name}, ${row.kind}, ${row.language}, ${row.host}, ${row.sealed_address}, ${row.sealed_token},
          ${row.sealed_secret}, ${row.sealed_old_secret}, ${row.old_secret_until}, ${row.enabled}, ${row.disabled_reason},
          ${row.disabled_at}, ${row.failures}, ${row.paused_until}, ${row.succeeded_at}, ${row.dropped}, ${row.created_at},
          ${row.updated_at}
        where (select count(*) from webhooks) < ${most}`
        .expect(1, refusal)
        .publishing("webhooks"),
      ...subscribing(row.id, events),
    ]),

  /**
   * Writes the fields of an administrator. One that is switched on begins anew, what waits for one that is switched off is given up,
   * and what waits for one that is elsewhere now begins anew there, at once. Throws `missing`.
   */
  update: (row: WebhookRow, { events, enabled, isElsewhere }: WebhookUpdate, missing: Error) =>
    db.batch([
      sql`update webhooks set name = ${row.name}, language = ${row.language}, host = ${row.host},
          sealed_address = ${row.sealed_address}, sealed_token = ${row.sealed_token}, updated_at = ${row.updated_at}
        where id = ${row.id}`
        .expect(1, missing)
        .publishing("webhooks"),
      ...(events ? subscribing(row.id, events) : []),
      ...(isElsewhere || enabled ? [sql`update webhooks set failures = 0, paused_until = 0 where id = ${row.id}`] : []),
      ...(isElsewhere ? [beginningAnew(row.id)] : []),
      ...(enabled === undefined
        ? []
        : [
            sql`update webhooks set enabled = ${Number(enabled)}, disabled_reason = null, disabled_at = null, dropped = 0 where id = ${row.id}`,
          ]),
      ...(enabled === false ? [emptying(row.id, row.updated_at)] : []),
    ]),

  /**
   * Has a new secret sign, and the one before until an instant. What waits begins anew with it, after a pause that its receiver wants:
   * that is still the same. Reports whether nobody else has rotated it since it was read.
   */
  async rotate({ id, sealed_secret }: WebhookRow, sealed: string, until: number, now: number): Promise<boolean> {
    const isRotated = sql`exists (select 1 from webhooks where webhooks.id = ${id} and webhooks.sealed_secret = ${sealed})`;
    const [changed] = await db.batch([
      sql`update webhooks set sealed_old_secret = sealed_secret, old_secret_until = ${until}, sealed_secret = ${sealed}, updated_at = ${now}
        where id = ${id} and sealed_secret = ${sealed_secret}`,
      beginningAnew(id, isRotated),
    ]);
    return changed === 1;
  },

  /** Removes a webhook with its deliveries. Reports whether it was there. */
  async remove(id: string): Promise<boolean> {
    const changed = await db.batch([
      sql`delete from webhook_deliveries where webhook = ${id}`,
      sql`delete from webhook_events where webhook = ${id}`,
      sql`delete from webhooks where id = ${id}`.publishing("webhooks"),
    ]);
    return changed[2] === 1;
  },
});

export type WebhooksTable = ReturnType<typeof webhooksTable>;
