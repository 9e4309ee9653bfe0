/** Takes what happens, and queues it for the webhooks that want to know. */
import { MAX_WAITING_DELIVERIES } from "#contract/limits";
import type { Happening, WebhookEvent } from "#contract/webhooks";
import type { Cluster } from "../cluster/cluster.ts";
import type { Sql } from "../database/sql.ts";
import { type Clock, iso } from "../lib/clock.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import { randomToken } from "../lib/secret.ts";
import { shared } from "../lib/turns.ts";
import { deliveriesTable, type Message, queueing } from "./deliveries-table.ts";
import { webhooksTable } from "./webhooks-table.ts";
import type { Item, Told } from "./words.ts";

interface QueueDeps {
  readonly cluster: Pick<Cluster, "db" | "follow">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Things of one event that are told by name; how many others there were is said beside them. */
const NAMED = 20;
/** Characters of a text in what is told: a body stays below 20 kB. */
const LONGEST_TEXT = 120;
/** Milliseconds from the first thing to its message, and between two messages of one event while more goes on happening. */
const SOON = 1000;
const PACE = 30_000;

/** Messages that the database has not taken; beyond them the oldest are lost. */
const MAX_UNWRITTEN = 100;

/** Things of one event that are not queued yet. */
interface Gathered {
  items: Map<string, Item>;
  more: number;
  timer: Timer | undefined;
  /** By `performance.now()`. */
  flushedAt: number;
}

const nothing = (): Gathered => ({
  ...{ items: new Map<string, Item>(), more: 0 },
  ...{ timer: undefined, flushedAt: Number.NEGATIVE_INFINITY },
});

const shortened = (item: Item): Item =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => {
      if (typeof value !== "string" || value.length <= LONGEST_TEXT) return [name, value];
      return [name, `${[...value].slice(0, LONGEST_TEXT - 1).join("")}…`];
    }),
  );

/** A message for the queue, with an id that it keeps over all tries (Standard Webhooks, "webhook-id"). */
function messageOf(event: WebhookEvent, now: number, items: readonly Item[], more = 0): Message {
  const told: Told = { type: event, timestamp: iso(now), data: { items: items.map(shortened), more } };
  return { id: newMessageId(), event, at: now, body: JSON.stringify(told) };
}

export const newMessageId = (): string => `msg_${randomToken(18)}`;

/** Two openings of one share are one thing that happened twice, and so are two parts of one file that were not stored. */
function nameOf({ type, item }: Happening): string {
  if (type === "share.opened") return `${item.kind} ${item.id}`;
  return type === "upload.failed" ? `${item.storage} ${item.key}` : crypto.randomUUID();
}

const added = (before: Item | undefined, item: Item): Item =>
  before?.openings === undefined ? item : { ...item, openings: Number(before.openings) + Number(item.openings) };

/** Gathers what happens often, and writes it a moment later. */
function createGathering(
  write: (messages: readonly Message[]) => Promise<void>,
  { clock, log }: Pick<QueueDeps, "clock" | "log">,
) {
  const gathered = new Map<WebhookEvent, Gathered>();
  let unwritten: readonly Message[] = [];

  /** Takes what was gathered of an event. */
  const taken = (event: WebhookEvent, here: Gathered): Message[] => {
    const { items, more } = here;
    clearTimeout(here.timer);
    if (items.size === 0) return [];
    Object.assign(here, { ...nothing(), flushedAt: performance.now() });
    return [messageOf(event, clock(), [...items.values()], more)];
  };

  const writeAll = async (messages: readonly Message[]): Promise<void> => {
    const all = [...unwritten, ...messages];
    unwritten = [];
    if (all.length === 0) return;
    try {
      await write(all);
    } catch (error) {
      unwritten = [...all, ...unwritten].slice(-MAX_UNWRITTEN);
      throw error;
    }
  };

  const flushLater = (event: WebhookEvent, here: Gathered): void => {
    if (here.timer) return;
    const run = () =>
      writeAll(taken(event, here)).catch((error: unknown) => log.error("events not queued", unforeseen(error)));
    here.timer = setTimeout(run, Math.max(SOON, here.flushedAt + PACE - performance.now()));
    here.timer.unref();
  };

  return {
    add(happening: Happening): void {
      const { type, item } = happening;
      const here = gathered.get(type) ?? nothing();
      gathered.set(type, here);
      const name = nameOf(happening);
      const before = here.items.get(name);
      if (before || here.items.size < NAMED) here.items.set(name, added(before, { ...item }));
      else here.more += 1;
      flushLater(type, here);
    },
    flush: (): Promise<void> => writeAll([...gathered].flatMap(([event, here]) => taken(event, here))),
  };
}

/** Opens the queue. What nobody wants to know costs no statement. */
export async function openWebhookQueue({ cluster, clock, log }: QueueDeps) {
  const table = webhooksTable(cluster.db);
  const deliveries = deliveriesTable(cluster.db);
  let wanted: ReadonlySet<WebhookEvent> = new Set();
  const read = shared(async () => {
    wanted = new Set((await table.wanted()).map(({ event }) => event));
  });
  await read();
  cluster.follow("webhooks", read);

  let queued = (): void => undefined;
  const write = async (messages: readonly Message[]): Promise<void> => {
    await deliveries.queue(messages, MAX_WAITING_DELIVERIES);
    queued();
  };
  const gathering = createGathering(write, { clock, log });

  return {
    /**
     * Tells of something behind the request that did it, which waits for nothing: a thousand openings a second become one message in
     * half a minute, which names the first twenty. What a killed server has not written is lost, a second of it in quiet times.
     */
    tell(happening: Happening): void {
      if (wanted.has(happening.type)) gathering.add(happening);
    },

    /** Statements that queue something with the transaction that does it, if `when` holds there: then neither is without the other. */
    told({ type, item }: Happening, when?: Sql): readonly Sql[] {
      if (!wanted.has(type)) return [];
      // The transaction comes right after; whoever looks before it is through looks again (deliverer.ts).
      setTimeout(() => queued(), SOON).unref();
      return queueing(messageOf(type, clock(), [{ ...item }]), MAX_WAITING_DELIVERIES, when);
    },

    /** Whether any webhook wants anything. */
    isWanted: (): boolean => wanted.size > 0,

    /** Reads anew what is wanted, for a server that has changed it itself. */
    read,

    /** Calls this whenever something was queued here. */
    onQueued(call: () => void): void {
      queued = call;
    },

    /** Queues what was told, or throws. */
    flush: gathering.flush,
  };
}

export type WebhookQueue = Awaited<ReturnType<typeof openWebhookQueue>>;
