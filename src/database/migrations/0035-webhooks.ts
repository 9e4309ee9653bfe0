/** Where the server tells of what happens, and the queue of what it has to tell. */
export const webhooks = [
  `create table webhooks (
    id text primary key,
    name text not null,
    kind text not null check (kind in ('standard', 'ntfy', 'discord', 'slack', 'gotify', 'mail')),
    language text not null,
    host text not null, -- of its address, to be shown; of mail the whole address
    sealed_address text not null, -- encrypted, because many addresses are credentials
    sealed_token text, -- null for none
    sealed_secret text, -- signs; null where nothing is signed
    sealed_old_secret text, -- the one before, which signs too until old_secret_until
    old_secret_until integer,
    enabled integer not null check (enabled in (0, 1)),
    disabled_reason text, -- failed or gone when the server has switched it off
    disabled_at integer,
    failures integer not null, -- tries that failed since the last success
    paused_until integer not null, -- until then nothing is tried, because the last try failed
    succeeded_at integer,
    dropped integer not null, -- events that were left out because too many waited
    created_at integer not null,
    updated_at integer not null
  ) strict`,
  `create table webhook_events (
    event text not null,
    webhook text not null,
    primary key (event, webhook)
  ) strict, without rowid`,
  "create index webhook_events_by_webhook on webhook_events (webhook)",
  `create table webhook_deliveries (
    id text not null, -- of the message, which is one for all webhooks
    webhook text not null,
    event text not null,
    body text not null, -- JSON, as it was when it happened
    at integer not null,
    state text not null check (state in ('waiting', 'delivered', 'failed')),
    attempts integer not null,
    first_try_at integer,
    due_at integer not null, -- the next try, of one that waits
    ended_at integer,
    status integer,
    problem text,
    clock_ahead integer,
    primary key (id, webhook)
  ) strict, without rowid`,
  "create index webhook_deliveries_by_webhook on webhook_deliveries (webhook, state, due_at, id)",
  "create index webhook_deliveries_by_time on webhook_deliveries (webhook, at, id)",
  "create index webhook_deliveries_due on webhook_deliveries (due_at) where state = 'waiting'",
  "create index webhook_deliveries_ended on webhook_deliveries (ended_at) where ended_at is not null",
];
