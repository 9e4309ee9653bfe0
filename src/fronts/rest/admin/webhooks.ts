import { webhooks as api, type DeliveryRecord, type WebhookRecord } from "#contract/webhooks";
import type { House } from "../../../house.ts";
import { iso, isoOrNull } from "../../../lib/clock.ts";
import type { Webhook, Webhooks } from "../../../webhooks/webhooks.ts";
import type { Bind } from "../bind.ts";

type Delivery = Awaited<ReturnType<Webhooks["test"]>>;

/** Webhooks over REST. */
export function bindWebhooks(bind: Bind, { webhooks }: Pick<House, "webhooks">): void {
  bind(api.list, async () => ({
    data: { webhooks: (await webhooks.list()).map(shown), mail: webhooks.hasMail },
  }));

  bind(api.create, async ({ body, touched }) => {
    const { webhook, secret } = await webhooks.create(body);
    touched({ id: webhook.id, name: webhook.name });
    return { data: { ...shown(webhook), secret } };
  });

  bind(api.update, async ({ params: { id }, body, touched }) => {
    const webhook = await webhooks.update(id, body);
    touched({ id, name: webhook.name });
    return { data: shown(webhook) };
  });

  bind(api.remove, async ({ params: { id }, touched }) => {
    touched({ id, name: await webhooks.remove(id) });
    return {};
  });

  bind(api.test, async ({ params: { id }, touched }) => {
    touched({ id });
    return { data: shownDelivery(await webhooks.test(id)) };
  });

  bind(api.rotate, async ({ params: { id }, touched }) => {
    const { webhook, secret } = await webhooks.rotate(id);
    touched({ id, name: webhook.name });
    return { data: { ...shown(webhook), secret } };
  });

  bind(api.deliveries, async ({ params: { id }, query: { limit, offset } }) => {
    const { rows, hasMore } = await webhooks.deliveries(id, limit, offset);
    return { data: rows.map(shownDelivery), pagination: { hasMore } };
  });
}

const shown = (row: Webhook): WebhookRecord => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  host: row.host,
  has_token: row.sealed_token !== null,
  events: [...row.events],
  language: row.language,
  enabled: row.enabled === 1,
  disabled_reason: row.disabled_reason,
  disabled_at: isoOrNull(row.disabled_at),
  waiting: row.waiting,
  dropped: row.dropped,
  last_success_at: isoOrNull(row.succeeded_at),
  old_secret_until: isoOrNull(row.old_secret_until),
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
});

const shownDelivery = (row: Delivery): DeliveryRecord => ({
  id: row.id,
  event: row.event,
  at: iso(row.at),
  state: row.state,
  attempts: row.attempts,
  next_at: row.state === "waiting" ? iso(row.due_at) : null,
  ended_at: isoOrNull(row.ended_at),
  status: row.status,
  problem: row.problem,
  clock_ahead: row.clock_ahead,
});
