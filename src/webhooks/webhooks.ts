/** Webhooks as an administrator edits them, and the room around them. */
import { isIP } from "node:net";
import { Failure } from "#contract/failures";
import {
  DELIVERY_LIFE,
  DELIVERY_PATIENCE,
  MAX_ENDED_DELIVERIES,
  MAX_WEBHOOKS,
  WEBHOOK_SECRET_KEPT_HOURS,
} from "#contract/limits";
import {
  type NewWebhook,
  takesToken,
  type WebhookChange,
  type WebhookEvent,
  type WebhookKind,
  webhookEvents,
} from "#contract/webhooks";
import type { Cluster } from "../cluster/cluster.ts";
import { type AddressPolicy, type Resolve, resolveByMachine } from "../lib/addresses.ts";
import { type Clock, iso, steadyClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { createPinnedFetch } from "../lib/pinned-fetch.ts";
import { readSourceUrl, SourceError } from "../lib/safe-fetch.ts";
import { createSeals } from "../lib/secret.ts";
import { removeInSlices } from "../lib/turns.ts";
import { ntfyTopic } from "./bodies.ts";
import { createDeliverer } from "./deliverer.ts";
import { type DeliveryRow, deliveriesTable } from "./deliveries-table.ts";
import { createMailer, type MailServer } from "./mail.ts";
import { newMessageId, type WebhookQueue } from "./queue.ts";
import { createSend, sealedFor } from "./send.ts";
import { newSecret } from "./signature.ts";
import { type ListedWebhook, type WebhookRow, type WebhooksTable, webhooksTable } from "./webhooks-table.ts";
import type { Told } from "./words.ts";

export interface WebhooksDeps {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly log: Log;
  readonly secret: string;
  readonly queue: WebhookQueue;
  /** Where this server connects to. */
  readonly policy: AddressPolicy;
  /** How names are resolved; as this machine does unless said. */
  readonly resolve?: Resolve | undefined;
  readonly mailServer?: MailServer | undefined;
  /** Milliseconds for one try; for tests. */
  readonly patience?: number | undefined;
}

/** A webhook with what it wants to be told of. */
export interface Webhook extends ListedWebhook {
  readonly events: readonly WebhookEvent[];
}

const SLICE = 200;
/** Enough to find out a mistake of typing; only the mail server knows what an address is. */
const MAIL = /^[^\s@<>,;:"()]{1,64}@[^\s@<>,;:"()]{1,190}$/;

/** The address as it is kept, and what is shown of it. 400 webhook.address, webhook.forbidden, webhook.mailAddress, webhook.topic. */
function readAddress(kind: WebhookKind, typed: string, policy: AddressPolicy): { address: string; host: string } {
  if (kind === "mail") {
    if (!MAIL.test(typed)) throw new Failure("webhook.mailAddress");
    return { address: typed, host: typed };
  }
  const url = readWebAddress(typed);
  const name = url.hostname.replace(/^\[|\]$/g, "");
  // Names are looked up when something is sent, and then the address that was found is the one that is connected to.
  if (isIP(name) !== 0 && policy.forbids(name)) throw new Failure("webhook.forbidden");
  if (kind === "ntfy" && !ntfyTopic(url.href)) throw new Failure("webhook.topic");
  return { address: url.href, host: url.host };
}

function readWebAddress(typed: string): URL {
  try {
    return readSourceUrl(typed);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new Failure(error.problem === "forbidden" ? "webhook.forbidden" : "webhook.address");
  }
}

/** Webhooks as they are now. */
function createReading(table: WebhooksTable) {
  /** 404 webhook.missing. */
  const get = async (id: string): Promise<ListedWebhook> => {
    const row = await table.find(id);
    if (!row) throw new Failure("webhook.missing");
    return row;
  };

  const list = async (): Promise<Webhook[]> => {
    const [rows, events] = await Promise.all([table.all(), table.events()]);
    return rows.map((row) => ({
      ...row,
      events: webhookEvents.filter((one) => events.some(({ event, webhook }) => event === one && webhook === row.id)),
    }));
  };

  const read = async (id: string): Promise<Webhook> => {
    const found = (await list()).find((one) => one.id === id);
    if (!found) throw new Failure("webhook.missing");
    return found;
  };

  return { get, list, read };
}

/** What an administrator does with webhooks. */
function createEditing(deps: WebhooksDeps, table: WebhooksTable) {
  const { clock, secret, policy, queue, mailServer } = deps;
  const seals = createSeals(secret);
  const { get, list, read } = createReading(table);

  const addressed = (id: string, kind: WebhookKind, typed: string) => {
    const { address, host } = readAddress(kind, typed, policy);
    return { host, sealed_address: seals.seal(address, sealedFor.address(id)) };
  };

  /** Whether an address leads to another server than the one of before, which must not get its token. */
  const isOtherServer = ({ id, sealed_address }: WebhookRow, address: string): boolean => {
    const before = seals.open(sealed_address, sealedFor.address(id)) ?? "";
    return URL.parse(before)?.origin !== URL.parse(address)?.origin;
  };

  const tokenOf = (id: string, kind: WebhookKind, token: string): string | null =>
    token === "" || !takesToken(kind) ? null : seals.seal(token, sealedFor.token(id));

  return {
    get,
    list,

    /** Makes a webhook; the secret, null where nothing is signed, is told this once. 409 webhook.tooMany, and the failures of addresses. */
    async create({ name, kind, address, token, events, language, enabled }: NewWebhook) {
      if (kind === "mail" && !mailServer) throw new Failure("webhook.noMail");
      const [id, now] = [Bun.randomUUIDv7(), clock()];
      const made = kind === "standard" ? newSecret() : null;
      const row: WebhookRow = {
        ...{ id, name, kind, language, enabled: Number(enabled), ...addressed(id, kind, address) },
        sealed_token: tokenOf(id, kind, token),
        sealed_secret: made && seals.seal(made, sealedFor.secret(id)),
        ...{ sealed_old_secret: null, old_secret_until: null, disabled_reason: null, disabled_at: null },
        ...{ failures: 0, paused_until: 0, succeeded_at: null, dropped: 0, created_at: now, updated_at: now },
      };
      const refusal = new Failure("webhook.tooMany", { limit: MAX_WEBHOOKS });
      await table.insert(row, [...new Set(events)], MAX_WEBHOOKS, refusal);
      await queue.read();
      return { webhook: await read(id), secret: made };
    },

    /** An address on another server takes the token away, unless one comes along. 404 webhook.missing, and the failures of addresses. */
    async update(id: string, { address, token: sent, events, enabled, ...change }: WebhookChange): Promise<Webhook> {
      const before = await get(id);
      const token = sent ?? (address !== undefined && isOtherServer(before, address) ? "" : undefined);
      const row = {
        ...before,
        ...{ name: change.name ?? before.name, language: change.language ?? before.language },
        ...(address !== undefined && addressed(id, before.kind, address)),
        ...(token !== undefined && { sealed_token: tokenOf(id, before.kind, token) }),
        updated_at: clock(),
      };
      const wanted = events && [...new Set(events)];
      const isElsewhere = address !== undefined || token !== undefined;
      await table.update(row, { events: wanted, enabled, isElsewhere }, new Failure("webhook.missing"));
      await queue.read();
      return await read(id);
    },

    /** Returns the name of what was removed. 404 webhook.missing. */
    async remove(id: string): Promise<string> {
      const { name } = await get(id);
      if (!(await table.remove(id))) throw new Failure("webhook.missing");
      await queue.read();
      return name;
    },

    /** Makes a new secret, which is told this once. 404 webhook.missing, 400 webhook.unsigned, 503 server.busy. */
    async rotate(id: string) {
      const row = await get(id);
      if (row.sealed_secret === null) throw new Failure("webhook.unsigned");
      const [made, now] = [newSecret(), clock()];
      const until = now + WEBHOOK_SECRET_KEPT_HOURS * 3_600_000;
      if (!(await table.rotate(row, seals.seal(made, sealedFor.secret(id)), until, now)))
        throw new Failure("server.busy");
      return { webhook: await read(id), secret: made };
    },
  };
}

/** The event that a test delivers. */
function testDelivery(webhook: string, now: number): DeliveryRow {
  const told: Told = { type: "test", timestamp: iso(now), data: { items: [], more: 0 } };
  return {
    ...{ id: newMessageId(), webhook, event: "test", body: JSON.stringify(told), at: now, state: "waiting" },
    ...{ attempts: 0, first_try_at: now, due_at: now, ended_at: null, status: null, problem: null, clock_ahead: null },
  };
}

export function createWebhooks(deps: WebhooksDeps) {
  const { cluster, clock, log, secret, queue, policy, resolve = resolveByMachine, mailServer, patience } = deps;
  const table = webhooksTable(cluster.db);
  const deliveries = deliveriesTable(cluster.db);
  const editing = createEditing(deps, table);
  const pinned = createPinnedFetch({ fetch, policy, resolve, clock: steadyClock(clock) });
  const mail = mailServer && createMailer(mailServer);
  const send = createSend({ fetch: pinned, mail, seals: createSeals(secret), clock, patience });
  const deliverer = createDeliverer({
    cluster,
    table: deliveries,
    find: table.find,
    clock,
    log,
    send,
    isWanted: queue.isWanted,
  });
  const stopping = new AbortController();
  queue.onQueued(() => void deliverer.look());
  /** Has what waits for a webhook leave soon after a change of it. */
  const lookAfter = async <Done>(change: Promise<Done>): Promise<Done> => {
    const done = await change;
    void deliverer.look();
    return done;
  };

  return {
    list: editing.list,
    create: editing.create,
    update: (id: string, change: WebhookChange) => lookAfter(editing.update(id, change)),
    remove: editing.remove,
    rotate: (id: string) => lookAfter(editing.rotate(id)),

    /** Whether mail can be sent. */
    hasMail: mail !== undefined,

    /** Tries once, beside the queue, and notes what came of it. 404 webhook.missing. */
    async test(id: string): Promise<DeliveryRow> {
      const webhook = await editing.get(id);
      const row = testDelivery(id, clock());
      const { status, problem, clockAhead } = await send(webhook, row, stopping.signal);
      const state = problem === null ? "delivered" : "failed";
      const ended: DeliveryRow = {
        ...row,
        ...{ state, attempts: 1, ended_at: clock(), status, problem, clock_ahead: clockAhead },
      };
      await deliveries.insertEnded(ended);
      return ended;
    },

    /** Newest first. 404 webhook.missing. */
    async deliveries(id: string, limit: number, offset: number): Promise<{ rows: DeliveryRow[]; hasMore: boolean }> {
      await editing.get(id);
      const rows = await deliveries.page(id, limit + 1, offset);
      return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
    },

    /** Those that the server has switched off. */
    switchedOff: table.switchedOff,

    look: deliverer.look,
    idle: deliverer.idle,
    start: deliverer.start,

    /** Queues what was told, and stops delivering. */
    async stop(): Promise<void> {
      stopping.abort();
      await queue.flush().finally(deliverer.stop);
    },

    /** Gives up what has waited too long, and removes what ended long ago; returns how many. */
    async sweep(): Promise<number> {
      const now = clock();
      const given = await removeInSlices((most) => deliveries.giveUpOld(now - DELIVERY_PATIENCE, now, most), SLICE);
      let removed = await removeInSlices((most) => deliveries.removeEnded(now - DELIVERY_LIFE, most), SLICE);
      for (const { id } of await table.all())
        removed += await removeInSlices((most) => deliveries.removeBeyond(id, MAX_ENDED_DELIVERIES, most), SLICE);
      return given + removed;
    },
  };
}

export type Webhooks = ReturnType<typeof createWebhooks>;
